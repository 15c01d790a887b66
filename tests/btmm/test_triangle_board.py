"""The bench of three players, beside the update by hand and the chapter's paper case."""

import numpy as np
import pytest

from gameai_book.btmm.boards.triangle import RESULTS, TriangleBoard
from gameai_book.btmm.surrogate import pairs_log_likelihood
from gameai_lib.btmm import from_pairs
from gameai_lib.btmm.model import mm
from tests.support.board_checks import targets
from touchbook.boards import WrongTouch

PLACES = [(i, j, 10 - i - j) for i in range(1, 9) for j in range(1, 10 - i)]


def board_of(wins):
    board = TriangleBoard()
    board.wins = np.array(wins)
    return board


def test_the_likelihood_and_the_update_are_those_of_the_library_and_of_the_paper():
    wins = np.array(RESULTS)
    won, lost = np.nonzero(wins)
    data = from_pairs(won, lost, weight=wins[won, lost])
    gamma = np.array([[1, 1, 1], [100, 10, 1], [2, 3, 1]], float)
    seen = [next(mm.batch(data, mm.Prior(0.0), g)).log_likelihood for g in gamma]
    np.testing.assert_allclose(pairs_log_likelihood(wins, gamma), seen, rtol=1e-12)
    board = TriangleBoard()
    for name in ("at-1-8", "step", "at-7-2"):
        board.touch(name)
        old = board.at
        wished = wins.sum(axis=1) / ((wins + wins.T) / (old[:, None] + old)).sum(axis=1)
        np.testing.assert_allclose(board.updated, wished / wished.sum(), rtol=1e-12)


@pytest.mark.parametrize("place", ["at-1-1", "at-8-1", "at-1-8", "at-4-3"])
def test_from_every_place_the_steps_climb_to_four_two_one(place):
    board, values = TriangleBoard(), []
    board.touch(place)
    for _ in range(60):
        values.append(float(board.value(board.at)))
        board.touch("step")
    assert (np.diff(values) >= -1e-12).all()
    np.testing.assert_allclose(board.at, np.array([4, 2, 1]) / 7, atol=1e-4)
    best, why = board.best()
    assert why == ""
    np.testing.assert_allclose(best, np.array([4, 2, 1]) / 7, rtol=1e-7)


def test_the_picture_has_the_likeliest_place_largest():
    board = TriangleBoard()
    picture = board.svg()
    assert {f"at-{i}-{j}" for i, j, _ in PLACES} <= set(targets(picture))
    discs = [part.split('"') for part in picture.split("<circle ")[1:] if 'class="c5"' in part]
    x, y, r = max(((float(p[1]), float(p[3]), float(p[5])) for p in discs), key=lambda p: p[2])
    best = max(PLACES, key=lambda place: board.value(np.array(place)))
    at = np.array(best) / 10 @ [[228, 34], [63, 319.8], [393, 319.8]]
    assert [x, y] == pytest.approx(at, abs=0.01)
    assert r <= 12.5


def test_where_nothing_is_the_likeliest_it_says_who_and_why():
    for wins, words in (
        ([[0, 4, 4], [2, 0, 2], [0, 0, 0]], "'C'] never won"),
        ([[0, 1, 0], [2, 0, 0], [0, 0, 0]], "C has not played"),
        ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], "never lost"),
    ):
        board = board_of(wins)
        for _ in range(3):
            assert "No strengths are the likeliest" in board.say()
            assert words in board.say()
            board.svg()
            board.touch("step")


def test_wins_are_counted_and_one_game_must_stay():
    board = board_of([[0, 9, 0], [0, 0, 0], [0, 0, 0]])
    with pytest.raises(WrongTouch, match="One game must stay"):
        board.touch("A-beat-B")
    board.touch("C-beat-A")
    board.touch("A-beat-B")
    assert board.wins.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    board = TriangleBoard()
    for name in ("C-beat-A", "none-for-C", "step"):
        board.touch(name)
    assert board.wins.tolist() == [[0, 4, 4], [2, 0, 2], [0, 0, 0]]
    assert board.at[2] < 1e-9  # the opposite side, in a single update
