"""Take the step: the surrogate of one player's strength leant under ln L, touched anywhere."""

import numpy as np

from gameai_book.btmm import surrogate
from gameai_book.btmm.boards.bench import Bench, key, on_scale
from touchbook.board import svg
from touchbook.boards import WrongTouch

PLACES = (0.1, 0.16, 0.25, 0.4, 0.63, 1.0, 1.6, 2.5, 4.0, 6.3, 10.0)  # as wide as a finger
RESULTS = ((1, 4), (2, 4), (3, 4), (9, 10), (30, 40))  # (won, played)
_RESULTS = {f"won-{won}-of-{n}": f"{won} of {n} won" for won, n in RESULTS}
_LEFT, _TOP, _WIDE, _HIGH = 44, 44, 344, 210  # of the frame
_LOW, _FAR = 0.08, 12.0  # strengths at its edges
_TICKS = (0.1, 0.3, 1, 3, 10)
_MOST_STEPS = 500


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

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.n_won, self.n_games = 3, 4
        self.at = 0.2
        self.trail = ()  # strengths from which steps were taken since a place was chosen

    def recorded(self):
        return [("step",) * 8, *((f"at-{i}", "step") for i in range(len(PLACES)))]

    def move(self, name):
        if name == "step":
            if len(self.trail) == _MOST_STEPS:
                raise WrongTouch(f"{_MOST_STEPS} steps are enough. Choose a place to begin again.")
            self.at, self.trail = self.touching.best, (*self.trail, self.at)
        elif name in [f"at-{i}" for i in range(len(PLACES))]:
            self.at, self.trail = PLACES[int(name[3:])], ()
        elif name in _RESULTS:
            self.n_won, self.n_games = map(int, name[4:].split("-of-"))
            self.trail = ()
        else:
            return super().move(name)
        return True

    @property
    def touching(self):
        """The `surrogate.Touch` at the old strength."""
        return surrogate.duel_step(self.n_won, self.n_games - self.n_won, self.at)

    @property
    def best(self):
        """The likeliest strength, which is wins over losses."""
        return self.n_won / (self.n_games - self.n_won)

    def value(self, strength):
        """ln L of a strength, or of an array of them."""
        return surrogate.duel_log_likelihood(self.n_won, self.n_games - self.n_won, strength)

    def buttons(self):
        return [("step", "Take the step")]

    def selects(self):
        return [("Results", [*_RESULTS.items()], f"won-{self.n_won}-of-{self.n_games}")]

    def svg(self):
        axis = np.geomspace(_LOW, _FAR, 97)
        value, touch = self.value(axis), self.touching
        high, low = float(self.value(self.best)), float(value.min())
        low -= 0.05 * (high - low)
        high += 0.12 * (high - low)

        def x(strength):
            return on_scale(strength, (_LOW, _FAR), _LEFT, _WIDE)

        def y(level):
            return _TOP + _HIGH * (high - level) / (high - low)

        under = touch.surrogate(axis)
        seen = under >= low  # one run: Q has one top
        shapes = [
            svg.text(8, 16, f"won {self.n_won} of {self.n_games} against strength 1", 15,
                     "ink bold", anchor="start"),
            *self._axes(x, y, low, high),
            svg.path(zip(x(axis), y(value), strict=True), "stroke", stroke_width=2.5),
            svg.path(zip(x(axis[seen]), y(under[seen]), strict=True), "s1",
                     stroke_width=2.5, stroke_dasharray="6 4"),
        ]  # fmt: skip
        shapes += [svg.circle(x(old), y(float(self.value(old))), 3, "muted") for old in self.trail]
        new = touch.best
        top, there = float(touch.surrogate(new)), float(self.value(new))
        shapes.append(svg.circle(x(self.at), y(touch.value), 6.5, "on"))
        shapes.append(svg.circle(x(self.at), y(touch.value), 6.5, "stroke", stroke_width=2.5))
        if new <= _FAR:
            u, v, w = x(new), y(top), y(there)
            shapes.append(svg.rect(u - 5.5, w - 5.5, 11, 11, "c2"))
            shapes.append(svg.path([(u - 7, v + 6), (u + 7, v + 6), (u, v - 7)], "c1", closed=True))
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
            words = f"{level:g}".replace("-", "−")
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
        touch, n = self.touching, self.n_games
        expected = n * self.at / (self.at + 1)
        there = float(self.value(touch.best))
        said = (
            f"The old strength {self.at:.4g} expects {expected:.4g} wins of {n}, and there were "
            f"{self.n_won}. The new strength is {self.at:.4g} × {self.n_won} / {expected:.4g} = "
            f"{touch.best:.4g}.\n"
        )
        if there - touch.value < 1e-12:
            return said + "The model expects as many wins as there were, so a step stays here."
        said += f"ln L rises from {touch.value:.4f} to {there:.4f}".replace("-", "−")
        if not self.trail:
            return said + "."
        steps = "a step" if len(self.trail) == 1 else f"{len(self.trail)} steps"
        return f"{said}. After {steps} {self._left():.1%} of the way in ln γ is left."

    def _left(self):
        """How much of the way from where the steps began, in ln γ, is still to go."""
        way = np.log(self.best / self.trail[0])
        return float(np.log(self.best / self.at) / way) if way else 0.0


def _marks(y):
    """Of the key: where each stands, its shape and its words."""
    return (
        (8, svg.circle(14, y, 5, "stroke", stroke_width=2), "old strength"),
        (118, svg.path([(117, y + 5), (129, y + 5), (123, y - 6)], "c1", closed=True), "top of Q"),
        (206, svg.rect(206, y - 5, 10, 10, "c2"), "ln L there"),
    )
