"""Game records and the positions they pass through, as flat arrays for any square board.

A record is the sequence of cells played; replaying it gives one position for
every decision, with the legal moves and the one chosen.
"""

from collections.abc import Iterable, Iterator
from math import isqrt
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Ints, NDArray
from gameai_lib.btmm._runs import gather_runs, row_numbers

EMPTY, BLACK, WHITE = 0, 1, 2
COLOURS = {BLACK: "black", WHITE: "white"}
MOST_CELLS = 181**2  # a cell is an int16


class RecordError(ValueError):
    """A game record that cannot be used; the message names file, game and move."""


class Records(NamedTuple):
    """Games as the cells played, one after another.

    `moves` is (n_moves,) int16, row * width + column; game i is
    ``moves[offsets[i]:offsets[i + 1]]``.
    """

    moves: NDArray[np.int16]
    offsets: Ints

    @property
    def n_games(self) -> int:
        """Number of games."""
        return self.offsets.size - 1

    def game(self, i: int) -> NDArray[np.int16]:
        """Return the moves of game `i`."""
        return self.moves[self.offsets[i] : self.offsets[i + 1]]

    def take(self, rows: ArrayLike | slice) -> "Records":
        """Return the games numbered `rows` (indices, a slice or a mask), in that order."""
        rows = row_numbers(rows, self.n_games)
        offsets, flat = gather_runs(self.offsets, rows)
        return Records(self.moves[flat], offsets)

    def chunks(self, n_games: int) -> "Iterator[Records]":
        """Yield `Records` of up to `n_games` games each."""
        n_games = checks.whole("n_games", n_games)
        for first in range(0, self.n_games, n_games):
            yield self.take(slice(first, first + n_games))


class Positions(NamedTuple):
    """Decisions: a board, the side to move, its legal moves and the one played.

    A board is square, of up to 181 times 181 cells, row by row.
    Legal moves of position i are ``moves[offsets[i]:offsets[i + 1]]``, in
    ascending order of the cell, and ``moves[offsets[i] + chosen[i]]`` was played.
    """

    boards: NDArray[np.int8]  #: (n, n_cells) int8: 0 empty, 1 black, 2 white
    to_move: NDArray[np.int8]  #: (n,) int8: 1 or 2
    offsets: Ints  #: (n + 1,) int64
    moves: NDArray[np.int16]  #: (n_moves,) int16 cells
    flips: NDArray[np.int8]  #: (n_moves,) int8 stones turned over by the move (Reversi)
    chosen: Ints  #: (n,) int64
    ply: NDArray[np.int16]  #: (n,) int16 stones played before
    game: NDArray[np.int32]  #: (n,) int32 number of the game in its records

    @property
    def n_positions(self) -> int:
        """Number of positions."""
        return self.chosen.size

    def take(self, rows: ArrayLike | slice) -> "Positions":
        """Return the positions numbered `rows` (indices, a slice or a mask), in that order."""
        found = row_numbers(rows, self.n_positions)
        offsets, flat = gather_runs(self.offsets, found)
        of_each = "boards", "to_move", "chosen", "ply", "game"
        taken = {name: getattr(self, name)[found] for name in of_each}
        return Positions(**taken, offsets=offsets, moves=self.moves[flat], flips=self.flips[flat])

    def unforced(self) -> "Positions":
        """Return the positions with more than one legal move."""
        return self.take(np.diff(self.offsets) > 1)


def records(games: Iterable[ArrayLike]) -> Records:
    """Return `Records` of a list of games, each a sequence of cells, whole numbers."""
    return join_games(
        arrays.whole(f"game {g}", game, dtype=np.int16)
        for g, game in enumerate(arrays.as_list("games", games), start=1)
    )


def join_games(games):
    """Return `Records` of (n_moves,) int16 arrays, one for each game."""
    moves = [np.empty(0, np.int16), *games]
    return Records(np.concatenate(moves), np.cumsum([game.size for game in moves]).astype(np.int64))


