"""What a notebook shows to be touched: figures, questions, boards, and what became of them.

`explore` joins a view to one to five controls, `picture` shows one without; `ask` asks for a
prediction, which may cover figures until it is made, `score` counts those that came true, `review`
asks again and `progress` says where a reader was; `play` shows a game. Each works in a kernel and
in the built book.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from touchbook.board.board import Board
from touchbook.board.play import Play
from touchbook.figure.control import Control, ExplorableError
from touchbook.figure.markup import Picture

if TYPE_CHECKING:
    from touchbook.ask.prediction import Prediction, Score
    from touchbook.ask.review import Progress, Review
    from touchbook.figure.explorable import Explorable, Still, follow

__all__ = [
    "Control", "Explorable", "ExplorableError", "Picture", "Play", "Prediction", "Progress",
    "Review", "Still", "ask", "explore", "follow", "keep_answers", "picture", "play",
    "progress", "review", "score",
]  # fmt: skip

_DRAWN = {
    "Prediction": "ask.prediction", "Score": "ask.prediction",
    "Review": "ask.review", "Progress": "ask.review",
    "Explorable": "figure.explorable", "Still": "figure.explorable", "follow": "figure.explorable",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What needs matplotlib is imported at its first use: a page's Python has none, and plays."""
    if name not in _DRAWN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"touchbook.{_DRAWN[name]}"), name)
    except ImportError as error:
        raise ImportError(
            f"pictures and controls need {error.name}: pip install 'touchbook[widgets]'",
            name=error.name,
        ) from error


def __dir__() -> list[str]:
    return __all__


def picture(
    draw: Callable,
    *,
    alt: str | Callable[..., str],
    name: str | None = None,
    title: str = "",
    size: tuple[float, float] = (5.6, 3.6),
) -> "Still":
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
    return __getattr__("Still")(draw, alt=alt, name=name, title=title, size=size)


def explore(
    draw: Callable,
    *,
    alt: Callable[..., str],
    name: str | None = None,
    title: str = "",
    size: tuple[float, float] = (5.6, 3.6),
    **controls: Control | Sequence[Any],
) -> "Explorable":
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
    return __getattr__("Explorable")(
        draw, alt=alt, name=name, title=title, size=size, controls=controls
    )


def ask(
    question: str | Callable[..., dict[str, Any]],
    *,
    answer: Any = None,
    because: str = "",
    choices: Sequence[str] | None = None,
    tolerance: float | tuple[float, float] | None = None,
    unit: str = "",
    name: str | None = None,
    covers: str | Sequence[str] = (),
    picture: Callable[..., object] | None = None,
    alt: str | Callable[..., str] | None = None,
    size: tuple[float, float] = (5.6, 3.6),
) -> "Prediction":
    """A prediction that the reader commits to before the answer shows.

    It is a choice, a number, or a point on a picture.

    Parameters
    ----------
    question : str or callable
        In it and in the other texts, ``*…*`` is set in italics. Or a function that returns the
        other arguments as a dict: without an argument with the book's own numbers, and with a
        `numpy.random.Generator` with others, so that it can be asked again.
    answer : str, float or pair of float
        Computed, never typed in: one of `choices`, a number, or a point of `picture`.
    because : str
        Why; shown with the answer.
    choices : sequence of str, optional
        What the reader chooses from; without it the answer is a number.
    tolerance : float or pair of float
        How far from a number still counts as right; of a point, the ellipse's half axes.
    unit : str
        Stands behind the number.
    name : str, optional
        Under which the browser remembers the answer; made of the question if left out.
    covers : str or sequence of str
        Names of the figures that stay covered until the reader has committed, or passes.
    picture : callable, optional
        ``picture(fig)`` draws the one axes, with linear scales, on which the reader points.
    alt, size
        Of this picture, as for `touchbook.widgets.picture`; `alt` must not give the point away.

    Returns
    -------
    Prediction
        ``skip()`` passes, as the reader's button does; ``status`` and ``said`` tell what became
        of it in a kernel.

    Raises
    ------
    ExplorableError, ValueError, TypeError
        If the answer is not among the choices, or a text or number is something else.
    """
    if callable(question):
        return _ask_by(question, covers)
    prediction: Prediction = __getattr__("Prediction")(
        question, answer=answer, because=because, choices=choices, tolerance=tolerance,
        unit=unit, name=name, covers=covers, picture=picture,
    )  # fmt: skip
    if picture is not None:
        prediction.kind.picture = __getattr__("Still")(
            picture,
            alt=alt,
            name=prediction.name,
            size=size,
        )
    return prediction


def _ask_by(function, covers):
    """The question that a function makes, which it can make again."""

    def make(*generator):
        prediction = ask(**function(*generator), covers=covers)
        prediction.make = make
        return prediction

    return make()


def score() -> "Score":
    """How many of the predictions so far came true; stands at the end of a chapter."""
    return __getattr__("Score")()


def review(lessons: Mapping[str, tuple[str, ModuleType]]) -> "Review":
    """The questions of lessons, which come back: after a day, a week, a month and three months.

    In a built page they are asked when they are due, with other numbers; in a kernel some are
    drawn each time.

    Parameters
    ----------
    lessons : dict
        For each page its title, and the module whose functions make its questions (see `ask`).
    """
    from touchbook.ask.review import Review, questions_of

    return Review(
        {
            page: (title, [ask(function) for function in questions_of(module)])
            for page, (title, module) in lessons.items()
        }
    )


def progress(review: str) -> "Progress":
    """Where the reader was in each lesson, and how many questions are due, on a book's first page.

    It shows nothing to a new reader, and nothing in a kernel.

    Parameters
    ----------
    review : str
        Name of the page with the `review`, beside this one.
    """
    from touchbook.ask.review import Progress

    return Progress(review)


def keep_answers(path: str | Path | None = None) -> Path:
    """Keep what is answered in this kernel in a file, and take over what stands there.

    Parameters
    ----------
    path : str or Path, optional
        If left out, beside the notebook, with its name and ``.answers.json``.

    Returns
    -------
    Path
        Of the file, which is written whole at each answer.

    Raises
    ------
    ValueError
        If there is no `path` and no notebook that could give it a name, or if the file holds
        something else: it is left as it is.
    OSError
        If the file cannot be read or written.
    """
    from touchbook.ask.answers import keep

    return keep(path)


def play(board: type[Board] | str, *, name: str | None = None, **options: Any) -> Play:
    """A game to play: with the kernel in a notebook, with the page's Python in the built book.

    Parameters
    ----------
    board : type or str
        A `touchbook.boards.Board`, or its address, such as
        ``"my_book.boards.morpion:MorpionBoard"``.
    name : str, optional
        Of the figure, whose address is ``board-`` and this; the board's own if left out.
    **options
        Of the board, such as ``seed=7``.

    Raises
    ------
    TypeError, ValueError
        If there is no such board or option.
    """
    return Play(board, name=name, **options)
