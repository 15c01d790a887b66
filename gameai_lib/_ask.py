"""Predictions that count: a question, the reader's answer, and then the truth and its reason.

In the built book a question is a native form; `gameai_lib.static/ask.js` holds it against the
reader. Nothing that was answered leaves the browser.
"""

import html
import json
import os
import re

from gameai_lib import _checks as checks
from gameai_lib._checks import short
from gameai_lib._controls import ExplorableError

BOOK_BUILD = "GAMEAI_BOOK_PROGRESS"


class Prediction:
    """A question whose answer the library has computed; see `gameai_lib.widgets.ask`."""

    def __init__(self, question, *, answer, because, choices=None, tolerance=None, unit="",
                 name=None, covers=()):  # fmt: skip
        for what, text in (("question", question), ("because", because), ("unit", unit)):
            if not isinstance(text, str) or not (text.strip() or what == "unit"):
                raise ExplorableError(f"{what} must be text, got {short(text)}")
        self.question, self.because, self.unit = question, because, unit
        slug = re.sub(r"[^a-z0-9]+", "-", question.lower()).strip("-")[:40].strip("-")
        self.name = slug if name is None else name
        self.covers = [covers] if isinstance(covers, str) else list(covers)
        self.choices = None if choices is None else [str(choice) for choice in choices]
        if self.choices is not None:
            self.answer = checks.one_of("answer", str(answer), self.choices)
            self.tolerance = None
        else:
            self.answer = checks.number("answer", answer)
            self.tolerance = checks.number("tolerance", tolerance, 0)

    def html(self):
        """The question as a form for a page without a kernel."""
        name = html.escape(self.name)
        if self.choices is not None:
            field = "".join(
                f'<label><input type="radio" name="{name}" value="{i}"> '
                f"{html.escape(choice)}</label>"
                for i, choice in enumerate(self.choices)
            )
            truth = self.answer
        else:
            field = (
                f'<label>Your number <input type="number" step="any" name="{name}"> '
                f"{html.escape(self.unit)}</label>"
            )
            truth = f"{self.answer:.4g} {self.unit}".strip()
        data = {"answer": self.answer, "tolerance": self.tolerance, "covers": self.covers}
        text = html.escape(json.dumps(data, ensure_ascii=False))
        return (
            f'<form class="ask" data-ask="{name}" data-truth="{text}"><fieldset>'
            f"<legend>{html.escape(self.question)}</legend>{field}</fieldset>"
            f'<details class="ask-answer"><summary>Answer</summary><p><strong>'
            f"{html.escape(truth)}.</strong> {html.escape(self.because)}</p></details></form>"
        )

    def __repr__(self):
        return f"Prediction: {self.question}"

    def _repr_mimebundle_(self, **_kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html()}
        return {"text/plain": repr(self)}


class Score:
    """How many predictions of the chapter came true; see `gameai_lib.widgets.score`."""

    def __repr__(self):
        return "Score of the predictions"

    def _repr_mimebundle_(self, **_kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": '<p class="ask-score"></p>'}
        return {"text/plain": repr(self)}
