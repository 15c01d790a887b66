"""Predictions that count: a question, the reader's answer, and then the truth and its reason.

A question is a native form, in a page and in a kernel; ``ask.js`` holds it against the reader.
Nothing that was answered leaves the browser, or the kernel.
"""

import hashlib
import html
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from touchbook import BOOK_BUILD, checks, cover
from touchbook.ask.kinds import Choice, Number, Point, plain, to_html
from touchbook.checks import short
from touchbook.face import face, mimebundle
from touchbook.figure.control import ExplorableError
from touchbook.script import data_element

STYLES = ("ask/ask.css",)
NAME = re.compile(r"[A-Za-z][\w-]{,59}")
N_VARIANTS = 8  # of a question that is made by a function of a generator


def _stop(text):
    """The full stop behind a text that may have one."""
    return "" if text.endswith((".", "?", "!")) else "."


class Prediction:
    """A question whose answer the library has computed; see `touchbook.widgets.ask`."""

    def __init__(
        self,
        question: str,
        *,
        answer: Any,
        because: str,
        choices: Sequence[str] | None = None,
        tolerance: float | tuple[float, float] | None = None,
        unit: str = "",
        name: str | None = None,
        covers: str | Sequence[str] = (),
        picture: Callable[..., object] | None = None,
    ) -> None:
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
            self.kind: Any = Choice(answer, choices)
        elif picture is not None:
            if unit:
                raise ExplorableError(f"{self.name}: a point has no unit, got {short(unit)}")
            self.kind = Point(answer, tolerance, picture)
        else:
            self.kind = Number(answer, tolerance, unit)
        self.make: Callable[..., Prediction] | None = None  # this question, of a generator
        self._n_made = 0  # questions with other numbers that a kernel has shown
        #: What the front end keeps of the answer: key, status, said; empty while it is open.
        self.record: dict[str, Any] = {}
        self._face: Any = None

    @property
    def key(self) -> str:
        """A short text that changes with the question: what was said to another is forgotten."""
        parts = [self.question, self.kind.truth, *self.kind.setting]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    @property
    def said(self) -> Any:
        """What the reader has committed to: index of a choice, text of a number, or a point."""
        return self.record.get("said")

    @property
    def status(self) -> str:
        """``"open"``, ``"right"``, ``"wrong"`` or ``"passed"``."""
        return self.record.get("status", "open")

    def restore(self, record: dict[str, Any]) -> None:
        """Take over an answer to these numbers, as `record` was."""
        self.record = record
        self.refresh()

    def skip(self) -> None:
        """Show the answer without having given one.

        Raises
        ------
        ExplorableError
            If there is an answer already.
        """
        if self.status != "open":
            raise ExplorableError(f"{self.name} was answered: {self.status}")
        self._give({"key": self.key, "status": "passed", "passed": True})

    def forget(self) -> None:
        """Make the question one that was never answered."""
        self._give({})

    def variants(self) -> "list[Prediction]":
        """Up to `N_VARIANTS` questions with other numbers; none where no function makes them.

        Of four times as many, those are taken whose right answers are as different as they can be.
        """
        if self.make is None:
            return []
        found: dict[str, Prediction] = {}
        for seed in range(4 * N_VARIANTS):
            one = self.make(np.random.default_rng(seed))
            found.setdefault(one.key, one)
        found.pop(self.key, None)
        times: Counter[str] = Counter()
        before = {}  # how many of the others have the same answer
        for key, one in found.items():
            before[key] = times[one.kind.truth]
            times[one.kind.truth] += 1
        return [found[key] for key in sorted(found, key=before.__getitem__)][:N_VARIANTS]

    def ask_anew(self) -> None:
        """Ask again with other numbers, or with the same ones where no function makes them."""
        if self.make is not None:
            one = self.make(np.random.default_rng(self._n_made))
            self.question, self.because, self.kind = one.question, one.because, one.kind
            self._n_made += 1
            if self._face is not None:
                self._face.setup = self._setup()
        self.forget()

    def asked(self) -> dict[str, Any]:
        """What the front end of a cover or a score has to know of the question."""
        return {"name": self.name, "html": to_html(self.question), "status": self.status}

    def refresh(self) -> None:
        """Show the question as it stands."""
        if self._face is not None:
            self._face.state = self._state()

    def _state(self):
        """What the front end keeps, as it keeps it in a page: as text."""
        text = json.dumps(self.record) if self.record else ""
        return {"text": text, "isTold": cover.shows_everything()}

    def _give(self, given):
        self.record = given
        self.refresh()
        cover.tell_change()

    def _hear(self, change):
        """Take over what the front end has kept, which has judged it."""
        given = json.loads(change["new"]["text"] or "{}")
        if given != self.record:
            self.record = given
            cover.tell_change()

    def _truth_html(self):
        truth = to_html(self.kind.truth)
        return (
            f'<p class="ask-truth">The answer: <strong>{truth}</strong>{self.kind.allowed}'
            f"{_stop(self.kind.truth + self.kind.allowed)} "
            f"{to_html(self.because)}</p>"
        )

    def parts(self) -> dict[str, Any]:
        """What changes with the numbers: the fieldset and the answer as HTML, and the data."""
        field, data = self.kind.field()
        return {
            "fieldset": f"<legend>{to_html(self.question)}</legend>{field}",
            "data": data | {"key": self.key, "covers": self.covers},
            "answer": self._truth_html(),
        }

    def html(self, variants: "Sequence[Prediction]" = ()) -> str:
        """The question as a form; without JavaScript the answer is a fold below it."""
        parts = self.parts()
        text = html.escape(json.dumps(parts["data"], ensure_ascii=False))
        others = data_element([one.parts() for one in variants], "ask-variants")
        # Without JavaScript a button that is disabled keeps Enter from sending the form.
        return (
            f'<form class="ask" id="ask-{self.name}" data-ask="{self.name}" data-truth="{text}" '
            f'autocomplete="off" novalidate><fieldset>{parts["fieldset"]}</fieldset>'
            f'<p class="ask-buttons" hidden>'
            f'<button type="submit" data-action="commit" disabled>Commit</button> '
            f'<button type="button" data-action="skip">Show me instead</button></p>'
            f'<details class="ask-answer"><summary>Answer</summary>{parts["answer"]}</details>'
            f"{others if variants else ''}</form>"
        )

    @property
    def widget(self) -> Any:
        """What shows the question in a kernel."""
        if self._face is None:
            again = {"hear": lambda _face, _message: self.ask_anew()}
            state = {"setup": self._setup(), "state": self._state()}
            self._face = face("ask/ask.js", STYLES, **state, **again)
            self._face.observe(self._hear, "state")
        return self._face

    def _setup(self):
        return {"html": self.html(), "hasVariants": self.make is not None}

    def __repr__(self):
        return f"Prediction: {self.question}"

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            form = self.html(self.variants())
            if _built.setdefault(self.name, self.key) != self.key:
                raise ExplorableError(f"two predictions of this page have the name {self.name}")
            return {"text/plain": repr(self), "text/html": form}
        shown = self.widget  # a point has its key once it is drawn
        known = cover.announced.get(self.name)
        if known is not None and known.key == self.key and self.status == "open":
            self._give(known.record)  # a cell that is run again keeps what was answered
        cover.announce(self)
        return mimebundle(shown, repr(self), **kwargs)


class Score:
    """How many predictions of the chapter came true; see `touchbook.widgets.score`."""

    _face = None

    @property
    def widget(self):
        """What shows the score in a kernel."""
        if self._face is None:
            setup, again = {"html": _score_html("")}, lambda _face, _message: self.start_over()
            self._face = face("ask/score.js", STYLES, setup=setup, hear=again)
            cover.listen(self)
            self.refresh()
        return self._face

    def refresh(self):
        """Count again."""
        asks = [one.asked() for one in cover.announced.values()]
        self._face.state = {"asks": asks, "isTold": cover.shows_everything()}

    def start_over(self):
        """Forget all answers; figures are covered again."""
        cover.show_everything(False)
        for prediction in cover.announced.values():
            prediction.forget()

    def __repr__(self):
        return "Score of the predictions"

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            words = "Without JavaScript no score is kept: unfold the answers above."
            return {"text/plain": repr(self), "text/html": _score_html(words)}
        return mimebundle(self.widget, repr(self), **kwargs)


def _score_html(words):
    return f'<div class="ask-score-box"><p class="ask-score">{words}</p></div>'


# The keys of the predictions that were shown for the book, by their names.
_built: dict[str, str] = {}


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
