"""Leagues by hand, and their bench beside the fit of the chapter."""

import numpy as np
import pytest

from gameai_book.btmm import league
from gameai_book.btmm.boards.league import CLUBS, RESULTS, LeagueBoard
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records.football import Match
from tests.support.board_checks import targets
from touchbook.boards import WrongTouch

GOALS = {1: (1, 0), 0.5: (1, 1), 0: (0, 1)}


def test_half_wins_are_those_of_the_chapter():
    played = np.argwhere(np.array(RESULTS) >= 0).tolist()
    matches = [Match(CLUBS[i], CLUBS[j], *GOALS[RESULTS[i][j]]) for i, j in played]
    model = league.league(matches)
    wished = fit(model.competitions, prior=0.5, tol=1e-14).elo
    board = LeagueBoard()
    board.touch("ties-half")
    rating, _ = board.rating()
    assert rating.home_advantage.elo == pytest.approx(wished[-1], abs=1e-3)
    elo = {player.name: player.elo for player in rating.players}
    strengths = [elo[club] for club in model.clubs]
    np.testing.assert_allclose(np.diff(strengths), np.diff(wished[:-1]), atol=1e-3)


def test_it_says_what_it_shows():
    board = LeagueBoard()
    assert all(club in board.say() for club in CLUBS)
    assert len(targets(board.svg())) == 20
    assert "Ashford at home to Eastvale: win 90 %, draw 8 %, defeat 3 %." in board.say()
    for touch in ("prior-0", "home-2-0", "home-2-0"):  # in the end a club without a defeat
        board.touch(touch)
    assert board.say().startswith("No strengths are the likeliest: Ashford never lost a point")
    assert "are the likeliest." in board.svg()
    for touch in ("prior-0.1", "ties-half"):
        board.touch(touch)
        assert board.say().startswith("Ashford +")
    assert "of the points" in board.say()


def test_one_match_must_stay():
    board = LeagueBoard()
    board.results = np.full((5, 5), -1.0)
    board.results[0, 1] = 0
    with pytest.raises(WrongTouch, match="One match must stay"):
        board.touch("home-0-1")
    board.results[0, 1] = 0.5
    for ties in ("davidson", "rao-kupper"):
        board.ties = ties
        assert "Eastvale" not in board.say()


def test_a_league_of_two_by_hand():
    # A wins at home and draws away: tau a / (tau a + b) = 1 and b tau / (b tau + a) = 1/2.
    matches = [Match("B", "A", 1, 1)] * 2 + [Match("A", "B", 2, 0)] * 3 + [Match("A", "B", 0, 1)]
    got = league.league(matches)
    assert got.clubs == ["A", "B"]
    assert got.competitions.total_weight == 6
    gamma = league.centre(fit(got.competitions, prior=0.0, tol=1e-16).gamma, 2)
    # Two unknowns, two frequencies: P(A at home) = 3/4 and P(B at home) = 1/2.
    assert gamma[2] * gamma[0] / gamma[1] == pytest.approx(3, rel=1e-5)
    assert gamma[2] * gamma[1] / gamma[0] == pytest.approx(1, rel=1e-5)
    assert np.prod(gamma[:2]) == pytest.approx(1)


def test_endless_seasons_are_the_mean_of_many():
    endless = league.endless_seasons()
    data = endless.competitions
    assert endless.clubs == list(league.INVENTED)
    assert data.total_weight == pytest.approx(56, abs=1e-9)
    rng = np.random.default_rng(3)
    drawn = [league.league(league.invented_season(rng)[0]).competitions.wins() for _ in range(100)]
    error = np.std(drawn, axis=0) / 10
    assert (np.abs(np.mean(drawn, axis=0) - data.wins()) < 4 * error).all()
