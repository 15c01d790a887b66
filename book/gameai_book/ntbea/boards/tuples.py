"""A point and its tuples: what the model says of it, what a game teaches it, and what is true.

The games are Planet Wars, played by the rules of `gameai_lib.ntbea.game.planet_wars`, or those of
the ships, drawn from stored ones; the model, its bounds and the choice among neighbours are those
of `gameai_lib.ntbea.search`.
"""

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.boards.landscape_truth import true_chances
from gameai_book.ntbea.boards.parts import (
    KS,
    choices,
    games_words,
    is_one_of,
    left_text,
    right_text,
    value_words,
)
from gameai_book.ntbea.results.tables import ship_games
from gameai_lib.base import checks
from gameai_lib.ntbea.game import planet_wars
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.game.space_battle import FEW_RULES
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import Settings, completed, first_choice, search_steps
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

LETTERS = "ABCDE"  # of the dials
MOST_GAMES = 300
_N_BEST = 6  # neighbours that are shown
AT_ONCE = 10  # games that NTBEA plays by itself
_WIDE, _ROW = 47, 31  # values to touch: a box, a row
_GAP = 4  # between blocks of the map
_PANEL = 242  # what stands beside the map
_BAR, _HIGH = 23, 74  # of the arms below
_KEY = "share won", "games, none won", "no game yet", "arms of your point"
_AXIS = 26  # left end of the line of all points


class Game(NamedTuple):
    """What is tuned: a space, the names of its parameters on the board, and a game at a point."""

    space: SearchSpace
    names: tuple
    evaluate: Callable
    truth: Callable  #: the mean result of each point, an axis for each parameter
    cell: int  #: of the map; 18 has room for the values beside rows and columns
    boxes: int  #: where the values to touch begin

    @property
    def n_values(self):
        """Values of all parameters together."""
        return int(sum(self.space.n_values))


def evaluate(point, rng):
    """One game of Planet Wars: 1 if it is won, 0 if lost, ½ if drawn."""
    return (planet_wars.evaluate(point, rng) + 1) / 2


def evaluate_ships(point, rng):
    """One of the stored games under some rules of the ships: 1, 0 or ½."""
    games = ship_games()[np.ravel_multi_index(tuple(point), FEW_RULES.n_values)]
    return float(games[rng.integers(games.size)])


@cache
def true_ships():
    """Mean of the stored games under each set of rules of the ships."""
    return ship_games().mean(axis=1).reshape(FEW_RULES.n_values)


GAMES = {
    "agents": Game(
        planet_wars.AGENT_SPACE, planet_wars.AGENT_SPACE.names, evaluate, true_chances, 11, 106
    ),
    "ships": Game(
        FEW_RULES,
        ("top speed", "missile cost", "missile speed", "cooldown", "ship radius"),
        evaluate_ships,
        true_ships,
        18,
        124,
    ),
}


@cache
def opening(n_games, seed, game="agents"):
    """The first games, by NTBEA: ((point, fitness), …)."""
    model, rng = LandscapeModel(GAMES[game].space), np.random.default_rng([seed, 0])
    settings = completed(Settings(), model.space)
    steps = search_steps(GAMES[game].evaluate, model, rng, settings)
    return tuple((tuple(s.point.tolist()), s.fitness) for s in islice(steps, n_games))


