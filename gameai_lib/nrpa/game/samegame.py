"""SameGame on up to 15 x 15 cells in seven colours; groups are kept from move to move.

A move removes a connected group of n >= 2 cells of one colour and scores (n - 2)^2; cells
fall, empty columns close to the left, an empty board scores 1000 more. Rules after Schadd et
al., "Single-Player Monte-Carlo Tree Search", CG 2008; the code of a move is a hash of the
cells and the colour of its group, as in Cazenave's NRPA programs.
"""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Ints
from gameai_lib.nrpa.game.samegame_referee import group_in, judge_samegame
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.registry import register
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.nrpa.problem.walk import replay

SIZE = 15
N_COLOURS = 5  # of the boards that are commonly played
CLEAR_BONUS = 1000.0
CODE_BITS = 18  # two groups may share a code; they are rarely met in one search
HASH_MASK = (1 << 30) - 1

# A column is one number of 15 digits in base 16, the lowest cell first; 0 is an empty cell. One
# operation then compares all cells of a column with those of another, or lets them all fall.
# A set of cells of a column has a 1 for each of them.
DIGIT = 4
MOST_COLOURS = 7
ONES = (1 << DIGIT * SIZE) // 15

# Layout of `ints`. Columns stand between two empty ones; the part before `START` changes in a
# game, a copy of its first state follows.
N_COLUMNS = SIZE + 2
N_ROWS = SIZE + 1  # a cell is numbered column * N_ROWS + row
MAX_GROUPS = SIZE * SIZE // 2
N_GROUPS, N_CELLS, POINTS, TABU = range(4)
COLUMNS = 4
BELOW = COLUMNS + N_COLUMNS  # cells of a column that equal the one below
RIGHT = BELOW + N_COLUMNS  # cells of a column that equal the one to the right
GROUPS = RIGHT + N_COLUMNS  # one of GROUP_SIZE entries for each group
CELL, FIRST_COLUMN, LAST_COLUMN, CODE, GROUP_SIZE = range(5)
START = GROUPS + MAX_GROUPS * GROUP_SIZE
VISITED = 2 * START  # cells of each column that a flood has reached
STACK = VISITED + N_COLUMNS
OFFERED = STACK + 3 * SIZE * SIZE  # group numbers of the legal moves
HASH = OFFERED + MAX_GROUPS  # of the cells below each cell
N_INTS = HASH + N_COLUMNS * N_ROWS

# Row of the only cell of a set; powers of 16 leave different remainders when divided by 61.
ROW_OF = np.zeros(61, np.int64)
ROW_OF[[16**row % 61 for row in range(SIZE)]] = range(SIZE)


@njit(cache=True)
def nonzero_digits(column):
    """The set of digits that are not 0."""
    column |= column >> 1
    return (column | (column >> 2)) & ONES


@njit(cache=True)
def push_run(ints, n_runs, column, row):
    """Mark the cells of one colour above and below a cell, and put them on the stack."""
    below = ints[BELOW + column]
    low, high = row, row + 1
    while (below >> DIGIT * low) & 1:
        low -= 1
    while (below >> DIGIT * high) & 1:
        high += 1
    entry = STACK + 3 * n_runs
    ints[entry], ints[entry + 1], ints[entry + 2] = column, low, high
    ints[VISITED + column] |= ONES & ((1 << DIGIT * high) - (1 << DIGIT * low))
    return n_runs + 1


@njit(cache=True)
def flood(ints, column, row):
    """Mark the group of a cell; returns its size, hash, first and last column."""
    size, code, first, last = 0, 0, column, column
    n_runs = push_run(ints, 0, column, row)
    while n_runs > 0:
        n_runs -= 1
        entry = STACK + 3 * n_runs
        # Cut down, so that compiled code knows that none is negative and counts from the end.
        column, low, high = ints[entry] & 31, ints[entry + 1] & 15, ints[entry + 2] & 15
        first, last = min(first, column), max(last, column)
        size += high - low
        place = HASH + column * N_ROWS
        code ^= ints[place + low] ^ ints[place + high]
        run = ONES & ((1 << DIGIT * high) - (1 << DIGIT * low))
        reached = run & ints[RIGHT + column] & ~ints[VISITED + column + 1]
        while reached:
            n_runs = push_run(ints, n_runs, column + 1, ROW_OF[(reached & -reached) % 61])
            reached &= ~ints[VISITED + column + 1]
        reached = run & ints[RIGHT + column - 1] & ~ints[VISITED + column - 1]
        while reached:
            n_runs = push_run(ints, n_runs, column - 1, ROW_OF[(reached & -reached) % 61])
            reached &= ~ints[VISITED + column - 1]
    return size, code, first, last


