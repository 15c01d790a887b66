"""Predictions that count: a question, the reader's answer, and then the truth and its reason.

In the built book a question is a native form; `static/ask.js` holds it against the reader, and
shows the same words as `Prediction` does in a kernel. Nothing that was answered leaves the
browser, or the kernel.
"""

import hashlib
import html
import json
import os
import re
import weakref

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.touch.ask.kinds import Choice, Number, Point, marked, plain
from gameai_lib.touch.figure.control import ExplorableError

BOOK_BUILD = "GAMEAI_BOOK_PROGRESS"
NAME = re.compile(r"[A-Za-z][\w-]{,59}")
COMMIT, SKIP, LOOK, AGAIN = "Commit", "Show me instead", "Look anyway", "Start over"


def _stop(text):
    """The full stop behind a text that may have one."""
    return "" if text.endswith((".", "?", "!")) else "."


class Prediction:
    """A question whose answer the library has computed; see `gameai_lib.widgets.ask`."""

    def __init__(self, question, *, answer, because, choices=None, tolerance=None, unit="",
                 name=None, covers=(), picture=None):  # fmt: skip
        for what, text in (("question", question), ("because", because), ("unit", unit)):
            if not isinstance(text, str) or not (text.strip() or what == "unit"):
                raise ExplorableError(f"{what} must be text, got {short(text)}")
        self.question, self.because = question, because
        self.name = _slug(question) if name is None else _checked_name("name", name)
        covers = [covers] if isinstance(covers, str) else covers
        if not isinstance(covers, list | tuple):
            raise ExplorableError(f"covers must be names of figures, got {short(covers)}")
        self.covers = [_checked_name("covers", figure) for figure in covers]
        if choices is not None:
            if (tolerance, unit, picture) != (None, "", None):
                raise ExplorableError(f"{self.name}: choices have no tolerance, unit or picture")
            self.kind = Choice(answer, choices)
        elif picture is not None:
            if unit:
                raise ExplorableError(f"{self.name}: a point has no unit, got {short(unit)}")
            self.kind = Point(answer, tolerance, picture)
        else:
            self.kind = Number(answer, tolerance, unit)
        self._given = _Given()

    @property
    def key(self):
        """A short text that changes with the question: what was said to another is forgotten."""
        parts = [self.question, self.kind.truth, *self.kind.setting]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    @property
    def said(self):
        """What the reader has committed to, or None."""
        return self._given.said

    @property
    def status(self):
        """``"open"``, ``"right"``, ``"wrong"`` or ``"passed"``."""
        if self.said is not None:
            return "right" if self.kind.holds(self.said) else "wrong"
        return "passed" if self._given.passed else "open"

    def commit(self, value):
        """Answer as the reader does; it cannot be taken back.

        Parameters
        ----------
        value : str, float or pair of float
            One of the choices; a number, or text that is one; a point.

        Raises
        ------
        ValueError, TypeError
            If it is no answer to this question; then nothing changes.
        ExplorableError
            If there is an answer already.
        """
        self._must_be_open()
        self._given.said = self.kind.read(value)
        changed()

    def skip(self):
        """Show the answer without having given one.

        Raises
        ------
        ExplorableError
            If there is an answer already.
        """
        self._must_be_open()
        self._given.passed = True
        changed()

    def _must_be_open(self):
        if self.status != "open":
            raise ExplorableError(f"{self.name} was answered: {short(self.said or 'passed')}")

    def forget(self):
        """Make the question one that was never answered."""
        self._given.said, self._given.passed = None, False

    def verdict_html(self):
        """What a reader sees who has answered or passed; empty before."""
        if self.status == "open":
            return ""
        verdict = "<strong>You passed.</strong>"
        if self.status != "passed":
            word = "✓ Right." if self.status == "right" else "✗ Wrong."
            said = self.kind.words(self.said)
            verdict = f"<strong>{word}</strong> You said: {marked(said)}{_stop(said)}"
        return f'<p class="ask-verdict">{verdict}</p>{self._truth_html()}'

    def _truth_html(self):
        truth = marked(self.kind.truth)
        return (
            f'<p class="ask-truth">The answer: <strong>{truth}</strong>{self.kind.allowed}'
            f"{_stop(self.kind.truth + self.kind.allowed)} "
            f"{marked(self.because)}</p>"
        )

    def html(self):
        """The question as a form for a page without a kernel."""
        field, data = self.kind.page(self.name)
        data |= {"key": self.key, "covers": self.covers}
        text = html.escape(json.dumps(data, ensure_ascii=False))
        # Without JavaScript a button that is disabled keeps Enter from sending the form.
        return (
            f'<form class="ask" id="ask-{self.name}" data-ask="{self.name}" data-truth="{text}" '
            f'autocomplete="off" novalidate><fieldset><legend>{marked(self.question)}</legend>'
            f'{field}</fieldset><p class="ask-buttons" hidden>'
            f'<button type="submit" data-action="commit" disabled>{COMMIT}</button> '
            f'<button type="button" data-action="skip">{SKIP}</button></p>'
            f'<details class="ask-answer"><summary>Answer</summary>{self._truth_html()}</details>'
            "</form>"
        )

    @property
    def face(self):
        """What shows the question in a kernel."""
        from gameai_lib.touch.figure.live import AskFace  # needs ipywidgets

        if not hasattr(self, "_face"):
            self._face = AskFace(self)
        return self._face

    def __repr__(self):
        return f"Prediction: {self.question}"

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            if _built.setdefault(self.name, self.key) != self.key:
                raise ExplorableError(f"two predictions of this page have the name {self.name}")
            return {"text/plain": repr(self), "text/html": self.html()}
        remember(self)
        return self.face.box._repr_mimebundle_(**kwargs) | {"text/plain": repr(self)}


