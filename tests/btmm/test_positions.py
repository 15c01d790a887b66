"""Records and positions of both games: notation, choice, and arrays that do not fit."""

import numpy as np
import pytest

from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import RecordError, Records, records, split_games
from tests.btmm.random_games import reversi_games


@pytest.mark.parametrize(("rules", "last"), [(reversi, "h8"), (connect6, "s19")])
def test_notation(rules, last):
    assert rules.cell_of("a1") == 0
    assert rules.square_of(rules.N_CELLS - 1) == last
    assert [rules.cell_of(rules.square_of(c)) for c in range(rules.N_CELLS)] == list(
        range(rules.N_CELLS)
    )
    for wrong in ("", "a", "a0", "t1", "a20", "A1", "a01", "11", "a1 ", "a²"):
        with pytest.raises(ValueError, match=r"no (square|point)"):
            rules.cell_of(wrong)
    for wrong in (-1, rules.N_CELLS):
        with pytest.raises(ValueError, match=f"cell must be .* got {wrong}"):
            rules.square_of(wrong)


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


def test_records_in_chunks_and_split():
    games = records([[1], [2, 3], [], [4], [5, 6]])
    parts = list(games.chunks(2))
    assert [part.n_games for part in parts] == [2, 2, 1]
    assert [part.game(0).tolist() for part in parts] == [[1], [], [5, 6]]
    assert games.take([4, 0]).moves.tolist() == [5, 6, 1]
    train, test = split_games(45, np.random.default_rng(1))
    assert test.sum() == 2
    assert (train ^ test).all()
    again, other = (split_games(45, np.random.default_rng(seed))[1] for seed in (1, 2))
    assert (again == test).all()
    assert (other != test).any()


@pytest.mark.parametrize(("rules", "cell"), [(reversi, 37), (connect6, 180)])
def test_arrays_that_do_not_fit_are_refused_before_compiled_code_reads_them(rules, cell):
    for moves, offsets, message in (
        ([cell], [0, 10**9], "offsets must run from 0 to 1"),
        ([cell, cell], [0, 5, 2], "offsets must not fall"),
        ([cell], [], "offsets must run"),
        ([2**20], [0, 1], "moves must be from -32768 to 32767, got 1048576"),
    ):
        broken = Records(np.array(moves), np.array(offsets))
        for use in (rules.first_illegal, rules.replay):
            with pytest.raises((RecordError, ValueError), match=message):
                use(broken)
    with pytest.raises(ValueError, match=r"cells, got 3"):
        rules.legal_moves(np.zeros(3, np.int8), *([1] if rules is reversi else []))
    with pytest.raises(RecordError, match="game 2, move 1: no cell"):
        connect6.winner_of(records([[180], [361]]))
    with pytest.raises(ValueError, match="colour must be"):
        reversi.legal_moves(reversi.start_board(), 3)


def test_positions_by_the_rules():
    played = reversi.replay(reversi_games(2, np.random.default_rng(7)))
    for i in range(played.n_positions):
        one = played.take([i])
        made = reversi.position(one.boards[0], int(one.to_move[0]))
        for field in ("boards", "to_move", "offsets", "moves", "flips", "ply"):
            assert np.array_equal(getattr(one, field), getattr(made, field)), field
    with pytest.raises(ValueError, match="colour 1 cannot move"):
        reversi.position(np.zeros(64, np.int8), 1)
    with pytest.raises(ValueError, match="the board is full"):
        connect6.position(np.ones(361, np.int8))
