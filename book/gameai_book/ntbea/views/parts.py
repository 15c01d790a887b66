"""What the chapter's pictures are made of: colours, bars, keys and places.

Each is one collection, which is drawn many times as fast as an artist a bar.
"""

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, ScaledTranslation

from touchbook.figure.parts import draw_boxes

# Okabe and Ito's colours; each is told apart by place or shape as well. One colour is one thing
# through the chapter: blue what is known (means, looks, the far-sighted pilot), pale blue the
# bonus on it, orange what is marked or true, green the best possible.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#9A9A9A"
PALE = "#A9CCE3"
LETTERS = 12.5  # points, the least that a phone shows legibly in a figure 5.6 inches wide


def draw_bars(ax, x, heights, width, colours, *, bottom=0.0):
    """Bars of `heights`, (n_bars,), on `bottom`, all of them one collection."""
    left = np.asarray(x, float) - width / 2
    look = {"facecolors": colours, "linewidths": 0}
    draw_boxes(ax, left, bottom, width, heights, autolim=True, **look)
    ax.autoscale_view()


def points_from(ax, corner):
    """The transform of lengths in points, measured from a corner in parts of the axes."""
    inches = ax.get_figure(root=True).dpi_scale_trans
    return Affine2D().scale(1 / 72) + inches + ScaledTranslation(*corner, ax.transAxes)


def draw_key(ax, entries, corner=(0, 1), *, at=(14, -9), across=0):
    """A legend: a mark and a name for each entry.

    `entries` are (name, mark, colour); a mark is a matplotlib marker, "bar", "line" or "thin" (a
    thinner line), and a star gets a black edge. The first mark stands `at` so many points from a
    `corner` in parts of the axes. Entries stand `across` points apart, or below each other if 0.
    """
    names, marks, colours = zip(*entries, strict=True)
    step = (across, 0) if across else (0, -1.5 * LETTERS)
    where = np.add(at, np.multiply.outer(range(len(names)), step))
    place, inches = points_from(ax, corner), ax.get_figure(root=True).dpi_scale_trans
    edges = ["black" if mark == "*" else colour for _, mark, colour in entries]
    look = {"facecolors": colours, "edgecolors": edges, "linewidths": 0.8, "zorder": 5}
    outlines = PathCollection(
        [_outline(mark) for mark in marks],
        offsets=where, offset_transform=place, clip_on=False, **look,
    )  # fmt: skip
    outlines.set_transform(Affine2D().scale(1 / 72) + inches)
    ax.add_artist(outlines)
    for name, (x, y) in zip(names, where, strict=True):
        x, y = x + 16, y - 0.36 * LETTERS
        ax.text(x, y, name, transform=place, fontsize=LETTERS, zorder=5)


_BOXES = {"bar": (18, 7), "line": (20, 2), "thin": (20, 0.6)}  # width and height in points
_WIDTHS = {"*": 14, "_": 14, "s": 10, "v": 10, "D": 6}  # of markers, 7 if not named


def _outline(mark):
    """The outline of a mark of a key, in points."""
    if mark in _BOXES:
        box = Affine2D().translate(-0.5, -0.5).scale(*_BOXES[mark])
        return Path.unit_rectangle().transformed(box)
    style, width = MarkerStyle(mark), _WIDTHS.get(mark, 7)
    return style.get_path().transformed(style.get_transform() + Affine2D().scale(width))
