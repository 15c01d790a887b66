"""The bench of MM for moves: beside the paper case, the library's update, and its fit."""

import re
from itertools import islice

import numpy as np
import pytest

from gameai_book.btmm.boards.moves import MOVES, PATTERNS, PLAYED, POSITIONS, TEAMS, MovesBoard
from gameai_lib.btmm import fit, from_teams
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.existence import NoMaximumError
from tests.support.board_checks import check_session, targets, touch
from touchbook.boards import Session, WrongTouch

FIRST, SECOND = [[0, 2], [0], [1, 2]], [[2], [0, 1], [1]]  # teams, read off the picture by eye


def data(played):
    """The games as the library takes them."""
    return from_teams([FIRST] * 3 + [SECOND] * 3, [0, 1, 2] * 2, played)


def board_of(played):
    board = MovesBoard()
    board.played = np.array(played)
    return board


def test_the_teams_are_those_of_the_picture():
    assert [np.flatnonzero(team).tolist() for team in TEAMS] == FIRST + SECOND
    for position in POSITIONS:
        assert [position.count(what) for what in "XO."] == [3, 3, 3]


def test_the_first_updates_by_hand():
    """All moves have a third; joins is on two of three, then on one of three, and won four."""
    board = MovesBoard()
    assert board.expected.tolist() == [[2, 1, 2], [1, 2, 1]]
    assert board.wins.tolist() == [4, 2, 3]
    assert "All 6 games together have a chance of 1 in 729.0." in board.say()
    assert "the model expects 3.00. Its new strength is 1 × 4 / 3.00 = 1.33." in board.say()
    board.touch("update")
    g = 4 / 3
    np.testing.assert_allclose(board.gamma, [g, 1, 1], rtol=1e-12)
    one, two = [g, g, 1], [1, g, 1]
    np.testing.assert_allclose(board.chance[:3], np.array(one) / sum(one), rtol=1e-12)
    np.testing.assert_allclose(board.chance[3:], np.array(two) / sum(two), rtol=1e-12)
    chance = (g / sum(one)) ** 3 * g / sum(two) ** 3
    assert board.log_likelihood == pytest.approx(np.log(chance), rel=1e-12)


@pytest.mark.parametrize("played", [PLAYED, (4, 1, 1, 1, 3, 1), (0, 2, 1, 3, 0, 1)])
def test_every_update_is_the_librarys_and_none_lowers_the_likelihood(played):
    board, games = board_of(played), data(played)
    for k in range(30):
        measured = mm.measure(games, games.wins(), board.gamma, mm.Prior(0.0))
        assert board.log_likelihood == pytest.approx(measured.step.log_likelihood, rel=1e-12)
        np.testing.assert_allclose(board.expected.sum(axis=0), measured.expected, rtol=1e-12)
        wished = np.where(
            np.arange(3) == k % 3, mm.update(board.gamma, measured), board.gamma
        )  # one pattern at a time
        before = board.log_likelihood
        board.touch("update")
        np.testing.assert_allclose(board.gamma, wished, rtol=1e-12)
        assert board.log_likelihood >= before - 1e-12


def test_the_updates_end_at_the_likeliest_strengths():
    board = MovesBoard()
    for _ in range(450):
        board.touch("update")
    likeliest = fit(data(PLAYED), prior=0.0, tol=1e-14)
    np.testing.assert_allclose(board.gamma, likeliest.gamma, rtol=1e-5)
    np.testing.assert_allclose(board.wins, board.expected.sum(axis=0), atol=1e-5)
    # What the lesson says of the end.
    assert board.gamma.round(1).tolist() == [2.6, 0.5, 1.2]
    assert "1 in 343.9." in board.say()


def test_a_pattern_that_never_won_falls_to_nothing():
    played = (0, 3, 0, 0, 1, 2)  # no corner
    board = board_of(played)
    for _ in range(3):
        board.touch("update")
    assert board.gamma[PATTERNS.index("corner")] == 1e-12
    assert "Its new strength" in board.say()
    targets(board.svg())
    with pytest.raises(NoMaximumError, match="never won"):
        fit(data(played), prior=0.0)


def test_the_picture_shows_what_is_computed():
    board = MovesBoard()
    for name in ("update", "update", "played-310111", "update"):
        board.touch(name)
        picture = board.svg()
        assert len(targets(picture)) == len(MOVES)
        words = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
        for chance in board.chance:
            assert f"{100 * chance:.0f} %" in words
        for first, second in board.expected.T:
            assert f"{first:.2f} + {second:.2f} = {first + second:.2f}" in words
        assert f"position 1, {board.games[0]} games" in words
        assert board.buttons() == [("update", f"Update “{PATTERNS[board.next]}”")]


def test_a_touch_is_one_game_more_and_begins_again():
    session = Session(MovesBoard())
    touch(session, "update")
    name = targets(session.board.svg())[2]
    said = touch(session, name)
    assert session.board.played.tolist() == [2, 1, 1, 1, 1, 1]
    assert session.board.gamma.tolist() == [1, 1, 1]
    assert said["text"].endswith(f"touches: update {name}\n")
    one = board_of((1, 0, 0, 0, 0, 0))
    assert "The one game has" in one.say()
    assert "position 1, 1 game<" in one.svg()
    for _ in range(9):  # after nine comes none
        one.touch(targets(one.svg())[1])
    with pytest.raises(WrongTouch, match="One game must stay"):
        one.touch("played-000000")
    for name in ("played-", "played-12", "played-1234567", "played-²11111", "played-x11111", "at"):
        with pytest.raises(WrongTouch):
            one.touch(name)


def test_it_is_kept_taken_back_and_recorded():
    session = Session(MovesBoard())
    for name in ("update", "played-211111", "update", "update"):
        touch(session, name)
    check_session(session)
    states = Session(MovesBoard()).recorded()
    run = Session(MovesBoard())
    for log in islice(states, 5):
        state = touch(run, "update") if log else run.answer({"do": "look"})
        assert states[log] == state | {"recorded": True}
    for name in targets(MovesBoard().svg()):
        assert f"{name} update update update" in states
