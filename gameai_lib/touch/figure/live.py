"""The faces in a kernel: ipywidgets controls over a picture drawn at each move, and predictions.

A frame that was drawn is remembered, and while the kernel has nothing else to do it draws the
settings next to the one that shows, so that the reader's next move finds its picture. A figure
that would spoil a prediction lies under a panel as long as the prediction is open.
"""

import asyncio
import html
import sys
import time
from importlib import resources

import ipywidgets
import traitlets

from gameai_lib.touch.ask import prediction as asked
from gameai_lib.touch.ask.kinds import marked, nearest, plain
from gameai_lib.touch.figure.control import ExplorableError, texts
from gameai_lib.touch.figure.drawing import Layout
from gameai_lib.touch.figure.markup import figure_html

MEMORY = 5_000_000  # bytes of the remembered pictures of one figure
REST = 1.5  # seconds without a cell that runs, before the kernel draws ahead
BREATH = 0.02  # seconds between two frames drawn ahead, in which a reader's move comes first
FIRST = 0.08  # seconds before the first: the picture is still on its way to the reader
MOST_AHEAD = 300  # frames without a move: pictures too heavy to remember end here
PAUSE = 0.5  # seconds before the second: a reader who presses a key again wants no other


class LiveFace:
    """Controls and picture of one explorable.

    Parameters
    ----------
    explorable : Explorable
        Its controls, its view and its words.
    """

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
        self._cover = Cover(explorable, self.box)

    def cover(self):
        """Cover the figure if it would spoil a prediction, and follow what becomes of it."""
        asked.watch(self._cover)
        self._cover.refresh()

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

    def expect_reader(self):
        """Draw the first moves ahead: the figure is shown."""
        _ahead.want(self)

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
            self.picture.value = f'<p role="alert">{html.escape(str(error))}</p>'
            raise
        self.picture.value = _html(self.explorable, frame)


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


def _style(name):
    # The built book has the style from a file.
    return f"<style>{resources.files('gameai_lib').joinpath('static', name).read_text()}</style>"


_STYLE, _ASK_STYLE = _style("live.css"), _style("ask.css") + _style("ask_live.css")

if "IPython" in sys.modules:
    _shell = sys.modules["IPython"].get_ipython()
    if _shell is not None:
        _shell.events.register("pre_run_cell", _ahead.cell_ran)
        _shell.events.register("post_run_cell", _ahead.cell_ran)


def live_picture(figure=None, frame=None):
    """A figure in a kernel, without controls; empty at first if no frame is given."""
    return ipywidgets.HTML(_html(figure, frame) if frame is not None else "")


def _html(figure, frame):
    return _STYLE + figure_html(figure, frame)


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


class Cover:
    """A panel in the place of a figure, as long as a prediction that it would spoil is open.

    Parameters
    ----------
    figure : Still
    box : ipywidgets.Box
        Holds the figure; its children are taken out and put back.
    """

    def __init__(self, figure, box):
        self._figure, self._box, self._inside = figure, box, box.children
        self._panel = self._words = None

    @property
    def _open(self):
        return [p for p in asked.covering(self._figure.name) if p.status == "open"]

    def refresh(self):
        """Cover or uncover the figure, as its predictions stand."""
        if not self._open:
            self._box.children = self._inside
            return
        if self._panel is None:
            self._make()
        links = " · ".join(f'<a href="#ask-{p.name}">{marked(p.question)}</a>' for p in self._open)
        # The figure's address: a link to it finds the panel.
        self._words.value = (
            f'{_ASK_STYLE}<p id="fig-{html.escape(self._figure.name)}">'
            f"<strong>Predict first:</strong> {links}</p>"
        )
        self._box.children = (self._panel,)

    def _make(self):
        self._words = ipywidgets.HTML()
        look = ipywidgets.Button(description=asked.LOOK)
        look.add_class("ask-look-anyway")
        look.on_click(lambda _: [prediction.skip() for prediction in self._open])
        height = f"{round(100 * self._figure.size[1])}px"
        self._panel = ipywidgets.VBox([self._words, look], layout={"min_height": height})
        self._panel.add_class("ask-cover-live")


def coverable(figure, shown):
    """A picture in a box that can be covered, if a prediction asks for it."""
    if not asked.covering(figure.name):
        return shown
    box = ipywidgets.VBox([shown], layout={"max_width": f"{round(100 * figure.size[0])}px"})
    box.cover = Cover(figure, box)
    asked.watch(box.cover)
    box.cover.refresh()
    return box


