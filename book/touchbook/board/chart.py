"""Charts of benches: lines over time, and the distributions of many runs below each other."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from touchbook.board import svg

ROW = 42  # height of a row of `distributions`
_N_BINS = 24
_LABEL = 26  # room for what a row is called, beside the numbers of the axis above


@dataclass(frozen=True)
class Look:
    """How one of several things is drawn: a colour, a dash and a mark that no other has."""

    stroke: str
    fill: str
    dash: str | None
    corners: tuple[tuple[float, float], ...] = ()  #: of the mark around (0, 0); none is a disc

    def mark(self, x, y, scale=1.0):
        """A small mark at a point."""
        if not self.corners:
            return svg.circle(x, y, 2.2 * scale, self.fill)
        return svg.path(
            [(x + scale * u, y + scale * v) for u, v in self.corners], self.fill, closed=True
        )

    def line(self, points):
        """A line through points."""
        return svg.path(points, self.stroke, stroke_width=2.5, stroke_dasharray=self.dash)

    def key(self, x, y, words):
        """What stands for it, and what it is called."""
        return [self.line([(x, y), (x + 26, y)]), self.mark(x + 36, y),
                svg.text(x + 44, y, words, 13, anchor="start")]  # fmt: skip


_SQUARE = ((-2.2, -2.2), (2.2, -2.2), (2.2, 2.2), (-2.2, 2.2))
LOOKS = (
    Look("s0", "c0", None, _SQUARE),
    Look("s1", "c1", "7 3", ((-3, 2.5), (3, 2.5), (0, -3))),
    Look("s4", "c4", "2 3"),
)


@dataclass(frozen=True)
class Chart:
    """A frame in which `x` runs from 0 to `last` and `y` from `low` to `high`."""

    left: float
    right: float
    top: float
    foot: float
    last: float
    low: float
    high: float

    def x(self, value):
        """Where a value lies across."""
        return self.left + (self.right - self.left) * value / self.last

    def y(self, value):
        """Where a value lies in height."""
        return self.foot - (self.foot - self.top) * (value - self.low) / (self.high - self.low)

    def frame(self, unit, say=None):
        """The frame with its numbers; `say` writes those on the left."""
        shapes = [
            svg.rect(self.left, self.top, self.right - self.left, self.foot - self.top, "line")
        ]
        for part, anchor in ((0, "middle"), (0.5, "middle"), (1, "end")):
            words = f"{part * self.last:,.0f}"
            shapes.append(
                svg.text(self.x(part * self.last), self.foot + 12, words, 13, anchor=anchor)
            )
        shapes.append(svg.text(self.x(0.75 * self.last), self.foot + 12, unit, 13, "muted"))
        for value in ticks(self.low, self.high):
            y = self.y(value)
            shapes.append(svg.line(self.left, y, self.right, y, "thin"))
            words = (say or number)(value)
            shapes.append(svg.text(self.left - 4, y, words, 13, anchor="end"))
        return shapes

    def steps(self, look, xs, ys):
        """A line that stays level until its next value."""
        if not xs:
            return []
        spots = [(self.x(xs[0]), self.y(ys[0]))]
        for x, y in zip(xs[1:], ys[1:], strict=True):
            if self.y(y) != spots[-1][1]:
                spots += [(self.x(x), spots[-1][1]), (self.x(x), self.y(y))]
        return [look.line([*spots, (self.x(xs[-1]), spots[-1][1])])]


def distributions(left, right, top, names, results, looks, say=None):
    """Histograms below each other on one axis, a line at each mean.

    `results` (n_runs, n_names) float holds what came of each run.
    """
    results = np.asarray(results, float)
    low, high = span(results.ravel(), least=0.5 if _is_whole(results) else 0.0)
    start = left + _LABEL

    def x(value):
        return start + (right - start) * (value - low) / (high - low)

    shapes = []
    for k, (name, values) in enumerate(zip(names, results.T, strict=True)):
        foot = top + ROW * (k + 1)
        counts, edges = np.histogram(values, _edges(results, low, high))
        shapes.append(svg.text(8, foot - 12, name, 13, anchor="start"))
        shapes.append(svg.line(start, foot, right, foot, "line"))
        for n, a, b in zip(counts, x(edges[:-1]), x(edges[1:]), strict=True):
            high_of_bar = (ROW - 10) * n / counts.max()
            if n:
                shapes.append(svg.rect(a + 0.5, foot - high_of_bar, b - a - 1, high_of_bar,
                                       looks[k].fill))  # fmt: skip
        at = x(values.mean())
        shapes.append(svg.line(at, foot - ROW + 6, at, foot + 3, "stroke", stroke_width=2))
    for value in ticks(low, high):
        words = (say or number)(value)
        shapes.append(svg.text(x(value), top + ROW * len(names) + 14, words, 13))
    return shapes


def in_words(names, results, scale=1.0, unit="") -> Iterator[str]:
    """Mean and standard error of each column of (n_runs, n_names) results."""
    for name, values in zip(names, scale * np.asarray(results, float).T, strict=True):
        said = f"{name} {values.mean():.4g}"
        if values.size > 1:
            said += f" ± {values.std(ddof=1) / np.sqrt(values.size):.2g}"
        yield said + unit


def number(value):
    """A number on an axis."""
    return f"{value:g}".replace("-", "−")


def blank(_value):
    """What `Chart.frame` says where the heights are not known yet."""
    return ""


def span(values, least=0.0):
    """Ends of an axis around some values, and some room, at least so much."""
    seen = np.asarray([value for value in values if np.isfinite(value)])
    if not seen.size:
        return 0.0, 1.0
    low, high = float(seen.min()), float(seen.max())
    room = max(0.04 * (high - low), least) or 0.5
    return low - room, high + room


def ticks(low, high):
    """Three to seven round numbers between two ends."""
    spacing = next(
        s * 10.0**e for e in range(-12, 16) for s in (1, 2, 5) if (high - low) / (s * 10.0**e) <= 6
    )
    first, last = int(np.ceil(low / spacing)), int(high // spacing)
    return [round(k * spacing, 12) for k in range(first, last + 1)]


def _is_whole(values):
    return bool((values == np.round(values)).all() and np.ptp(values) < 2 * _N_BINS)


def _edges(values, low, high):
    """Ends of bins: one for each whole number, where the values are a few of these."""
    if _is_whole(values):
        return np.arange(values.min() - 0.5, values.max() + 1)
    return np.linspace(low, high, _N_BINS + 1)
