"""Games of a file, one at a time: what every reader of this room gives back.

A `RecordError` names file, game and move, and the line or byte; all but bytes count from 1.
"""

from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import NDArray
from gameai_lib.btmm.game.positions import RecordError, Records, join_games, records


class Game(NamedTuple):
    """One game of a file.

    `moves` is (n_moves,) int16 cells, see `Records`. `black` and `white` are what the file
    calls the players, a text or a number, `result` is black's: 1, 0.5 or 0. What the file
    does not say is None.
    """

    number: int  #: in the file, from 1
    moves: NDArray[np.int16]
    black: str | int | None = None
    white: str | int | None = None
    result: float | None = None


G = TypeVar("G")  # Game, or Match


class Games(Generic[G]):
    """An iterator over the games of a file.

    A CSV is read no further than the game asked for, other files as a whole. A damaged game
    raises `RecordError`, and the next call goes on behind it; or it is left out and counted in
    `n_skipped`, if that was asked for. A damaged file ends the games.
    """

    def __init__(self, found: Iterator[G | RecordError], skip_damaged: bool) -> None:
        self._found = found  # in place of each damaged game, the error that names it
        self._skip_damaged = checks.flag("skip_damaged", skip_damaged)
        self.n_skipped = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> G:
        for game in self._found:
            if not isinstance(game, RecordError):
                return game
            if not self._skip_damaged:
                raise game
            self.n_skipped += 1
        raise StopIteration

    def records(self) -> Records:
        """Read all games that are left and return them as `Records`, for `replay`."""
        games: Iterator[Any] = self  # matches have no moves
        return join_games(game.moves for game in games)


def legal_records(cells, rules, name):
    """Return a game as `Records`; a stone that `rules` forbid is a `RecordError` with this name."""
    game = records([cells])
    illegal = int(rules.first_illegal(game)[0])
    if illegal >= 0:
        square = rules.square_of(cells[illegal])
        raise RecordError(f"{name}, stone {illegal + 1}: {square} is illegal")
    return game
