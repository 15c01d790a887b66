"""Means of points on an axis, with whiskers, and the same in words."""

from dataclasses import dataclass

import numpy as np

from touchbook.board import svg

N_ERRORS = 2  # standard errors that a whisker reaches to each side


@dataclass(frozen=True)
class Axis:
    """An axis across the picture, from `low` at `left` to `high` at `right`."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value):
        """Where a value lies; what lies beyond the axis stands at its end."""
        share = (np.clip(value, self.low, self.high) - self.low) / (self.high - self.low)
        return self.left + (self.right - self.left) * float(share)

    def grid(self, values, top, foot):
        """A thin line at each of some values."""
        return [svg.line(self.x(value), top, self.x(value), foot, "thin") for value in values]

    def numbers(self, values, y, say=str):
        """What some values are called."""
        return [svg.text(self.x(value), y, say(value), 13) for value in values]

    def whisker(self, mean, error, y, stroke="s0", fill="c0"):
        """A dot at a mean, and a whisker of `N_ERRORS` to each side, if there is an error."""
        shapes = []
        if np.isfinite(error):
            ends = self.x(mean - N_ERRORS * error), self.x(mean + N_ERRORS * error)
            shapes = [svg.line(ends[0], y, ends[1], y, stroke, stroke_width=2.5)]
            shapes += [svg.line(x, y - 5, x, y + 5, stroke, stroke_width=2.5) for x in ends]
        return [*shapes, svg.circle(self.x(mean), y, 3, fill)]


def mean_and_error(values):
    """Mean of (n, ...) values and its standard error, which one value has not (nan)."""
    values = np.asarray(values, float)
    n = len(values)
    error = values.std(axis=0, ddof=1) / n**0.5 if n > 1 else np.full(values.shape[1:], np.nan)
    return values.mean(axis=0), error


def say(mean, error, digits=2, sign=""):
    """A mean and its standard error, such as "22.65 ± 0.08"; `sign` is + where one is wished."""
    words = f"{mean:{sign}.{digits}f}".replace("-", "−")
    return f"{words} ± {error:.{digits}f}" if np.isfinite(error) else words
