"""A figure in a kernel: ipywidgets controls over a picture that is drawn at each move.

A frame that was drawn is remembered, and while the kernel has nothing else to do it draws the
settings next to the one that shows, so that the reader's next move finds its picture.
"""

import asyncio
import html
import sys
import time

import ipywidgets
import traitlets

from touchbook.cover import Cover
from touchbook.face import face
from touchbook.figure.control import ExplorableError, texts
from touchbook.figure.drawing import Layout
from touchbook.figure.markup import figure_html

MEMORY = 5_000_000  # bytes of the remembered pictures of one figure
REST = 1.5  # seconds without a cell that runs, before the kernel draws ahead
BREATH = 0.02  # seconds between two frames drawn ahead, in which a reader's move comes first
FIRST = 0.08  # seconds before the first: the picture is still on its way to the reader
MOST_AHEAD = 300  # frames without a move: pictures too heavy to remember end here
PAUSE = 0.5  # seconds before the second: a reader who presses a key again wants no other


class LiveFace:
    """Controls and picture of one explorable."""

    def __init__(self, explorable):
        self.explorable = explorable
        self.inputs = {name: _input(c) for name, c in explorable.controls.items()}
        self.picture = live_picture()
        self._layout = Layout()
        self._frames, self._weight = {}, 0
        self._moved = "", 0  # the control moved last, and which way
        for name, control in self.inputs.items():
            control.observe(lambda change, name=name: self._moved_by(name, change), "value")
        self._show()
        players = [_player(self.inputs[n]) for n, c in explorable.controls.items() if c.play]
        in_rows = ipywidgets.Layout(flex_flow="row wrap")
        controls = ipywidgets.Box([*self.inputs.values(), *players], layout=in_rows)
        controls.add_class("explorable-controls")
        self.box = ipywidgets.VBox([controls, self.picture])
        self.box.add_class("explorable-live-face")
        self.box.layout.max_width = f"{round(100 * explorable.size[0])}px"
        self._cover = None

    def expect_reader(self):
        """Draw the first moves ahead; cover the figure as long as it would spoil a prediction."""
        _ahead.want(self)
        self._cover = self._cover or Cover(self.explorable.name, self.box)

    @property
    def at(self):
        """The values of the controls, in order."""
        return tuple(control.value for control in self.inputs.values())

    def frame(self, at):
        """The frame at these values, from memory if it was drawn before."""
        key = at, tuple(map(type, at))  # 1, 1.0 and True are one key of a dictionary
        if key not in self._frames:
            values = dict(zip(self.inputs, at, strict=True))
            self._frames[key] = self.explorable.render_live(self._layout, **values)
            self._weight += len(self._frames[key].data)
            while self._weight > MEMORY and len(self._frames) > 1:
                oldest = self._frames.pop(next(iter(self._frames)))
                self._weight -= len(oldest.data)
        return self._frames[key]

    def knows(self, at):
        """Whether the frame at these values is remembered."""
        return (at, tuple(map(type, at))) in self._frames

    def neighbours(self):
        """Settings one step away; first those in the direction of the last move."""
        moved, direction = self._moved
        steps = [(moved, direction * n) for n in (1, 2, -1)] if direction else []
        steps += [(n, step) for n in self.inputs if not direction or n != moved for step in (1, -1)]
        for name, step in steps:
            values = self.explorable.controls[name].live_values
            place = values.index(self.inputs[name].value) + step
            if 0 <= place < len(values):
                yield tuple(
                    values[place] if n == name else control.value
                    for n, control in self.inputs.items()
                )

    def _moved_by(self, name, change):
        values = self.explorable.controls[name].live_values
        step = values.index(change["new"]) - values.index(change["old"])
        self._moved = name, 1 if step > 0 else -1
        self._show()
        _ahead.want(self)

    def _show(self):
        try:
            frame = self.frame(self.at)
        except ExplorableError as error:
            # A kernel logs what a callback raises where no reader looks.
            self.picture.state = {"html": f'<p role="alert">{html.escape(str(error))}</p>'}
            raise
        self.picture.state = {"html": figure_html(self.explorable, frame)}


class _Ahead:
    """Draws the neighbours of what readers look at while the kernel is idle."""

    def __init__(self):
        self._faces = []  # the one that is looked at comes last
        self._timer = None
        self._n_drawn = 0
        self._last_cell = -REST

    def want(self, face):
        """Draw what is next to the setting of `face`, soon, in a kernel with an event loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._faces = [other for other in self._faces if other is not face] + [face]
        self._n_drawn = 0
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(FIRST, self._step, loop)

    def cell_ran(self, *_):
        """Leave the kernel to the next cell."""
        self._last_cell = time.monotonic()

    def _step(self, loop):
        wait = self._last_cell + REST - time.monotonic()
        if wait > 0:
            self._timer = loop.call_later(wait, self._step, loop)
            return
        while self._faces and self._n_drawn < MOST_AHEAD:
            face = self._faces[-1]
            missing = (at for at in face.neighbours() if not face.knows(at))
            at = next(missing, None)
            if at is None:
                self._faces.pop()
                continue
            try:
                face.frame(at)
            except ExplorableError:
                self._faces.pop()  # the reader will be told on arriving there
                continue
            self._n_drawn += 1
            wait = PAUSE if self._n_drawn == 1 else BREATH
            self._timer = loop.call_later(wait, self._step, loop)
            return


_ahead = _Ahead()


if "IPython" in sys.modules:
    _shell = sys.modules["IPython"].get_ipython()
    if _shell is not None:
        _shell.events.register("pre_run_cell", _ahead.cell_ran)
        _shell.events.register("post_run_cell", _ahead.cell_ran)


def live_picture(figure=None, frame=None):
    """A figure in a kernel, without controls; empty at first if no frame is given."""
    text = "" if frame is None else figure_html(figure, frame)
    return face("figure/picture.js", ("figure/live.css",), setup={}, state={"html": text})


def _input(control):
    options = list(zip(texts(control.live_values), control.live_values, strict=True))
    style = {"description_width": "initial"}
    if control.kind == "checkbox":
        return ipywidgets.Checkbox(value=control.default, description=control.label, indent=False)
    kind = ipywidgets.Dropdown if control.kind == "choice" else ipywidgets.SelectionSlider
    # A long label must leave the slider as long as a short one does.
    n_letters = len(control.label) + max(map(len, texts(control.live_values)))
    rest = "5rem" if control.kind == "choice" else "14rem"
    layout = ipywidgets.Layout(width=f"calc({rest} + {n_letters}ch)", max_width="100%")
    shared = {"description": control.label, "style": style, "layout": layout}
    return kind(options=options, value=control.default, **shared)


def _player(live):
    player = ipywidgets.Play(max=len(live.options) - 1, value=live.index, interval=700)
    traitlets.link((player, "value"), (live, "index"))
    return player
