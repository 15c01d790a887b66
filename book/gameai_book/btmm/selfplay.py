"""Games of Connect-6 for readers without a file of records.

A seeded player counts stones in every window of six cells, so it completes and blocks sixes.
"""

import numpy as np

from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.patterns import DIRECTIONS
from gameai_lib.btmm.game.positions import records


def _windows():
    """Return (n_windows, 6) int: the cells of every six in a row."""
    side = range(connect6.SIDE)
    return np.array(
        [
            [(row + k * r) * connect6.SIDE + column + k * c for k in range(6)]
            for r, c in DIRECTIONS.values()
            for row in side
            for column in side
            if row + 5 * r in side and column + 5 * c in side
        ]
    )


WINDOWS = _windows()

# Worth of one more stone in a window that holds only own, or only opposing, stones.
ATTACK = np.array([1.0, 4.0, 12.0, 30.0, 60.0, 60.0, 0.0])
DEFENCE = np.array([0.0, 3.0, 9.0, 25.0, 0.0, 0.0, 0.0])
WIN, BLOCK = 1e6, 1e4
TEMPERATURE = 0.35  # how freely weaker points are chosen, in units of ln worth
MOST_STONES = 160


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


def play_connect6(n_games, rng):
    """Play Connect-6 games between equals, up to `MOST_STONES`; return `Records`."""
    return records([_connect6_game(rng) for _ in range(n_games)])


def _connect6_game(rng):
    counts = np.zeros((2, len(WINDOWS)), int)
    free = np.ones(connect6.N_CELLS, bool)
    cells = [connect6.N_CELLS // 2]
    while True:
        own = connect6.mover(len(cells) - 1) - 1
        free[cells[-1]] = False
        counts[own, np.flatnonzero(WINDOWS.ravel() == cells[-1]) // 6] += 1
        if counts[own].max() == 6 or len(cells) == MOST_STONES:
            return cells
        own = connect6.mover(len(cells)) - 1
        stones_left = 2 if len(cells) % 2 == 1 else 1
        of_windows = WORTH[stones_left][7 * counts[own] + counts[1 - own]]
        worth = np.bincount(WINDOWS.ravel(), of_windows.repeat(6))
        noisy = np.log(worth + 0.1) / TEMPERATURE + rng.gumbel(size=worth.size)
        cells.append(int(np.argmax(np.where(free, noisy, -np.inf))))
