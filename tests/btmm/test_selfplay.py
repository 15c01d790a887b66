"""The library's own players: seeded, legal, and better than chance."""

import numpy as np

from gameai_book.btmm import selfplay
from gameai_lib.btmm.game import connect6


def test_the_connect6_player_completes_and_blocks_sixes():
    # White holds four of a row of six with two stones to place, then black does.
    games = selfplay.play_connect6(20, np.random.default_rng(0))
    again = selfplay.play_connect6(2, np.random.default_rng(0))
    np.testing.assert_array_equal(games.take([0, 1]).moves, again.moves)
    assert (connect6.first_illegal(games) == -1).all()
    won, missed = 0, 0
    for g in range(games.n_games):
        cells, board = games.game(g), np.zeros(361, np.int64)
        for ply, cell in enumerate(cells):
            mine = board[selfplay.WINDOWS] == connect6.mover(ply)
            clear = ((board[selfplay.WINDOWS] == 0) | mine).all(axis=1)
            if ply % 2 == 1 and (clear & (mine.sum(axis=1) >= 4)).any():
                won += ply + 2 == cells.size
                missed += ply + 2 < cells.size
                break
            board[cell] = connect6.mover(ply)
    assert won >= 15
    assert missed == 0
