"""From a view to a picture: small for the built book, quick in a kernel."""

import contextlib
import gc
import io

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from touchbook.figure.quick import quicken, tick_labels

DPI = 144  # figures are shown at 100 pixels an inch; the rest is for fine screens
# Colours of a stored picture: spread out first, so that a thin line keeps its own, then moved
# to where the pixels are.
PALETTE = {"colors": 48, "method": Image.Quantize.MAXCOVERAGE, "kmeans": 3000}

PHONE = 358  # pixels that are left for a figure on a phone 390 wide
LEAST_LETTERS = 11  # pixels high, on a phone

# Okabe and Ito's colours can be told apart by colour-blind readers; the type is large
# because a phone shows a figure at half its size.
STYLE = {
    "font.size": 13,
    "axes.titlesize": 13,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(
        color=["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
    ),
    "image.cmap": "cividis",
    "legend.frameon": False,
}


def small_picture(draw, size, values, layout, *, least_letters=0):
    """Draw a figure for the built book, of a size in inches: few colours, WebP, as bytes.

    ``draw(figure, **values)`` fills a fresh matplotlib figure; frames of it share a `Layout`. A
    ValueError names letters of less than so many pixels on a phone.
    """
    with mpl.rc_context(STYLE), _no_collection():
        canvas = _filled_canvas(draw, size, values)
        if layout.knows(canvas.figure):
            _check_letters(_texts(canvas.figure), canvas.figure, least_letters)
        else:
            layout.find(canvas)
            _check_letters(canvas.figure.findobj(Text), canvas.figure, least_letters)
            # Drawn again even so: frames that show the same are then the same.
            canvas = _filled_canvas(draw, size, values)
        picture = _image(_laid_out(canvas, draw, size, values, layout))
    quantised = picture.quantize(**PALETTE, dither=Image.Dither.NONE).convert("RGB")
    buffer = io.BytesIO()
    quantised.save(buffer, format="WEBP", lossless=True, quality=75, method=3)
    return buffer.getvalue()


def quick_picture(draw, size, values, layout):
    """Draw a figure for a reader who waits: all colours, PNG, the `Layout` that is known."""
    with mpl.rc_context(STYLE), _no_collection():
        canvas = _laid_out(_filled_canvas(draw, size, values), draw, size, values, layout)
        buffer = io.BytesIO()
        _image(canvas).save(buffer, format="PNG", compress_level=1)
        del canvas  # so that the collector finds the figure while it is young
    return buffer.getvalue()


class Layout:
    """Where the parts of one figure stand: found once, and again where something sticks out.

    Finding it takes longer than drawing. Frames of one figure differ little, so each is drawn
    with the places found before, as long as it has the same parts, no tick label is longer
    and nothing touches the picture's edge.
    """

    def __init__(self):
        self._known = {}

    def knows(self, figure):
        """Whether places are known for a figure with these parts."""
        return _parts(figure) in self._known

    def draw(self, canvas):
        """Draw the figure of a canvas; False if it is cut off with the places that are known."""
        figure = canvas.figure
        known = self._known.get(_parts(figure))
        if known is None:
            self.find(canvas)
            return True
        engine = figure.get_layout_engine()
        figure.set_layout_engine("none")
        for axes, place in zip(figure.axes, known["axes"], strict=True):
            axes.set_position(place)
            axes.apply_aspect()
        ticks = tick_labels(figure)  # how many there are depends on the axes' sizes
        if any(n > most for n, most in zip(_longest(ticks), known["longest"], strict=True)):
            for axes in figure.axes:
                axes.set_in_layout(True)
            figure.set_layout_engine(engine)
            self.find(canvas)
            return True
        for text, place in zip(figure.texts, known["texts"], strict=True):
            text.set_position(place)
        for axis, place in zip(ticks, known["labels"], strict=True):
            # Else the labels of all ticks are measured to put that of the axis beyond them.
            axis.set_label_coords(*place, transform=axis.label.get_transform())
        quicken(figure, ticks)
        canvas.draw()
        return known["is_cut"] or not _is_cut(canvas)

    def find(self, canvas):
        """Lay out and draw the figure of a canvas, and know its places from now on."""
        figure = canvas.figure
        canvas.draw()
        ticks = tick_labels(figure)
        self._known[_parts(figure)] = {
            "axes": [axes.get_position(original=True) for axes in figure.axes],
            "texts": [text.get_position() for text in figure.texts],
            "labels": [axis.label.get_position() for axis in ticks],
            "longest": _longest(ticks),
            "is_cut": _is_cut(canvas),  # then no other layout would help
        }


def _filled_canvas(draw, size, values):
    figure = Figure(figsize=size, dpi=DPI, layout="constrained", facecolor="white")
    draw(figure, **values)
    if not any(axes.get_subplotspec() for axes in figure.axes):
        figure.set_layout_engine("none")  # matplotlib warns that it has nothing to lay out
    return FigureCanvasAgg(figure)


def _laid_out(canvas, draw, size, values, layout):
    """Draw a filled canvas with the places that the layout knows or finds, or another one."""
    if not layout.draw(canvas):
        canvas = _filled_canvas(draw, size, values)
        layout.find(canvas)
    return canvas


def _texts(artist):
    """The texts below an artist but for those of ticks, which asking would make."""
    for child in artist.get_children():
        if isinstance(child, Axis):
            yield child.label
        else:
            if isinstance(child, Text):
                yield child
            yield from _texts(child)


def _check_letters(texts, figure, least):
    """Refuse words that a reader on a phone could not read."""
    pixels = PHONE / figure.get_figwidth() / 72  # of one point
    for text in texts:
        words = text.get_text().strip()
        if words and text.get_visible() and round(text.get_fontsize() * pixels, 1) < least:
            raise ValueError(
                f"{words!r} is {text.get_fontsize() * pixels:.1f} pixels high on a phone, at least "
                f"{least} are needed: {least / pixels:.1f} points in a figure this wide"
            )


def _image(canvas):
    pixels = canvas.get_width_height()
    return Image.frombuffer("RGBA", pixels, canvas.buffer_rgba()).convert("RGB")


@contextlib.contextmanager
def _no_collection():
    """Collect no garbage inside: a figure is thousands of young objects that all die together."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _parts(figure):
    """What a figure's layout depends on, but for the sizes of its tick labels."""
    return tuple(_n_lines(text.get_text()) for text in figure.texts), tuple(
        (
            axes.get_subplotspec() and axes.get_subplotspec().get_geometry(),
            *(_n_lines(axes.get_title(loc)) for loc in ("left", "center", "right")),
            _n_lines(axes.get_xlabel()),
            _n_lines(axes.get_ylabel()),
            axes.get_legend() is not None,
        )
        for axes in figure.axes
    )


def _n_lines(text):
    return text.count("\n") + 1 if text else 0


def _longest(ticks):
    """The most letters of a tick label along each axis; on x only its lines count."""
    return [
        max(map(_n_lines if axis.axis_name == "x" else len, texts), default=0)
        for axis, (_, texts) in ticks.items()
    ]


def _is_cut(canvas):
    """Whether anything but white lies on the picture's edge."""
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3]
    return any((edge != 255).any() for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
