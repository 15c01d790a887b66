"""The page where questions come back, and the box that says where a reader was.

Scripts bring both to life (``page/review.js``, ``page/progress.js``); without them the first is a
plain list of all questions, each with its answer folded, and the second is empty.
"""

import html
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from touchbook import BOOK_BUILD
from touchbook.ask.prediction import Prediction
from touchbook.face import mimebundle

N_AT_ONCE = 6  # questions that a kernel shows


class Review:
    """Questions of several lessons, asked again; see `touchbook.widgets.review`."""

    def __init__(self, lessons: Mapping[str, tuple[str, Sequence[Prediction]]]) -> None:
        self.lessons = {page: (title, [*asked]) for page, (title, asked) in lessons.items()}

    def html(self) -> str:
        """All questions by lesson, each with its other numbers and a link to its place."""
        parts = [
            f'<p class="review-lesson"><strong>{html.escape(title)}</strong></p>'
            + "".join(_one(page, question) for question in asked)
            for page, (title, asked) in self.lessons.items()
        ]
        return (
            '<div class="review"><details class="review-all" open>'
            f"<summary>All questions</summary>{''.join(parts)}</details></div>"
        )

    def draw(self, rng: np.random.Generator) -> list[Prediction]:
        """Some of the questions, with other numbers."""
        asked = [question for _, those in self.lessons.values() for question in those]
        some = rng.permutation(len(asked))[:N_AT_ONCE]
        return [make(rng) for i in some if (make := asked[i].make)]

    def __repr__(self) -> str:
        return f"{sum(len(asked) for _, asked in self.lessons.values())} questions that come back"

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html()}
        import ipywidgets

        shown = [question.widget for question in self.draw(np.random.default_rng())]
        return mimebundle(ipywidgets.VBox(shown), repr(self), **kwargs)


def _one(page, question):
    link = f"{page}.html#ask-{question.name}"
    form = question.html(question.variants()).replace(' id="ask-', f' id="ask-{page}-', 1)
    return (
        f'<div class="review-one">{form}'
        f'<p><a href="{html.escape(link)}">Its place in the lesson</a></p></div>'
    )


class Progress:
    """Where a reader was; see `touchbook.widgets.progress`."""

    def __init__(self, review: str) -> None:
        self.review = review

    def __repr__(self) -> str:
        return "Where you were"

    def _repr_mimebundle_(self, **_kwargs: Any) -> dict[str, str]:
        box = f'<div class="progress-box" data-review="{html.escape(self.review)}" hidden></div>'
        return {"text/plain": repr(self)} | ({"text/html": box} if BOOK_BUILD in os.environ else {})


def questions_of(module: Any) -> list[Callable[..., dict[str, Any]]]:
    """The functions of a module that make a question each, as they follow each other."""
    return [
        value
        for name, value in vars(module).items()
        if callable(value)
        and getattr(value, "__module__", "") == module.__name__
        and not name.startswith("_")
    ]
