"""SameGame on 15 x 15 cells in five colours; groups are kept from move to move.

A move removes a connected group of n >= 2 cells of one colour and scores (n - 2)^2; cells
fall, empty columns close to the left, an empty board scores 1000 more. Rules after Schadd et
al., "Single-Player Monte-Carlo Tree Search", CG 2008; the code of a move is a hash of the
cells and the colour of its group, as in Cazenave's NRPA programs.
"""

import numpy as np

from gameai_lib._jit import njit
from gameai_lib.nrpa.problem import Problem, Rules

SIZE = 15
N_COLOURS = 5
CLEAR_BONUS = 1000.0
CODE_BITS = 18  # two groups may share a code; they are rarely met in one search

# Layout of `ints`. Cells lie column by column, bottom first, in a frame of empty cells; the
# part before `START` changes in a game, a copy of its first state follows.
STRIDE = SIZE + 2
AREA = STRIDE * STRIDE
MAX_GROUPS = SIZE * SIZE // 2
N_GROUPS, N_CELLS, POINTS, STAMP, N_LEGAL = range(5)
CELLS = 8
GROUPS = CELLS + AREA  # one of GROUP_SIZE entries for each group
CELL, FIRST_COLUMN, LAST_COLUMN, N_IN_GROUP, CODE, GROUP_SIZE = range(6)
START = GROUPS + MAX_GROUPS * GROUP_SIZE
VISITED = 2 * START  # stamp of the last flood that reached a cell
STACK = VISITED + AREA
OFFERED = STACK + AREA  # group numbers of the legal moves
TABU = OFFERED + MAX_GROUPS
HASH = TABU + 1
N_INTS = HASH + AREA


@njit(cache=True)
def flood(ints, cell):
    """Mark the group of `cell` and put its cells on the stack; returns how many."""
    colour, stamp = ints[CELLS + cell], ints[STAMP]
    ints[VISITED + cell] = stamp
    ints[STACK] = cell
    n_found, n_done = 1, 0
    while n_done < n_found:
        here = ints[STACK + n_done]
        n_done += 1
        for step in (1, -1, STRIDE, -STRIDE):
            there = here + step
            if ints[CELLS + there] == colour and ints[VISITED + there] != stamp:
                ints[VISITED + there] = stamp
                ints[STACK + n_found] = there
                n_found += 1
    return n_found


@njit(cache=True)
def add_group(ints, n_found):
    """List the flooded cells as a group, with its columns and its code."""
    group = GROUPS + ints[N_GROUPS] * GROUP_SIZE
    ints[N_GROUPS] += 1
    cell = ints[STACK]
    low, high, code = cell, cell, 0
    for i in range(n_found):
        here = ints[STACK + i]
        low, high = min(low, here), max(high, here)
        code ^= ints[HASH + here]
    # Colour and folded hash are mixed by a multiplication that stays below 2^63.
    mixed = ((code & 0x3FFFFFFF) * (2 * ints[CELLS + cell] + 1)) & 0x3FFFFFFF
    ints[group + CELL] = cell
    ints[group + FIRST_COLUMN] = low // STRIDE
    ints[group + LAST_COLUMN] = high // STRIDE
    ints[group + N_IN_GROUP] = n_found
    ints[group + CODE] = (mixed ^ (mixed >> 12)) & ((1 << CODE_BITS) - 1)


@njit(cache=True)
def find_groups(ints, first, last):
    """Replace the groups that reach into the columns from `first` to `last` by a new flood."""
    n_kept = 0
    for i in range(ints[N_GROUPS]):
        group = GROUPS + i * GROUP_SIZE
        if ints[group + LAST_COLUMN] < first or ints[group + FIRST_COLUMN] > last:
            if n_kept < i:
                kept = GROUPS + n_kept * GROUP_SIZE
                for j in range(GROUP_SIZE):
                    ints[kept + j] = ints[group + j]
            n_kept += 1
    ints[N_GROUPS] = n_kept
    ints[STAMP] += 1
    for column in range(first, last + 1):
        for cell in range(column * STRIDE + 1, column * STRIDE + SIZE + 1):
            colour = ints[CELLS + cell]
            if colour == 0:
                break
            if ints[VISITED + cell] == ints[STAMP]:
                continue
            if (
                ints[CELLS + cell + 1] == colour
                or ints[CELLS + cell + STRIDE] == colour
                or ints[CELLS + cell - STRIDE] == colour
                or ints[CELLS + cell - 1] == colour
            ):
                add_group(ints, flood(ints, cell))


@njit(cache=True)
def drop_column(ints, column):
    """Let cells fall into the places of the marked ones; returns whether any is left."""
    to = CELLS + column * STRIDE + 1
    for cell in range(column * STRIDE + 1, column * STRIDE + SIZE + 1):
        if ints[VISITED + cell] != ints[STAMP] and ints[CELLS + cell] != 0:
            ints[to] = ints[CELLS + cell]
            to += 1
    for empty in range(to, CELLS + column * STRIDE + SIZE + 1):
        ints[empty] = 0
    return ints[CELLS + column * STRIDE + 1] != 0


@njit(cache=True)
def close_columns(ints, first):
    """Move columns to the left over empty ones, from column `first` on."""
    to = first
    for column in range(first, SIZE + 1):
        if ints[CELLS + column * STRIDE + 1] != 0:
            if to < column:
                for row in range(1, SIZE + 1):
                    ints[CELLS + to * STRIDE + row] = ints[CELLS + column * STRIDE + row]
                    ints[CELLS + column * STRIDE + row] = 0
            to += 1


