"""A point and its tuples: what the model says of it, what a game teaches it, and what is true.

The games are those of the ships, drawn from stored ones; the model, its bounds and the choice among
neighbours are those of `gameai_lib.ntbea.search`.
"""

from collections import defaultdict
from functools import cache
from itertools import islice

import numpy as np

from gameai_book.ntbea.boards.parts import (
    KS,
    RULE_NAMES,
    choices,
    games_words,
    left_text,
    number_chosen,
    right_text,
)
from gameai_book.ntbea.results.tables import ship_games
from gameai_lib.ntbea.game.space_battle import FEW_RULES as SPACE
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import Settings, complete_settings, first_choice, search_steps
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

LETTERS = "ABCDE"  # of the dials
N_FIRST, AT_ONCE, MOST_GAMES = 20, 10, 300  # games before the first touch, at a touch, in all
_N_BEST = 5  # neighbours that are shown
_LEFT, _TOP = 40, 169  # of the map
_PANEL, _RIGHT = 242, 394  # what stands beside the map
_KEY_AT, _FOOT, _HIGH = 405, 495, 74  # of the chart below
_KEY = "share won", "games, none won", "no game yet", "arms of your point"
_POINTS = [tuple(point) for point in SPACE.all_points().tolist()]


def evaluate(point, rng):
    """One of the stored games under some rules: 1 if it is won, 0 if lost, ½ if drawn."""
    games = ship_games()[_POINTS.index(tuple(point))]
    return float(games[rng.integers(games.size)])


@cache
def truths():
    """Mean of the stored games under each set of rules, in the order of all points."""
    return ship_games().mean(axis=1)


@cache
def _opening(seed):
    """The first games, by NTBEA: ((point, fitness), …)."""
    steps = search_steps(evaluate, LandscapeModel(SPACE), np.random.default_rng([seed, 0]))
    return tuple((tuple(s.point.tolist()), s.fitness) for s in islice(steps, N_FIRST))


