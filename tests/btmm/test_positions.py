"""Records and positions of both games: notation, choice, and arrays that do not fit."""

import numpy as np
import pytest

from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import RecordError, Records, records
from tests.btmm.random_games import reversi_games


@pytest.mark.parametrize(("rules", "last"), [(reversi, "h8"), (connect6, "s19")])
def test_notation(rules, last):
    cells = range(rules.N_CELLS)
    squares = [rules.square_of(cell) for cell in cells]
    assert (squares[0], squares[-1]) == ("a1", last)
    assert [*map(rules.cell_of, squares)] == [*cells]
    for wrong in ("", "a", "a0", "t1", "a20", "A1", "a01", "11", "a1 ", "a²"):
        with pytest.raises(ValueError, match=r"no (square|point)"):
            rules.cell_of(wrong)


def test_positions_take_and_unforced():
    positions = reversi.replay(reversi_games(2, np.random.default_rng(1)))
    free, rows = positions.unforced(), np.flatnonzero(np.diff(positions.offsets) > 1)
    assert free.n_positions == rows.size < positions.n_positions
    last, there = (
        slice(some.offsets[i], some.offsets[i + 1])
        for some, i in ((free, rows.size - 1), (positions, int(rows[-1])))
    )
    np.testing.assert_array_equal(free.moves[last], positions.moves[there])
    np.testing.assert_array_equal(free.flips[last], positions.flips[there])


def test_records_in_chunks():
    games = records([[1], [2, 3], [], [4], [5, 6]])
    parts = list(games.chunks(2))
    assert [part.n_games for part in parts] == [2, 2, 1]
    assert [part.game(0).tolist() for part in parts] == [[1], [], [5, 6]]
    assert games.take([4, 0]).moves.tolist() == [5, 6, 1]


@pytest.mark.parametrize(("rules", "cell"), [(reversi, 37), (connect6, 180)])
@pytest.mark.parametrize("use", ["first_illegal", "replay"])
def test_arrays_that_do_not_fit_are_refused_before_compiled_code_reads_them(rules, cell, use):
    for moves, offsets, message in (
        ([cell], [0, 10**9], "offsets must run from 0 to 1"),
        ([cell, cell], [0, 5, 2], "offsets must not fall"),
        ([cell], [], "offsets must run"),
        ([2**20], [0, 1], "moves must be from -32768 to 32767, got 1048576"),
    ):
        with pytest.raises((RecordError, ValueError), match=message):
            getattr(rules, use)(Records(np.array(moves), np.array(offsets)))


def test_positions_by_the_rules():
    played = reversi.replay(reversi_games(2, np.random.default_rng(7)))
    for i in range(played.n_positions):
        one = played.take([i])
        made = reversi.position(one.boards[0], int(one.to_move[0]))
        for field in ("boards", "to_move", "offsets", "moves", "flips", "ply"):
            assert np.array_equal(getattr(one, field), getattr(made, field)), field
