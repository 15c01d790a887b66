"""Reversi (Othello) on 8x8: rules, notation and replay of records in compiled code.

Rules of the World Othello Federation: a move turns over at least one opposing
stone; who has none passes; the game ends when neither side can move. Records do
not write passes (the WTHOR convention).
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit
from gameai_lib.btmm.game.positions import (
    BLACK,
    EMPTY,
    WHITE,
    Positions,
    check_records,
    checked_board,
    checked_colour,
    refuse_illegal,
    undecided,
)

SIDE = 8
N_CELLS = SIDE * SIDE
DIRECTIONS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))


def start_board():
    """Return the (64,) int8 start position: white on d4 and e5, black on e4 and d5."""
    board = np.zeros(N_CELLS, dtype=np.int8)
    board[[27, 36]] = WHITE
    board[[28, 35]] = BLACK
    return board


def cell_of(square):
    """Return the cell of a square such as ``"f5"``: row * 8 + column, a1 first."""
    if not isinstance(square, str):
        raise TypeError(f"a square is a text, got {short(square)}")
    column, row = ord(square[:1] or " ") - ord("a"), square[1:]
    if not 0 <= column < SIDE or row not in tuple("12345678"):
        raise ValueError(f"no square {short(square)} on the 8x8 board")
    return (int(row) - 1) * SIDE + column


def square_of(cell):
    """Return the name of a cell, the inverse of `cell_of`."""
    cell = checks.whole("cell", cell, 0, N_CELLS - 1)
    return f"{'abcdefgh'[cell % SIDE]}{cell // SIDE + 1}"


def legal_moves(board, colour):
    """Return the cells where `colour` (1 black, 2 white) may play, ascending."""
    board, colour = checked_board(board, N_CELLS), checked_colour(colour)
    moves, flips = np.empty(N_CELLS, np.int16), np.empty(N_CELLS, np.int8)
    return moves[: _legal(board, colour, moves, flips)]


def played(board, colour, cell):
    """Return the board after `colour` plays `cell`; a `ValueError` if the move is illegal."""
    board, colour = checked_board(board, N_CELLS), checked_colour(colour)
    cell = checks.whole("cell", cell, 0, N_CELLS - 1)
    if _count_turned(board, colour, cell) == 0:
        raise ValueError(f"illegal move {cell} for colour {colour}")
    after = board.copy()
    _play(after, colour, cell)
    return after


def next_to_move(board, colour):
    """Return who moves next when `colour` has just played, or 0 at the end of the game."""
    board, colour = checked_board(board, N_CELLS), checked_colour(colour)
    return _next_mover(board, colour, np.empty(N_CELLS, np.int16), np.empty(N_CELLS, np.int8))


def position(board, colour):
    """Return one decision as `Positions`: nothing is played yet, `chosen` is its first move.

    A `ValueError` if `colour` cannot move.
    """
    board, colour = checked_board(board, N_CELLS), checked_colour(colour)
    moves, flips = np.empty(N_CELLS, np.int16), np.empty(N_CELLS, np.int8)
    n = _legal(board, colour, moves, flips)
    if n == 0:
        raise ValueError(f"colour {colour} cannot move")
    # The four discs of the start were not played.
    return undecided(board, colour, moves[:n], flips[:n], np.count_nonzero(board) - 4)


def winner_of(board):
    """Return the colour with more stones, 0 for a draw."""
    board = checked_board(board, N_CELLS)
    black, white = int((board == BLACK).sum()), int((board == WHITE).sum())
    return 0 if black == white else BLACK if black > white else WHITE


def first_illegal(records):
    """Return (n_games,) int: the number of each game's first illegal move, -1 for none."""
    return _check(*check_records(records), start_board())[0]


def verdicts(records):
    """Return `first_illegal` and black's discs at the end, each (n_games,) int.

    Empty squares are the winner's; -1 for a game that is illegal, or not over at its last move.
    """
    return _check(*check_records(records), start_board())


def replay(records):
    """Return the `Positions` of every move of `records`, forced moves included.

    A `RecordError` if a game holds an illegal move.
    """
    records = check_records(records)
    refuse_illegal(records, first_illegal(records))
    return Positions(*_fill(records.moves, records.offsets, start_board()))