class TuplesBoard(Board):
    """A point, the arms that it belongs to, and their average: estimate and bound."""

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
    views = {"truth": "The truth"}
    begins = "Other games"

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        self.k = 0.3
        self._learn(_opening(self.seed))
        self._go_to(self.named())

    def runs_to_record(self):
        points = [_touch_of(point) for point in _POINTS]
        return [
            ("choose", "play", "choose"),
            ("play", "play"),
            ("show-truth", "show-truth"),
            ("show-truth", *("ten",) * 4),
            ("show-truth", "best", "named"),
            *((point, "show-truth") for point in points),
            *(("show-truth", point) for point in points),
        ]

    # Touches.

    def move(self, name):
        places = {_touch_of(point): point for point in _POINTS}
        places |= {"best": _POINTS[truths().argmax()], "named": self.named()}
        acts = {"play": self._play, "choose": self._choose, "ten": self._play_on}
        k = number_chosen(name, "k", KS)
        if name in acts:
            acts[name]()
        elif name in places:
            self._go_to(places[name])
        elif k is not None:
            self.k = k
            self._go_to(self.point)
        else:
            return super().move(name)
        return True

    def _go_to(self, point, choice=None, before=None):
        """Look at a point: the `Choice` of which it came, or its estimate before it was played."""
        self.point, self.choice, self.before = point, choice, before

    def _learn(self, played):
        self.played, self.model = played, LandscapeModel(SPACE)
        for point, fitness in played:
            self.model.add(np.array(point), fitness)

    def _play(self):
        n, before = len(self.played), self.estimate()[0]
        if n == MOST_GAMES:
            raise WrongTouch(f"{MOST_GAMES} games are enough. “{self.begins}” begins again.")
        fitness = evaluate(self.point, np.random.default_rng([self.seed, 1, n]))
        self._learn((*self.played, (self.point, fitness)))
        self._go_to(self.point, before=before)

    def _choose(self):
        rng = np.random.default_rng([self.seed, 2, len(self.played)])
        settings = complete_settings(Settings(k=self.k), SPACE)
        points, choice = first_choice(self.model, rng, settings)
        self._go_to(tuple(points[0].tolist()), choice)

    def _play_on(self):
        """Let NTBEA choose and play, again and again; then look at what it would recommend."""
        for _ in range(AT_ONCE):
            self._choose()
            self._play()
        self._go_to(self.named())

    def buttons(self):
        buttons = [("play", "Play a game there"), ("choose", "Let NTBEA choose")]
        if len(self.played) + AT_ONCE <= MOST_GAMES:
            buttons.append(("ten", f"Let NTBEA play {AT_ONCE} games"))
        if "truth" in self.shown:
            buttons.append(("best", "Go to the best point"))
        if self.named() != self.point:
            buttons.append(("named", "Go to what NTBEA would recommend"))
        return buttons

    def selects(self):
        return [("Exploration k", *choices("k", KS, self.k))]

    # What the model says, and what is true.

    def named(self):
        """The point that NTBEA would recommend now."""
        return tuple(best_sampled(self.model).tolist())

    def all_points(self):
        """Of every point the estimate, the truth and the games played: three arrays."""
        played = [point for point, _ in self.played]
        return self.model.mean(_POINTS), truths(), np.array([*map(played.count, _POINTS)])

    def truth(self):
        """What is true of the point, and how many points are truly better."""
        truth = truths()[_POINTS.index(self.point)]
        return truth, int((truths() > truth).sum())

    def estimate(self):
        """Mean, explore term and bound of the point."""
        mean, explore = map(float, self.model.mean_and_explore(self.point))
        return mean, explore, mean + self.k * explore

    def arms(self):
        """Arms of the point: (dimensions, games, share won or nan), singles first."""
        found = []
        for dims in self.model.tuples:
            arms, at = self.model.arms(dims), tuple(self.point[d] for d in dims)
            found.append((dims, int(arms.n[at]), float(arms.mean[at])))
        return found

    def n_sharing(self):
        """Other points that have a value in common with this one."""
        return int((np.array(_POINTS) == self.point).any(axis=1).sum()) - 1

    def best_neighbours(self):
        """Neighbours with the largest bounds, the chosen one first: (point, mean, bound)."""
        points, means, explores, k = self.choice
        bounds = means + k * explores
        chosen = (points == self.point).all(axis=1)
        order = np.lexsort((-bounds, ~chosen))[:_N_BEST]
        return [(tuple(points[i].tolist()), float(means[i]), float(bounds[i])) for i in order]

    # The picture.

    def svg(self):
        chart = self._truths() if "truth" in self.shown else self._strip()
        shapes = [*self._values(), *self._map(), *self._panel(), *chart]
        return svg.picture(400, _FOOT + 42, *shapes, label=self.title)

    def _values(self):
        """A row of boxes for each parameter."""
        shapes = []
        for d, (name, values) in enumerate(zip(RULE_NAMES, SPACE.values, strict=True)):
            y, now = 6 + 31 * d, self.point[d]
            shapes.append(left_text(6, y + 13, f"{LETTERS[d]} {name}", 13))
            for v, value in enumerate(values):
                x, is_now = 124 + 48 * v, v == now
                box = svg.rect(x, y, 47, 29, "paper edge", rx=4)
                word = svg.text(x + 23.5, y + 14, value, 14, "ink bold" if is_now else "ink")
                if is_now:
                    shapes += [box, svg.rect(x, y, 47, 29, "ring", rx=4), word]
                    continue
                there = _touch_of((*self.point[:d], v, *self.point[d + 1 :]))
                label = f"{name} {value}, now {values[now]}"
                shapes.append(svg.target(there, label, box, word))
        return shapes

    def _map(self):
        """All arms of one and of two parameters; those of the point are framed."""
        boxes = defaultdict(list)
        for dims in self.model.tuples[:-1]:
            arms, here = self.model.arms(dims), tuple(self.point[d] for d in dims)
            for at, n in np.ndenumerate(arms.n):
                x, y = _LEFT + _place(dims[0], at[0]), _TOP + _place(dims[-1], at[-1])
                inner = _box(x + 0.5, y + 0.5, 16, 16)
                boxes["soft" if n else "line"].append(_box(x, y, 17, 17) if n else inner)
                if n and (high := 17 * arms.mean[at]):
                    boxes["c0"].append(_box(x, y + 17 - high, 17, high))
                if at == here:
                    boxes["stroke"].append(inner)
        keys = _key_of_map(boxes)
        shapes = [_boxes(boxes[look], look) for look in ("soft", "c0", "line")]
        frames = _boxes(boxes["stroke"], "stroke", stroke_width=2)
        return [*shapes, *keys, frames, *_words_of_map()]

    def _panel(self):
        """The sum, the truth if it is shown, and what happened at last."""
        mean, explore, bound = self.estimate()
        sums = [
            ("estimate", mean, "ink bold"),
            (f"+ {self.k:g} × {explore:.2f}", self.k * explore, "ink"),
            ("bound", bound, "ink bold"),
        ]
        if "truth" in self.shown:
            sums.append(("truth", self.truth()[0], "bad bold"))
        shapes = [svg.line(_PANEL, _TOP + 36.5, _RIGHT, _TOP + 36.5, "line")]
        for i, (words, number, look) in enumerate(sums):
            y = _TOP + 8 + 19 * i
            shapes.append(left_text(_PANEL, y, words, 14, look))
            shapes.append(right_text(_RIGHT, y, f"{number:.2f}", 14, look))
        below = _TOP + 18 + 19 * len(sums)
        if self.choice is not None:
            return shapes + self._neighbours(below)
        for i, words in enumerate(self._notes(mean)):
            look = "ink" if i else "ink bold"
            shapes.append(left_text(_PANEL, below + 3 + 17 * i, words, 13, look))
        return shapes

    def _notes(self, mean):
        """What a game has taught, or what is known so far, line by line."""
        if self.before is not None:
            return [
                f"The game was {self._latest()}.",
                "Each framed cell",
                "has learned from it:",
                f"estimate {self.before:.2f} → {mean:.2f}.",
                f"{self.n_sharing()} other points share",
                "a value with this one",
                "and learn, too.",
            ]
        own = games_words(self.arms()[-1][1])
        notes = [f"{len(self.played)} games so far,", f"{own} at this point"]
        if self.point == self.named():
            notes += ["NTBEA would", "recommend it."]
        if "truth" in self.shown:
            notes.append(f"Better: {self.truth()[1]} of {SPACE.size}.")
        return notes

    def _neighbours(self, top):
        """Estimates and bounds of the best, as bars from 0 to the largest bound."""
        best, n = self.best_neighbours(), len(self.choice[0])
        words = f"of {n} neighbours:" if n == len(best) else f"best {len(best)} of {n} neighbours:"
        shapes = [left_text(_PANEL, top, words, 13, "muted")]
        longest = max(1e-9, *(bound for _, _, bound in best))
        for i, (point, mean, bound) in enumerate(best):
            y, look = top + 18 + 17 * i, "ink" if i else "ink bold"
            shapes.append(left_text(_PANEL, y, _spell(point), 13, look))
            shapes.append(svg.rect(336, y - 6, 58 * mean / longest, 12, "c0"))
            shapes.append(svg.rect(336, y - 6, 58 * bound / longest, 12, "line"))
        y = top + 18 + 17 * len(best)
        shapes += [left_text(336, y, "0", 13), right_text(_RIGHT, y, f"{longest:.2f}", 13)]
        for x, words, look in ((_PANEL, "estimate", "c0"), (326, "bound", "line")):
            shapes.append(svg.rect(x, y + 11, 12, 12, look))
            shapes.append(left_text(x + 18, y + 17, words, 13, "muted"))
        return shapes

    def _strip(self):
        """The arms of the point, their average and the bound."""
        mean, _, bound = self.estimate()
        unit, bars = _HIGH / max(1.0, bound), []
        shapes = [left_text(6, _KEY_AT, "share won, and games, by arm", 13, "muted")]
        shapes += _scale(unit)
        for i, (dims, n, share) in enumerate(self.arms()):
            x, name = 27 + 23 * i, "".join(LETTERS[d] for d in dims)
            if n and share:
                bars.append(_box(x, _FOOT - unit * share, 20, unit * share))
            shapes.append(svg.text(x + 10, _FOOT + 11, "all" if name == LETTERS else name, 13))
            shapes.append(svg.text(x + 10, _FOOT + 27, n, 13, "muted"))
        shapes.append(_boxes(bars, "c0"))
        for x, words, value, dash in ((232, "estimate", mean, None), (322, "bound", bound, "5 4")):
            y, look = _FOOT - unit * value, {"stroke_width": 2, "stroke_dasharray": dash}
            shapes.append(svg.line(x, _KEY_AT, x + 22, _KEY_AT, "s1", **look))
            shapes.append(left_text(x + 26, _KEY_AT, words, 13, "muted"))
            shapes.append(svg.line(26, y, _RIGHT, y, "s1", **look))
        return shapes

    def _truths(self):
        """All points in the order of their estimates, and what is true of them."""
        estimates, truths, games = self.all_points()
        order = np.argsort(estimates, kind="stable").tolist()
        unit = _HIGH / max(1.0, float(estimates.max()))
        places = {_POINTS[at]: 31.75 + 11.5 * i for i, at in enumerate(order)}
        links, marks, dots = [], [], []
        for at in order:
            x = places[_POINTS[at]]
            estimate, truth = _FOOT - unit * estimates[at], _FOOT - unit * truths[at]
            links.append(f"M{x:.1f} {estimate:.1f}V{truth:.1f}")
            marks.append(_box(round(x - 4.6, 1), truth - 1.5, 9.2, 3))
            dots += _dot(x, estimate, not games[at])
        x = places[self.point] - 5.75
        frame = svg.rect(x, _FOOT - _HIGH - 4, 11.5, _HIGH + 8, "soft edge")
        shapes = [*_key_of_truths(), frame, *_scale(unit)]
        shapes += [_boxes(links, "line"), _boxes(marks, "c1"), *dots]
        return shapes + _recommendation(places[self.named()])

    # The words.

    def say(self):
        mean, _, bound = self.estimate()
        n_seen, n_arms = sum(n > 0 for _, n, _ in self.arms()), len(self.model.tuples)
        which = f"its {n_arms} arms"
        if n_seen < n_arms:
            which = f"the {n_seen} of {which} that have a game"
        named = zip(LETTERS, RULE_NAMES, _spell(self.point).split(), strict=True)
        said = (
            f"{self._news(mean)}{', '.join(map(' '.join, named))}.\n"
            f"The mean of {which} is the estimate, {mean:.2f}. With its bonus of "
            f"{bound - mean:.2f} the bound is {bound:.2f}."
        )
        return f"{said}\n{self._true()}" if "truth" in self.shown else said

    def _true(self):
        """What is true of the point, and of all estimates together."""
        estimates, truths, _ = self.all_points()
        n_above, (truth, n_better) = int((estimates > truths).sum()), self.truth()
        return (
            f"Truth: {truth:.2f}. {n_better or 'None'} of the {len(truths)} points "
            f"{'is' if n_better < 2 else 'are'} better. {n_above} estimates lie above the truth."
        )

    def _news(self, mean):
        if self.choice is not None:
            (_, _, bound), *others = self.best_neighbours()
            others = "; ".join(f"{_spell(p)}: {b:.2f}" for p, _, b in others)
            chosen = f"NTBEA takes the largest bound of {len(self.choice[0])} neighbours, "
            return f"{chosen}{bound:.2f}. Next are {others}.\n"
        if self.before is None:
            return ""
        return (
            f"The game was {self._latest()}: the estimate was {self.before:.2f}. "
            f"{self.n_sharing()} other points share a value with this one and have learned "
            "from it.\n"
        )

    def _latest(self):
        return {1.0: "won", 0.0: "lost"}.get(self.played[-1][1], "drawn")


