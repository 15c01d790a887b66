"""Explorables: one picture with controls, live in a kernel and frozen in the built book.

`explore` joins a view to one to five controls. In a live kernel the result shows
ipywidgets controls and draws again at each move. While the book is built (the Sphinx
extension `gameai_lib.sphinxext` says so through the environment) the same object shows
native HTML controls over pictures that the same view has drawn for every combination
of values, so that the rendered page needs neither a kernel nor a network.
"""

import base64
import contextlib
import html
import io
import itertools
import json
import math
import multiprocessing
import os
import re
import sys
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

from gameai_lib._bound import bound
from gameai_lib._checks import short
from gameai_lib._controls import MAX_FRAMES, Control, ExplorableError, as_control
from gameai_lib._frozen import control_html, data_uri, distinct, figure_html

try:
    import ipywidgets
    import matplotlib as mpl
    import traitlets
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image
except ImportError as error:
    raise ImportError(
        f"pictures and controls need {error.name}: pip install 'gameai_lib[widgets]'",
        name=error.name,
    ) from error

__all__ = ["Control", "Explorable", "ExplorableError", "Picture", "Still", "explore", "picture"]

MAX_CONTROLS = 5  # three are plenty; with five of two values each, all is seen in 32 frames
MAX_BYTES = 1_500_000  # of all pictures of one explorable together
BOOK_BUILD = "GAMEAI_BOOK_PROGRESS"  # set while the book is built: file for progress lines

DPI = 144  # figures are shown at 100 pixels an inch; the rest is for fine screens
# Colours of a stored picture: spread out first, so that a thin line keeps its own, then moved
# to where the pixels are.
PALETTE = {"colors": 48, "method": Image.Quantize.MAXCOVERAGE, "kmeans": 3}

# Okabe and Ito's colours can be told apart by colour-blind readers; the type is large
# because a phone shows a figure at half its size.
STYLE = {
    "font.size": 13,
    "axes.titlesize": 13,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": mpl.cycler(
        color=["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
    ),
    "image.cmap": "cividis",
    "legend.frameon": False,
}


class Picture(NamedTuple):
    """One drawn frame."""

    webp: bytes  # the picture, quantised
    alt: str  # what this frame shows, in words

    def img(self) -> str:
        """The picture as an HTML ``img`` element with its data inside."""
        # The theme dims and frames pictures in the dark, except those of this class.
        source, alt = data_uri(self.webp), html.escape(self.alt)
        return f'<img class="dark-light" src="{source}" alt="{alt}">'


class Still:
    """A picture without controls; see `picture`."""

    def __init__(self, draw, *, alt, name=None, title="", size=(5.6, 3.6)):
        if not callable(draw):
            raise ExplorableError(f"a figure is drawn by a function, got {short(draw)}")
        self.name = _name_of(draw) if name is None else name
        if not isinstance(self.name, str) or not re.fullmatch(r"[A-Za-z][\w-]{,59}", self.name):
            raise ExplorableError(
                f"the name of a figure is its address: up to 60 letters, digits and hyphens, "
                f"got {short(self.name)}"
            )
        if not callable(alt) and not (isinstance(alt, str) and alt.strip()):
            raise ExplorableError(f"{self.name}: a figure needs alt text, got {short(alt)}")
        if not isinstance(title, str):
            raise ExplorableError(f"{self.name}: a title is text, got {short(title)}")
        self.draw = bound(draw)
        self.alt = bound(alt)
        self.title = title
        self.size = _checked_size(self.name, size)

    def render(self, **values) -> Picture:
        """Draw one frame; an error in the view is reported with its `values`."""
        with self._reported(values):
            webp = _render(self.draw, self.size, values)
        return Picture(webp, self.words(**values))

    def words(self, **values) -> str:
        """The alt text of one frame; an error in it is reported with its `values`."""
        with self._reported(values):
            alt = self.alt(**values) if callable(self.alt) else self.alt
        if not isinstance(alt, str) or not alt.strip():
            raise ExplorableError(f"{self.name}: no alt text at {values}, got {short(alt)}")
        return alt

    @contextlib.contextmanager
    def _reported(self, values):
        try:
            yield
        except Exception as error:
            raise ExplorableError(
                f"{self.name}: drawing failed at {values}: {type(error).__name__}: {error}"[:500]
            ) from error

    def html(self) -> str:
        """The figure for a page without a kernel."""
        return figure_html(self, self.render(), controls="", frames="")

    def __repr__(self):
        return f"Picture {self.name}: {self.words()}"

    def _repr_mimebundle_(self, **_kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html()}
        image = Image.open(io.BytesIO(self.render().webp))
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        png = base64.b64encode(buffer.getvalue()).decode()
        return {"text/plain": repr(self), "image/png": png}


