"""Where points go, deal by deal: beside stored tables, games played another way, and by hand."""

import numpy as np
import pytest

from gameai_book.together.boards.open_deals import N_DEALS, OpenDealsBoard, say_parts
from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.open_deals import stored_open_deals
from gameai_book.together.split import Deal, split_deal
from gameai_lib.together.best_line import Line
from tests.support.board_checks import touch
from touchbook.boards import Session


def played(board):
    """The board after a touch of its button."""
    for _ in board.think():
        pass
    return board


@pytest.fixture(scope="module")
def board():
    """Eight deals of the stored tables."""
    return played(OpenDealsBoard(seed=1))


def stored(n_players, n):
    """Of the first deals, points of the Convention, of those who read, and with open cards."""
    _, deals, scores = stored_open_deals()
    convention = next(s for s in scores if (s.agent, s.n_players) == ("Convention", n_players))
    rungs = [stored_rungs()["both"][0], *stored_rungs()["tables"]]
    readers = next(rung for rung in rungs if rung.n_players == n_players)
    columns = convention.scores, readers.first_scores, deals[n_players].points
    return list(zip(*(column[:n] for column in columns), strict=True))


def points(deal):
    return deal.convention, deal.readers, deal.line.points


def test_deals_are_those_of_the_stored_tables(board):
    assert [deal.number for deal in board.deals] == list(range(N_DEALS))
    assert [points(deal) for deal in board.deals] == stored(2, N_DEALS)
    assert all(sum(deal.parts) == 25 for deal in board.deals)
    *others, deal = split_deal(3, 1, 0)
    assert points(deal) == stored(3, 1)[0]
    assert len(others) > 20  # the reader can stop it between
    assert [other.is_whole for other in [*others, deal]] == [False] * len(others) + [True]


def test_parts_by_hand():
    line = Line(24, 25, (), 20_000)
    assert Deal(0, 20).parts == (20,)
    assert Deal(0, 20, 18).parts == (20, -2)
    assert Deal(0, 20, 18, line).parts == (20, -2, 6, 1)
    assert not Deal(0, 20, 18, line).is_proven
    assert Deal(0, 20, 18, line._replace(most=24)).is_proven


def test_means_are_those_of_the_parts(board):
    means, errors = board.means
    parts = np.array([deal.parts for deal in board.deals])
    np.testing.assert_allclose(means, parts.mean(axis=0))
    np.testing.assert_allclose(errors, np.sqrt(parts.var(axis=0, ddof=1) / N_DEALS))


def test_a_loss_is_an_arrow_and_what_is_not_proven_has_a_mark(board):
    assert board.deals[3].parts[1] == -1
    assert "win 1 fewer" in say_parts(board.deals[3].parts)
    assert board.svg().count("Z") == 1  # the head of the arrow
    deals = stored_open_deals()[1][2]
    number = next(i for i in range(500) if deals.points[i] < deals.most[i])
    *_, deal = split_deal(2, 1, number)
    other = OpenDealsBoard(seed=1)
    other.deals = (deal,)
    assert f">{25 - deal.line.points}?</text>" in other.svg()
    assert "It is not proven" in other.say()


def test_deals_that_were_played_are_kept_as_text(board):
    session, other = Session(board), Session(OpenDealsBoard())
    assert other.answer({"do": "load", "text": session.text})["wrong"] == ""
    assert other.answer({"do": "look"})["svg"] == session.answer({"do": "look"})["svg"]
    assert other.answer({"do": "undo"})["say"].count("Deal 6:") == 1
    assert "cannot be touched" in touch(other, "split-26-25-9")["wrong"]


def test_who_stops_and_goes_on_sees_the_same_deals(board):
    other = OpenDealsBoard(seed=1)
    for _ in other.think():
        if other.deals and other.current:
            break
    assert len(other.deals) == 1
    played(other)
    assert other.deals[:N_DEALS] == board.deals
    assert len(other.deals) == 1 + N_DEALS
    assert ("deal 7" in other.svg(), "deal 8" in other.svg()) == (False, True)