def check_records(records, n_cells=None):
    """Return `records` if its arrays fit together, its moves below `n_cells` if given, or raise."""
    if not isinstance(records, Records):
        raise RecordError(f"game records must be Records, got {short(records)}")
    moves = arrays.whole("moves", records.moves, dtype=np.int16)
    offsets = arrays.whole("offsets", records.offsets)
    if offsets.size == 0 or offsets[0] != 0 or offsets[-1] != moves.size:
        raise RecordError(f"offsets must run from 0 to {moves.size}, got {short(offsets)}")
    if offsets.min() < 0 or offsets.max() > moves.size or (np.diff(offsets) < 0).any():
        raise RecordError(f"offsets must not fall, got {short(offsets)}")
    if n_cells is not None and moves.size and not 0 <= moves.min() <= moves.max() < n_cells:
        i = int(np.argmax((moves < 0) | (moves >= n_cells)))
        g = int(np.searchsorted(offsets, i, side="right"))
        raise RecordError(f"game {g}, move {i - offsets[g - 1] + 1}: no cell {moves[i]}")
    return Records(moves, offsets)


def refuse_illegal(records, first_illegal, move="move"):
    """Raise `RecordError` if a game has an illegal move: `first_illegal`, (n_games,), is not -1."""
    illegal = first_illegal >= 0
    if illegal.any():
        g = int(np.argmax(illegal))
        i = int(first_illegal[g])
        raise RecordError(f"game {g + 1}, {move} {i + 1}: cell {records.game(g)[i]} is illegal")


def checked_positions(positions):
    """Return `positions` if compiled code can read its arrays, else raise `ValueError`."""
    if not isinstance(positions, Positions):
        raise ValueError(f"positions must be Positions, got {short(positions)}")
    shape = getattr(positions.boards, "shape", ())  # a list of lists has none, and may be ragged
    n, n_cells = shape if len(shape) == 2 else (0, 0)
    if not 1 <= n_cells <= MOST_CELLS or isqrt(n_cells) ** 2 != n_cells:
        raise ValueError(
            "boards must be an array with a row for each board, of n times n cells, n from 1 to "
            f"181, got shape {shape} of {short(positions.boards)}"
        )
    n_moves = getattr(positions.moves, "size", 0)
    for name, shape, least, most in (
        ("boards", (n, n_cells), 0, 2),
        ("to_move", (n,), BLACK, WHITE),
        ("offsets", (n + 1,), 0, n_moves),
        ("moves", (n_moves,), 0, n_cells - 1),
        ("flips", (n_moves,), -128, 127),
        ("chosen", (n,), 0, n_moves),
        ("ply", (n,), 0, n_cells - 1),
    ):
        values = getattr(positions, name)
        is_whole = isinstance(values, np.ndarray) and values.dtype.kind in "iu"
        if not is_whole or values.shape != shape:
            raise ValueError(f"{name} must be whole numbers of shape {shape}, got {short(values)}")
        if values.size and not least <= values.min() <= values.max() <= most:
            raise ValueError(f"{name} must be from {least} to {most}, got {short(values)}")
    offsets = positions.offsets
    if offsets[0] != 0 or offsets[-1] != n_moves or (np.diff(offsets) < 0).any():
        raise ValueError(f"offsets must run from 0 to {n_moves}, got {short(offsets)}")
    return positions


def checked_board(board, n_cells):
    """Return `board` as (n_cells,) int8, the stones of one position, or raise."""
    if type(board) is np.ndarray and board.dtype == np.int8 and board.shape == (n_cells,):
        return board  # the player calls this for every move
    board = arrays.whole("board", board, dtype=np.int8)
    if board.size != n_cells:
        raise ValueError(f"a board has {n_cells} cells, got {board.size}")
    return board


def checked_colour(colour):
    """Return `colour` if it is 1 (black) or 2 (white), else raise."""
    return checks.whole("colour", colour, BLACK, WHITE)


def undecided(board, colour, moves, flips, ply):
    """Return the `Positions` of one decision that is still to be made; see `reversi.position`."""
    return Positions(
        board[None].copy(),
        np.array([colour], np.int8),
        np.array([0, moves.size], np.int64),
        moves,
        flips,
        np.zeros(1, np.int64),
        np.array([ply], np.int16),
        np.zeros(1, np.int32),
    )