class Explorable(Still):
    """A picture with one to five controls; see `explore`."""

    def __init__(self, draw, *, alt, controls, **options):
        super().__init__(draw, alt=alt, **options)
        if not callable(alt):
            raise ExplorableError(
                f"{self.name}: alt must be a function of the controls' values, so that it "
                f"says what each frame shows, got {short(alt)}"
            )
        if not 1 <= len(controls) <= MAX_CONTROLS:
            raise ExplorableError(
                f"{self.name}: one to {MAX_CONTROLS} controls, got {list(controls)}"
            )
        self.controls = {name: as_control(name, values) for name, values in controls.items()}
        n_frames = math.prod(len(c.values) for c in self.controls.values())
        if n_frames > MAX_FRAMES:
            sizes = " × ".join(f"{len(c.values)} {name}" for name, c in self.controls.items())
            raise ExplorableError(
                f"{self.name}: {n_frames} frames ({sizes}), at most {MAX_FRAMES}: "
                "drop values or a control"
            )

    @property
    def defaults(self) -> dict:
        """Where the controls stand at first."""
        return {name: control.default for name, control in self.controls.items()}

    @property
    def widget(self) -> ipywidgets.VBox:
        """Live controls (ipywidgets) over a picture that is drawn again at each move."""
        if not hasattr(self, "_widget"):
            self._inputs = {name: _live_input(c) for name, c in self.controls.items()}
            self._picture = ipywidgets.HTML()
            players = [_player(self._inputs[n]) for n, c in self.controls.items() if c.play]
            for control in self._inputs.values():
                control.observe(self._redraw, "value")
            self._redraw()
            self._widget = ipywidgets.VBox([*self._inputs.values(), *players, self._picture])
        return self._widget

    def set(self, **values):
        """Move the live controls, as a reader would; returns the picture's HTML.

        Raises
        ------
        ExplorableError
            If there is no such control or value; then none is moved.
        """
        _ = self.widget
        for name in values:
            if name not in self.controls:
                raise ExplorableError(
                    f"{self.name} has no control {short(name)}, only {', '.join(self.controls)}"
                )
        places = {name: self.controls[name].place(value) for name, value in values.items()}
        for name, at in places.items():
            self._inputs[name].value = self.controls[name].values[at]
        return self._picture.value

    def frames(self) -> list[Picture]:
        """Every frame, the last control moving fastest; refused if they weigh too much."""
        names = list(self.controls)
        combinations = [
            dict(zip(names, values, strict=True))
            for values in itertools.product(*(c.values for c in self.controls.values()))
        ]
        pictures = _render_all(self, combinations)
        alts = {}
        for values, picture in zip(combinations, pictures, strict=True):
            if picture.alt in alts:
                raise ExplorableError(
                    f"{self.name}: same alt text at {alts[picture.alt]} and {values}: {picture.alt}"
                )
            alts[picture.alt] = values
        n_bytes = sum(len(webp) for webp in {p.webp for p in pictures})
        if n_bytes > MAX_BYTES:
            raise ExplorableError(
                f"{self.name}: {len(pictures)} frames weigh {n_bytes / 1e6:.2f} MB, at most "
                f"{MAX_BYTES / 1e6} MB: drop values, or draw something simpler or smaller"
            )
        return pictures

    def html(self) -> str:
        """The figure for a page without a kernel: native controls over all frames."""
        pictures = self.frames()
        sources, order = distinct([p.webp for p in pictures])
        data = {
            "pictures": [data_uri(webp) for webp in sources],
            "frames": [[at, p.alt] for at, p in zip(order, pictures, strict=True)],
        }
        # "<" must not appear inside the element: it could close it.
        text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
        frames = f'<script type="application/json">{text}</script>'
        controls = "".join(control_html(self.name, n, c) for n, c in self.controls.items())
        default = 0
        for control in self.controls.values():
            default = default * len(control.values) + control.values.index(control.default)
        return figure_html(self, pictures[default], controls, frames)

    def __repr__(self):
        settings = "; ".join(
            f"{n} = {', '.join(c.texts) if len(c.texts) < 5 else f'{c.texts[0]} … {c.texts[-1]}'}"
            for n, c in self.controls.items()
        )
        return f"Explorable {self.name} ({settings}): {self.words(**self.defaults)}"

    def _redraw(self, _change=None):
        values = {name: control.value for name, control in self._inputs.items()}
        try:
            frame = self.render(**values)
        except ExplorableError as error:
            # A kernel logs what a callback raises where no reader looks.
            self._picture.value = f'<p role="alert">{html.escape(str(error))}</p>'
            raise
        self._picture.value = figure_html(self, frame, controls="", frames="")

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html()}
        return self.widget._repr_mimebundle_(**kwargs) | {"text/plain": repr(self)}