class AskFace:
    """One prediction: its question, a field, two buttons, and the answer once it was earned.

    Parameters
    ----------
    prediction : Prediction
    """

    def __init__(self, prediction):
        self.prediction = prediction
        make = {"Choice": _ChoiceField, "Number": _NumberField, "Point": _PointField}
        self.field = make[type(prediction.kind).__name__](prediction.kind)
        question = ipywidgets.HTML(
            f'{_ASK_STYLE}<p class="ask-question" id="ask-{prediction.name}">'
            f"{marked(prediction.question)}</p>"
        )
        self.commit = ipywidgets.Button(description=asked.COMMIT)
        self.skip = ipywidgets.Button(description=asked.SKIP)
        self.commit.add_class("ask-commit")
        self.skip.add_class("ask-skip")
        self.commit.on_click(self._commit)
        self.skip.on_click(self._skip)
        self._buttons = ipywidgets.HBox([self.commit, self.skip])
        self.message, self.answer = ipywidgets.HTML(), ipywidgets.HTML()
        self._asking = (question, self.field.box, self.message, self._buttons, self.answer)
        self._done = (question, self.field.box, self.answer)
        self.box = ipywidgets.VBox(self._asking)
        self.box.add_class("ask")
        self.box.add_class("ask-live-face")
        self._status = None
        asked.watch(self)
        self.refresh()

    def refresh(self):
        """Show what was answered."""
        if self.prediction.status == self._status:
            return  # another question was answered: what is chosen here, stays
        self._status = self.prediction.status
        is_open = self._status == "open"
        # Read aloud when it comes, as it does in the page.
        verdict = self.prediction.verdict_html()
        self.answer.value = f'<div class="ask-answer" aria-live="polite">{verdict}</div>'
        self.message.value = ""
        self.field.refresh(self.prediction.said, is_open)
        self.box.children = self._asking if is_open else self._done

    def _commit(self, _button):
        try:
            self.prediction.commit(self.field.read())
        except ValueError as error:
            words = html.escape(str(error))
            self.message.value = f'<p class="ask-message" role="alert">{words}</p>'

    def _skip(self, _button):
        if self.prediction.status == "open":
            self.prediction.skip()


class _ChoiceField:
    def __init__(self, kind):
        self._kind = kind
        options = [(plain(choice), choice) for choice in kind.choices]
        self.box = ipywidgets.RadioButtons(options=options, value=None)

    def read(self):
        if self.box.value is None:
            raise ValueError("Choose one of the answers first.")
        return self.box.value

    def refresh(self, said, is_open):
        self.box.disabled = not is_open
        self.box.value = said


class _NumberField:
    def __init__(self, kind):
        self._kind = kind
        self._input = ipywidgets.Text(
            description="Your number", style={"description_width": "initial"},
            layout={"width": "14rem"},
        )  # fmt: skip
        self.box = ipywidgets.HBox([self._input, ipywidgets.Label(kind.unit)])

    def read(self):
        if not self._input.value.strip():
            raise ValueError("Write a number first.")
        return self._input.value

    def refresh(self, said, is_open):
        self._input.disabled = not is_open
        self._input.value = "" if said is None else f"{said:.10g}"


class _PointField:
    # Two sliders, for a click on a picture does not reach the kernel.
    def __init__(self, kind):
        self._kind = kind
        frame, self._places = kind.drawn(lambda: kind.picture.render_live(Layout()))
        self._marks = ipywidgets.HTML()
        self._marks.add_class("ask-marks")
        stack = ipywidgets.VBox([ipywidgets.HTML(frame.img()), self._marks])
        stack.add_class("ask-picture")
        stack.layout.max_width = f"{round(100 * kind.picture.size[0])}px"
        self._said = None
        self._sliders = [_axis_slider(place, t) for place, t in zip(
            self._places, kind.tolerance, strict=True)]  # fmt: skip
        for slider in self._sliders:
            slider.observe(self._moved, "value")
        self.box = ipywidgets.VBox([stack, *self._sliders])

    def read(self):
        if self._said is None:
            raise ValueError("Set your point with the sliders first.")
        return self._said

    def refresh(self, said, is_open):
        if said is not None:
            for slider, value in zip(self._sliders, said, strict=True):
                names = [[at, text] for text, at in getattr(slider, "options", ())]
                slider.value = nearest(value, names)[0] if names else value
        self._said = said
        for slider in self._sliders:
            slider.disabled = not is_open
        self._marks.value = self._kind.overlay_html(self._places, said, not is_open)

    def _moved(self, _change):
        self._said = tuple(slider.value for slider in self._sliders)
        self._marks.value = self._kind.overlay_html(self._places, self._said, False)


def _axis_slider(place, tolerance):
    look = {"style": {"description_width": "initial"}}
    look["layout"] = {"width": "26rem", "max_width": "100%"}
    low, high = sorted(place["limits"])
    if place["names"]:
        options = [(text, at) for at, text in sorted(place["names"])]
        value = nearest((low + high) / 2, place["names"])[0]
        return ipywidgets.SelectionSlider(
            options=options, value=value, description=place["label"], **look
        )
    return ipywidgets.FloatSlider(
        value=(low + high) / 2, min=low, max=high, step=min((high - low) / 100, tolerance / 2),
        description=place["label"], readout_format=".4g", **look,
    )  # fmt: skip


class ScoreFace:
    """How many predictions came true so far, and a button that forgets them all.

    Parameters
    ----------
    score : Score
    """

    def __init__(self, score):
        self._score = score
        self.words = ipywidgets.HTML()
        self.again = ipywidgets.Button(description=asked.AGAIN)
        self.again.on_click(lambda _: score.start_over())
        self.box = ipywidgets.VBox([self.words, self.again])
        self.box.add_class("ask-score-box")
        asked.watch(self)
        self.refresh()

    def refresh(self):
        """Count again."""
        self.words.value = (
            f'{_ASK_STYLE}<p class="ask-score">{self._score}</p>{self._score.open_html()}'
        )
