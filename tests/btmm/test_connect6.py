"""Rules and replay of Connect-6 by hand."""

import numpy as np
import pytest

from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.positions import RecordError, records


def c6(text):
    return [connect6.cell_of(s) for s in text.split()]


@pytest.mark.parametrize(
    "row",
    [
        "j10 k10 l10 m10 n10 o10",
        "j10 j11 j12 j13 j14 j15",
        "j10 k11 l12 m13 n14 o15",
        "j10 i11 h12 g13 f14 e15",
        "n1 o1 p1 q1 r1 s1",
        "a14 b15 c16 d17 e18 f19",
    ],
)
def test_connect6_is_won_by_six_in_each_direction(row):
    board = np.zeros(361, np.int8)
    cells = c6(row)
    board[cells[:-1]] = 1
    assert not any(connect6.six_at(board, cell) for cell in cells)
    board[cells[-1]] = 1
    assert all(connect6.six_at(board, cell) == sorted(cells) for cell in cells)
    assert connect6.legal_moves(board).size == 355
    board[:] = 0
    board[c6("q1 r1 s1 a2 b2 c2")] = 1  # rows do not run over the edge
    assert not connect6.six_at(board, c6("s1")[0])


WON = "j10 a1 c1 k10 l10 e1 g1 m10 n10 a3 c3 o10"


def test_connect6_replay_by_hand():
    games = records([c6(WON), c6("j10 a1")])
    assert connect6.winner_of(games).tolist() == [1, 0]
    positions = connect6.replay(games)
    assert positions.n_positions == 12
    assert positions.to_move.tolist() == [2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 2]
    assert positions.ply.tolist() == [*range(1, 12), 1]
    np.testing.assert_array_equal(np.diff(positions.offsets), 361 - positions.ply)
    played = positions.moves[positions.offsets[:-1] + positions.chosen]
    assert played.tolist() == [*c6(WON)[1:], 0]
    assert positions.boards[10].sum() == 5 + 2 * 6
    np.testing.assert_array_equal(
        positions.moves[: positions.offsets[1]], connect6.legal_moves(positions.boards[0])
    )


def test_connect6_illegal_games_are_named():
    for extra in "p1", "j10":
        with pytest.raises(RecordError, match=r"game 1, stone 13: cell \d+ is illegal"):
            connect6.replay(records([c6(f"{WON} {extra}")]))
    assert connect6.first_illegal(records([[361], [180, 180], [180]])).tolist() == [0, 1, -1]
