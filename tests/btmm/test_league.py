"""Elo by hand, leagues, and the pictures' surrogates."""

import itertools

import numpy as np
import pytest

from gameai_lib.btmm.game import league
from gameai_lib.btmm.game.league import Match
from gameai_lib.btmm.model import elo, surrogate
from gameai_lib.btmm.model.fit import fit


def test_elo_by_hand():
    np.testing.assert_allclose(
        elo.elo_from_gamma([1, 2, 3]), [0, 120.411998, 190.848502], atol=1e-6
    )
    assert elo.gamma_from_elo(80) == pytest.approx(1.584893, abs=1e-6)
    assert elo.win_probability(elo.gamma_from_elo(80), 1) == pytest.approx(0.613137, abs=1e-6)
    assert pytest.approx(173.7178, abs=1e-4) == elo.ELO_PER_NAT
    np.testing.assert_allclose(elo.gamma_from_elo(elo.elo_from_gamma([0.3, 7])), [0.3, 7])
    with pytest.raises(ValueError, match="gamma must be positive, got 0"):
        elo.elo_from_gamma([1.0, 0.0])


def test_chances_by_hand():
    assert elo.win_probability(3, 1) == 0.75
    assert elo.win_probability(2, [1, 3]) == pytest.approx(1 / 3)
    teams = [[0, 1, 2], [3, 1], [0, 4, 5, 6]]
    assert elo.team_win_probability(teams, np.arange(1.0, 8.0)) == pytest.approx(6 / 224)
    with pytest.raises(ValueError, match="strengths must be positive"):
        elo.win_probability(1, [0, 1])


def test_a_league_of_two_by_hand():
    # A wins at home and draws away: tau a / (tau a + b) = 1 and b tau / (b tau + a) = 1/2.
    matches = [Match("B", "A", 1, 1)] * 2 + [Match("A", "B", 2, 0)] * 3 + [Match("A", "B", 0, 1)]
    got = league.league(matches)
    assert got.clubs == ["A", "B"]
    assert got.competitions.total_weight == 6
    gamma = league.centred(fit(got.competitions, prior=0.0, tol=1e-16).gamma, 2)
    # Two unknowns, two frequencies: P(A at home) = 3/4 and P(B at home) = 1/2.
    assert gamma[2] * gamma[0] / gamma[1] == pytest.approx(3, rel=1e-5)
    assert gamma[2] * gamma[1] / gamma[0] == pytest.approx(1, rel=1e-5)
    assert np.prod(gamma[:2]) == pytest.approx(1)
    with pytest.raises(ValueError, match="match 2: A meets itself"):
        league.league([Match("A", "B", 1, 0), Match("A", "A", 1, 0)])
    with pytest.raises(ValueError, match="nothing to learn"):
        league.league([])


def test_the_invented_league_is_recovered():
    season, gamma = league.invented_season(np.random.default_rng(7))
    assert len(season) == 56
    many = [m for seed in range(40) for m in league.invented_season(np.random.default_rng(seed))[0]]
    got = league.centred(fit(league.league(many).competitions).gamma, 8)
    # Draws count half, so strengths come out nearer to each other, in the same order.
    assert (np.diff(got[:8]) < 0).all()
    assert np.corrcoef(np.log(got[:8]), np.log(gamma))[0, 1] > 0.99
    assert got[8] > 1.1


def test_endless_seasons_are_the_mean_of_many():
    endless = league.endless_seasons()
    data = endless.competitions
    assert endless.clubs == list(league.INVENTED)
    assert data.total_weight == pytest.approx(56, abs=1e-9)
    rng = np.random.default_rng(3)
    drawn = [league.league(league.invented_season(rng)[0]).competitions.wins() for _ in range(400)]
    error = np.std(drawn, axis=0) / 20
    assert (np.abs(np.mean(drawn, axis=0) - data.wins()) < 4 * error).all()
    alike = league.endless_seasons(1.0, 1.0).competitions  # every game is even
    np.testing.assert_allclose(alike.wins(), [7] * 8 + [28], atol=1e-9)
    with pytest.raises(ValueError, match="spread"):
        league.endless_seasons(spread=3)


def test_tau_is_a_group_of_its_own():
    """One group at a time by hand: the clubs with tau held, then tau with the clubs held."""
    season, _ = league.invented_season(np.random.default_rng(7))
    model = league.league(season)
    home, away = (np.array([model.clubs.index(m[k]) for m in season]) for k in (0, 1))
    points = np.array([m.result for m in season])
    gamma, tau = np.ones(8), 1.0
    won = np.bincount(home, points, 8) + np.bincount(away, 1 - points, 8)
    for _ in range(400):
        total = tau * gamma[home] + gamma[away]
        gamma = won / (np.bincount(home, tau / total, 8) + np.bincount(away, 1 / total, 8))
        tau = points.sum() / (gamma[home] / (tau * gamma[home] + gamma[away])).sum()
    fitted = fit(model.competitions, prior=0.0, tol=1e-15).gamma
    np.testing.assert_allclose(gamma / gamma[0], fitted[:8] / fitted[0], rtol=1e-5)
    assert tau == pytest.approx(fitted[8], rel=1e-5)


def test_median_by_hand():
    steps = list(itertools.islice(surrogate.median_steps([1, 2, 3, 4, 10], 5.0), 9))
    expected = [5, 3.686131, 3.512738, 3.321012, 3.152250, 3.043864]
    np.testing.assert_allclose([s.at for s in steps[:6]], expected, atol=1e-6)
    np.testing.assert_allclose([s.value for s in steps[:3]], [15, 11.6861, 11.5127], atol=1e-4)
    assert steps[5].value == pytest.approx(11, abs=0.05)
    assert steps[-1].value == pytest.approx(11, abs=5e-3)
    with pytest.raises(ValueError, match=r"the iterate 3.0 is a data point"):
        next(surrogate.median_steps([1, 3, 7], 3.0))


def test_the_median_s_surrogate_touches_and_stays_above():
    x, axis = [1, 2, 3, 4, 10], np.linspace(0, 11, 400)
    for step in itertools.islice(surrogate.median_steps(x, 5.0), 4):
        assert step.surrogate(step.at)[0] == pytest.approx(step.value)
        above = step.surrogate(axis) - surrogate.sum_of_distances(x, axis)
        assert above.min() > -1e-12
        assert step.surrogate(step.best)[0] <= step.surrogate(axis).min()


def test_the_strength_s_surrogate_touches_and_stays_below():
    axis = np.geomspace(0.05, 20, 400)
    steps = list(itertools.islice(surrogate.duel_steps(3, 1, 0.2), 60))
    for step in steps[:4]:
        assert step.surrogate(step.at) == pytest.approx(step.value)
        below = surrogate.duel_log_likelihood(3, 1, axis) - step.surrogate(axis)
        assert below.min() > -1e-12
        assert step.surrogate(step.best) >= step.surrogate(axis).max()
    assert steps[1].at == pytest.approx(3 * 1.2 / 4)
    assert steps[-1].at == pytest.approx(3)