def _spell(point):
    return " ".join(map(str, SPACE.values_of(point).values()))


def _touch_of(point):
    """The touch that goes to a point: it names all values, so that 32 pictures are enough."""
    return "at-" + "".join(str(value + 1) for value in point)


def _place(d, v):
    """Where a value of a parameter begins on the map, from its left and its top."""
    return 40 * d + 18 * v


def _key_of_map(boxes):
    """What the boxes of the map mean; one of each is added to them."""
    for i in range(len(_KEY)):
        boxes["line" if i == 2 else "soft"].append(_box(244, 12 + 22 * i, 17, 17))
    boxes["c0"].append(_box(244, 19, 17, 10))
    boxes["stroke"].append(_box(244.5, 78.5, 16, 16))
    return [left_text(268, 21 + 22 * i, words, 13, "muted") for i, words in enumerate(_KEY)]


def _words_of_map():
    """The letters of the parameters and their values, beside the map and below it."""
    shapes = []
    for d, values in enumerate(SPACE.values):
        shapes.append(svg.text(9, _TOP + _place(d, 1), LETTERS[d], 13, "muted bold"))
        shapes.append(svg.text(_LEFT + _place(d, 1), 388, LETTERS[d], 13, "muted bold"))
        for v, value in enumerate(values):
            at = _place(d, v) + 9
            shapes.append(right_text(_LEFT - 4, _TOP + at, value, 13, "muted"))
            apart = 4 * v - 2.5  # or "10" and "40" would touch
            shapes.append(svg.text(_LEFT + at + apart, 373, value, 13, "muted"))
    return shapes


