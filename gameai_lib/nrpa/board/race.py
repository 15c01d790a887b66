"""The race: random games, NRPA of level 1 and of level 2, playout by playout on one problem."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from gameai_lib.base import checks
from gameai_lib.boards import Board, WrongTouch
from gameai_lib.nrpa.board import liked
from gameai_lib.nrpa.game.instances import bundled_board
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import Faults, move_probabilities
from gameai_lib.nrpa.search.trace import root_codes
from gameai_lib.touch.board import svg

PROBLEMS = {
    "morpion-5D": lambda: morpion("5D"),
    "morpion-4D": lambda: morpion("4D"),
    "samegame": lambda: samegame(bundled_board(), "bundled"),
    "leftmove": lambda: leftmove(30),
}
VARIANTS = {"morpion-5D": "5D", "morpion-4D": "4D"}
SIZES = (20, 30, 40)  # N: the race is over N² playouts
ALPHAS = ("0.25", "1", "4")
NAMES = ("random", "level 1", "level 2")
AGAIN = 100
_LEFT, _RIGHT, _TOP, _HIGH = 42, 392, 44, 170  # of the chart
_BARS, _BIN = 42, 24  # height of a row below it; bins of the scores of many races
_STROKES, _FILLS, _DASHES = ("s4", "s1", "s0"), ("c4", "c1", "c0"), ("2 3", "7 3", None)


@dataclass(frozen=True)
class Race:
    """How far a race is: what a picture needs.

    Attributes
    ----------
    n_playouts : tuple of int
        Of each racer, at the moments that were looked at.
    games : tuple of (3,) tuple of float
        Score of a game that each racer's policy plays at these moments; it teaches nothing.
    best : tuple of (3,) tuple of float
        Best score of the playouts so far.
    policies : (3,) tuple of (n_moves,) tuple of float
        How likely each racer now makes each first move.
    weights : (3,) tuple of (n_codes,) array
        Policies of level 1, of level 2 and of level 1 below it.
    """

    n_playouts: tuple = ()
    games: tuple = ()
    best: tuple = ()
    policies: tuple = ()
    weights: tuple = ()


class RaceBoard(Board):
    """Random games, NRPA of level 1 and of level 2 with the same number of playouts.

    Parameters
    ----------
    problem : str or Problem
        One of `PROBLEMS`, or a problem of one's own.
    n_iterations : int
        N of level 2; all play N² games.
    alpha : float
        Step of Adapt.
    shared : bool
        All levels learn in one policy, as in the program that the chapter began with.
    seed : int
        Of the searches.
    """

    name, title = "race", "The race"
    views = {"slowly": "Slowly"}  # noqa: RUF012
    rules = (
        "Three players make the same number of games. One plays at random; level 1 learns from its "
        "best game after each; level 2 runs short searches of level 1 and learns from the best.",
        "A dot is a game that the player's policy makes at that moment, the line the best so far. "
        "Below are the moves that the policies like: lines of Morpion, the thicker the heavier; "
        "for other games bars, how likely each first move is.",
        "“Again, 100 times” runs that many races with other random numbers.",
        "Try one policy shared by both levels; and find a problem on which random games win.",
    )
    begins = "Another race"

    def __init__(
        self, *, problem: str | Problem = "morpion-5D", n_iterations: int = 40,
        alpha: float = 1.0, shared: bool = False, seed: int = 0,
    ):  # fmt: skip
        super().__init__(seed=seed)
        if isinstance(problem, Problem):
            self.own, problem = {"problem": problem}, "own"
        else:
            checks.one_of("problem", problem, PROBLEMS)
        self.n = checks.whole("n_iterations", n_iterations, 2, 100)
        self.alpha = checks.number("alpha", alpha, 0, 100, above=True)
        self.shared = checks.flag("shared", shared)
        self.start = {"n_iterations": self.n, "alpha": self.alpha, "shared": self.shared}
        if not self.own:
            self.start["problem"] = problem
        self._choose(problem)
        self.race, self.finals = Race(), ()

    def _choose(self, name):
        self.chosen = name
        self.problem = self.own["problem"] if name == "own" else PROBLEMS[name]()

    def options(self):
        return super().options() | self.start

    def recorded(self):
        return [(*["think-8"] * 4, "think-9", *["think-25"] * 4)] if self.n == 40 else []

    def move(self, name):
        kind, _, value = name.partition("-")
        if kind == "on" and (value in PROBLEMS or (self.own and value == "own")):
            self._choose(value)
        elif kind == "n" and value in map(str, SIZES):
            self.n = int(value)
        elif kind == "alpha" and value in ALPHAS:
            self.alpha = float(value)
        elif name in ("shared", "copies"):
            self.shared = name == "shared"
        else:
            return super().move(name)
        self.race, self.finals = Race(), ()
        return True

    def selects(self):
        names = {"own": "your own"} if self.own else {}
        names |= {"morpion-5D": "Morpion 5D", "morpion-4D": "Morpion 4D", "samegame": "SameGame",
                  "leftmove": "LeftMove"}  # fmt: skip
        sizes = sorted({*SIZES, self.n})
        alphas = sorted({*ALPHAS, f"{self.alpha:g}"}, key=float)
        return [
            ("Game", [(f"on-{key}", words) for key, words in names.items()], f"on-{self.chosen}"),
            ("Playouts", [(f"n-{n}", f"{n * n:,}") for n in sizes], f"n-{self.n}"),
            ("Policy", [("copies", "a copy for each level"), ("shared", "one for all")],
             "shared" if self.shared else "copies"),
            ("Step α", [(f"alpha-{a}", a) for a in alphas], f"alpha-{self.alpha:g}"),
        ]  # fmt: skip

    @property
    def thinks(self):
        """A race; then the same again and again, which needs no touch between."""
        if not self._is_over:
            return "Race"
        return f"Again, {AGAIN} times" if len(self.finals) < 10 * AGAIN else ""

    @property
    def _is_over(self):
        return bool(self.race.n_playouts) and self.race.n_playouts[-1] == self.n**2

    def racers(self, number: int = 0):
        """Return the three searches of a race; `number` 0 is the one that is shown."""
        rngs = [np.random.default_rng([self.seed, number, k]) for k in range(3)]
        given = {"alpha": self.alpha, "faults": Faults(shared_policy=self.shared)}
        return (
            FlatMonteCarlo(self.problem, rngs[0]),
            NRPA(self.problem, rngs[1], level=1, n_iterations=self.n**2, **given),
            NRPA(self.problem, rngs[2], level=2, n_iterations=self.n, **given),
        )

    def think(self):
        try:
            yield from self._again() if self._is_over else self._run()
        except WrongTouch:
            raise
        except Exception as error:  # whatever a reader's own rules may do
            words = f"The search has ended: {type(error).__name__}: {error}"
            raise WrongTouch(words[:500]) from None

    def _run(self) -> Iterator[float]:
        racers, codes = self.racers(), root_codes(self.problem)
        rng = np.random.default_rng([self.seed, 0, 3])
        self.race = race = Race()
        while not self._is_over:
            every = 1 if "slowly" in self.shown else self._at_once
            self._advance(racers, every)
            race = replace(
                race,
                n_playouts=(*race.n_playouts, racers[0].n_playouts),
                games=(*race.games, tuple(self._game(search, rng) for search in racers)),
                best=(*race.best, tuple(search.best.score for search in racers)),
                policies=tuple(_chances(search, codes) for search in racers),
                weights=(racers[1].policy[0], racers[2].policy[1], racers[2].policy[0]),
            )
            self.race = race
            yield racers[0].n_playouts / self.n**2

    def _game(self, search, rng):
        """Score of a game under the policy that the next playout follows."""
        policy = None if search.policy is None else search.policy[0]
        return float(FlatMonteCarlo(self.problem, rng, policy).scores(1)[0])

    def _again(self) -> Iterator[float]:
        first = len(self.finals)
        for k in range(AGAIN):
            racers = self.racers(first + k + 1)
            while racers[0].n_playouts < self.n**2:
                self._advance(racers, self._at_once if self.own else self.n**2)
                if racers[0].n_playouts < self.n**2:
                    yield k / AGAIN
            self.finals = (*self.finals, tuple(search.best.score for search in racers))
            yield (k + 1) / AGAIN

    @property
    def _at_once(self):
        return 4 if self.own else self.n  # own rules may run as plain Python

    def _advance(self, racers, n_playouts):
        for search in racers:
            search.advance(min(n_playouts, self.n**2 - search.n_playouts))

    def svg(self):
        shapes = _key() + self._chart()
        below = _TOP + _HIGH + 40
        shapes += self._distributions(below) if self.finals else self._policies(below)
        return svg.picture(400, below + 3 * _BARS + 34, *shapes, label=self.title)

    def _chart(self):
        race, n = self.race, self.n**2
        foot = _TOP + _HIGH
        low, high = _range([x for row in (*race.games, *race.best) for x in row])

        def x(playouts):
            return _LEFT + (_RIGHT - _LEFT) * playouts / n

        def y(score):
            return foot - _HIGH * (score - low) / (high - low)

        shapes = [svg.rect(_LEFT, _TOP, _RIGHT - _LEFT, _HIGH, "line")]
        for part in (0, 0.5, 1):
            shapes.append(svg.text(x(part * n), foot + 12, f"{part * n:,.0f}", 13,
                                   anchor="end" if part == 1 else "middle"))  # fmt: skip
        shapes.append(svg.text(x(0.75 * n), foot + 12, "playouts", 13, "muted"))
        for score in _ticks(low, high):
            shapes.append(svg.line(_LEFT, y(score), _RIGHT, y(score), "thin"))
            shapes.append(svg.text(_LEFT - 4, y(score), _number(score), 13, anchor="end"))
        thin = max(1, len(race.n_playouts) // 100)  # no more dots than can be told apart
        for k in range(3):
            spots = [(x(m), y(row[k])) for m, row in zip(race.n_playouts, race.games, strict=True)]
            shapes += [_dot(k, *spot) for spot in spots[::thin]]
        for k in range(3):
            spots = [(x(m), y(row[k])) for m, row in zip(race.n_playouts, race.best, strict=True)]
            if spots:
                steps = [spots[0]]
                for at, level in spots[1:]:
                    if level != steps[-1][1]:
                        steps += [(at, steps[-1][1]), (at, level)]
                steps.append((spots[-1][0], steps[-1][1]))
                look = {"stroke_width": 2.5, "stroke_dasharray": _DASHES[k]}
                shapes.append(svg.path(steps, _STROKES[k], **look))
        return shapes

    def _policies(self, top):
        """What the policies like: lines of Morpion, or first moves."""
        return self._lines(top) if self.chosen in VARIANTS else self._first_moves(top)

    def _lines(self, top):
        weights = self.race.weights or (np.zeros(1),) * 3
        titles = ("level 1 likes", "level 2 likes", "its level 1 likes")
        shapes = []
        for i, (title, k) in enumerate(zip(titles, (1, 2, 2), strict=True)):
            left = 8 + i * (liked.SIDE + 3)
            shapes.append(svg.text(left, top - 8, title, 13, "muted", anchor="start"))
            shapes += liked.panel(VARIANTS[self.chosen], weights[i], left, top, _STROKES[k])
        return shapes

    def _first_moves(self, top):
        """How likely each first move is, a row of bars for each racer."""
        codes = root_codes(self.problem)
        rows = self.race.policies or (tuple(np.full(len(codes), 1 / len(codes))),) * 3
        wide = (_RIGHT - _LEFT - 26) / max(len(codes), 1)
        shapes = [svg.text(8, top - 8, "chance of each first move", 13, "muted", anchor="start")]
        for k, row in enumerate(rows):
            foot = top + _BARS * (k + 1)
            shapes.append(svg.text(8, foot - 12, NAMES[k], 13, anchor="start"))
            shapes.append(svg.line(_LEFT + 26, foot, _RIGHT, foot, "line"))
            shapes += [
                svg.rect(_LEFT + 26 + wide * i + 0.5, foot - (_BARS - 8) * p, max(wide - 1, 1),
                         (_BARS - 8) * p, _FILLS[k])
                for i, p in enumerate(row)
            ]  # fmt: skip
        words = f"{len(codes)} first moves"
        shapes.append(svg.text(_RIGHT, top + 3 * _BARS + 14, words, 13, "muted", anchor="end"))
        return shapes

    def _distributions(self, top):
        """Best scores of all races, a row for each racer."""
        finals = np.array(self.finals)
        low, high = _range(finals.ravel(), least=0.5)
        left, right = _LEFT + 26, _RIGHT
        shapes = [svg.text(8, top - 8, f"best scores of {len(finals)} races", 13, "muted",
                           anchor="start")]  # fmt: skip
        for k, scores in enumerate(finals.T):
            foot = top + _BARS * (k + 1)
            counts, edges = np.histogram(scores, _edges(finals, low, high))
            xs = left + (right - left) * (edges - low) / (high - low)
            shapes.append(svg.text(8, foot - 12, NAMES[k], 13, anchor="start"))
            shapes.append(svg.line(left, foot, right, foot, "line"))
            shapes += [
                svg.rect(a + 0.5, foot - (_BARS - 10) * n / counts.max(), b - a - 1,
                         (_BARS - 10) * n / counts.max(), _FILLS[k])
                for n, a, b in zip(counts, xs[:-1], xs[1:], strict=True) if n
            ]  # fmt: skip
            mean = left + (right - left) * (scores.mean() - low) / (high - low)
            above = foot - _BARS + 6
            shapes.append(svg.line(mean, above, mean, foot + 3, "stroke", stroke_width=2))
        for score in _ticks(low, high):
            x = left + (right - left) * (score - low) / (high - low)
            shapes.append(svg.text(x, top + 3 * _BARS + 14, _number(score), 13))
        return shapes

    def say(self):
        race, name = self.race, self.problem.name
        if not race.n_playouts:
            words = f"{name}: nothing has been played."
        else:
            each = ", ".join(f"{who} {s:g}" for who, s in zip(NAMES, race.best[-1], strict=True))
            words = f"{name}: the best of {race.n_playouts[-1]:,} playouts each: {each}."
            surest = ", ".join(
                f"{who} {max(p):.0%}" for who, p in zip(NAMES[1:], race.policies[1:], strict=True)
            )
            words += f" Chance of the likeliest first move: {surest}."
            if self.chosen in VARIANTS:
                one, two, below = [liked.liked(weights).size for weights in race.weights]
                words += f" Lines liked: level 1 {one}, level 2 {two}, level 1 below it {below}."
        if self.finals:
            finals = np.array(self.finals)
            each = "; ".join(
                f"{who} {_mean(scores)}" for who, scores in zip(NAMES, finals.T, strict=True)
            )
            ahead = np.mean(finals[:, 2] > finals[:, 0])
            words += (
                f"\nBest scores of {len(finals)} races, mean ± standard error: {each}. "
                f"Level 2 beat random games in {ahead:.0%}."
            )
        return words


def _edges(scores, low, high):
    """Ends of bins: a bin for each whole number, where the scores are a few of these."""
    if high - low < 2 * _BIN and (scores == np.round(scores)).all():
        return np.arange(scores.min() - 0.5, scores.max() + 1)
    return np.linspace(low, high, _BIN + 1)


def _mean(scores):
    error = scores.std(ddof=1) / np.sqrt(scores.size) if scores.size > 1 else np.nan
    return f"{scores.mean():.4g}" + (f" ± {error:.2g}" if np.isfinite(error) else "")


def _chances(search, codes):
    """Chances of the first moves under the policy of the top level; equal without one."""
    weights = np.zeros(len(codes)) if search.policy is None else search.policy[-1][codes]
    return tuple(move_probabilities(weights).tolist())


def _range(scores, least=0.0):
    """Ends of an axis around some scores, and some room, at least so much."""
    seen = np.asarray([score for score in scores if np.isfinite(score)])
    if not seen.size:
        return 0.0, 1.0
    low, high = float(seen.min()), float(seen.max())
    edge = max(0.04 * (high - low), least) or 0.5
    return low - edge, high + edge


def _ticks(low, high):
    """Three to seven round numbers between two ends."""
    spacing = next(
        s * 10.0**e for e in range(-12, 16) for s in (1, 2, 5) if (high - low) / (s * 10.0**e) <= 6
    )
    return [k * spacing for k in range(int(np.ceil(low / spacing)), int(high // spacing) + 1)]


def _number(value):
    return f"{value:g}".replace("-", "−")


def _dot(k, x, y):
    """A playout of a racer: shapes that differ, too."""
    if k == 0:
        return svg.circle(x, y, 2.2, _FILLS[k])
    if k == 1:
        return svg.path([(x - 3, y + 2.5), (x + 3, y + 2.5), (x, y - 3)], _FILLS[k], closed=True)
    return svg.rect(x - 2.2, y - 2.2, 4.4, 4.4, _FILLS[k])


def _key():
    shapes = [svg.text(8, 32, "score", 13, "muted", anchor="start")]
    for k, left in enumerate((70, 180, 290)):
        shapes.append(svg.line(left, 16, left + 26, 16, _STROKES[k], stroke_width=2.5,
                               stroke_dasharray=_DASHES[k]))  # fmt: skip
        shapes.append(_dot(k, left + 36, 16))
        shapes.append(svg.text(left + 44, 16, NAMES[k], 13, anchor="start"))
    return shapes
