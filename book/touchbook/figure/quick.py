"""A figure's ticks and short texts as a few collections, which are drawn ten times as fast.

A matplotlib text is laid out and set anew in every figure, and a tick is three lines and two
texts. Here the outline of a word is found once for the life of the process, and one
collection draws all words of an axes. What is not simple (turned or boxed texts, several
lines, grids, named minor ticks) is left as it is.
"""

from collections import defaultdict
from functools import lru_cache

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.cbook import is_math_text
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.ticker import NullLocator
from matplotlib.transforms import Affine2D

FINE = 20  # to a point: what measures texts rounds to whole pixels
_METRICS = RendererAgg(1, 1, 72 * FINE)


def tick_labels(figure):
    """The places and labels of all ticks of a figure: ``{axis: (places, texts)}``."""
    found = {}
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            places = axis.get_majorticklocs() if axes.axison and axis.get_visible() else ()
            texts = map(str, axis.get_major_formatter().format_ticks(places))
            found[axis] = np.asarray(places), list(texts)
    return found


def quicken(figure, ticks):
    """Put collections in the place of simple texts and ticks; the layout must be settled."""
    for axes in figure.axes:
        groups = defaultdict(list)
        for text in axes.texts:
            if _is_simple(text):
                groups[id(text.get_transform()), text.get_zorder()].append(text)
        for (_, zorder), texts in groups.items():
            points = [t.get_position() for t in texts]
            _write(axes, points, texts, texts[0].get_transform(), zorder)
            for text in texts:
                text.set_visible(False)
    # Axes may share their ticks: all are copied before the first are taken out.
    copied = [axis for axis, (places, texts) in ticks.items() if _copy_ticks(axis, places, texts)]
    # An axis that is not drawn is measured all the same, for the title above it.
    copied += [axis for a in figure.axes if not a.axison for axis in (a.xaxis, a.yaxis)]
    for axis in copied:
        axis.set_major_locator(NullLocator())
        axis.set_minor_locator(NullLocator())


def _is_simple(text, words=None):
    words = text.get_text() if words is None else words
    return (
        type(text) is Text
        and text.get_visible()
        and "\n" not in words
        and text.get_rotation() == 0
        and text.get_bbox_patch() is None
        and not text.get_path_effects()
        and not text.get_wrap()
        and not (text.get_clip_on() and (text.get_clip_box() or text.get_clip_path()))
        and text.get_alpha() is None
        and text.get_horizontalalignment() in _LEFT
        and text.get_verticalalignment() in _UP
    )


def _copy_ticks(axis, places, texts):
    """Draw the ticks of an axis as collections, if they are simple; say whether they were."""
    inside = _inside(axis, places)
    small = _inside(axis, minor := axis.get_minorticklocs())
    if not inside or axis.get_major_formatter().get_offset():
        return False
    made = axis.majorTicks if len(axis.majorTicks) >= len(places) else axis.get_major_ticks(1)
    ticks = [made[i] if len(made) >= len(places) else made[0] for i in inside]
    words = [texts[i] for i in inside]
    named = small and any(axis.get_minor_formatter().format_ticks(minor))
    marks = axis.get_minor_ticks(1)[:1] if small else []
    if named or any(tick.gridline.get_visible() for tick in ticks + marks):
        return False
    for tick, word in zip(ticks, words, strict=True):
        if not all(_is_simple(t, word) for t in (tick.label1, tick.label2) if t.get_visible()):
            return False
    for side in ("1", "2"):
        labels = [getattr(tick, f"label{side}") for tick in ticks]
        shown = [k for k, label in enumerate(labels) if label.get_visible()]
        if shown:
            style = labels[shown[0]]
            at = [_point(axis, places[inside[k]], style) for k in shown]
            styles, named = [labels[k] for k in shown], [words[k] for k in shown]
            _write(axis.axes, at, styles, style.get_transform(), axis.get_zorder(), named)
        for which, tick in ((places[inside], ticks[0]), *((minor[small], m) for m in marks)):
            line = getattr(tick, f"tick{side}line")
            if line.get_visible() and line.get_markersize():
                _mark(axis, [_point(axis, place, line) for place in which], line)
    return True


def _inside(axis, places):
    """Which of the places lie in the view."""
    scale = axis.get_transform().transform
    (low, high), at = np.sort(scale(axis.get_view_interval())), scale(np.asarray(places, float))
    slack = 1e-6 * (high - low)
    return np.flatnonzero((low - slack <= at) & (at <= high + slack)).tolist()


def _point(axis, place, artist):
    """Where a tick's label or line stands; the other coordinate is that of its axis."""
    if isinstance(artist, Text):
        x, y = artist.get_position()
    else:
        x, y = artist.get_xdata()[0], artist.get_ydata()[0]
    return (place, y) if axis.axis_name == "x" else (x, place)


def _write(axes, points, styles, transform, zorder, words=None):
    """Words at points, each in the style of a text."""
    words = [s.get_text() for s in styles] if words is None else words
    outlines = [
        _outline(
            word,
            s.get_fontsize(),
            s.get_fontweight(),
            s.get_fontstyle(),
            tuple(s.get_fontfamily()),
            s.get_horizontalalignment(),
            s.get_verticalalignment(),
        )
        for word, s in zip(words, styles, strict=True)
    ]
    colours = [s.get_color() for s in styles]
    _collect(axes, outlines, points, transform, zorder, facecolors=colours, linewidths=0)


def _mark(axis, points, line):
    marker = line.get_marker()
    ((x, y),) = {2: [(0, 1)], 3: [(0, -1)], 0: [(-1, 0)], 1: [(1, 0)]}[marker]
    length = line.get_markersize()
    path = Path([(0, 0), (x * length, y * length)])
    width, colour = line.get_markeredgewidth(), line.get_markeredgecolor()
    _collect(
        axis.axes, [path], points, line.get_transform(), axis.get_zorder(),
        facecolors="none", edgecolors=[colour], linewidths=width,
    )  # fmt: skip


def _collect(axes, paths, points, transform, zorder, **style):
    drawn = PathCollection(paths, offsets=points, offset_transform=transform, **style)
    figure = axes.get_figure(root=True)
    drawn.set_transform(Affine2D().scale(1 / 72) + figure.dpi_scale_trans)
    drawn.set(zorder=zorder, clip_on=False, in_layout=False)
    axes.add_artist(drawn)
    drawn.set_clip_path(None)


_LEFT = {"left": 0.0, "center": 0.5, "right": 1.0}
_UP = {
    "baseline": lambda height, depth: 0,
    "bottom": lambda height, depth: -depth,
    "top": lambda height, depth: height - depth,
    "center": lambda height, depth: height / 2 - depth,
    "center_baseline": lambda height, depth: (height - depth) / 2,
}


@lru_cache(maxsize=8192)
def _outline(word, size, weight, style, family, ha, va):
    """The outline of a word in points, the point where it is written at the origin."""

    font = FontProperties(size=size, weight=weight, style=style, family=list(family))
    # As matplotlib does: a line is at least as high and deep as these letters.
    _, height, depth = _measure("lp", font)
    if not word.strip():
        return Path(np.zeros((0, 2)))
    width, *own = _measure(word, font)
    up = _UP[va](max(height, own[0]), max(depth, own[1]))
    path = TextPath((0, 0), word, size=size, prop=font)
    return path.transformed(Affine2D().translate(-_LEFT[ha] * width, -up))


def _measure(word, font):
    """Width, height and depth below the line of a word, in points."""
    pixels = _METRICS.get_text_width_height_descent(word, font, is_math_text(word))
    return [n / FINE for n in pixels]