class TuplesBoard(Board):
    """A point, the arms that it belongs to, and their average: estimate and bound.

    Parameters
    ----------
    game : str
        "agents", the 288 of Planet Wars, or "ships", 32 sets of rules.
    n_games : int
        Games that NTBEA has played before the first touch, up to 100.
    k : float
        Weight of the exploration term; a game is worth 1 or 0.
    seed : int
        Of games and neighbours.
    """

    name, title = "tuples", "A point and its tuples"
    rules = (
        "A point is one value for each of the five dials A to E. Touch the values to choose a "
        "point.",
        "Each cell of the map is an arm: a value, or a pair of values. The blue part of a cell is "
        "the share of its games that were won. A grey cell has games, but none was won. An "
        "outlined cell has no game yet. The cells of your point are framed.",
        "Each bar below is one of the framed arms. The number under it counts the games of the "
        "arm. The last bar, “all”, is the record of your point alone. The solid line is the "
        "estimate, which is the average of the bars. The dashed line is the bound, which is the "
        "estimate plus the bonus.",
        "“Play a game there” plays one game at your point. “Let NTBEA choose” draws neighbours of "
        "the point played last, and takes the neighbour with the largest bound.",
        "“The truth” shows what no search ever sees: for each point the mean of very many games, "
        "beside the estimate.",
    )
    views = {"truth": "The truth"}  # noqa: RUF012
    begins = "Other games"

    def __init__(self, *, game: str = "agents", n_games: int = 20, k: float = 0.3, seed: int = 0):
        super().__init__(seed=seed)
        if game not in GAMES:
            raise ValueError(f"game is one of {', '.join(GAMES)}, got {game!r}")
        self.game, self.about = game, GAMES[game]
        self.space = self.about.space
        self.n_games = checks.whole("n_games", n_games, 0, 100)
        self.k = self._k = checks.number("k", k, 0, 1000)
        self._learn(opening(self.n_games, self.seed, game))
        self.point = (0,) * self.space.n_dims
        self.point = self.named()
        self.choice = None  # points, means and explore terms of neighbours, if NTBEA chose
        self.news = None  # the estimate before, if a game was played at last

    def options(self):
        return super().options() | {"game": self.game, "n_games": self.n_games, "k": self._k}

    def recorded(self):
        first = [("choose", "play", "choose"), ("play", "play")]
        if self.game != "ships":
            return first
        truths = ("show-truth",), ("ten",) * 4, ("best", "named")
        every = [_touch_of(point) for point in self.space.all_points()]
        return [
            *first,
            *(("show-truth", *touches) for touches in truths),
            *((point, "show-truth") for point in every),
            *(("show-truth", point) for point in every),
        ]

    def _learn(self, played):
        self.played, self.model = played, LandscapeModel(self.space)
        for point, fitness in played:
            self.model.add(np.array(point), fitness)

    def move(self, name):
        if name == "play":
            self._play()
        elif name == "choose":
            self._choose()
        elif name == "ten":
            self._play_on()
        elif name in ("best", "named"):
            self._go_to(self._best() if name == "best" else self.named())
        elif name[:2] == "k-" and is_one_of(name[2:], KS):
            self.k = float(name[2:])
            self._go_to(self.point)
        else:
            points = {_touch_of(point): point for point in self.space.all_points()}
            if name not in points:
                return super().move(name)
            self._go_to(tuple(points[name].tolist()))
        return True

    def _go_to(self, point):
        self.point, self.choice, self.news = point, None, None

    def _play(self):
        n = len(self.played)
        if n == MOST_GAMES:
            raise WrongTouch(f"{MOST_GAMES} games are enough. “{self.begins}” begins again.")
        before = self.estimate()[0]
        fitness = self.about.evaluate(
            np.array(self.point), np.random.default_rng([self.seed, 1, n])
        )
        self._learn((*self.played, (self.point, fitness)))
        self.choice, self.news = None, before

    def _choose(self):
        if not self.played:
            raise WrongTouch("Play a game first: NTBEA looks around the point played last.")
        rng = np.random.default_rng([self.seed, 2, len(self.played)])
        settings = completed(Settings(k=self.k), self.space)
        point, choice = first_choice(self.model, rng, settings, None)
        self.point, self.choice, self.news = tuple(point.tolist()), choice, None

    def _play_on(self):
        """Let NTBEA choose and play, again and again; then look at what it would recommend."""
        for _ in range(AT_ONCE):
            if self.played:
                self._choose()
            self._play()
        self.point, self.news = self.named(), None

    # What the model says, and what is true.

    def named(self):
        """The point that NTBEA would recommend now; before the first game, the one that is set."""
        return tuple(best_sampled(self.model).tolist()) if self.played else self.point

    def _best(self):
        truth = self.about.truth()
        return tuple(int(v) for v in np.unravel_index(truth.argmax(), truth.shape))

    def all_points(self):
        """Of every point the estimate, the truth and the games played: three arrays."""
        points = self.space.all_points()
        games = np.zeros(len(points), int)
        for point, _ in self.played:
            games[np.ravel_multi_index(point, self.space.n_values)] += 1
        return self.model.mean(points), self.about.truth().ravel(), games

    def n_better(self):
        """How many points are truly better than this one."""
        truth = self.about.truth()
        return int((truth > truth[self.point]).sum())

    def estimate(self):
        """Mean and explore term of the point."""
        return tuple(float(value) for value in self.model.mean_and_explore(self.point))

    def arms(self):
        """Arms of the point: (dimensions, games, share won or nan), singles first."""
        found = []
        for dims in self.model.tuples:
            arms, at = self.model.arms(dims), tuple(self.point[d] for d in dims)
            found.append((dims, int(arms.n[at]), float(arms.mean[at])))
        return found

    def n_sharing(self):
        """Other points that have an arm of two parameters, or more, in common with this one."""
        same = (self.space.all_points() == np.array(self.point)).sum(axis=1)
        return int((same >= 2).sum()) - 1

    def buttons(self):
        buttons = [("play", "Play a game there"), ("choose", "Let NTBEA choose")]
        if len(self.played) + AT_ONCE <= MOST_GAMES:
            buttons.append(("ten", f"Let NTBEA play {AT_ONCE} games"))
        if "truth" in self.shown:
            buttons.append(("best", "Go to the best point"))
        if self.played and self.named() != self.point:
            buttons.append(("named", "Go to what NTBEA would recommend"))
        return buttons

    def selects(self):
        return [("Exploration k", *choices("k", KS, self.k))]

    # The picture.

    def svg(self):
        below = 6 + _ROW * self.space.n_dims + 8
        foot = below + self._side() + (40 if self._has_values() else 24)
        row = self._truths(foot) if "truth" in self.shown else self._strip(foot)
        shapes = [*self._values(6), *self._map(below), *self._panel(below), *row]
        return svg.picture(400, foot + _HIGH + 58, *shapes, label=self.title)

    def _side(self):
        """How wide and high the map is."""
        return self.about.n_values * self.about.cell + (self.space.n_dims - 1) * _GAP

    def _has_values(self):
        return self.about.cell >= 18

    def _values(self, top):
        """A row of boxes for each parameter."""
        shapes = []
        for row, name in enumerate(self.about.names):
            y = top + _ROW * row
            words = f"{LETTERS[row]} {name}"
            shapes.append(left_text(6, y + 13, words, 13))
            for column in range(self.space.n_values[row]):
                x = self.about.boxes + (_WIDE + 1) * column
                box = [svg.rect(x, y, _WIDE, 29, "paper edge", rx=4)]
                said = self._value(row, column)
                if self.point[row] == column:
                    box.append(svg.rect(x, y, _WIDE, 29, "ring", rx=4))
                    shapes += [*box, svg.text(x + _WIDE / 2, y + 14, said, 14, "ink bold")]
                    continue
                box.append(svg.text(x + _WIDE / 2, y + 14, said, 14, "ink"))
                label = f"{name} {said}, now {self._value(row, self.point[row])}"
                there = (*self.point[:row], column, *self.point[row + 1 :])
                shapes.append(svg.target(_touch_of(there), label, *box))
        return shapes

    def _map(self, top):
        """All arms of one and of two parameters; those of the point are framed."""
        size, gaps = self.about.cell, np.arange(self.space.n_dims) * _GAP
        starts = np.cumsum([0, *self.space.n_values[:-1]]) * size + gaps
        left = 40 if self._has_values() else 24
        grounds, bars, bare, lit, keys = [], [], [], [], []

        def cell(row, column, i, j, n, mean):
            x, y = left + starts[column] + size * j, top + starts[row] + size * i
            if n:
                grounds.append(_box(x, y, size - 1, size - 1))
                if mean:
                    high = (size - 1) * mean
                    bars.append(_box(x, y + size - 1 - high, size - 1, high))
            else:
                bare.append(_box(x + 0.5, y + 0.5, size - 2, size - 2))
            if (self.point[row], self.point[column]) == (i, j):
                lit.append(_box(x + 0.5, y + 0.5, size - 2, size - 2))  # within its own cell

        for dims in self.model.tuples[:-1]:
            arms = self.model.arms(dims)
            for at in np.ndindex(arms.n.shape):
                cell(dims[-1], dims[0], at[-1], at[0], arms.n[at], arms.mean[at])
        if self._has_values():  # and so room for a key
            for i, words in enumerate(_KEY):
                x, y = 244, 12 + 22 * i
                (bare if i == 2 else grounds).append(_box(x, y, 17, 17))
                if i == 0:
                    bars.append(_box(x, y + 7, 17, 10))
                if i == 3:
                    lit.append(_box(x + 0.5, y + 0.5, 16, 16))
                keys.append(left_text(x + 24, y + 9, words, 13, "muted"))
        shapes = [_boxes(grounds, "soft"), _boxes(bars, "c0"), _boxes(bare, "line"), *keys]
        shapes.append(_boxes(lit, "stroke", stroke_width=2))
        foot = top + self._side()
        for d, n in enumerate(self.space.n_values):
            middle, below = starts[d] + n * size / 2, foot + (23 if self._has_values() else 8)
            shapes.append(svg.text(9, top + middle, LETTERS[d], 13, "muted bold"))
            shapes.append(svg.text(left + middle, below, LETTERS[d], 13, "muted bold"))
            for v in range(n) if self._has_values() else ():
                at, said = starts[d] + size * (v + 0.5), self._value(d, v)
                shapes.append(right_text(left - 4, top + at, said, 13, "muted"))
                shapes.append(svg.text(left + at - 0.5, foot + 8, said, 13, "muted"))
        return shapes

    def _panel(self, top):
        """The sum, the truth if it is shown, and what happened at last."""
        mean, explore = self.estimate()
        bonus = self.k * explore
        lines = [
            ("estimate", _share(mean), "ink bold"),
            (f"+ {self.k:g} × {_share(explore)}", _share(bonus), "ink"),
            ("bound", _share(mean + bonus), "ink bold"),
        ]
        if "truth" in self.shown:
            lines.append(("truth", _share(self.about.truth()[self.point]), "bad bold"))
        shapes = [svg.line(_PANEL, top + 36.5, 394, top + 36.5, "line")]
        for i, (words, number, class_) in enumerate(lines):
            y = top + 8 + 19 * i
            shapes.append(left_text(_PANEL, y, words, 14, class_))
            shapes.append(right_text(394, y, number, 14, class_))
        next_ = top + 18 + 19 * len(lines)
        if self.choice is not None:
            return shapes + self._neighbours(next_)
        if self.news is not None:
            won = _result(self.played[-1][1])
            said = (
                f"The game was {won}.",
                "Each framed cell",
                "has learned from it:",
                f"estimate {_share(self.news)} → {_share(mean)}.",
                f"{self.n_sharing()} other points share",
                "a pair with this one",
                "and learn, too.",
            )
        else:
            own = self.arms()[-1]
            said = (f"{len(self.played)} games so far,", f"{games_words(own[1])} at this point")
            if self.played and self.point == self.named():
                said += ("NTBEA would", "recommend it.")
            if "truth" in self.shown:
                said += (f"Better: {self.n_better()} of {self.space.size}.",)
        shapes += [
            left_text(_PANEL, next_ + 3 + 17 * i, words, 13, "ink" if i else "ink bold")
            for i, words in enumerate(said)
        ]
        return shapes

    def best_neighbours(self):
        """Neighbours with the largest bounds, the chosen one first: (point, mean, bound)."""
        points, means, explores, k = self.choice
        bounds = means + k * explores
        chosen = (points == np.array(self.point)).all(axis=1)
        order = np.lexsort((-bounds, ~chosen))[:_N_BEST]
        return [(tuple(points[i].tolist()), float(means[i]), float(bounds[i])) for i in order]

    def _neighbours(self, top):
        best, n = self.best_neighbours(), len(self.choice[0])
        words = f"of {n} neighbours:" if n == len(best) else f"best {len(best)} of {n} neighbours:"
        shapes = [left_text(_PANEL, top, words, 13, "muted")]
        unit = 58 / max(1e-9, *(bound for _, _, bound in best))
        for i, (point, mean, bound) in enumerate(best):
            y, x = top + 18 + 17 * i, 336
            bold = "ink" if i else "ink bold"
            shapes.append(left_text(_PANEL, y, self._spelled(point), 13, bold))
            shapes.append(svg.rect(x, y - 6, mean * unit, 12, "c0"))
            shapes.append(svg.rect(x, y - 6, bound * unit, 12, "line"))
        return shapes

    def _strip(self, top):
        """The arms of the point, their average and the bound."""
        mean, explore = self.estimate()
        bound = mean + self.k * explore
        high = max(1.0, bound)
        foot = top + 16 + _HIGH
        shapes = [
            left_text(6, top, "share won, and games, by arm", 13, "muted"),
            svg.line(6, foot, 394, foot, "line"),
        ]
        bars = []
        for i, (dims, n, share) in enumerate(self.arms()):
            x = 8 + 24.2 * i
            if n and share:
                length = _HIGH * share / high
                bars.append(_box(x, foot - length, _BAR - 3, length))
            called = "all" if len(dims) == self.space.n_dims else "".join(LETTERS[d] for d in dims)
            shapes.append(svg.text(x + 10, foot + 11, called, 13))
            shapes.append(svg.text(x + 10, foot + 27, n, 13, "muted"))
        shapes.append(_boxes(bars, "c0"))
        for x, words, value, dash in ((232, "estimate", mean, None), (322, "bound", bound, "5 4")):
            y = foot - _HIGH * value / high
            shapes.append(
                svg.line(x, top, x + 22, top, "s1", stroke_width=2, stroke_dasharray=dash)
            )
            shapes.append(left_text(x + 26, top, words, 13, "muted"))
            shapes.append(svg.line(6, y, 394, y, "s1", stroke_width=2, stroke_dasharray=dash))
        return shapes

    def _truths(self, top):
        """All points in the order of their estimates, and what is true of them."""
        estimates, truths, games = self.all_points()
        order = np.argsort(estimates, kind="stable")
        high, foot, left = max(1.0, float(estimates.max())), top + 16 + _HIGH, _AXIS
        wide = (394 - left) / len(order)
        here = int(np.ravel_multi_index(self.point, self.space.n_values))
        shapes = []
        for x, words in ((6, "estimates:"), (258, "truth")):
            shapes.append(left_text(x, top, words, 13, "muted"))
        for x, words, hollow in ((86, "played", False), (148, "not played", True)):
            shapes += [*_dot(x, top, hollow), left_text(x + 7, top, words, 13, "muted")]
        shapes.append(svg.rect(240, top - 1.5, 12, 3, "c1"))
        links, marks, dots = [], [], []
        for i, at in enumerate(order):
            x = left + wide * (i + 0.5)
            estimate, truth = (foot - _HIGH * v[at] / high for v in (estimates, truths))
            if at == here:
                shapes.append(
                    svg.rect(
                        x - max(wide / 2, 4), foot - _HIGH - 4, max(wide, 8), _HIGH + 8, "soft edge"
                    )
                )
            links.append(f"M{x:.1f} {estimate:.1f}V{truth:.1f}")
            marks.append(_box(round(x - wide * 0.4, 1), truth - 1.5, round(wide * 0.8, 1), 3))
            dots += _dot(x, estimate, not games[at], min(3.5, wide / 2 + 0.6))
        for value in (0, 0.5, 1):
            y = foot - _HIGH * value / high
            shapes.append(svg.line(left, y, 394, y, "thin"))
            shapes.append(right_text(left - 4, y, f"{value:g}".replace("0.5", "½"), 13))
        shapes.append(_boxes(links, "line"))
        shapes += [_boxes(marks, "c1"), *dots]
        if self.played:
            at = int(np.ravel_multi_index(self.named(), self.space.n_values))
            x = left + wide * (int(np.flatnonzero(order == at)[0]) + 0.5)
            peak = [(x - 5, foot + 12), (x + 5, foot + 12), (x, foot + 4)]
            shapes.append(svg.path(peak, "mark", closed=True))
            anchor, at = ("end", min(x + 5, 394)) if x > 200 else ("start", x - 5)
            words = "NTBEA would recommend this one"
            shapes.append(svg.text(at, foot + 23, words, 13, "mark", anchor=anchor))
        return shapes

    # The words.

    def say(self):
        mean, explore = self.estimate()
        arms, bound = self.arms(), mean + self.k * explore
        n_seen = sum(n > 0 for _, n, _ in arms)
        which = f"the {n_seen} of its {len(arms)} arms that have a game"
        which = f"its {len(arms)} arms" if n_seen == len(arms) else which
        why = f"The mean of {which} is the estimate,"
        if not n_seen:
            why = "None of its arms has a game: the estimate is"
        said = (
            f"{self._news()}{self._spoken()}.\n{why} {_share(mean)}. With its bonus of "
            f"{_share(bound - mean)} the bound is {_share(bound)}."
        )
        return f"{said}\n{self._true()}" if "truth" in self.shown else said

    def _true(self):
        """What is true of the point, and of all estimates together."""
        estimates, truths, _ = self.all_points()
        n_above, better = int((estimates > truths).sum()), self.n_better()
        return (
            f"Truth: {_share(self.about.truth()[self.point])}. {better or 'None'} of the "
            f"{len(truths)} points {'is' if better < 2 else 'are'} better. {n_above} estimates lie "
            "above the truth."
        )

    def _news(self):
        if self.choice is not None:
            best = self.best_neighbours()
            others = "; ".join(f"{self._spelled(p)}: {_share(b)}" for p, _, b in best[1:])
            chosen = f"NTBEA takes the largest bound of {len(self.choice[0])} neighbours, "
            return f"{chosen}{_share(best[0][2])}. Next are {others}.\n"
        if self.news is None:
            return ""
        return (
            f"The game was {_result(self.played[-1][1])}: the estimate was {_share(self.news)}. "
            f"{self.n_sharing()} other points share a pair of values with this one and have "
            "learned from it.\n"
        )

    def _value(self, row, column):
        return value_words(self.space.values[row][column])

    def _spelled(self, point):
        return " ".join(self._value(d, v) for d, v in enumerate(point))

    def _spoken(self):
        return ", ".join(
            f"{LETTERS[d]} {name} {self._value(d, v)}"
            for d, (name, v) in enumerate(zip(self.about.names, self.point, strict=True))
        )


def _touch_of(point):
    """The touch that goes to a point: it names all values, so that 32 pictures are enough."""
    return "at-" + "".join(str(value + 1) for value in point)


def _dot(x, y, hollow, r=3.5):
    """The estimate of a point; hollow if nobody has played there."""
    disc = [svg.circle(x, y, r, "c0")]
    return [*disc, svg.circle(x, y, r - 1.2, "paper")] if hollow else disc


def _share(value):
    return f"{value:.2f}"


def _result(fitness):
    return {1.0: "won", 0.0: "lost"}.get(fitness, "drawn")


def _box(x, y, width, height):
    return f"M{x:g} {round(y, 1):g}h{width:g}v{round(height, 1):g}h-{width:g}z"


def _boxes(boxes, class_, **attributes):
    """Many boxes as one shape: a picture that is kept should be small."""
    return svg.element("path", d="".join(boxes) or "M0 0", class_=class_, **attributes)
