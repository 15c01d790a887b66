"""What a notebook shows to be touched: figures, questions, a score and boards.

`explore` joins a view to one to five controls, `picture` shows one without; `ask` asks for a
prediction, which may cover figures until it is made, and `score` counts those that came true;
`play` shows a game. Each works in a kernel and in the built book.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from touchbook.board.board import Board
from touchbook.board.play import Play
from touchbook.figure.control import Control, ExplorableError
from touchbook.figure.markup import Picture

if TYPE_CHECKING:
    from touchbook.ask.prediction import Prediction, Score
    from touchbook.figure.explorable import Explorable, Still, follow

__all__ = [
    "Control", "Explorable", "ExplorableError", "Picture", "Play", "Prediction", "Still",
    "ask", "explore", "follow", "picture", "play", "score",
]  # fmt: skip

_DRAWN = {
    "Prediction": "ask.prediction", "Score": "ask.prediction",
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
    alt: str | Callable[..., str] | None = None,
    size: tuple[float, float] = (5.6, 3.6),
) -> "Prediction":
    """A prediction that the reader commits to before the answer shows.

    It is a choice, a number, or a point on a picture.

    Parameters
    ----------
    question : str
        In it and in the other texts, ``*…*`` is set in italics.
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


def score() -> "Score":
    """How many of the predictions so far came true; stands at the end of a chapter."""
    return __getattr__("Score")()


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
