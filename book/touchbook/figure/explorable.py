"""Explorables: one picture with controls, live in a kernel and frozen in the built book.

In a live kernel an explorable shows ipywidgets controls and draws again at each move. While the
book is built (the Sphinx extension `touchbook.page.sphinxext` says so through the environment)
the same object shows native HTML controls over pictures that the same view has drawn for every
combination of values, so that the rendered page needs neither a kernel nor a network.
"""

import contextlib
import itertools
import math
import multiprocessing
import os
import re
import sys
import urllib.parse
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from touchbook import BOOK_BUILD
from touchbook.checks import short
from touchbook.cover import coverable
from touchbook.face import mimebundle
from touchbook.figure.bound import bind
from touchbook.figure.control import MAX_FRAMES, Control, ExplorableError, as_control
from touchbook.figure.drawing import LEAST_LETTERS, Layout, quick_picture, small_picture
from touchbook.figure.live import LiveFace, live_picture
from touchbook.figure.markup import Picture, control_html, distinct, figure_html, typeset
from touchbook.script import data_element

MAX_CONTROLS = 5  # three are plenty; with five of two values each, all is seen in 32 frames
MAX_BYTES = 1_500_000  # of all pictures of one explorable together
RUN = 16  # frames that share a layout: who draws them makes no difference

# The explorables of a kernel, by their names.
_shown: weakref.WeakValueDictionary[str, "Explorable"] = weakref.WeakValueDictionary()


class Still:
    """A picture without controls; see `picture`."""

    def __init__(
        self,
        draw: Callable[..., object],
        *,
        alt: str | Callable[..., str],
        name: str | None = None,
        title: str = "",
        size: tuple[float, float] = (5.6, 3.6),
    ) -> None:
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
        self.draw = bind(draw)
        self.alt = bind(alt)
        self.title = title
        self.size = _checked_size(self.name, size)

    def render(self, layout: Any = None, /, **values: Any) -> Picture:
        """Draw one frame for the book; an error in the view is reported with its `values`."""
        with self._reported(values):
            least = LEAST_LETTERS if os.environ.get(BOOK_BUILD) else 0
            layout = layout or Layout()
            webp = small_picture(self.draw, self.size, values, layout, least_letters=least)
        return Picture("webp", webp, typeset(self.words(**values)))

    def render_live(self, layout: Any, **values: Any) -> Picture:
        """Draw one frame for a reader who waits, with a layout that frames share."""
        with self._reported(values):
            png = quick_picture(self.draw, self.size, values, layout)
        return Picture("png", png, typeset(self.words(**values)))

    def words(self, **values: Any) -> str:
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
        return figure_html(self, self.render())

    def __repr__(self):
        return f"Picture {self.name}: {self.words()}"

    def _repr_mimebundle_(self, **_kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html()}
        # A widget, as the explorables are: what compares stored outputs passes it over.
        shown = live_picture(self, self.render_live(Layout()))
        return mimebundle(coverable(self.name, shown, round(100 * self.size[0])), repr(self))


class Explorable(Still):
    """A picture with one to five controls; see `explore`."""

    def __init__(
        self,
        draw: Callable[..., object],
        *,
        alt: Callable[..., str],
        controls: dict[str, Control | Sequence[Any]],
        **options: Any,
    ) -> None:
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
    def face(self) -> LiveFace:
        """What shows the figure in a kernel."""
        if not hasattr(self, "_face"):
            self._face = LiveFace(self)
        return self._face

    @property
    def widget(self) -> Any:
        """Live controls (ipywidgets) over a picture that is drawn again at each move."""
        return self.face.box

    def set(self, **values: Any) -> None:
        """Move the live controls, as a reader would; returns the picture's HTML.

        Raises
        ------
        ExplorableError
            If there is no such control or value; then none is moved.
        """
        for name in values:
            if name not in self.controls:
                raise ExplorableError(
                    f"{self.name} has no control {short(name)}, only {', '.join(self.controls)}"
                )
        places = {n: self.controls[n].place(value, live=True) for n, value in values.items()}
        for name, at in places.items():
            self.face.inputs[name].value = self.controls[name].live_values[at]
        return self.face.picture.state["html"]

    def frames(self) -> list[Picture]:
        """Every frame, the last control moving fastest; refused if they weigh too much."""
        names = list(self.controls)
        combinations = [
            dict(zip(names, values, strict=True))
            for values in itertools.product(*(c.values for c in self.controls.values()))
        ]
        pictures = _render_all(self, combinations)
        alts: dict[str, dict] = {}
        for values, picture in zip(combinations, pictures, strict=True):
            if picture.alt in alts:
                raise ExplorableError(
                    f"{self.name}: same alt text at {alts[picture.alt]} and {values}: {picture.alt}"
                )
            alts[picture.alt] = values
        n_bytes = sum(len(data) for data in {p.data for p in pictures})
        if n_bytes > MAX_BYTES:
            raise ExplorableError(
                f"{self.name}: {len(pictures)} frames weigh {n_bytes / 1e6:.2f} MB, at most "
                f"{MAX_BYTES / 1e6} MB: drop values, or draw something simpler or smaller"
            )
        return pictures

    def html(self) -> str:
        """The figure for a page without a kernel: native controls over all frames."""
        pictures = self.frames()
        sources, order = distinct([p.source for p in pictures])
        data = {
            "pictures": sources,
            "frames": [[at, p.alt] for at, p in zip(order, pictures, strict=True)],
        }
        frames = data_element(data)
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

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html()}
        _shown[self.name] = self
        self.face.expect_reader()
        return self.widget._repr_mimebundle_(**kwargs) | {"text/plain": repr(self)}


def _name_of(draw):
    name = getattr(draw, "__name__", "<lambda>")
    if not name.isidentifier():
        raise ExplorableError(
            f"give the figure a name: it is its address, which {name!r} cannot be"
        )
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


_job = None  # what a forked worker draws; closures of a notebook cannot be pickled


def _draw_run(start):
    explorable, combinations = _job
    layout = Layout()
    return [explorable.render(layout, **values) for values in combinations[start : start + RUN]]


def _render_all(explorable, combinations):
    """Draw all frames in order, on all cores where processes can be forked."""
    global _job
    starts = range(0, len(combinations), RUN)
    n_workers = min(os.cpu_count() or 1, len(starts))
    _job = explorable, combinations
    try:
        if n_workers < 2 or not sys.platform.startswith("linux"):
            return [*itertools.chain.from_iterable(map(_draw_run, starts))]
        with warnings.catch_warnings():
            # Python 3.12 warns of forks beside threads; the workers only draw.
            warnings.simplefilter("ignore", DeprecationWarning)
            pool = multiprocessing.get_context("fork").Pool(n_workers)
        with pool:
            return [*itertools.chain.from_iterable(pool.map(_draw_run, starts))]
    finally:
        _job = None


def follow(address: str) -> None:
    """Move the live controls of a figure as a link says: ``fig-turn?turn=30&belief=BB``.

    Does nothing where there is no such figure or value, as in the built book.
    """
    name, _, query = address.removeprefix("fig-").partition("?")
    explorable = _shown.get(name)
    if explorable is None:
        return
    for argument, text in urllib.parse.parse_qsl(query):
        control = explorable.controls.get(argument)
        if control is not None and text in control.texts:
            explorable.set(**{argument: control.values[control.texts.index(text)]})
