"""The bench of MM for moves: beside the paper case, the library's update, and its fit."""

import re

import numpy as np
import pytest

from gameai_book.btmm.boards.moves import MOVES, PATTERNS, PLAYED, TEAMS, MovesBoard
from gameai_lib.btmm import from_teams
from gameai_lib.btmm.model import mm
from tests.support.board_checks import targets
from touchbook.boards import WrongTouch

FIRST, SECOND = [[0, 2], [0], [1, 2]], [[2], [0, 1], [1]]  # teams, read off the picture by eye


def data(played):
    """The games as the library takes them."""
    return from_teams([FIRST] * 3 + [SECOND] * 3, [0, 1, 2] * 2, played)


def board_of(played):
    board = MovesBoard()
    board.played = np.array(played)
    return board


def test_the_first_update_by_hand():
    """All moves have a third; joins is on two of three, then on one of three, and won four."""
    assert [np.flatnonzero(team).tolist() for team in TEAMS] == FIRST + SECOND
    board = MovesBoard()
    assert board.expected.tolist() == [[2, 1, 2], [1, 2, 1]]
    assert board.wins.tolist() == [4, 2, 3]
    assert "All 6 games together have a chance of 1 in 729." in board.say()
    assert "the model expects 3.00. Its new strength is 1 × 4 / 3.00 = 1.33." in board.say()
    board.touch("update")
    np.testing.assert_allclose(board.gamma, [4 / 3, 1, 1], rtol=1e-12)
    one, two = np.array([4 / 3, 4 / 3, 1]), np.array([1, 4 / 3, 1])
    np.testing.assert_allclose(board.chance, [*one / one.sum(), *two / two.sum()], rtol=1e-12)


@pytest.mark.parametrize("played", [PLAYED, (4, 1, 1, 1, 3, 1), (0, 2, 1, 3, 0, 1)])
def test_every_update_is_the_librarys(played):
    board, games = board_of(played), data(played)
    for k in range(30):
        measured = mm.measure(games, games.wins(), board.gamma, mm.Prior(0.0))
        assert board.log_likelihood == pytest.approx(measured.step.log_likelihood, rel=1e-12)
        np.testing.assert_allclose(board.expected.sum(axis=0), measured.expected, rtol=1e-12)
        wished = board.gamma.copy()
        wished[k % 3] = mm.update(wished, measured)[k % 3]  # one pattern at a time
        board.touch("update")
        np.testing.assert_allclose(board.gamma, wished, rtol=1e-12)


def test_the_updates_end_where_the_lesson_says():
    board = MovesBoard()
    for _ in range(450):
        board.touch("update")
    assert board.gamma.round(1).tolist() == [2.6, 0.5, 1.2]
    assert "1 in 343.9." in board.say()
    board = board_of((0, 3, 0, 0, 1, 2))  # no corner
    for _ in range(3):
        board.touch("update")
    assert board.gamma[PATTERNS.index("corner")] == 1e-12
    targets(board.svg())


def test_the_picture_says_what_is_computed():
    board = MovesBoard()
    for name in ("update", "update", "played-211111", "update"):
        board.touch(name)
        assert len(targets(board.svg())) == len(MOVES)
        words = re.findall(r"<text[^>]*>([^<]*)</text>", board.svg())
        assert {f"{100 * chance:.0f} %" for chance in board.chance} <= set(words)
        for first, second in board.expected.T:
            assert f"{first:.2f} + {second:.2f} = {first + second:.2f}" in words
        assert board.buttons() == [("update", f"Update “{PATTERNS[board.next]}”")]
    assert len(board.trail) == 1  # it began again from 1
    board = board_of((1, 0, 0, 0, 0, 0))
    assert "The one game has" in board.say()
    assert "position 1, 1 game<" in board.svg()
    for _ in range(9):  # after nine comes none
        board.touch(targets(board.svg())[1])
    with pytest.raises(WrongTouch, match="One game must stay"):
        board.touch("played-000000")