def picture(draw: Callable, *, alt, name=None, title="", size=(5.6, 3.6)) -> Still:
    """A picture with alt text.

    Parameters
    ----------
    draw : callable
        ``draw(fig)`` fills a fresh matplotlib figure.
    alt : str or callable
        What the picture shows, in words, or a function that says it.
    name : str, optional
        The figure's anchor is ``fig-`` and this; the name of `draw` if left out.
    title : str
        Shown under the picture, before the alt text.
    size : pair of float
        Width and height in inches, at 100 pixels an inch.

    Raises
    ------
    ExplorableError
        If there is no alt text, or when shown, if `draw` raises.
    """
    return Still(draw, alt=alt, name=name, title=title, size=size)


def explore(draw: Callable, *, alt, name=None, title="", size=(5.6, 3.6), **controls) -> Explorable:
    """A picture with one to five controls that works with and without a kernel.

    Parameters
    ----------
    draw : callable
        ``draw(fig, **values)`` fills a fresh matplotlib figure.
    alt : callable
        ``alt(**values)`` says in words what the frame at these values shows; no two
        frames may say the same.
    name, title, size
        As for `picture`.
    **controls : sequence or Control
        The values each argument of `draw` can take.

    Raises
    ------
    ExplorableError
        If a control has fewer than two values, there are none or more than
        `MAX_CONTROLS` or more than `MAX_FRAMES` frames, there is no alt text, or `draw`
        raises (the message says at which values).
    """
    return Explorable(draw, alt=alt, name=name, title=title, size=size, controls=controls)


def _name_of(draw):
    name = getattr(draw, "__name__", "<lambda>")
    if not name.isidentifier():
        raise ExplorableError(f"give the figure a name: it is its address, and {name!r} is none")
    return name.strip("_").replace("_", "-")


def _checked_size(figure, size):
    """A size in inches as a pair of floats, if a picture of that size can be drawn."""
    try:
        width, height = map(float, size)
    except Exception as error:
        raise ExplorableError(f"{figure}: a size is a pair of inches, got {short(size)}") from error
    if not (0.1 <= width <= 30 and 0.1 <= height <= 30):
        raise ExplorableError(f"{figure}: a size is 0.1 to 30 inches each way, got {short(size)}")
    return width, height


def _render(draw, size, values):
    with mpl.rc_context(STYLE):
        fig = Figure(figsize=size, dpi=DPI, layout="constrained", facecolor="white")
        canvas = FigureCanvasAgg(fig)
        draw(fig, **values)
        canvas.draw()
    width, height = canvas.get_width_height()
    rgb = Image.frombuffer("RGBA", (width, height), canvas.buffer_rgba()).convert("RGB")
    quantised = rgb.quantize(**PALETTE, dither=Image.Dither.NONE).convert("RGB")
    buffer = io.BytesIO()
    quantised.save(buffer, format="WEBP", lossless=True, quality=75, method=4)
    return buffer.getvalue()


_job = None  # what a forked worker draws; closures of a notebook cannot be pickled


def _draw_job(i):
    explorable, combinations = _job
    return explorable.render(**combinations[i])


def _render_all(explorable, combinations):
    """Draw all frames in order, on all cores where processes can be forked."""
    global _job
    n_workers = min(os.cpu_count() or 1, len(combinations) // 4)
    _job = explorable, combinations
    try:
        if n_workers < 2 or not sys.platform.startswith("linux"):
            return _with_progress(map(_draw_job, range(len(combinations))), explorable)
        with warnings.catch_warnings():
            # Python 3.12 warns of forks beside threads; the workers only draw.
            warnings.simplefilter("ignore", DeprecationWarning)
            pool = multiprocessing.get_context("fork").Pool(n_workers)
        with pool:
            return _with_progress(pool.imap(_draw_job, range(len(combinations))), explorable)
    finally:
        _job = None


def _with_progress(frames, explorable, *, patience=3.0):
    """Collect `frames`; after `patience` seconds report how far it is, and so on."""
    pictures, reported = [], time.monotonic()
    for frame in frames:
        pictures.append(frame)
        log = os.environ.get(BOOK_BUILD)
        if log and time.monotonic() - reported > patience:
            reported = time.monotonic()
            with open(log, "a", encoding="utf-8") as file:
                file.write(f"{explorable.name}: {len(pictures)} frames drawn\n")
    return pictures


def _live_input(control):
    options = list(zip(control.texts, control.values, strict=True))
    style = {"description_width": "initial"}
    if control.kind == "checkbox":
        return ipywidgets.Checkbox(value=control.default, description=control.label, indent=False)
    kind = ipywidgets.Dropdown if control.kind == "choice" else ipywidgets.SelectionSlider
    live = kind(options=options, value=control.default, description=control.label, style=style)
    if control.kind == "slider":
        live.continuous_update = False
    return live


def _player(live):
    player = ipywidgets.Play(max=len(live.options) - 1, value=live.index, interval=700)
    traitlets.link((player, "value"), (live, "index"))
    return player