class Score:
    """How many predictions of the chapter came true; see `gameai_lib.widgets.score`."""

    def __str__(self):
        status = [prediction.status for prediction in _asked.values()]
        right, passed, still = (status.count(s) for s in ("right", "passed", "open"))
        return (
            f"You predicted {right} of {len(status)} right ({passed} passed, {still} still open)."
        )

    def start_over(self):
        """Forget all answers; figures are covered again."""
        for prediction in _asked.values():
            prediction.forget()
        changed()

    def open_html(self):
        """Links to the questions that are open."""
        links = "".join(
            f'<li><a href="#ask-{p.name}">{marked(p.question)}</a></li>'
            for p in _asked.values()
            if p.status == "open"
        )
        return f'<ul class="ask-open">{links}</ul>' if links else ""

    @property
    def face(self):
        """What shows the score in a kernel."""
        from gameai_lib.touch.figure.live import ScoreFace  # needs ipywidgets

        if not hasattr(self, "_face"):
            self._face = ScoreFace(self)
        return self._face

    def __repr__(self):
        return "Score of the predictions"

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            words = "Without JavaScript no score is kept: unfold the answers above."
            box = f'<div class="ask-score-box"><p class="ask-score">{words}</p></div>'
            return {"text/plain": repr(self), "text/html": box}
        return self.face.box._repr_mimebundle_(**kwargs) | {"text/plain": repr(self)}


class _Given:
    """What the reader has done with one question."""

    said = None
    passed = False


_asked = {}  # the predictions that this kernel has shown, by their names
_built = {}  # the keys of those that were shown for the book
_watchers = weakref.WeakSet()  # what has to show a change: faces, covers, scores


def remember(prediction):
    """Count a prediction that is shown; a cell that is run again keeps what was answered."""
    known = _asked.get(prediction.name)
    if known is not None and known.key == prediction.key and prediction.status == "open":
        prediction._given = known._given
    _asked[prediction.name] = prediction
    changed()


def watch(face):
    """Call ``face.refresh()`` at each change, as long as there is such a face."""
    _watchers.add(face)


def changed():
    """Show everywhere what was answered."""
    for face in list(_watchers):
        face.refresh()


def covering(figure):
    """The predictions, open or not, that the figure of this name would spoil."""
    return [prediction for prediction in _asked.values() if figure in prediction.covers]


def _slug(question):
    words = re.sub(r"[^a-z0-9]+", "-", plain(question).lower()).strip("-")[:40].strip("-")
    return words if NAME.fullmatch(words) else f"ask-{words}".strip("-")


def _checked_name(what, name):
    checks.kind(what, name, str)
    if not NAME.fullmatch(name) or (what == "covers" and name.startswith("fig-")):
        raise ExplorableError(
            f"{what}: up to 60 letters, digits and hyphens, without fig-, got {short(name)}"
        )
    return name
