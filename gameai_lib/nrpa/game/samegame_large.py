"""SameGame on boards of any size, in up to 256 colours: every move floods the whole board.

The rules are those of `samegame`, for boards that its columns of bits cannot hold.
"""

from typing import Any

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.base.types import Ints
from gameai_lib.nrpa.problem.problem import Problem, sealed
from gameai_lib.nrpa.problem.rules import Rules

MOST_CELLS = 10_000
MOST_COLOURS = 256
CLEAR_BONUS = 1000.0
CODE_BITS = 18  # two groups may share a code; they are rarely met in one search
HASH_MASK = (1 << 30) - 1

# Layout of `ints`: the state, which a game changes; a copy of its first; then four rooms with
# a number for each of the n cells. A cell is numbered column * n_rows + row, row 0 at the
# bottom; its colour is from 1 on, and 0 where it is empty.
KIND, N_ROWS, N_COLUMNS, TABU, N_CELLS, POINTS, N_OFFERED, CELLS = range(8)
LARGE = -1  # the `KIND` of these positions; in those of `samegame` a number of groups stands there
# What a flood has reached, and where it goes on; a cell of each legal group; the cells' hashes.
MARKS, STACK, OFFERED, HASH = range(4)


@njit(cache=True)
def room(ints, number):
    """Where one of the rooms begins."""
    n = ints[N_ROWS] * ints[N_COLUMNS]
    return 2 * (CELLS + n) + number * n


@njit(cache=True)
def flood(ints, cell):
    """Mark the group of a cell; returns its size and its hash."""
    n_rows, n = ints[N_ROWS], ints[N_ROWS] * ints[N_COLUMNS]
    marks, stack, hashes = room(ints, MARKS), room(ints, STACK), room(ints, HASH)
    colour, size, n_stacked, code = ints[CELLS + cell], 0, 1, 0
    ints[marks + cell] = 1
    ints[stack] = cell
    while n_stacked > 0:
        n_stacked -= 1
        here = ints[stack + n_stacked]
        size += 1
        code ^= ints[hashes + here]
        row = here % n_rows
        below, above = here - 1 if row > 0 else -1, here + 1 if row < n_rows - 1 else -1
        for there in (here - n_rows, here + n_rows, below, above):
            inside = there >= 0 and there < n
            if inside and ints[marks + there] == 0 and ints[CELLS + there] == colour:
                ints[marks + there] = 1
                ints[stack + n_stacked] = there
                n_stacked += 1
    return size, code


@njit(cache=True)
def unmark(ints):
    """Forget what floods have reached."""
    first = room(ints, MARKS)
    for cell in range(ints[N_ROWS] * ints[N_COLUMNS]):
        ints[first + cell] = 0


@njit(cache=True)
def reset(ints, floats):
    """Put the first position into the arrays."""
    n = CELLS + ints[N_ROWS] * ints[N_COLUMNS]
    for i in range(n):
        ints[i] = ints[n + i]


@njit(cache=True)
def list_groups(ints, codes, start, tabu):
    """Write the codes of all groups but those of a colour; returns how many there are."""
    unmark(ints)
    marks, offered = room(ints, MARKS), room(ints, OFFERED)
    n_groups = 0
    for cell in range(ints[N_ROWS] * ints[N_COLUMNS]):
        colour = ints[CELLS + cell]
        if colour == 0 or colour == tabu or ints[marks + cell] != 0:
            continue
        size, code = flood(ints, cell)
        if size > 1:
            # Colour and hash are mixed by a multiplication that stays below 2^63.
            mixed = (code * (2 * colour + 1)) & HASH_MASK
            codes[start + n_groups] = (mixed ^ (mixed >> 12)) & ((1 << CODE_BITS) - 1)
            ints[offered + n_groups] = cell
            n_groups += 1
    return n_groups


@njit(cache=True)
def legal(ints, floats, codes, start):
    """Write the codes of the legal moves from ``codes[start]`` on; return how many there are."""
    n_groups = list_groups(ints, codes, start, ints[TABU])
    if n_groups == 0 and ints[TABU] != 0:
        n_groups = list_groups(ints, codes, start, 0)
    ints[N_OFFERED] = n_groups
    return n_groups


@njit(cache=True)
def play(ints, floats, k, code):
    """Play the legal move with index `k` and this code."""
    unmark(ints)
    marks, n_rows = room(ints, MARKS), ints[N_ROWS]
    size, _ = flood(ints, ints[room(ints, OFFERED) + k])
    ints[N_CELLS] -= size
    ints[POINTS] += (size - 2) * (size - 2)
    to = 0
    for column in range(ints[N_COLUMNS]):
        n_left = 0
        for row in range(n_rows):
            cell = column * n_rows + row
            colour = ints[CELLS + cell]
            if colour == 0:
                break
            if ints[marks + cell] == 0:
                ints[CELLS + to * n_rows + n_left] = colour
                n_left += 1
        if n_left > 0:
            for row in range(n_left, n_rows):
                ints[CELLS + to * n_rows + row] = 0
            to += 1
    for cell in range(to * n_rows, ints[N_COLUMNS] * n_rows):
        ints[CELLS + cell] = 0


@njit(cache=True)
def score(ints, floats):
    """The score of the finished game."""
    return ints[POINTS] + (CLEAR_BONUS if ints[N_CELLS] == 0 else 0.0)


def problem_of(name: str, board: Ints, tabu_colour: int) -> Problem:
    """The game of a checked (n_rows, n_columns) board of colours; a tabu colour is from 1 on."""
    n_rows, n_columns = board.shape
    n = board.size
    state = np.zeros(CELLS + n, np.int64)
    state[:CELLS] = LARGE, n_rows, n_columns, tabu_colour, n, 0, 0
    state[CELLS:] = board[::-1].T.ravel() + 1
    # The hash of a cell is a property of the game, not a random choice of a search.
    hashes = np.random.default_rng(2011).integers(1, HASH_MASK, n)
    ints = np.concatenate([state, state, np.zeros(3 * n, np.int64), hashes])
    most = max(1, n // 2)  # groups
    return sealed(name, RULES, ints, [], 1 << CODE_BITS, most, most)


def is_position(ints: Any) -> bool:
    """Whether this is a position of these rules."""
    if getattr(ints, "dtype", None) != np.int64 or ints.ndim != 1 or ints.size < CELLS:
        return False
    n = int(ints[N_ROWS]) * int(ints[N_COLUMNS])
    return int(ints[KIND]) == LARGE and ints.size == 2 * (CELLS + n) + 4 * n


def start_of(ints: Ints) -> int:
    """Where the copy of the first state stands in a position."""
    return CELLS + int(ints[N_ROWS]) * int(ints[N_COLUMNS])


def board_of(ints: Ints) -> Ints:
    """The (n_rows, n_columns) board of a position, first row on top; -1 marks an empty cell."""
    cells = ints[CELLS : start_of(ints)] - 1
    return cells.reshape(int(ints[N_COLUMNS]), int(ints[N_ROWS])).T[::-1]


def places_of(ints: Ints) -> list[tuple[int, int]]:
    """A cell (column, row) of each legal group after `legal`, in the order of the codes."""
    start = start_of(ints)
    first = 2 * start + OFFERED * (start - CELLS)
    return [divmod(c, int(ints[N_ROWS])) for c in ints[first : first + ints[N_OFFERED]].tolist()]


RULES = Rules(reset, legal, play, score)
