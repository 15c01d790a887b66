"""Strengths in time: against a general optimiser, a numerical Hessian and ratings without time."""

import datetime
import pickle

import numpy as np
import pytest

from gameai_lib.btmm import rate, rate_history
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from tests.btmm import direct

DRIFT, PRIOR, DAYS = 60.0, 0.7, 5
NAMES = direct.PLAYERS


def a_season(sizes=(1,), n=40):
    """Games of random dates, of which some fall together."""
    return direct.games_of(sizes, n, 4), np.random.default_rng(5).integers(0, DAYS, n) / 2


def minus_objective(x, games, dates, home):
    """Term by term; x has a strength for each player and half day, then ln home and ln tie."""
    theta = dict(zip(NAMES, x[:-2].reshape(len(NAMES), DAYS), strict=True))
    total, tied = 0.0, any(game[2] == 0.5 for game in games)
    for (*sides, result), date in zip(games, dates, strict=True):
        one, other = (np.exp(sum(theta[n][int(2 * date)] for n in side)) for side in sides)
        p = direct.chances("davidson", np.exp(home * x[-2]) * one, other, np.exp(x[-1]) * tied)
        total += np.log(p[{1: 0, 0.5: 1, 0: 2}[result]])
    held = [x[-2]] * home
    for name in NAMES:
        own = sorted({d for game, d in zip(games, dates, strict=True) if name in sum(game[:2], ())})
        values = [theta[name][int(2 * date)] for date in own]
        held.append(values[0])
        variance = (DRIFT / ELO_PER_NAT) ** 2 * np.diff(own)
        total -= (np.diff(values) ** 2 / variance).sum() / 2
    return -total - PRIOR * sum(np.log(np.exp(y) / (1 + np.exp(y)) ** 2) for y in held)


@pytest.mark.parametrize(("sizes", "home"), [((1,), True), ((1, (2, 1)), False)])
def test_against_a_general_optimiser_and_a_numerical_hessian(sizes, home):
    from scipy.optimize import minimize

    games, dates = a_season(sizes)
    got = rate_history(games, dates, drift=DRIFT, home_advantage=home, prior=PRIOR)
    arguments = games, dates, home
    start = np.zeros(len(NAMES) * DAYS + 2)
    least = minimize(minus_objective, start, arguments, tol=1e-9)
    matrix = direct.hessian(lambda y: minus_objective(y, *arguments), least.x)
    used = np.diag(matrix) > 1e-9
    inverse = np.zeros_like(matrix)
    inverse[np.ix_(used, used)] = np.linalg.inv(matrix[np.ix_(used, used)])
    for k, name in enumerate(NAMES):
        curve = got.curve(name)
        at = DAYS * k + (2 * curve.dates).astype(int)
        np.testing.assert_allclose(curve.elo, ELO_PER_NAT * least.x[at], atol=0.05)
        errors = ELO_PER_NAT * np.sqrt(np.diag(inverse)[at])
        np.testing.assert_allclose(curve.error, errors, rtol=1e-3)
    expected = home * ELO_PER_NAT * np.array([least.x[-2], np.sqrt(inverse[-2, -2])])
    assert got.home_advantage == pytest.approx(expected, rel=1e-3, abs=1e-9)
    assert got.beta[-1] == pytest.approx(least.x[-1], abs=1e-3)


def test_without_drift_it_is_a_rating():
    games, dates = a_season()
    got = rate_history(games, dates, drift=0.01, home_advantage=True)
    expected = rate(games, home_advantage=True, prior=1.0)
    assert got.difference("ann", "eve", 3) == pytest.approx(expected.difference("ann", "eve"), 1e-3)
    assert got.log_loss(games, dates) == pytest.approx(expected.log_loss(games), 1e-3)
    chances = got.predict_proba([("ann", "bob"), ("ann", None)], [1, 9])
    np.testing.assert_allclose(chances.sum(axis=1), 1)


def test_between_dates_and_beyond():
    games = [("A", "B", 1), ("B", "A", 1), ("A", "B", 1)]
    dates = [datetime.date(2018, 8, day) for day in (1, 5, 6)]
    got = rate_history(games, dates, drift=30)
    a, b = got.curve("A"), got.curve("B")
    assert a.dates.tolist() == b.dates.tolist() == [17744, 17748, 17749]
    gap = a.elo - b.elo
    # The chance of a later game is that of the last known strengths; in between they are mixed.
    assert got.difference("A", "B", "2018-08-02").elo == pytest.approx(
        0.75 * gap[0] + 0.25 * gap[1]
    )
    last, later = (got.difference("A", "B", day) for day in (17749, 17749 + 7))
    assert later.elo == last.elo
    assert later.error**2 == pytest.approx(last.error**2 + 2 * 7 * 30**2)
    first, before = (got.difference("A", "B", day) for day in (17744, 17744 - 7))
    assert before == pytest.approx((first.elo, np.sqrt(first.error**2 + 2 * 7 * 30**2)))
    # A date between two games, said by a game that says next to nothing, changes nothing.
    more = rate_history([*games, ("A", "C", 1)], [*dates, "2018-08-02"], drift=30, prior=1e-6)
    bare = rate_history(games, dates, drift=30, prior=1e-6)
    middle = more.difference("A", "B", "2018-08-02"), bare.difference("A", "B", "2018-08-02")
    assert middle[0] == pytest.approx(middle[1], rel=0.01)
    assert win_of(got, 17749) == pytest.approx(1 / (1 + 10 ** (-last.elo / 400)))
    assert pickle.loads(pickle.dumps(got)).difference("A", "B", 0) == got.difference("A", "B", 0)


def win_of(history, day):
    return history.predict_proba([("A", "B")], [day])[0, 0]


GAMES = [("A", "B", 1), ("B", "A", 1)]
ERRORS = [
    (GAMES, [1], {}, "2 games need as many dates, got 1"),
    (GAMES, ["yesterday", "today"], {}, "dates must be numbers of days or dates, got .'yesterday'"),
    (GAMES, ["2018-08-10", "NaT"], {}, "dates"),
    (GAMES, [1, np.inf], {}, "dates"),
    (GAMES, [1, 2], {"drift": 0}, "drift must be at least 0.01"),
    (GAMES, [1, 2], {"prior": 0}, "prior must be at least 1e-06"),
    ([("A", "B", 0.5)], [1], {}, "every game was drawn"),
]


@pytest.mark.parametrize(("games", "dates", "options", "words"), ERRORS)
def test_the_door(games, dates, options, words):
    with pytest.raises(ValueError, match=words):
        rate_history(games, dates, **{"drift": 10} | options)


def test_who_is_not_known():
    with pytest.raises(ValueError, match="'C' was not rated; rated were"):
        rate_history(GAMES, [1, 2], drift=10).curve("C")
    with pytest.raises(ValueError, match="no games to predict"):
        rate_history(GAMES, [1, 2], drift=10).log_loss([], [])
