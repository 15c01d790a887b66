"""Take the step: the surrogate of one player's strength leant under ln L, touched anywhere."""

import numpy as np

from gameai_book.btmm import surrogate
from gameai_book.btmm.boards.bench import Bench, key, ring, triangle, with_minus
from touchbook.board import svg

PLACES = (0.1, 0.16, 0.25, 0.4, 0.63, 1.0, 1.6, 2.5, 4.0, 6.3, 10.0)  # as wide as a finger
RESULTS = ((1, 4), (2, 4), (3, 4), (9, 10), (30, 40))  # (won, played)
_RESULTS = {f"{won}-of-{n}": f"{won} of {n} won" for won, n in RESULTS}
_LEFT, _TOP, _WIDE, _HIGH = 44, 44, 344, 210  # of the frame
_LOW, _FAR = 0.08, 12.0  # strengths at its edges
_TICKS = (0.1, 0.3, 1, 3, 10)
DASHED = {"stroke_width": 2.5, "stroke_dasharray": "6 4"}


class StepBoard(Bench):
    """ln L of one strength against 1, and the MM step from any point of it (Hunter 2004)."""

    name, title = "step", "Take the step"
    rules = (
        "A player has won some of a few games against an opponent of strength 1. The solid curve "
        "is ln L. It says how likely each strength makes these results.",
        "The dashed curve Q touches it at the old strength, the circle. Its top, the triangle, is "
        "the new strength; the square is ln L there.",
        "Touch the picture to choose the old strength. “Take the step” makes the new one the old.",
        "Try to make the square lower than the circle. Then find out from where the steps are "
        "long.",
    )

    choices = {"won": ("Results", "result", _RESULTS)}

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.result = "3-of-4"
        self.at = 0.2
        self.trail = ()  # strengths from which steps were taken since a place was chosen

    def runs_to_record(self):
        return [("step",) * 8, *((f"at-{i}", "step") for i in range(len(PLACES)))]

    def move(self, name):
        if name == "step":
            self.at, self.trail = self.touching.best, (*self.trail, self.at)
        elif name in [f"at-{i}" for i in range(len(PLACES))]:
            self.at, self.trail = PLACES[int(name[3:])], ()
        else:
            super().move(name)
            self.trail = ()
        return True

    @property
    def games(self):
        """Games won, and lost."""
        won, n = map(int, self.result.split("-of-"))
        return won, n - won

    @property
    def touching(self):
        """The `surrogate.Touch` at the old strength."""
        return surrogate.duel_step(*self.games, self.at)

    @property
    def best(self):
        """The likeliest strength, which is wins over losses."""
        return np.divide(*self.games)

    def value(self, strength):
        """ln L of a strength, or of an array of them."""
        return surrogate.duel_log_likelihood(*self.games, strength)

    def buttons(self):
        return [("step", "Take the step")]

    def svg(self):
        axis = np.geomspace(_LOW, _FAR, 97)
        value, touch = self.value(axis), self.touching
        high, low = float(self.value(self.best)), float(value.min())
        low -= 0.05 * (high - low)
        high += 0.12 * (high - low)

        def x(strength):
            share = np.log(np.clip(strength, _LOW, _FAR) / _LOW) / np.log(_FAR / _LOW)
            return _LEFT + _WIDE * share

        def y(level):
            return _TOP + _HIGH * (high - level) / (high - low)

        under = touch.surrogate(axis)
        seen = under >= low  # one run: Q has one top
        results = f"won {self.result.replace('-', ' ')} against strength 1"
        shapes = [
            svg.text(8, 16, results, 15, "ink bold", anchor="start"),
            *self._axes(x, y, low, high),
            svg.path(zip(x(axis), y(value), strict=True), "stroke", stroke_width=2.5),
            svg.path(zip(x(axis[seen]), y(under[seen]), strict=True), "s1", **DASHED),
        ]
        shapes += [svg.circle(x(old), y(float(self.value(old))), 3, "muted") for old in self.trail]
        new = touch.best
        top, there = float(touch.surrogate(new)), float(self.value(new))
        shapes.append(ring(x(self.at), y(touch.value)))
        if new <= _FAR:
            shapes.append(svg.rect(x(new) - 5.5, y(there) - 5.5, 11, 11, "c2"))
            shapes.append(triangle(x(new), y(top)))
        shapes += self._columns(x)
        shapes += key(_TOP + _HIGH + 44, _marks(_TOP + _HIGH + 44), 17)
        return svg.picture(400, _TOP + _HIGH + 58, *shapes, label=self.title)

    @staticmethod
    def _axes(x, y, low, high):
        foot = _TOP + _HIGH
        shapes = [svg.rect(_LEFT, _TOP, _WIDE, _HIGH, "line")]
        for tick in _TICKS:
            shapes.append(svg.line(x(tick), foot, x(tick), foot + 4, "line"))
            shapes.append(svg.text(x(tick), foot + 14, f"{tick:g}", 13))
        shapes.append(svg.text(_LEFT + _WIDE / 2, foot + 28, "strength γ", 13, "muted"))
        spacing = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if high - low < 7 * s)
        for level in np.arange(np.ceil(low / spacing), high / spacing) * spacing:
            shapes.append(svg.line(_LEFT - 4, y(level), _LEFT, y(level), "line"))
            words = with_minus(f"{level:g}")
            shapes.append(svg.text(_LEFT - 7, y(level), words, 13, anchor="end"))
        return [*shapes, svg.text(8, _TOP - 10, "ln L", 13, "muted", anchor="start")]

    def _columns(self, x):
        """What is touched to choose a place: a column around each."""
        edges = np.sqrt(np.multiply(PLACES[1:], PLACES[:-1]))
        edges = x(np.array([_LOW, *edges, _FAR]))
        return [
            svg.target(
                f"at-{i}", f"old strength {place:g}",
                svg.rect(edges[i], _TOP, edges[i + 1] - edges[i], _HIGH, "blank"),
                pressed=place == self.at,
            )
            for i, place in enumerate(PLACES)
        ]  # fmt: skip

    def say(self):
        touch, (won, lost), old = self.touching, self.games, f"{self.at:.4g}"
        expected = (won + lost) * self.at / (self.at + 1)
        there = float(self.value(touch.best))
        said = (
            f"The old strength {old} expects {expected:.4g} wins of {won + lost}, and there "
            f"were {won}. The new strength is {old} × {won} / {expected:.4g} = "
            f"{touch.best:.4g}.\n"
        )
        if there - touch.value < 1e-12:
            return said + "The model expects as many wins as there were, so a step stays here."
        said += with_minus(f"ln L rises from {touch.value:.4f} to {there:.4f}")
        return said + "."


def _marks(y):
    """Of the key: where each stands, its shape and its words."""
    return (
        (8, svg.circle(14, y, 5, "stroke", stroke_width=2), "old strength"),
        (118, triangle(123, y), "top of Q"),
        (206, svg.rect(206, y - 5, 10, 10, "c2"), "ln L there"),
    )
