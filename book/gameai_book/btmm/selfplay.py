"""Games of the library's own, for readers without a file of records.

Two seeded players of modest strength: a Reversi player that weighs squares and
mobility one move ahead (the textbook evaluation), and a Connect-6 player that
counts stones in every window of six cells, so it completes and blocks sixes.
"""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import BLACK, MOST_GAMES, records

# Worth of the ten classes of squares, in the order of patterns.SQUARE_CLASSES.
SQUARE_WORTH = np.array([100, -20, 10, 5, -50, -2, -2, 5, 1, 1], dtype=float)
MOBILITY_WORTH = 8.0
COUNT_FROM = 12  # empty cells left when only the stones count


def play_reversi(n_games, rng, square_class, temperature=6.0):
    """Play Reversi games between equals; return `Records`.

    Parameters
    ----------
    n_games : int
    rng : numpy.random.Generator
    square_class : (64,) int array
        `patterns.square_classes()`.
    temperature : float
        How freely weaker moves are chosen, in the evaluation's units.
    """
    n_games = checks.whole("n_games", n_games, 0, MOST_GAMES)
    temperature = checks.number("temperature", temperature, 1e-9)
    square_class = arrays.whole("square_class", square_class, 0, 9)
    if square_class.size != 64:
        raise ValueError(f"square_class must be 64 numbers, got {square_class.size}")
    worth = SQUARE_WORTH[square_class]
    rng = checks.generator(rng)
    return records([_reversi_game(rng, worth, temperature) for _ in range(n_games)])


def _reversi_game(rng, worth, temperature):
    board, colour, cells = reversi.start_board(), BLACK, []
    while colour:
        moves, values = _reversi_values(board, colour, worth)
        cell = moves[np.argmax(values / temperature + rng.gumbel(size=moves.size))]
        cells.append(int(cell))
        board = reversi.played(board, colour, cell)
        colour = reversi.next_to_move(board, colour)
    return cells


def _reversi_values(board, colour, worth):
    moves = reversi.legal_moves(board, colour)
    values = np.empty(moves.size)
    last = np.count_nonzero(board == 0) <= COUNT_FROM
    for i, cell in enumerate(moves):
        after = reversi.played(board, colour, cell)
        sign = np.where(after == colour, 1.0, np.where(after == 0, 0.0, -1.0))
        replies = reversi.legal_moves(after, 3 - colour).size
        if last:
            values[i] = 100.0 * sign.sum() - replies
        else:
            values[i] = sign @ worth - MOBILITY_WORTH * replies
    return moves, values


def _windows():
    starts = []
    for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(connect6.SIDE):
            for column in range(connect6.SIDE):
                last = row + 5 * d_row, column + 5 * d_column
                if 0 <= last[0] < connect6.SIDE and 0 <= last[1] < connect6.SIDE:
                    step = d_row * connect6.SIDE + d_column
                    starts.append([row * connect6.SIDE + column + k * step for k in range(6)])
    return np.array(starts)


WINDOWS = _windows()


def _windows_of_cells():
    # A cell lies in at most 24 windows; missing ones point at an extra, dead one.
    rows = np.full((connect6.N_CELLS, 24), len(WINDOWS))
    for cell in range(connect6.N_CELLS):
        through = np.flatnonzero((cell == WINDOWS).any(axis=1))
        rows[cell, : through.size] = through
    return rows


WINDOWS_OF_CELL = _windows_of_cells()

# Worth of one more stone in a window that holds only own, or only opposing, stones.
ATTACK = np.array([1.0, 4.0, 12.0, 30.0, 60.0, 60.0, 0.0])
DEFENCE = np.array([0.0, 3.0, 9.0, 25.0, 0.0, 0.0, 0.0])
WIN, BLOCK = 1e6, 1e4


def _worth_table(stones_left):
    """Return (49,) float: worth of a window by 7 * own + opposing stones."""
    table = np.zeros((7, 7))
    table[:, 0] = ATTACK
    table[0, :] += DEFENCE
    # Two stones a turn: four of ours can be six at once, four of theirs next turn.
    table[6 - stones_left : 6, 0] = WIN
    table[0, 4:6] = BLOCK
    return table.ravel()


WORTH = {left: _worth_table(left) for left in (1, 2)}


def play_connect6(n_games, rng, temperature=0.35, max_stones=160):
    """Play Connect-6 games between equals; return `Records`.

    Parameters
    ----------
    n_games : int
    rng : numpy.random.Generator
    temperature : float
        How freely weaker points are chosen, in units of ln worth.
    max_stones : int
        Where a game without a winner is broken off.
    """
    n_games = checks.whole("n_games", n_games, 0, MOST_GAMES)
    temperature = checks.number("temperature", temperature, 1e-9)
    max_stones = checks.whole("max_stones", max_stones, 1, connect6.N_CELLS)
    rng = checks.generator(rng)
    return records([_connect6_game(rng, temperature, max_stones) for _ in range(n_games)])


def _connect6_game(rng, temperature, max_stones):
    counts = np.zeros((2, len(WINDOWS) + 1), dtype=np.int64)
    counts[:, -1] = 6  # dead: both sides in it
    free = np.ones(connect6.N_CELLS, dtype=bool)
    cells = [connect6.N_CELLS // 2]
    while True:
        own = connect6.mover(len(cells) - 1) - 1
        windows = WINDOWS_OF_CELL[cells[-1]]
        free[cells[-1]] = False
        np.add.at(counts[own], windows[windows < len(WINDOWS)], 1)
        if counts[own, :-1].max() == 6 or len(cells) == max_stones:
            return cells
        own = connect6.mover(len(cells)) - 1
        stones_left = 2 if len(cells) % 2 == 1 else 1
        window_worth = WORTH[stones_left][7 * counts[own] + counts[1 - own]]
        worth = window_worth[WINDOWS_OF_CELL].sum(axis=1)
        noisy = np.log(worth + 0.1) / temperature + rng.gumbel(size=worth.size)
        cells.append(int(np.argmax(np.where(free, noisy, -np.inf))))
