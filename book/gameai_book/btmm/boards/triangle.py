"""Three players: MM climbs the likelihood of their strengths, from any place of a triangle."""

from itertools import islice

import numpy as np

from gameai_book.btmm import surrogate
from gameai_book.btmm.boards.bench import (
    Bench,
    cross,
    cross_table,
    key,
    ring,
    triangle,
    with_minus,
)
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.rate import rate
from touchbook.board import svg
from touchbook.boards import WrongTouch

NAMES = "ABC"
RESULTS = ((0, 4, 4), (2, 0, 2), (1, 1, 0))  # the players of the chapter; row beat column
MOST_WINS = 9
PARTS = 10  # places lie as wide as a finger on a side of so many
_PLACES = {
    f"at-{i}-{j}": (i, j, PARTS - i - j) for i in range(1, PARTS) for j in range(1, PARTS - i)
}
_CORNERS = np.array([[228, 34], [63, 319.8], [393, 319.8]])  # only A, only B, only C
_BESIDE = np.array([[0, -14], [-2, 16], [-2, 16]])  # of the corners' names
_STARTS = ((8, 1), (1, 8), (1, 1))  # near the corners


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

    def runs_to_record(self):
        return [("step",) * 5, *((f"at-{i}-{j}", "step", "step") for i, j in _STARTS)]

    def move(self, name):
        if name == "step":
            self.at, self.trail = self.updated, (*self.trail, self.at)
            return True
        if name in _PLACES:
            self.at = np.array(_PLACES[name]) / PARTS
        else:
            wins = self.wins.copy()
            if name == "none-for-C":
                wins[2] = 0
            elif name in [f"{a}-beat-{b}" for a in NAMES for b in NAMES if a != b]:
                cell = NAMES.index(name[0]), NAMES.index(name[-1])
                wins[cell] = (wins[cell] + 1) % (MOST_WINS + 1)
            else:
                super().move(name)
            if not wins.any():
                raise WrongTouch("One game must stay: add another win first.")
            self.wins = wins
        self.trail = ()
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
        places = np.array([*_PLACES.values()]) / PARTS
        value = self.value(places)
        high = value.max() if best is None else self.value(best)
        radii = 12.5 * np.exp((value - high) / 2)  # the area is as likely
        *way, here = [_spot(p) for p in (*self.trail, self.at)]
        shapes = [
            svg.path(_CORNERS, "line", closed=True),
            *(svg.circle(*_spot(p), max(r, 1.2), "c5") for p, r in zip(places, radii, strict=True)),
            svg.path([*way, here], "stroke", stroke_width=2),
            *(svg.circle(*spot, 3, "ink") for spot in way),
            triangle(*_spot(self.updated)),
            ring(*here, 7),
        ]
        if best is not None:  # last, for at the end the others lie on the same spot
            shapes += cross(*_spot(best), 6, stroke_width=2.5)
        shapes += [
            svg.text(x, y, name, 15, "ink bold")
            for name, (x, y) in zip(NAMES, _CORNERS + _BESIDE, strict=True)
        ]
        shapes.append(svg.text(8, 16, "wins over", 13, "muted", anchor="start"))
        shapes += cross_table(NAMES, 35, 49, self._cell)
        for (name, parts), place in zip(_PLACES.items(), places, strict=True):
            (x, y), is_here = _spot(place), np.allclose(place, self.at)
            around = svg.rect(x - 15, y - 14.2, 30, 28.4, "blank")
            ratio = " : ".join(map(str, parts))
            shapes.append(svg.target(name, f"A : B : C = {ratio}", around, pressed=is_here))
        return svg.picture(400, 366, *shapes, *key(352, _marks(352), 19), label=self.title)

    def _cell(self, i, j):
        """Of the table of wins: a touch on a number is one more."""
        n, a, b = int(self.wins[i, j]), NAMES[i], NAMES[j]
        times = "once" if n == 1 else f"{n} times"
        return f"{a}-beat-{b}", f"{a} beat {b} {times}; one more", n

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


def _ratio(gamma):
    """Strengths in words, over the last one that is not next to nothing."""
    kept = gamma[gamma > 1e-9]
    return " : ".join(f"{g / kept[-1]:.3g}" for g in gamma)


def _number(value):
    return with_minus(f"{value:.4f}")


def _marks(y):
    """Of the key: where each stands, its shape and its words."""
    return (
        (8, svg.circle(14, y, 5, "stroke", stroke_width=2), "old"),
        (64, triangle(71, y), "after one update"),
        (204, "".join(cross(210, y, 5, stroke_width=2.5)), "likeliest of all"),
    )