@njit(cache=True)
def reset(ints, floats):
    """Put the first position into the arrays."""
    ints[STAMP] += 1  # stamps of the last game must not count in this one
    stamp = ints[STAMP]
    for i in range(START):
        ints[i] = ints[START + i]
    ints[STAMP] = stamp


@njit(cache=True)
def legal(ints, floats, codes, start):
    """Write the codes of the legal moves from ``codes[start]`` on; return how many there are."""
    n = 0
    for i in range(ints[N_GROUPS]):
        group = GROUPS + i * GROUP_SIZE
        if ints[CELLS + ints[group + CELL]] != ints[TABU]:
            ints[OFFERED + n] = i
            codes[start + n] = ints[group + CODE]
            n += 1
    if n > 0:
        return n
    for i in range(ints[N_GROUPS]):
        ints[OFFERED + i] = i
        codes[start + i] = ints[GROUPS + i * GROUP_SIZE + CODE]
    return ints[N_GROUPS]


@njit(cache=True)
def play(ints, floats, k, code):
    """Play the legal move with index `k` and this code."""
    group = GROUPS + ints[OFFERED + k] * GROUP_SIZE
    first, last = ints[group + FIRST_COLUMN], ints[group + LAST_COLUMN]
    ints[STAMP] += 1
    n_removed = flood(ints, ints[group + CELL])
    ints[N_CELLS] -= n_removed
    ints[POINTS] += (n_removed - 2) * (n_removed - 2)
    for column in range(last, first - 1, -1):
        if not drop_column(ints, column):
            close_columns(ints, column)
            last = SIZE  # everything to the right has moved
    # A group can only have changed where cells moved or beside it.
    find_groups(ints, max(first - 1, 1), min(last + 1, SIZE))


@njit(cache=True)
def score(ints, floats):
    """The score of the finished game."""
    return ints[POINTS] + (CLEAR_BONUS if ints[N_CELLS] == 0 else 0.0)


RULES = Rules(reset, legal, play, score)


def samegame(board: np.ndarray, name: str = "SameGame", tabu: bool = False) -> Problem:
    """SameGame from a starting board.

    Parameters
    ----------
    board : (15, 15) int array
        Colours 0 to 4, first row on top.
    name : str
    tabu : bool
        Leave the most frequent colour until nothing else is left (a hand rule, as in
        Cazenave 2016, "Nested Rollout Policy Adaptation with Selective Policies").

    Raises
    ------
    ValueError
        If the board has another shape or a colour outside 0 to 4.
    """
    board = np.asarray(board)
    if board.shape != (SIZE, SIZE):
        raise ValueError(f"{name}: the board must be {SIZE} x {SIZE}, got {board.shape}")
    if board.min() < 0 or board.max() >= N_COLOURS:
        raise ValueError(f"{name}: colours run from 0 to 4, got {board.min()} to {board.max()}")
    ints = np.zeros(N_INTS, np.int64)
    frame = np.zeros((STRIDE, STRIDE), np.int64)
    frame[1:-1, 1:-1] = board[::-1].T + 1
    ints[CELLS:GROUPS] = frame.ravel()
    ints[N_CELLS] = SIZE * SIZE
    # The hash of a cell is a property of the game, not a random choice of a search.
    ints[HASH:] = np.random.default_rng(2011).integers(1, 2**62, AREA)
    ints[TABU] = np.bincount(board.ravel()).argmax() + 1 if tabu else 0
    find_groups(ints, 1, SIZE)
    ints[START : 2 * START] = ints[:START]
    return Problem(name, RULES, ints, [], 1 << CODE_BITS, MAX_GROUPS + 1, MAX_GROUPS)


def board_of(ints: np.ndarray) -> np.ndarray:
    """The (15, 15) board of a position, first row on top; -1 marks an empty cell."""
    frame = ints[CELLS:GROUPS].reshape(STRIDE, STRIDE)
    return frame[1:-1, 1:-1].T[::-1] - 1


def groups_of(ints: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Legal groups of a position, in the order of the codes: (column, row, size, colour).

    Column and row, from 0 at the lower left, name one cell of the group. Only valid after
    `legal` has been called for the position, as it is in `Ply`.
    """
    found = []
    groups = ints[GROUPS:START].reshape(-1, GROUP_SIZE)
    tabu_free = [g for g in groups[: ints[N_GROUPS]] if ints[CELLS + g[CELL]] != ints[TABU]]
    for group in tabu_free or groups[: ints[N_GROUPS]]:
        column, row = divmod(int(group[CELL]), STRIDE)
        colour = int(ints[CELLS + group[CELL]]) - 1
        found.append((column - 1, row - 1, int(group[N_IN_GROUP]), colour))
    return found


def cells_of(ints: np.ndarray, column: int, row: int) -> list[tuple[int, int]]:
    """Cells (column, row) of the group that holds a cell."""
    position = ints.copy()
    position[STAMP] += 1
    n_found = flood(position, (column + 1) * STRIDE + row + 1)
    found = [divmod(int(cell), STRIDE) for cell in position[STACK : STACK + n_found]]
    return [(x - 1, y - 1) for x, y in found]


def group_at(ints: np.ndarray, column: int, row: int) -> int:
    """Index of the legal group that holds a cell.

    Raises
    ------
    ValueError
        If the cell is empty or alone.
    """
    inside = 0 <= column < SIZE and 0 <= row < SIZE
    if not inside or ints[CELLS + (column + 1) * STRIDE + row + 1] == 0:
        raise ValueError(f"no cell at column {column}, row {row}")
    members = cells_of(ints, column, row)
    for k, group in enumerate(groups_of(ints)):
        if group[:2] in members:
            return k
    raise ValueError(f"the cell at column {column}, row {row} is no legal move")
