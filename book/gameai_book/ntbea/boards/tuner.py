"""Run the tuner: NTBEA with two settings side by side, game by game, and again and again."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.boards.parts import (
    choices,
    left_text,
    number_chosen,
    right_text,
    true_chances,
    value_words,
)
from gameai_book.ntbea.results.tables import planet_wars_table
from gameai_lib.base import checks
from gameai_lib.ntbea import LandscapeModel, Settings, best_sampled, search_steps
from gameai_lib.ntbea.game.space import Space, space_of
from gameai_lib.ntbea.search.steps import DEFAULTS
from touchbook.board import svg
from touchbook.board.chart import LOOKS, ROW, Chart, blank, distributions, in_words, span
from touchbook.boards import Board, WrongTouch

NAMES = ("A", "B")
FIELDS = {  # of a setting: as in touches and in words, and what can be chosen
    "k_scale": ("k", (0.0, 0.1, 0.3, 1.0, 3.0)),  # times the range of the fitness
    "n_neighbours": ("neighbours", (5, 50, 200)),
    "n_looks": ("looks", (1, 2, 5, 10)),
}
GAMES = (50, 100, 200, 400)
AGAIN = 100
_LEFT, _RIGHT, _TOP, _HIGH = 42, 392, 44, 170  # of the chart
_AT_ONCE = 5  # games between two pictures
_OWN_GAME = (
    "Two tuners, A and B, play the same number of games. A mark shows the value of the point that "
    "a tuner has just tried. The line shows the value of the point that it would recommend. A "
    "value is the mean score of 100 more games, which the tuners do not see."
)


class Setting(NamedTuple):
    """How a tuner searches."""

    k_scale: float = DEFAULTS.k_scale  #: weight of exploration, times the range of the fitness seen
    n_neighbours: int = 50  #: points from which the next one is chosen
    n_looks: int = 1  #: games for each point that is chosen; their mean is learned


class Frame(NamedTuple):
    """How far two tuners are at some moment; each field but the first has a part for each."""

    n_games: int  #: played by each
    tried: tuple  #: value of the point that each tried last
    named: tuple  #: value of the point that each would name
    points: tuple  #: what each would name, a dict by parameter


class TunerBoard(Board):
    """Two settings of NTBEA on the agents of Planet Wars, or on an evaluator of one's own.

    Each plays `n_games`, from 10 to 2000. ``evaluate(values, rng)`` plays one game with values of
    the `space` by name, and returns its score. What is true of it nobody knows: its points are
    valued by 100 games more, of which the tuners learn nothing.
    """

    name, title = "tuner", "Run the tuner"
    rules = (
        "Two tuners, A and B, play the same number of games of Planet Wars. A mark shows the true "
        "chance to win of the point that a tuner has just tried. The line shows the true chance of "
        "the point that it would recommend. The tuners do not know these chances. They only see "
        "games that are won or lost.",
        "k says how much a tuner explores. Neighbours are the points among which it chooses the "
        "next point. Looks are the games that it plays at a point before it moves on.",
        "“Again, 100 times” runs both tuners a hundred times with other luck.",
        "Try to find settings that are better than those of A. How many runs does it take to be "
        "sure?",
    )
    begins = "Other luck"

    def __init__(
        self,
        *,
        n_games: int = 200,
        evaluate: Callable | None = None,
        space: Space | None = None,
        seed: int = 0,
    ):
        super().__init__(seed=seed)
        self.n_games = self._n_games = checks.whole("n_games", n_games, 10, 2000)
        self.settings = Setting(), Setting(k_scale=0.0)
        if (evaluate is None) != (space is None):
            raise ValueError("give both evaluate and space, or neither")
        if evaluate is None:
            problem = planet_wars_table()
            self.space, self._play = problem.space, problem.evaluate
        else:
            self.space = space_of(space)
            self.own = {"evaluate": checks.function("evaluate", evaluate), "space": self.space}
            self.rules = (_OWN_GAME, *self.rules[1:])
            self._play = lambda at, rng: float(evaluate(self.space.values_of(at), rng))
        self.run, self.finals = (), ()  # frames so far; values of what was named in many runs

    def options(self):
        return super().options() | {"n_games": self._n_games}

    def runs_to_record(self):
        return [] if self.own else [(*["think-8"] * 4, "think-9", *["think-25"] * 4)]

    def move(self, name):
        n_games = number_chosen(name, "games", GAMES)
        changes = {  # of one tuner, by the touch that chooses them
            f"{who}-{word}-{value:g}": (at, {field: value})
            for at, who in enumerate("ab")
            for field, (word, values) in FIELDS.items()
            for value in values
        }
        if n_games:
            self.n_games = n_games
        elif name in changes:
            at, change = changes[name]
            a, b = self.settings
            changed = self.settings[at]._replace(**change)
            self.settings = (a, changed) if at else (changed, b)
        else:
            return super().move(name)
        self.run, self.finals = (), ()
        return True

    def selects(self):
        lists = [("Games", *choices("games", GAMES, self.n_games))]
        for name, one in zip(NAMES, self.settings, strict=True):
            for field, (word, values) in FIELDS.items():
                touches = choices(f"{name.lower()}-{word}", values, getattr(one, field))
                lists.append((f"{name}: {word}", *touches))
        return lists

    @property
    def thinks(self):
        """A run; then the same again and again, which needs no touch between."""
        if not self._is_over():
            return "Run"
        return f"Again, {AGAIN} times" if len(self.finals) < 10 * AGAIN else ""

    def _is_over(self):
        return bool(self.run) and self.run[-1].n_games == self.n_games

    def tuners(self, number: int = 0):
        """Return (model, steps) of both; a step is a point's games. Number 0 is shown."""
        for at, one in enumerate(self.settings):
            model = LandscapeModel(self.space)
            rng = np.random.default_rng([self.seed, number, at])
            settings = Settings(n_neighbours=one.n_neighbours, k_scale=one.k_scale)
            yield model, search_steps(partial(self._mean, one.n_looks), model, rng, settings)

    def _mean(self, n_looks, point, rng):
        return float(np.mean([self._play(point, rng) for _ in range(n_looks)]))

    def value(self, point):
        """True value of a point; of one's own evaluator, the mean of 100 games more."""
        if not self.own:
            return float(true_chances()[tuple(point)])
        point = np.asarray(point)
        rng = np.random.default_rng([self.seed, *point])
        return float(np.mean([self._play(point, rng) for _ in range(100)]))

    def think(self):
        try:
            yield from self._again() if self._is_over() else self._run()
        except WrongTouch:
            raise
        except Exception as error:  # whatever a reader's own evaluator may do
            words = f"The run has ended: {error.__cause__ or error}"
            raise WrongTouch(words[:500]) from None

    def _run(self) -> Iterator[float]:
        both, self.run = [*self.tuners()], ()
        value = cache(lambda *point: self.value(point))  # of one's own evaluator it takes games
        for n in range(_AT_ONCE, self.n_games + _AT_ONCE, _AT_ONCE):
            n = min(n, self.n_games)
            pairs = zip(self.settings, both, strict=True)
            named = [self._play_to(n, setting, *tuner) for setting, tuner in pairs]
            tried = [model.points[-1] for model, _ in both]
            values = [tuple(value(*point.tolist()) for point in who) for who in (tried, named)]
            self.run = (*self.run, Frame(n, *values, tuple(map(self.space.values_of, named))))
            yield n / self.n_games

    def _play_to(self, n_games, setting, model, steps):
        """Let a tuner play up to so many games, but at least one point; the point it names."""
        wanted = max(1, n_games // setting.n_looks) - model.n_evaluations
        for _ in islice(steps, max(wanted, 0)):
            pass
        return best_sampled(model)

    def _again(self) -> Iterator[float]:
        first, every = len(self.finals), _AT_ONCE if self.own else self.n_games
        for k in range(AGAIN):
            found = []
            for setting, tuner in zip(self.settings, self.tuners(first + k + 1), strict=True):
                for n in range(every, self.n_games, every):  # own games may take long
                    self._play_to(n, setting, *tuner)
                    yield k / AGAIN
                found.append(self.value(self._play_to(self.n_games, setting, *tuner)))
            self.finals = (*self.finals, tuple(found))
            yield (k + 1) / AGAIN

    def svg(self):
        run, foot, best = self.run, _TOP + _HIGH, float(true_chances().max())
        title, say, ends = "chance to win", _percent, (0.0, 1.14 * best)
        if self.own:
            title, say = "mean score", None if run else blank
            ends = span([x for frame in run for x in (*frame.tried, *frame.named)])
        chart = Chart(_LEFT, _RIGHT, _TOP, foot, self.n_games, *ends)
        shapes = [left_text(8, 32, title, 13, "muted"), *chart.frame("games", say)]
        if not self.own:
            y = chart.y(best)
            shapes.append(svg.line(_LEFT, y, _RIGHT, y, "stroke-muted", stroke_dasharray="5 4"))
            shapes.append(right_text(_RIGHT - 4, y - 9, "best of all", 13, "muted"))
        for k, look in enumerate(LOOKS[:2]):
            shapes += look.key((170, 260)[k], 16, NAMES[k])
            shapes += [look.mark(chart.x(f.n_games), chart.y(f.tried[k])) for f in run]
        for k, look in enumerate(LOOKS[:2]):
            shapes += chart.steps(look, [f.n_games for f in run], [f.named[k] for f in run])
        below = foot + 40
        if self.finals:
            words = f"the point recommended, in {len(self.finals)} runs"
            shapes.append(left_text(8, below - 8, words, 13, "muted"))
            shapes += distributions(_LEFT - 26, _RIGHT, below, NAMES, self.finals, LOOKS, say)
            below += 2 * ROW + 26
        return svg.picture(400, below - 6, *shapes, label=self.title)

    def say(self):
        if not self.run:
            n = self.n_games
            return f"{self.space.size:,} points, {n} games each: nothing has been played."
        last = self.run[-1]
        scale, unit = (1.0, "") if self.own else (100.0, " %")
        named = "\n".join(
            f"{name} would recommend {_spell(point)}: {scale * value:.3g}{unit}."
            for name, point, value in zip(NAMES, last.points, last.named, strict=True)
        )
        said = f"After {last.n_games} games:\n{named}"
        if self.finals:
            each = "; ".join(in_words(NAMES, self.finals, scale, unit))
            finals = np.array(self.finals)
            ahead = np.mean(finals[:, 0] > finals[:, 1])
            said += f"\nMean of {len(finals)} runs, ± standard error: {each}. "
            said += f"A was ahead in {ahead:.0%}."
        return said


def _percent(chance):
    return f"{100 * chance:g}%"


def _spell(values):
    words = (f"{name.replace('_', ' ')} {value_words(v)}" for name, v in values.items())
    return ", ".join(words)
