"""Rules and replay of Reversi against plain Python and known counts."""

import numpy as np
import pytest

from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.game.positions import RecordError, records
from tests.btmm.random_games import discs_by_hand, reversi_games


def perft(board, colour, depth):
    if depth == 0:
        return 1
    moves = reversi.legal_moves(board, colour)
    if moves.size == 0:
        if reversi.legal_moves(board, 3 - colour).size == 0:
            return 1
        return perft(board, 3 - colour, depth - 1)
    return sum(perft(reversi.played(board, colour, m), 3 - colour, depth - 1) for m in moves)


def test_reversi_tree_has_the_known_number_of_leaves():
    leaves = [perft(reversi.start_board(), 1, depth) for depth in range(1, 6)]
    assert leaves == [4, 12, 56, 244, 1396]


def test_reversi_wipe_out_in_nine_moves():
    # The shortest game: black takes every stone, so the game ends with cells empty.
    cells = [reversi.cell_of(s) for s in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]]
    board, colour = reversi.start_board(), 1
    for cell in cells:
        board = reversi.played(board, colour, cell)
        colour = reversi.next_to_move(board, colour)
    assert colour == 0
    assert (board == 2).sum() == 0
    assert reversi.winner_of(board) == 1
    assert reversi.first_illegal(records([cells]))[0] == -1
    assert reversi.first_illegal(records([[*cells, 0]]))[0] == 9
    # Black has 13 stones, and the 51 empty squares are his.
    assert reversi.verdicts(records([cells]))[1].tolist() == [64]


def test_reversi_replay_agrees_with_playing_move_by_move():
    games, passes = reversi_games(6, np.random.default_rng(2)), 0
    positions = reversi.replay(games)
    for g in range(games.n_games):
        board, colour = reversi.start_board(), 1
        for k, i in enumerate(np.flatnonzero(positions.game == g)):
            np.testing.assert_array_equal(positions.boards[i], board)
            assert (positions.to_move[i], positions.ply[i]) == (colour, k)
            legal = slice(positions.offsets[i], positions.offsets[i + 1])
            moves = reversi.legal_moves(board, colour)
            np.testing.assert_array_equal(positions.moves[legal], moves)
            cell = moves[positions.chosen[i]]
            assert cell == games.game(g)[k]
            after = reversi.played(board, colour, cell)
            turned = (after == colour).sum() - (board == colour).sum() - 1
            assert positions.flips[legal][positions.chosen[i]] == turned
            following = reversi.next_to_move(after, colour)
            passes += following == colour
            board, colour = after, following
        assert colour == 0
    assert passes > 0


def test_reversi_illegal_games_are_named():
    with pytest.raises(RecordError, match="game 2, move 2: cell 0 is illegal"):
        reversi.replay(records([[37, 43], [37, 0]]))
    assert reversi.first_illegal(records([[64], [-1], [], [37, 37]])).tolist() == [0, 0, -1, 1]


def test_discs_at_the_end():
    games = reversi_games(10, np.random.default_rng(2))
    wanted = [discs_by_hand(games.game(g)) for g in range(10)]
    assert reversi.verdicts(games)[1].tolist() == wanted
    illegal, discs = reversi.verdicts(records([games.game(0), [0], games.game(0)[:-1], []]))
    assert illegal.tolist() == [-1, 0, -1, -1]
    assert discs[1:].tolist() == [-1, -1, -1]
