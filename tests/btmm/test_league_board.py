"""The bench of a league, beside the fit of the chapter and what its sentences say."""

import numpy as np
import pytest

from gameai_book.btmm import league
from gameai_book.btmm.boards.league import CLUBS, RESULTS, TIES, LeagueBoard
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records.football import Match
from tests.support.board_checks import targets
from touchbook.boards import WrongTouch

GOALS = {1: (1, 0), 0.5: (1, 1), 0: (0, 1)}


def test_half_wins_are_those_of_the_chapter():
    matches = [
        Match(CLUBS[i], CLUBS[j], *GOALS[points])
        for i, row in enumerate(RESULTS) for j, points in enumerate(row) if points >= 0
    ]  # fmt: skip
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
    for touch in ("prior-0", "home-2-0"):
        board.touch(touch)
        board.rating()[0].standard_error  # noqa: B018  there is a likeliest one, with its error
    board.touch("home-2-0")  # an unbeaten club
    assert board.say().startswith("No strengths are the likeliest: Ashford never lost a point")
    assert "are the likeliest." in board.svg()
    board.touch("prior-0.1")
    assert board.say().startswith("Ashford +")
    board.touch("ties-half")
    assert "of the points" in board.say()
    board.results = np.full((5, 5), -1.0)
    board.results[0, 1] = 0
    with pytest.raises(WrongTouch, match="One match must stay"):
        board.touch("home-0-1")
    board.results[0, 1] = 0.5
    for ties in [*TIES][1:]:
        board.touch(f"ties-{ties}")
        assert "Eastvale" not in board.say()
