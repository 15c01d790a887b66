"""Features of moves against plain Python, drawings and counts of the source."""

import numpy as np
import pytest

from gameai_lib.btmm.game import connect6, patterns, reversi
from gameai_lib.btmm.game.positions import records, undecided
from tests.btmm.random_games import reversi_games


def random_position(side, seed):
    """A board of which a third is taken, all other cells legal moves."""
    rng = np.random.default_rng(seed)
    board = rng.choice(3, side**2, p=(2 / 3, 1 / 6, 1 / 6)).astype(np.int8)
    board[0] = 0
    moves = np.flatnonzero(board == 0).astype(np.int16)
    flips = np.zeros(moves.size, np.int8)
    return undecided(board, seed + 1, moves, flips, np.count_nonzero(board))


def states_by_hand(position, cell, shape):
    side = int(position.boards.shape[1] ** 0.5)
    board, states = position.boards[0].reshape(side, side), []
    for d_row, d_column in shape.cells:
        row, column = cell // side + d_row, cell % side + d_column
        if not (0 <= row < side and 0 <= column < side):
            states.append(patterns.EDGES[shape.edge])
        else:
            stone = board[row, column]
            states.append(0 if stone == 0 else 1 if stone == position.to_move[0] else 2)
    return states


@pytest.mark.parametrize("side", [2, 9, 30])
@pytest.mark.parametrize("edge", patterns.EDGES)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_square_board_may_have_any_size(side, edge, seed):
    position = random_position(side, seed)
    far = patterns.Shape("far", ((0, -20), (1, 0), (25, 1)), edge=edge)
    block = patterns.neighbourhood(edge=edge, by_player=False)
    shapes = (*patterns.lines(5, edge=edge), far, block)
    features = patterns.FeatureSet("all", (*shapes, patterns.Flips()))
    for cell, team in zip(position.moves.tolist(), features.teams(position).tolist(), strict=True):
        for start, shape, feature in zip(features.starts, shapes, team, strict=False):
            states, player = shape.decode(feature - start)
            assert states == states_by_hand(position, cell, shape)
            assert player == (position.to_move[0] if shape.by_player else 0)


def test_the_move_stands_where_the_source_puts_it():
    # Figure 2(A): F4 in C4..J4, the fourth of eight.
    assert patterns.line("row", 8).cells == tuple((0, k) for k in (-3, -2, -1, 1, 2, 3, 4))
    assert patterns.line("row", 6).cells == tuple((0, k) for k in (-2, -1, 1, 2, 3))
    assert patterns.line("falling", 3).cells == ((-1, 1), (1, -1))


@pytest.mark.parametrize("edge", patterns.EDGES)
def test_the_number_of_states_is_that_which_shows_them(edge):
    shape = patterns.line("rising", 5, edge=edge)
    for feature in range(shape.size):
        states, player = shape.decode(feature)
        assert shape.number(states, player) == feature
    for wrong in [0, 1, 2], [0, 1, 2, 4]:
        with pytest.raises(ValueError, match="rising 5 has 4 states from 0"):
            shape.number(wrong)


def test_drawn_in_characters():
    positions = connect6.replay(records([[180, 181, 182, 178]]))
    row = patterns.line("row", 8)
    encoded = row.encode(positions)
    # Before the last stone black (X) is to move with k10 and l10 white (O).
    last = slice(positions.offsets[2], positions.offsets[3])
    for cell, text in (183, "XOO*.... black"), (179, "...*XOO. black"):
        [m] = np.flatnonzero(positions.moves[last] == cell)
        assert row.describe(int(encoded[last][m])) == text
    edge = patterns.line("column", 3, edge="own state", by_player=False)
    assert edge.describe(3) == "#*."
    block = patterns.neighbourhood(edge="own state", by_player=False)
    assert block.describe(0) == ".../.*./..."


def test_square_classes_are_the_orbits_of_the_eight_symmetries():
    board = np.arange(64).reshape(8, 8)
    images = [np.rot90(b, k) for b in (board, board.T) for k in range(4)]
    orbits = np.min([image.ravel() for image in images], axis=0).tolist()
    mine = patterns.square_classes()
    assert len(set(zip(orbits, mine.tolist(), strict=True))) == 10
    assert [*mine[[*map(reversi.cell_of, patterns.SQUARE_CLASSES)]]] == [*range(10)]


def test_square_flips_and_sets():
    positions = reversi.replay(reversi_games(3, np.random.default_rng(5))).unforced()
    features = patterns.FeatureSet("two", (patterns.Square(3), patterns.Flips()))
    teams = features.teams(positions)
    assert features.n_features == 40
    np.testing.assert_array_equal(teams[positions.offsets[:-1], 0] // 10, positions.ply // 20)
    np.testing.assert_array_equal(teams[:, 1] - 30, np.minimum(positions.flips, 10) - 1)
    assert features.describe(4) == "square: b2 stage 0"
    assert features.describe(39) == "flips: turns 10+"
    assert patterns.Square().describe(4) == "b2"


def test_a_set_checks_for_its_groups_and_asks_those_of_others_as_they_are():
    class Corner(patterns.Square):
        def encode(self, positions):
            return np.full(positions.moves.size, 3)

    positions = connect6.replay(records([[180, 181, 182]]))
    own = patterns.FeatureSet("own", (Corner(), patterns.Flips()))
    assert (own.teams(positions)[:, 0] == 3).all()
    with pytest.raises(ValueError, match="moves must be from 0 to 360, got "):
        own.teams(positions._replace(moves=positions.moves + 1000))
    with pytest.raises(ValueError, match="boards must be of 64 cells, got 361"):
        patterns.Square().encode(positions)