@njit(cache=True)
def _run_length(board, colour, row, column, d_row, d_column):
    # Opposing stones in this direction that a stone of `colour` closes off.
    n = 0
    row += d_row
    column += d_column
    while 0 <= row < SIDE and 0 <= column < SIDE:
        stone = board[row * SIDE + column]
        if stone == EMPTY:
            return 0
        if stone == colour:
            return n
        n += 1
        row += d_row
        column += d_column
    return 0


@njit(cache=True)
def _count_turned(board, colour, cell):
    n = 0
    if board[cell] != EMPTY:
        return 0
    for d_row, d_column in DIRECTIONS:
        n += _run_length(board, colour, cell // SIDE, cell % SIDE, d_row, d_column)
    return n


@njit(cache=True)
def _legal(board, colour, moves, flips):
    n = 0
    for cell in range(N_CELLS):
        turned = _count_turned(board, colour, cell)
        if turned > 0:
            moves[n] = cell
            flips[n] = turned
            n += 1
    return n


@njit(cache=True)
def _play(board, colour, cell):
    for d_row, d_column in DIRECTIONS:
        n = _run_length(board, colour, cell // SIDE, cell % SIDE, d_row, d_column)
        for i in range(1, n + 1):
            board[cell + i * (d_row * SIDE + d_column)] = colour
    board[cell] = colour


@njit(cache=True)
def _next_mover(board, colour, moves, flips):
    if _legal(board, 3 - colour, moves, flips) > 0:
        return 3 - colour
    if _legal(board, colour, moves, flips) > 0:
        return colour
    return 0


@njit(cache=True)
def _discs_at_end(board, colour, legal, flips):
    if _next_mover(board, colour, legal, flips) != 0:
        return -1
    black = 0
    white = 0
    for cell in range(N_CELLS):
        black += board[cell] == BLACK
        white += board[cell] == WHITE
    empty = N_CELLS - black - white
    return black + (empty if black > white else empty // 2 if black == white else 0)


@njit(cache=True, allocates=True)
def _check(moves, offsets, start):
    status, discs = np.full(offsets.size - 1, -1), np.full(offsets.size - 1, -1)
    mobile, flips = np.empty(N_CELLS, np.int16), np.empty(N_CELLS, np.int8)
    for g in range(offsets.size - 1):
        board = start.copy()
        colour = BLACK
        for i in range(offsets[g], offsets[g + 1]):
            cell = moves[i]
            inside = 0 <= cell < N_CELLS
            is_legal = inside and _count_turned(board, colour, cell) > 0
            if inside and not is_legal and _legal(board, colour, mobile, flips) == 0:
                colour = 3 - colour  # after a pass
                is_legal = _count_turned(board, colour, cell) > 0
            if not is_legal:
                status[g] = i - offsets[g]
                break
            _play(board, colour, cell)
            colour = 3 - colour
        if status[g] < 0:
            discs[g] = _discs_at_end(board, colour, mobile, flips)
    return status, discs


@njit(cache=True, allocates=True)
def _fill(moves, offsets, start):
    n = moves.size
    boards, to_move = np.empty((n, N_CELLS), np.int8), np.empty(n, np.int8)
    first, chosen = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
    ply, game = np.empty(n, np.int16), np.empty(n, np.int32)
    # Nine moves are legal on average; with room for twelve, this hardly ever grows.
    legal, flips = np.empty(12 * n + N_CELLS, np.int16), np.empty(12 * n + N_CELLS, np.int8)
    for g in range(offsets.size - 1):
        board = start.copy()
        colour = BLACK
        for i in range(offsets[g], offsets[g + 1]):
            if first[i] + N_CELLS > legal.size:
                legal, flips = np.append(legal, legal), np.append(flips, flips)
            n_legal = _legal(board, colour, legal[first[i] :], flips[first[i] :])
            if n_legal == 0:
                colour = 3 - colour
                n_legal = _legal(board, colour, legal[first[i] :], flips[first[i] :])
            first[i + 1] = first[i] + n_legal
            boards[i] = board
            to_move[i] = colour
            chosen[i] = np.searchsorted(legal[first[i] : first[i + 1]], moves[i])
            ply[i] = i - offsets[g]
            game[i] = g
            _play(board, colour, moves[i])
            colour = 3 - colour
    legal, flips = legal[: first[n]].copy(), flips[: first[n]].copy()
    return boards, to_move, first, legal, flips, chosen, ply, game
