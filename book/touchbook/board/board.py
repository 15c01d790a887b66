"""What a game on a board is: rules, a picture, words, and thinking in steps."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from touchbook import checks
from touchbook.checks import short

SEEDS = 2**31


class WrongTouch(ValueError):
    """A touch that the rules refuse, or a text that is not a game; the board stays as it was."""


class Board:
    """One game on a board. A subclass writes `svg`, `say` and `move`.

    A touch never alters an object that the board holds, it puts a new one in its place: a
    shallow copy is then a position to come back to.

    Parameters
    ----------
    seed : int
        Of all chance in the game; from 0 to 2³¹ - 1.

    Attributes
    ----------
    log : tuple of str
        Touches that made the game, in order; with `options`, they make it again.
    shown : frozenset of str
        Which of `views` are open.
    """

    name = ""  # as in links and saved games: "morpion"
    title = ""  # "Morpion Solitaire 5D"
    rules = ()  # sentences for somebody who has never seen the game
    views: dict = {}  # what can be shown or hidden: {"beliefs": "Beliefs"}
    begins = "New game"  # what the button says that begins with the next seed
    thinks = ""  # what the button says that makes the board think; none without
    own: dict = {}  # options that no text can hold, such as a reader's function
    can_undo = True
    undoes_thought = False  # whether all moves of one thinking are taken back together

    def __init__(self, *, seed: int = 0):
        self.seed = checks.whole("seed", seed, 0, SEEDS - 1)
        self.log = ()
        self.shown = frozenset()

    def options(self) -> dict:
        """JSON values that make the same board at its start; a subclass adds its own."""
        return {"seed": self.seed}

    def runs_to_record(self) -> list[tuple[str, ...]]:
        """Short runs, as touches from the start, that a page shows before its Python is awake.

        ``"think-12"`` stands for twelve steps of thinking and one picture.
        """
        return []

    def anew(self, **changed: Any) -> "Board":
        """The same board at its start, with other options where wished."""
        return type(self)(**self.own | self.options() | changed)

    def rng(self, *more: int) -> np.random.Generator:
        """Chance at this point of the game: the same whenever the same touches led here."""
        return np.random.default_rng([self.seed, len(self.log), *more])

    def touch(self, name: str) -> None:
        """Answer one touch.

        Raises
        ------
        WrongTouch
            If it is not a move here; it says why.
        """
        if not isinstance(name, str) or len(name) > 100:
            raise WrongTouch(f"a touch is a short text, got {short(name)}")
        if name.startswith("show-") and name[5:] in self.views:
            self.shown = self.shown ^ {name[5:]}
            return
        name = self.meant(name)
        if self.move(name):
            self.log = (*self.log, name)

    def meant(self, name: str) -> str:
        """The move that a touch stands for, such as the one that a program advises.

        It is what the game as text keeps: nothing but the game so far may be needed to repeat it.
        """
        return name

    def move(self, name: str) -> bool:
        """Answer a touch that does more than change a view; say whether it is part of the game.

        False is for what only prepares a move, such as choosing a card: it is not kept.
        """
        raise WrongTouch(f"{short(name)} cannot be touched here")

    def svg(self) -> str:
        """The position as SVG (`touchbook.board.svg`); what can be touched is a target."""
        raise NotImplementedError

    def say(self) -> str:
        """The position in words: whose turn, what has happened, what can be done."""
        raise NotImplementedError

    def buttons(self) -> list[tuple[str, str]]:
        """Touches that are buttons below the picture, and what they say: ("pass", "Pass")."""
        return []

    def selects(self) -> list[tuple[str, list[tuple[str, str]], str]]:
        """Choices below the picture: label, (touch, words) of each, and the touch that holds."""
        return []

    def think(self) -> Iterator[float | None]:
        """Think in steps of at most some tenths of a second, after each of which it can end.

        Gives the part that is done, from 0 to 1, or None. What is found is kept in attributes,
        shown by `svg` and `say`, and dropped by the next move; it does not belong to the game.
        A board may also make moves here, for a reader who watches: each step that changes `log` can
        be taken back by itself.
        """
        yield from ()
