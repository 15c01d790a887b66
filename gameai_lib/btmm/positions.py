"""Game records and the positions they pass through, as flat arrays for any board game.

A record is the sequence of cells played; replaying it gives one position for
every decision, with the legal moves and the one chosen.
"""

from typing import NamedTuple

import numpy as np

EMPTY, BLACK, WHITE = 0, 1, 2


class RecordError(ValueError):
    """A game record that cannot be used; the message names file, game and move."""


class Records(NamedTuple):
    """Games as the cells played, one after another.

    `moves` is (n_moves,) int16, row * width + column; game i is
    ``moves[offsets[i]:offsets[i + 1]]``.
    """

    moves: np.ndarray
    offsets: np.ndarray

    @property
    def n_games(self):
        """Number of games."""
        return self.offsets.size - 1

    def game(self, i):
        """Return the moves of game `i`."""
        return self.moves[self.offsets[i] : self.offsets[i + 1]]

    def take(self, rows):
        """Return the games numbered `rows` (indices, a slice or a mask), in that order."""
        return records([self.game(i) for i in np.arange(self.n_games)[rows]])

    def chunks(self, n_games):
        """Yield `Records` of up to `n_games` games each."""
        for first in range(0, self.n_games, n_games):
            last = min(first + n_games, self.n_games)
            base, end = self.offsets[first], self.offsets[last]
            yield Records(self.moves[base:end], self.offsets[first : last + 1] - base)


class Positions(NamedTuple):
    """Decisions: a board, the side to move, its legal moves and the one played.

    Legal moves of position i are ``moves[offsets[i]:offsets[i + 1]]``, in
    ascending order of the cell, and ``moves[offsets[i] + chosen[i]]`` was played.
    """

    boards: np.ndarray  # (n, n_cells) int8: 0 empty, 1 black, 2 white
    to_move: np.ndarray  # (n,) int8: 1 or 2
    offsets: np.ndarray  # (n + 1,) int64
    moves: np.ndarray  # (n_moves,) int16 cells
    flips: np.ndarray  # (n_moves,) int8 stones turned over by the move (Reversi)
    chosen: np.ndarray  # (n,) int64
    ply: np.ndarray  # (n,) int16 stones played before
    game: np.ndarray  # (n,) int32 number of the game in its records

    @property
    def n_positions(self):
        """Number of positions."""
        return self.chosen.size

    def take(self, rows):
        """Return the positions numbered `rows` (indices, a slice or a mask), in that order."""
        rows = np.arange(self.n_positions)[rows]
        lengths = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        flat = np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Positions(
            self.boards[rows],
            self.to_move[rows],
            offsets,
            self.moves[flat],
            self.flips[flat],
            self.chosen[rows],
            self.ply[rows],
            self.game[rows],
        )

    def unforced(self):
        """Return the positions with more than one legal move."""
        return self.take(np.diff(self.offsets) > 1)


def records(games):
    """Return `Records` of a list of games, each a sequence of cells."""
    lengths = [len(game) for game in games]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    moves = np.concatenate([np.asarray(game, dtype=np.int16) for game in games]) if games else []
    return Records(np.asarray(moves, dtype=np.int16), offsets)


def split_games(n_games, rng, every=20):
    """Return (train, test) masks over games: one game of `every`, drawn at random, is a test."""
    test = np.zeros(n_games, bool)
    test[rng.permutation(n_games)[: n_games // every]] = True
    return ~test, test
