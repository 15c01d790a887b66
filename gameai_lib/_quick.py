"""A figure's ticks and short texts as a few collections, which are drawn ten times as fast.

A matplotlib text is laid out and set anew in every figure, and a tick is three lines and two
texts. Here the outline of a word is found once for the life of the process, and one
collection draws all words of an axes. What is not simple (formulas, turned or boxed texts,
grids, minor ticks) is left as it is.
"""

from collections import defaultdict
from functools import lru_cache

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
from matplotlib.transforms import Affine2D

_METRICS = RendererAgg(1, 1, 72)  # measures in points


def name_ticks(axis, places, texts):
    """Put named ticks on an axis, as its ``set_ticks`` does, which makes each at once.

    Parameters
    ----------
    axis : matplotlib Axis
        Such as ``ax.xaxis``.
    places : sequence of float
    texts : sequence of str
    """
    axis.set_major_locator(FixedLocator(list(places)))
    axis.set_major_formatter(FixedFormatter([str(text) for text in texts]))


def tick_labels(figure):
    """The places and labels of all ticks of a figure: ``{axis: (places, texts)}``."""
    found = {}
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            places = axis.get_majorticklocs() if axes.axison and axis.get_visible() else ()
            found[axis] = places, [str(t) for t in axis.get_major_formatter().format_ticks(places)]
    return found


def quicken(figure, ticks):
    """Put collections in the place of simple texts and ticks; the layout must be settled.

    Parameters
    ----------
    figure : matplotlib Figure
    ticks : dict
        Of `tick_labels`.
    """
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
    for axis in copied:
        axis.set_major_locator(NullLocator())


def _is_simple(text, words=None):
    words = text.get_text() if words is None else words
    return (
        type(text) is Text
        and text.get_visible()
        and not set(words) & {"$", "\n", "\\"}
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
    if not len(places):
        return False
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    inside = [i for i, place in enumerate(places) if low - slack <= place <= high + slack]
    own = axis.get_major_ticks(1) if len(axis.majorTicks) < len(places) else axis.majorTicks
    ticks = [own[i] if len(own) >= len(places) else own[0] for i in inside]
    if (
        len(axis.get_minorticklocs())
        or axis.get_major_formatter().get_offset()
        or any(tick.gridline.get_visible() for tick in ticks)
    ):
        return False
    labels = [(t.label1, t.label2) for t in ticks]
    if not all(
        _is_simple(label, texts[i])
        for i, both in zip(inside, labels, strict=True)
        for label in both
        if label.get_visible()
    ):
        return False
    for side in (0, 1):
        shown = [k for k, both in enumerate(labels) if both[side].get_visible()]
        if shown:
            first = labels[shown[0]][side]
            at = [_point(axis, places[inside[k]], first) for k in shown]
            words = [texts[inside[k]] for k in shown]
            styles = [labels[k][side] for k in shown]
            _write(axis.axes, at, styles, first.get_transform(), axis.get_zorder(), words)
        lines = [(t.tick1line, t.tick2line)[side] for t in ticks]
        if lines and lines[0].get_visible() and lines[0].get_markersize():
            _mark(axis, [_point(axis, places[i], lines[0]) for i in inside], lines[0])
    return True


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
def _outline(word, size, weight, style, ha, va):
    """The outline of a word in points, the point where it is written at the origin."""

    font = FontProperties(size=size, weight=weight, style=style)
    # As matplotlib does: a line is at least as high and deep as these letters.
    _, height, depth = _METRICS.get_text_width_height_descent("lp", font, False)
    width = _METRICS.get_text_width_height_descent(word, font, False)[0] if word else 0
    path = TextPath((0, 0), word or " ", size=size, prop=font)
    return path.transformed(Affine2D().translate(-_LEFT[ha] * width, -_UP[va](height, depth)))
