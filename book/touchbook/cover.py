"""Which figures wait for a prediction: questions are announced here, figures and scores listen."""

import weakref
from typing import Any

from touchbook.face import face

announced: dict[str, Any] = {}  # the questions that this kernel has shown, by their names
_listeners: weakref.WeakSet[Any] = weakref.WeakSet()
_everything = False


def announce(question):
    """Tell of a `touchbook.ask.prediction.Prediction` that is shown."""
    announced[question.name] = question
    tell_change()


def listen(listener):
    """Call ``listener.refresh()`` at each change, as long as there is such a listener."""
    _listeners.add(listener)


def shows_everything():
    """Whether the reader wants to see figures and answers before questions."""
    return _everything


def show_everything(everything):
    """Cover no figure and hide no answer; or, with False, ask questions first."""
    global _everything
    _everything = everything
    for question in announced.values():
        question.refresh()
    tell_change()


def tell_change():
    """Tell all listeners that a question was answered, passed or forgotten."""
    for listener in list(_listeners):
        listener.refresh()


def waiting(figure):
    """The open questions that the figure of this name would spoil."""
    if _everything:
        return []
    return [q for q in announced.values() if figure in q.covers and q.status == "open"]


def coverable(figure, shown, width):
    """A widget, in a box of so many pixels that can be covered, if a question asks for it."""
    if not waiting(figure):
        return shown
    import ipywidgets

    box = ipywidgets.VBox([shown], layout={"max_width": f"{width}px"})
    box.cover = Cover(figure, box)
    return box


class Cover:
    """A panel in the place of the figure in a box, as long as a question is open on it."""

    def __init__(self, name, box):
        self._name, self._box, self._inside = name, box, box.children
        self._panel = None
        listen(self)
        self.refresh()

    def refresh(self):
        """Cover or uncover the figure, as its questions stand."""
        asked = [question.asked() for question in waiting(self._name)]
        if not asked:
            self._box.children = self._inside
            return
        if self._panel is None:
            setup = {"name": self._name}
            self._panel = face("cover.js", ("ask/ask.css",), setup=setup, hear=self._hear)
        self._panel.state = {"asks": asked}
        self._box.children = (self._panel,)

    def _hear(self, _face, message):
        if message["do"] == "everything":
            show_everything(True)
            return
        for question in waiting(self._name):
            question.skip()