def _scale(unit):
    """Lines at 0, ½ and 1 of the chart; with a large bound there is no room for ½."""
    shapes = []
    for value, words in ((0, "0"), (0.5, "½" if unit > 40 else ""), (1, "1")):
        y = _FOOT - unit * value
        shapes += [svg.line(26, y, _RIGHT, y, "thin"), right_text(22, y, words, 13)]
    return shapes


def _key_of_truths():
    """What the marks of the points mean."""
    shapes = [svg.rect(240, _KEY_AT - 1.5, 12, 3, "c1")]
    for x, words in ((6, "estimates:"), (93, "played"), (155, "not played"), (258, "truth")):
        shapes.append(left_text(x, _KEY_AT, words, 13, "muted"))
    return [*shapes, *_dot(86, _KEY_AT, False), *_dot(148, _KEY_AT, True)]


def _recommendation(x):
    """A mark below a point of the line, and its words, which do not leave the picture."""
    peak = [(x - 5, _FOOT + 12), (x + 5, _FOOT + 12), (x, _FOOT + 4)]
    anchor, at = ("end", min(x + 5, _RIGHT)) if x > 200 else ("start", x - 5)
    words = svg.text(at, _FOOT + 23, "NTBEA would recommend this one", 13, "mark", anchor=anchor)
    return [svg.path(peak, "mark", closed=True), words]


def _dot(x, y, hollow):
    """The estimate of a point; hollow if nobody has played there."""
    disc = [svg.circle(x, y, 3.5, "c0")]
    return [*disc, svg.circle(x, y, 2.3, "paper")] if hollow else disc


def _box(x, y, width, height):
    return f"M{x:g} {round(y, 1):g}h{width:g}v{round(height, 1):g}h-{width:g}z"


def _boxes(boxes, look, **attributes):
    """Many boxes as one shape: a picture that is kept should be small."""
    return svg.element("path", d="".join(boxes) or "M0 0", class_=look, **attributes)
