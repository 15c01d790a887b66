"""Two partners on one board, beside the stored league, the library's own games, and by hand."""

import itertools

import numpy as np
import pytest

from gameai_book.together.agents import AGENTS
from gameai_book.together.boards.partners import MOST_DECKS, PartnersBoard
from gameai_book.together.boards.points import mean_and_error
from gameai_book.together.meeting import Meeting
from gameai_book.together.results.league import stored_league, stored_strengths
from gameai_lib.together.league import play_pairs, rate_partners
from tests.support.board_checks import touch
from touchbook.boards import Session


def played(n_decks=MOST_DECKS, **options):
    """A board after a touch of its button, or after so many decks if these are fewer."""
    board = PartnersBoard(**options)
    for _ in board.think():
        if len(board.scores) >= n_decks:
            break
    return board


def stored(first, second, n_decks):
    """What the stored league has for the three pairs of two agents, (n_decks, 3)."""
    i, j = (stored_league().names.index(name) for name in (first, second))
    return stored_league().scores[[i, j, i], [i, j, j], :n_decks].T


@pytest.mark.parametrize(("second", "n"), [("Mirror", 40), ("Van den Bergh", 100)])
def test_decks_are_those_of_the_stored_league(second, n):
    board = played(first="Convention", second=second, seed=1)
    np.testing.assert_array_equal(board.scores, stored("Convention", second, n))
    assert board.thinks == f"Play {n} more decks"


@pytest.mark.slow
def test_a_searcher_plays_its_stored_decks_move_by_move():
    board = PartnersBoard(first="Soft searcher", second="IGGI", seed=1)
    steps = board.think()
    assert [*itertools.islice(steps, 60)]  # the reader can stop it between
    while len(board.scores) < 2:
        next(steps)
    np.testing.assert_array_equal(board.scores, stored("Soft searcher", "IGGI", 2))


def test_other_decks_are_the_librarys_and_the_second_touch_goes_on():
    board = played(first="IGGI", second="Outer", seed=5)
    for _ in board.think():
        pass
    scores = play_pairs([AGENTS["IGGI"], AGENTS["Outer"]], 200, 5)
    np.testing.assert_array_equal(board.scores, scores[[0, 1, 0], [0, 1, 1]].T)
    assert "Mean points on 200 decks" in board.say()
    swapped = played(first="Outer", second="IGGI", seed=5)
    np.testing.assert_array_equal(swapped.scores, np.array(board.scores)[:100, [1, 0, 2]])


def test_decks_that_were_played_are_in_the_text():
    session, again = Session(played(second="Van den Bergh", seed=1)), Session(PartnersBoard())
    assert again.answer({"do": "load", "text": session.text})["say"] == session.board.say()
    again.answer({"do": "undo"})
    assert len(again.board.scores) == 90  # ten are a picture
    for letters in ("AB", "AA[", "ABC" * 1001, ""):
        assert session.answer({"do": "touch", "name": f"met-{letters}"})["wrong"]


def test_three_decks_by_hand():
    found = Meeting(("Convention", "Mirror"), np.array([[20, 19, 1], [18, 18, 18], [5, 9, 7]]))
    np.testing.assert_array_equal(found.outcomes, [[0, 0], [0.5, 0.5], [1, 0]])
    means, errors = mean_and_error(found.scores)
    np.testing.assert_allclose(means, [43 / 3, 46 / 3, 26 / 3])
    assert errors[1] == pytest.approx(np.sqrt((11**2 + 8**2 + 19**2) / 9 / 2 / 3))
    # Strengths of pairs are products: of two of the one, and of one of each.
    one, other = (np.exp(stored_strengths()[name].strength) for name in found.names)
    beats_one = one * other / (one * other + one * one)
    np.testing.assert_allclose(found.expected, [beats_one, 1 - beats_one])
    assert np.isnan(mean_and_error(found.scores[:1])[1]).all()


@pytest.mark.slow
def test_strengths_are_those_of_the_stored_scores():
    league = stored_league()
    partners = rate_partners(league.scores, 2, n_refits=10)
    rows = [stored_strengths()[name] for name in league.names]
    np.testing.assert_allclose([row.strength for row in rows], partners.strength, atol=1e-3)
    ratio = partners.error / [row.error for row in rows]
    assert 0.4 < ratio.min() < 1 < ratio.max() < 1.8


def test_what_the_chapter_says_of_the_convention_and_the_mirror():
    board = played(seed=1)
    assert "seen 0\N{NO-BREAK SPACE}%, expected 23" in board.svg()
    assert "the two lose by their partnership" in board.say()
    for other in (played(first="IGGI", second="Piers", seed=1), played(1, seed=1)):
        assert "that may be chance" in other.say()
    # Between them the Hearer's games lie, but the league's strengths put it before the Convention.
    assert "but not those of the league" in played(second="Hearer", seed=1).say()


def test_partners_are_chosen():
    session = Session(played(10))
    said = touch(session, "second-van-den-bergh")["say"]
    assert "Convention and Van den Bergh have played no deck yet. Guess" in said
    touch(session, "first-van-den-bergh")  # who sat there takes the other seat
    chosen = [now for _, _, now in session.board.selects()]
    assert chosen == ["first-van-den-bergh", "second-convention"]


def test_a_searcher_has_no_record_and_enough_is_enough():
    assert PartnersBoard(first="Searcher").runs_to_record() == []
    board = PartnersBoard()
    board.scores = ((20, 19, 1),) * MOST_DECKS
    assert (board.thinks, list(board.think())) == ("", [0.0])
