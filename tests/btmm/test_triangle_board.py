"""The bench of three players, beside the update by hand and the chapter's paper case."""

import re

import numpy as np
import pytest

from gameai_book.btmm.boards.triangle import RESULTS, TriangleBoard
from tests.support.board_checks import targets
from touchbook.boards import WrongTouch


@pytest.mark.parametrize("place", ["at-1-1", "at-8-1", "at-1-8", "at-7-2"])
def test_from_every_place_the_updates_of_the_paper_climb_to_four_two_one(place):
    wins, board = np.array(RESULTS), TriangleBoard()
    board.touch(place)
    for _ in range(60):
        old, before = board.at, board.value(board.at)
        expected = ((wins + wins.T) * old[:, None] / (old[:, None] + old)).sum(axis=1)
        wished = old * wins.sum(axis=1) / expected
        board.touch("step")
        np.testing.assert_allclose(board.at, wished / wished.sum(), rtol=1e-12)
        assert board.value(board.at) >= before - 1e-12
    np.testing.assert_allclose(board.at, np.array([4, 2, 1]) / 7, atol=1e-4)
    np.testing.assert_allclose(board.best()[0], np.array([4, 2, 1]) / 7, rtol=1e-7)


def test_the_picture_has_the_likeliest_place_largest():
    picture = TriangleBoard().svg()
    discs = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" class="c5"', picture)
    assert len(discs) == len([name for name in targets(picture) if name.startswith("at-")]) == 36
    x, y, r = max((tuple(map(float, disc)) for disc in discs), key=lambda disc: disc[2])
    near = np.array([6, 3, 1]) / 10 @ [[228, 34], [63, 319.8], [393, 319.8]]  # to 4 : 2 : 1
    assert (x, y) == pytest.approx(near, abs=0.01)
    assert r <= 12.5


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        ([[0, 4, 4], [2, 0, 2], [0, 0, 0]], "'C'] never won"),
        ([[0, 1, 0], [2, 0, 0], [0, 0, 0]], "C has not played"),
        ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], "never lost"),
    ],
)
def test_where_nothing_is_the_likeliest_it_says_who_and_why(wins, words):
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
    for name in ("C-beat-A", "A-beat-B"):
        board.touch(name)
    assert board.wins.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    board = TriangleBoard()
    for name in ("none-for-C", "step"):
        board.touch(name)
    assert board.wins.tolist() == [[0, 4, 4], [2, 0, 2], [0, 0, 0]]
    assert board.at[2] < 1e-9  # the opposite side, in a single update


def board_of(wins):
    board = TriangleBoard()
    board.wins = np.array(wins)
    return board