@njit(cache=True)
def colour_of(ints, cell):
    """Colour of a cell, from 1 on; 0 if it is empty."""
    return (ints[COLUMNS + cell // N_ROWS] >> DIGIT * (cell % N_ROWS)) & 7


@njit(cache=True)
def add_group(ints, column, row):
    """List the group of a cell, with its columns and its code."""
    _, code, first, last = flood(ints, column, row)
    cell = column * N_ROWS + row
    # Colour and hash are mixed by a multiplication that stays below 2^63.
    mixed = (code * (2 * colour_of(ints, cell) + 1)) & HASH_MASK
    group = GROUPS + ints[N_GROUPS] * GROUP_SIZE
    ints[N_GROUPS] += 1
    ints[group + CELL] = cell
    ints[group + FIRST_COLUMN] = first
    ints[group + LAST_COLUMN] = last
    ints[group + CODE] = (mixed ^ (mixed >> 12)) & ((1 << CODE_BITS) - 1)


@njit(cache=True)
def forget_groups(ints, first, last):
    """Forget the groups that reach into the columns from `first` to `last`."""
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


@njit(cache=True)
def find_groups(ints, first, last):
    """Replace the groups that reach into the columns from `first` to `last` by a new search."""
    forget_groups(ints, first, last)
    for column in range(N_COLUMNS):
        ints[VISITED + column] = 0
    for column in range(first, last + 1):
        cells, right = ints[COLUMNS + column], ints[COLUMNS + column + 1]
        occupied = nonzero_digits(cells)
        ints[BELOW + column] = occupied & ~nonzero_digits(cells ^ (cells << DIGIT))
        ints[RIGHT + column] = occupied & ~nonzero_digits(cells ^ right)
    for column in range(first, last + 1):
        below = ints[BELOW + column]
        paired = below | (below >> DIGIT) | ints[RIGHT + column] | ints[RIGHT + column - 1]
        paired &= ~ints[VISITED + column]
        while paired:
            add_group(ints, column, ROW_OF[(paired & -paired) % 61])
            paired &= ~ints[VISITED + column]


@njit(cache=True)
def drop_column(ints, column):
    """Let cells fall into the places of the marked ones; returns whether any is left."""
    cells, gone = ints[COLUMNS + column], ints[VISITED + column]
    while gone:
        lowest = gone & -gone
        under = lowest - 1
        cells = (cells & under) | ((cells >> DIGIT) & ~under)
        gone = (gone ^ lowest) >> DIGIT
    ints[COLUMNS + column] = cells
    return cells != 0


@njit(cache=True)
def close_columns(ints, first):
    """Move columns to the left over empty ones, from column `first` on."""
    to = first
    for column in range(first, SIZE + 1):
        cells = ints[COLUMNS + column]
        if cells != 0:
            ints[COLUMNS + column] = 0
            ints[COLUMNS + to] = cells
            to += 1


@njit(cache=True)
def reset(ints, floats):
    for i in range(START):
        ints[i] = ints[START + i]


@njit(cache=True)
def legal(ints, floats, codes, start):
    n, tabu = 0, ints[TABU]
    for i in range(ints[N_GROUPS]):
        group = GROUPS + i * GROUP_SIZE
        if tabu == 0 or colour_of(ints, ints[group + CELL]) != tabu:
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
    group = GROUPS + ints[OFFERED + k] * GROUP_SIZE
    for column in range(N_COLUMNS):
        ints[VISITED + column] = 0
    cell = ints[group + CELL]
    size, _, first, last = flood(ints, cell // N_ROWS, cell % N_ROWS)
    ints[N_CELLS] -= size
    ints[POINTS] += (size - 2) * (size - 2)
    for column in range(last, first - 1, -1):
        if not drop_column(ints, column):
            close_columns(ints, column)
            last = SIZE  # everything to the right has moved
    # A group can only have changed where cells moved or beside it.
    find_groups(ints, max(first - 1, 1), min(last + 1, SIZE))


@njit(cache=True)
def score(ints, floats):
    return ints[POINTS] + (CLEAR_BONUS if ints[N_CELLS] == 0 else 0.0)


def samegame(board: ArrayLike, name: str = "SameGame", tabu: bool = False) -> Problem:
    """SameGame from a starting board.

    The (n_rows, n_columns) `board` has colours from 0 to 6, first row on top, at most 15 x 15
    cells. With `tabu` the most frequent colour is left until nothing else is (a hand rule, as in
    Cazenave 2016, "Nested Rollout Policy Adaptation with Selective Policies").

    Examples
    --------
    Rows of one colour each are best removed one after the other; (n - 2)² points for n cells,
    and 1000 for an empty board:

    >>> rows = samegame(np.repeat([[0], [1], [0]], 4, axis=1))
    >>> NRPA(rows, 1, level=1, n_iterations=10).run().score
    1040.0
    """
    checks.kind("name", name, str)
    checks.flag("tabu", tabu)
    cells = arrays.whole(f"{name}: board", board, 0, MOST_COLOURS - 1, ndim=2)
    if not cells.size or max(cells.shape) > SIZE:
        raise ValueError(f"{name}: the board must be 1 x 1 to {SIZE} x {SIZE}, got {cells.shape}")
    tabu_colour = int(np.bincount(cells.ravel()).argmax()) + 1 if tabu else 0
    ints = np.zeros(N_INTS, np.int64)
    # Row 0 of the board is on top, digit 0 of a column at the bottom.
    n_rows, n_columns = cells.shape
    digits = 1 << DIGIT * np.arange(n_rows, dtype=np.int64)[::-1]
    ints[COLUMNS + 1 : COLUMNS + 1 + n_columns] = digits @ (cells + 1)
    ints[N_CELLS] = cells.size
    # The hash of a cell is a property of the game, not a random choice of a search.
    hashes = np.random.default_rng(2011).integers(1, 2**62, (N_COLUMNS, SIZE + 2)) & HASH_MASK
    below = ints[HASH:].reshape(N_COLUMNS, N_ROWS)
    below[:, 1:] = np.bitwise_xor.accumulate(hashes[:, 1:-1], axis=1)
    ints[TABU] = tabu_colour
    find_groups(ints, 1, SIZE)
    ints[START : 2 * START] = ints[:START]
    return seal(name, RULES, ints, [], 1 << CODE_BITS, MAX_GROUPS + 1, MAX_GROUPS)


def board_of(ints: Ints) -> Ints:
    """The (15, 15) board of a position, top row first, the game at the lower left; -1 is empty."""
    columns = ints[COLUMNS + 1 : COLUMNS + 1 + SIZE]
    return (columns >> DIGIT * np.arange(SIZE)[::-1, None] & 15) - 1


def groups_of(ints: Ints) -> list[list[tuple[int, int]]]:
    """Cells (column, row) of each legal group, from 0 at the lower left, in the order of the codes.

    Only valid after `legal` has been called for the position, as it is in `Ply`.
    """
    board = board_of(ints)
    cells = ints[GROUPS + CELL : GROUPS + ints[N_GROUPS] * GROUP_SIZE : GROUP_SIZE].tolist()
    places = [(cell // N_ROWS - 1, cell % N_ROWS) for cell in cells]
    offered = [(x, y) for x, y in places if board[-1 - y, x] + 1 != ints[TABU]]
    return [group_in(board, x, y) for x, y in offered or places]


def samegame_cells(problem: Problem, choices: ArrayLike) -> list[tuple[int, int]]:
    """A cell (column, row) of each group a game removes."""
    plies = list(replay(problem, choices))[:-1]
    return [groups_of(ply.ints)[ply.choice][0] for ply in plies]


def _judge(problem, playout):
    (start,) = replay(problem, [])
    return judge_samegame(board_of(start.ints), samegame_cells(problem, playout.choices))


RULES = register(Rules(reset, legal, play, score), _judge)
