"""Bars, error bars and keys as one collection each, which are drawn many times as fast."""

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, ScaledTranslation, blended_transform_factory

from gameai_lib.touch.figure.parts import draw_boxes

# Okabe and Ito's colours; each is told apart by place or shape as well. One colour is one thing
# through the chapter: blue what is known (means, looks, the far-sighted pilot), pale blue the
# bonus on it, orange what is marked or true, green the best possible.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#9A9A9A"
PALE = "#A9CCE3"
LETTERS = 10.5  # points, the least that a phone shows legibly in a figure 5.6 inches wide

INDENT = 24  # points from the mark of a key to its name


def draw_bars(ax, x, heights, width, colours, *, bottom=0.0):
    """Bars of `heights` on `bottom`, all of them one collection.

    Parameters
    ----------
    ax : matplotlib Axes
    x, heights : (n_bars,) arrays
    width : float
    colours : colour or (n_bars,) sequence of colours
    bottom : float or (n_bars,) array

    Returns
    -------
    PolyCollection
        With a path of five corners for each bar, the lower left one first.
    """
    left = np.asarray(x, float) - width / 2
    look = {"facecolors": colours, "linewidths": 0}
    bars = draw_boxes(ax, left, bottom, width, heights, autolim=True, **look)
    ax.autoscale_view()
    return bars


def draw_errors(ax, x, y, error, *, across=False, **style):
    """Lines of one `error` to both sides of points: upright ones, or `across`."""
    x, y, error = np.broadcast_arrays(np.asarray(x, float), y, error)
    moved = (error, 0 * error) if across else (0 * error, error)
    ends = np.array([[x - moved[0], y - moved[1]], [x + moved[0], y + moved[1]]])
    lines = LineCollection(ends.transpose(2, 0, 1), **style)
    ax.add_collection(lines)
    ax.autoscale_view()
    return lines


def points_from(ax, corner):
    """The transform of lengths in points, measured from a corner in parts of the axes."""
    inches = ax.get_figure(root=True).dpi_scale_trans
    return Affine2D().scale(1 / 72) + inches + ScaledTranslation(*corner, ax.transAxes)


def points_left(ax, points):
    """A move to the left by a number of points."""
    return ScaledTranslation(-points / 72, 0, ax.get_figure(root=True).dpi_scale_trans)


def points_below(ax):
    """The transform of places on the x axis, and of points above the axes' lower edge."""
    return blended_transform_factory(ax.transData, points_from(ax, (0, 0)))


def draw_key(ax, entries, corner=(0, 1), *, at=(14, -9), size=LETTERS, across=0):
    """A legend: a mark and a name for each entry.

    Parameters
    ----------
    ax : matplotlib Axes
    entries : sequence of (str, str, colour)
        Name, mark and colour; a mark is a matplotlib marker, ``"bar"``, ``"line"``, ``"thin"``
        (a thinner line), ``"error"`` (an upright one) or ``"upright"`` (a short thick one). A
        star gets a black edge.
    corner : pair of float
        Of the axes, from which `at` counts.
    at : pair of float
        Where the first mark stands, in points.
    size : float
        Of the type, in points.
    across : float
        Points between entries that stand side by side; below each other if 0.
    """
    place = points_from(ax, corner)
    step = np.array([across, 0]) if across else np.array([0, -1.5 * size])
    where = [np.add(at, i * step) for i in range(len(entries))]
    outlines, colours, edges = [], [], []
    for _, mark, colour in entries:
        outlines.append(_outline(mark))
        colours.append(colour)
        edges.append("black" if mark == "*" else colour)
    marks = PathCollection(
        outlines, offsets=where, offset_transform=place, facecolors=colours, edgecolors=edges
    )
    marks.set_transform(Affine2D().scale(1 / 72) + ax.get_figure(root=True).dpi_scale_trans)
    marks.set(clip_on=False, zorder=5, linewidth=0.8)
    ax.add_artist(marks)
    marks.set_clip_path(None)
    for (name, *_), (x, y) in zip(entries, where, strict=True):
        ax.text(x + INDENT - 8, y - 0.36 * size, name, transform=place, fontsize=size, zorder=5)


def _outline(mark):
    """The outline of a mark of a key, in points."""
    boxes = {
        "bar": (18, 7),
        "line": (20, 2),
        "thin": (20, 0.6),
        "error": (0.2, 12),
        "upright": (2.5, 9),
    }
    if mark in boxes:
        return Path.unit_rectangle().transformed(
            Affine2D().translate(-0.5, -0.5).scale(*boxes[mark])
        )
    style = MarkerStyle(mark)
    width = {"*": 14, "_": 14, "s": 10, "v": 10, "D": 6}.get(mark, 7)
    return style.get_path().transformed(style.get_transform() + Affine2D().scale(width))
