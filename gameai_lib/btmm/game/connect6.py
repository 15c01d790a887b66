"""Connect-6 on 19x19: rules, notation and replay of records in compiled code.

Rules of I-C. Wu and D-Y. Huang (2005): black places one stone, then each side
two a turn; six or more in a row win. Each single stone is a decision here.
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit
from gameai_lib.btmm._runs import repeat_runs
from gameai_lib.btmm.game.positions import (
    BLACK,
    EMPTY,
    WHITE,
    Positions,
    check_records,
    checked_board,
    refuse_illegal,
    undecided,
)

SIDE = 19
N_CELLS = SIDE * SIDE
COLUMNS = "abcdefghijklmnopqrs"
CELLS = {f"{COLUMNS[cell % SIDE]}{cell // SIDE + 1}": cell for cell in range(N_CELLS)}


def cell_of(square):
    """Return the cell of a point such as ``"j10"``: row * 19 + column, a1 first."""
    if not isinstance(square, str):
        raise TypeError(f"a point is a text, got {short(square)}")
    if square not in CELLS:
        raise ValueError(f"no point {short(square)} on the 19x19 board")
    return CELLS[square]


def square_of(cell):
    """Return the name of a cell, the inverse of `cell_of`."""
    cell = checks.whole("cell", cell, 0, N_CELLS - 1)
    return f"{COLUMNS[cell % SIDE]}{cell // SIDE + 1}"


def mover(ply):
    """Return whose stone number `ply` is: black's first, then two and two from white."""
    return _colour(checks.whole("ply", ply, 0))


def legal_moves(board):
    """Return the empty cells, ascending."""
    return np.flatnonzero(checked_board(board, N_CELLS) == EMPTY).astype(np.int16)


def position(board):
    """Return one decision as `Positions`: nothing is played yet, `chosen` is its first move.

    The number of stones tells whose turn it is; a `ValueError` if the board is full.
    """
    board = checked_board(board, N_CELLS)
    moves = legal_moves(board)
    if moves.size == 0:
        raise ValueError("the board is full")
    ply = N_CELLS - moves.size
    return undecided(board, mover(ply), moves, np.zeros(moves.size, np.int8), ply)


def six_at(board, cell):
    """Return the cells of six or more in a row through the stone on `cell`, ascending.

    There are none if it does not win; of several such lines it is the first."""
    board, cell = checked_board(board, N_CELLS), checks.whole("cell", cell, 0, N_CELLS - 1)
    cells = np.empty(SIDE, np.int64)
    return sorted(cells[: _six(board, cell, cells)].tolist()) if board[cell] != EMPTY else []


def winner_of(records):
    """Return (n_games,) int8: 1 or 2 if the last stone makes six in a row, else 0."""
    return _check(*check_records(records, N_CELLS))[1]


def first_illegal(records):
    """Return (n_games,) int: the number of each game's first illegal stone, -1 for none.

    A stone is illegal off the board, on another one, or after the game is won.
    """
    return _check(*check_records(records))[0]


def replay(records):
    """Return the `Positions` before every stone but the first, whose place is free.

    Every recorded game opens in the centre. A `RecordError` if a game holds an illegal stone.
    """
    records = check_records(records)
    refuse_illegal(records, first_illegal(records), "stone")
    lengths = np.maximum(np.diff(records.offsets) - 1, 0)
    n = int(lengths.sum())
    first = np.concatenate([[0], np.cumsum(lengths)])
    game = repeat_runs(np.arange(lengths.size), first).astype(np.int32)
    ply = (np.arange(n) - first[:-1][game] + 1).astype(np.int16)
    offsets = np.concatenate([[0], np.cumsum(N_CELLS - ply.astype(np.int64))])
    boards = np.empty((n, N_CELLS), np.int8)
    moves = np.empty(offsets[-1], np.int16)
    chosen = np.empty(n, np.int64)
    _fill(records.moves, records.offsets, first, offsets, boards, moves, chosen)
    to_move = np.where((ply - 1) // 2 % 2 == 1, BLACK, WHITE).astype(np.int8)
    flips = np.zeros(offsets[-1], np.int8)
    return Positions(boards, to_move, offsets, moves, flips, chosen, ply, game)


@njit(cache=True)
def _six(board, cell, cells):
    """Fill `cells` with six or more in a row through the stone on `cell`; return how many."""
    colour = board[cell]
    for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
        cells[0], n = cell, 1
        for sign in (-1, 1):
            row = cell // SIDE + sign * d_row
            column = cell % SIDE + sign * d_column
            while 0 <= row < SIDE and 0 <= column < SIDE and board[row * SIDE + column] == colour:
                cells[n] = row * SIDE + column
                n += 1
                row += sign * d_row
                column += sign * d_column
        if n >= 6:
            return n
    return 0


@njit(cache=True)
def _colour(ply):
    return BLACK if ply == 0 or ((ply - 1) // 2) % 2 == 1 else WHITE


@njit(cache=True, allocates=True)
def _check(moves, offsets):
    status, winners = np.full(offsets.size - 1, -1), np.zeros(offsets.size - 1, np.int8)
    row = np.empty(SIDE, np.int64)
    for g in range(offsets.size - 1):
        board = np.zeros(N_CELLS, np.int8)
        for i in range(offsets[g], offsets[g + 1]):
            cell = moves[i]
            if winners[g] or not 0 <= cell < N_CELLS or board[cell] != EMPTY:
                status[g] = i - offsets[g]
                winners[g] = 0
                break
            board[cell] = _colour(i - offsets[g])
            if _six(board, cell, row):
                winners[g] = board[cell]
    return status, winners


@njit(cache=True, allocates=True)
def _fill(moves, offsets, first, legal_first, boards, legal, chosen):
    for g in range(offsets.size - 1):
        board = np.zeros(N_CELLS, np.int8)
        for i in range(offsets[g], offsets[g + 1]):
            ply = i - offsets[g]
            if ply > 0:
                row = first[g] + ply - 1
                boards[row] = board
                n = legal_first[row]
                for cell in range(N_CELLS):
                    if board[cell] == EMPTY:
                        if cell == moves[i]:
                            chosen[row] = n - legal_first[row]
                        legal[n] = cell
                        n += 1
            board[moves[i]] = _colour(ply)
