"""The records of arrays that the searches live in.

A kernel gets one such record, a Generator and how much to do. All that a search knows is in its
record, so that it can stop after any playout and go on later. A level is a row; `L` stands for
the levels with level 0, the playout.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.nrpa.problem.rules import CODE

# Columns of `NRPAArrays.totals`.
PLAYOUTS, ADAPTS, COPIES, FINISHED = range(4)
# Columns of `NRPAArrays.counts`.
DONE, REPEATS = range(2)


class Game(NamedTuple):
    """A game as it is played."""

    codes: np.ndarray  #: ((max_plies + 1) * max_legal,) CODE, the legal moves of ply after ply
    offsets: np.ndarray  #: (max_plies + 1,) int, where in `codes` those of a ply begin
    choices: np.ndarray  #: (max_plies,) int, index of the move played among the legal ones


class Games(NamedTuple):
    """The best game of each level, and of level 0 the playout."""

    codes: np.ndarray  #: (L, …), rows are fields of a `Game`
    offsets: np.ndarray
    choices: np.ndarray
    lengths: np.ndarray  #: (L,) int, plies
    scores: np.ndarray  #: (L,) float, -inf before the first
    slots: np.ndarray  #: (L,) int, the row of all these that a level has


def new_game(problem, *rows) -> Game:
    """Room for a game of the problem, or with another axis for some."""
    codes = np.zeros((*rows, (problem.max_plies + 1) * problem.max_legal), CODE)
    offsets = np.zeros((*rows, problem.max_plies + 1), np.int64)
    return Game(codes, offsets, np.zeros((*rows, problem.max_plies), np.int64))


class Bests(NamedTuple):
    """Best games of a search that learns nothing; the last of them is the best of all."""

    choices: np.ndarray  #: (rows, max_plies) int
    n_plies: np.ndarray  #: (rows,) int
    scores: np.ndarray  #: (rows,) float, -inf before the first


def new_bests(problem, rows) -> Bests:
    """Room for so many games, none of them played."""
    choices = np.zeros((rows, problem.max_plies), np.int64)
    return Bests(choices, np.zeros(rows, np.int64), np.full(rows, -np.inf))


class Gradient(NamedTuple):
    """Room for one Adapt; but for `touched` all zero before and after it."""

    D: np.ndarray  #: (n_codes,) float, what is to be added to the weights
    marked: np.ndarray  #: (n_codes,) uint8, 1 where the code is among the touched
    touched: np.ndarray  #: (n_codes + 1,) CODE, the codes that Adapt changes come first


def new_gradient(n_codes) -> Gradient:
    """A gradient that is zero."""
    return Gradient(np.zeros(n_codes), np.zeros(n_codes, np.uint8), np.zeros(n_codes + 1, CODE))


class Changes(NamedTuple):
    """Codes where the policy of a level may differ from that of the level above."""

    codes: np.ndarray  #: (L, n_codes) CODE, the first `n` of a row
    marked: np.ndarray  #: (L, n_codes) uint8, 1 where the code is among them
    n: np.ndarray  #: (L,) int


class Settings(NamedTuple):
    """What `NRPA` was asked for; see there."""

    n_iterations: int
    n_playouts_per_adapt: int
    max_repeats: int
    alpha: float
    clip: float


class NRPAArrays(NamedTuple):
    """An NRPA search."""

    ints: np.ndarray  #: (n_ints,) int, the position
    floats: np.ndarray  #: (n_floats,) float
    W: np.ndarray  #: (L, n_codes) float, weights of each level; row 0 is unused
    E: np.ndarray  #: (L, n_codes) float, exp(W)
    gradient: Gradient
    changes: Changes
    games: Games
    counts: np.ndarray  #: (L, 2) int, iterations DONE, REPEATS of the best game
    totals: np.ndarray  #: (4,) int, PLAYOUTS, ADAPTS, policies copied, 1 if FINISHED
    settings: Settings


def new_nrpa(problem, level, settings) -> NRPAArrays:
    """A search at its start: the weights of every level are the bias of the problem, or 0."""
    rows, n_codes = level + 1, problem.n_codes
    W, E = np.zeros((rows, n_codes)), np.ones((rows, n_codes))
    if problem.bias is not None:
        W[:] = np.clip(problem.bias, -settings.clip, settings.clip)
        E = np.exp(W)
    return NRPAArrays(
        ints=problem.ints.copy(),
        floats=problem.floats.copy(),
        W=W,
        E=E,
        gradient=new_gradient(n_codes),
        changes=Changes(
            codes=np.zeros((rows, n_codes), CODE),
            marked=np.zeros((rows, n_codes), np.uint8),
            n=np.zeros(rows, np.int64),
        ),
        games=Games(
            *new_game(problem, rows),
            lengths=np.zeros(rows, np.int64),
            scores=np.full(rows, -np.inf),
            slots=np.arange(rows, dtype=np.int64),
        ),
        counts=np.zeros((rows, 2), np.int64),
        totals=np.array([0, 0, level, 0], np.int64),
        settings=settings,
    )
