"""Leagues by hand."""

import numpy as np
import pytest

from gameai_book.btmm import league
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records.football import Match


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
