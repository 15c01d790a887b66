"""Three players: MM climbs the likelihood of their strengths, from any place of a triangle."""

from itertools import islice

import numpy as np

from gameai_book.btmm import surrogate
from gameai_book.btmm.boards.bench import Bench, key
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.rating import rate
from touchbook.board import svg
from touchbook.boards import WrongTouch

NAMES = "ABC"
RESULTS = ((0, 4, 4), (2, 0, 2), (1, 1, 0))  # the players of the chapter; row beat column
MOST_WINS = 9
PARTS = 10  # places lie as wide as a finger on a side of so many
_PLACES = [(i, j, PARTS - i - j) for i in range(1, PARTS) for j in range(1, PARTS - i)]
_CORNERS = np.array([[228, 34], [63, 319.8], [393, 319.8]])  # only A, only B, only C
_BESIDE = np.array([[0, -14], [-2, 16], [-2, 16]])  # of the corners' names
_STARTS = ((8, 1), (1, 8), (1, 1))  # near the corners
_MOST_STEPS = 500


class TriangleBoard(Bench):
    """Strengths of three players as shares of 1, and MM's update from any (Hunter 2004)."""

    name, title = "triangle", "Three players"
    rules = (
        "A place in the triangle is a ratio of strengths A : B : C: near a corner one player has "
        "nearly all. The larger a disc, the likelier the strengths there make the results.",
        "Touch a place to begin there. An update multiplies each strength by the wins of the "
        "player over the wins that the old strengths expect.",
        "Touch a number of the table for one more win. After nine comes none, and “C never wins” "
        "takes all wins of C away.",
        "Try to find a place from which the updates lead elsewhere. Then let C never win.",
    )

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.wins = np.array(RESULTS)
        self.at = np.full(3, 1 / 3)
        self.trail = ()  # strengths from which updates were made since a place was chosen

    def recorded(self):
        return [("step",) * 5, *((f"at-{i}-{j}", "step", "step") for i, j in _STARTS)]

    def move(self, name):
        if name == "step":
            if len(self.trail) == _MOST_STEPS:
                raise WrongTouch(f"{_MOST_STEPS} updates are enough. Choose a place.")
            self.at, self.trail = self.updated, (*self.trail, self.at)
        elif name in [f"at-{i}-{j}" for i, j, _ in _PLACES]:
            i, j = map(int, name[3:].split("-"))
            self.at, self.trail = np.array([i, j, PARTS - i - j]) / PARTS, ()
        elif name in [f"{a}-beat-{b}" for a in NAMES for b in NAMES if a != b]:
            wins, cell = self.wins.copy(), (NAMES.index(name[0]), NAMES.index(name[-1]))
            wins[cell] = (wins[cell] + 1) % (MOST_WINS + 1)
            if not wins.any():
                raise WrongTouch("One game must stay: add another win first.")
            self.wins, self.trail = wins, ()
        elif name == "none-for-C":
            wins = self.wins.copy()
            wins[2] = 0
            if not wins.any():
                raise WrongTouch("One game must stay: add a win of A or B first.")
            self.wins, self.trail = wins, ()
        else:
            return super().move(name)
        return True

    def buttons(self):
        return [("step", "Update"), ("none-for-C", "C never wins")]

    @property
    def updated(self):
        """(3,) float: the strengths after one update, with the sum 1."""
        won, lost = np.nonzero(self.wins)
        data = from_pairs(won, lost, n_players=3, weight=self.wins[won, lost])
        _, new = islice(mm.batch(data, mm.Prior(0.0), self.at), 2)
        return new.gamma / new.gamma.sum()

    def best(self):
        """Return the likeliest strengths, with the sum 1, or None, and why there are none."""
        won, lost = np.nonzero(self.wins)
        games = [(NAMES[i], NAMES[j], 1) for i, j in zip(won, lost, strict=True)]
        try:
            rating = rate(games, weight=self.wins[won, lost])
        except NoMaximumError as error:
            return None, str(error)
        if len(rating.names) < 3:
            (idle,) = set(NAMES) - set(rating.names)
            return None, f"{idle} has not played: any strength will do"
        gamma = np.exp(rating.log_gamma)
        return gamma / gamma.sum(), ""

    def value(self, gamma):
        """ln L of strengths (..., 3)."""
        return surrogate.pairs_log_likelihood(self.wins, gamma)

    def svg(self):
        best, _ = self.best()
        places = np.array(_PLACES) / PARTS
        value = self.value(places)
        high = value.max() if best is None else self.value(best)
        radii = 12.5 * np.exp((value - high) / 2)  # the area is as likely
        shapes = [
            svg.path(_CORNERS, "line", closed=True),
            *(svg.circle(*_spot(p), max(r, 1.2), "c5") for p, r in zip(places, radii, strict=True)),
        ]
        way = [_spot(p) for p in (*self.trail, self.at)]
        shapes.append(svg.path(way, "stroke", stroke_width=2))
        shapes += [svg.circle(*spot, 3, "ink") for spot in way[:-1]]
        shapes.append(_triangle(*_spot(self.updated)))
        shapes += [svg.circle(*way[-1], 7, kind, stroke_width=2.5) for kind in ("on", "stroke")]
        if best is not None:  # last, for at the end the others lie on the same spot
            shapes += _cross(*_spot(best), 6)
        shapes += [
            svg.text(x, y, name, 15, "ink bold")
            for name, (x, y) in zip(NAMES, _CORNERS + _BESIDE, strict=True)
        ]
        shapes += [*self._table(), *self._columns(), *key(352, _marks(352), 19)]
        return svg.picture(400, 366, *shapes, label=self.title)

    def _table(self):
        """Who beat whom; each number is touched for one more."""
        shapes = [svg.text(8, 16, "wins over", 13, "muted", anchor="start")]
        for i, a in enumerate(NAMES):
            shapes.append(svg.text(50 + 31 * i, 36, a, 13, "ink bold"))
            shapes.append(svg.text(20, 63.5 + 31 * i, a, 13, "ink bold"))
            for j, b in enumerate(NAMES):
                left, top, n = 35 + 31 * j, 49 + 31 * i, int(self.wins[i, j])
                if i == j:
                    shapes.append(svg.rect(left, top, 29, 29, "soft"))
                    continue
                cell = svg.rect(left, top, 29, 29, "paper edge")
                times = "once" if n == 1 else f"{n} times"
                shapes.append(svg.target(f"{a}-beat-{b}", f"{a} beat {b} {times}; one more", cell))
                shapes.append(svg.text(left + 14.5, top + 14.5, n, 15))
        return shapes

    def _columns(self):
        """What is touched to choose a place."""
        now = self.at * PARTS
        return [
            svg.target(
                f"at-{p[0]}-{p[1]}", "A : B : C = {} : {} : {}".format(*p),
                svg.rect(x - 15, y - 14.2, 30, 28.4, "blank"),
                pressed=np.allclose(p, now),
            )
            for p in _PLACES
            for x, y in [_spot(np.array(p) / PARTS)]
        ]  # fmt: skip

    def say(self):
        old, new = self.at, self.updated
        games = self.wins + self.wins.T
        expected = (games * old[:, None] / (old[:, None] + old)).sum(axis=1)
        each = ", ".join(
            f"{name} {won} ({e:.2f})"
            for name, won, e in zip(NAMES, self.wins.sum(axis=1), expected, strict=True)
        )
        said = f"A : B : C = {_ratio(old)}. Wins (and expected): {each}.\n"
        before, after = float(self.value(old)), float(self.value(new))
        best, why = self.best()
        if best is None:
            end = f"No strengths are the likeliest: {why}."
        elif after - before < 1e-9:
            return f"{said}That is the likeliest: an update stays here. ln L is {_number(before)}."
        else:
            end = f"The likeliest, the cross: {_ratio(best)}."
        step = f"Update to {_ratio(new)}: ln L rises from {_number(before)} to {_number(after)}. "
        return said + step + end


def _spot(shares):
    """(x, y) of strengths in the picture."""
    return tuple(shares @ _CORNERS)


def _triangle(x, y):
    return svg.path([(x - 7, y + 6), (x + 7, y + 6), (x, y - 7)], "c1", closed=True)


def _cross(x, y, r):
    return [svg.line(x - r, y - u, x + r, y + u, "stroke", stroke_width=2.5) for u in (r, -r)]


def _ratio(gamma):
    """Strengths in words, over the last one that is not next to nothing."""
    kept = gamma[gamma > 1e-9]
    return " : ".join(f"{g / kept[-1]:.3g}" for g in gamma)


def _number(value):
    return f"{value:.4f}".replace("-", "−")


def _marks(y):
    """Of the key: where each stands, its shape and its words."""
    return (
        (8, svg.circle(14, y, 5, "stroke", stroke_width=2), "old"),
        (64, _triangle(71, y), "after one update"),
        (204, "".join(_cross(210, y, 5)), "likeliest of all"),
    )
