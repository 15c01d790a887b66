"""The prior that the data ask for, against the exact evidence of duels."""

from math import lgamma, log

import numpy as np
import pytest

from gameai_lib.btmm.model import empirical
from gameai_lib.btmm.model.build import from_pairs, from_teams
from gameai_lib.btmm.model.fit import fit


def duels(won, n):
    """Features that each met a strength of 1 `n` times, and won so often."""
    rows = [[[k], []] for k in range(len(won)) for _ in range(2)]
    return from_teams(rows, [0, 1] * len(won), np.stack([won, n - won], axis=1).ravel())


@pytest.mark.parametrize(("spread", "n"), [(0.5, 20), (3.0, 5), (3.0, 100), (10.0, 20)])
def test_of_duels_it_is_the_top_of_the_exact_evidence(spread, n):
    """Wins against a fixed strength are beta-binomial: the evidence of v is B(w+v, l+v)/B(v, v)."""
    rng = np.random.default_rng(1)
    won = rng.binomial(n, rng.beta(spread, spread, size=60))

    def log_beta(a, b):
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    candidates = np.exp(np.linspace(log(0.05), log(500), 1000))
    evidence = [sum(log_beta(w + v, n - w + v) - log_beta(v, v) for w in won) for v in candidates]
    best = candidates[np.argmax(evidence)]
    got = fit(duels(won, n), prior="learned")
    assert got.prior == pytest.approx(best, rel=0.06)
    exact = (won + got.prior) / (n - won + got.prior)
    np.testing.assert_allclose(got.gamma, exact, rtol=1e-3)
    assert got.converged


def test_where_all_strengths_are_equal_it_stops_at_its_limit():
    level = duels(np.full(9, 10), 20)
    assert fit(level, prior="learned").prior == pytest.approx(empirical.MOST, rel=0.06)


def test_fits_that_lead_nowhere_are_refused(monkeypatch):
    back = iter([10.0, 1.0] * 20)
    monkeypatch.setattr(empirical, "next_prior", lambda got: next(back))
    with pytest.raises(RuntimeError, match="no prior found in 20 fits; the last was"):
        fit(from_pairs([0, 1], [1, 0]), prior="learned")


def test_digamma_against_known_values():
    euler = 0.5772156649015329
    known = {1: -euler, 2: 1 - euler, 0.5: -euler - 2 * log(2), 0.25: -4.2274535333762654}
    np.testing.assert_allclose(empirical.digamma(list(known)), list(known.values()), rtol=1e-12)
    x = np.geomspace(1e-3, 1e6, 50)
    np.testing.assert_allclose(
        empirical.digamma(x + 1) - empirical.digamma(x), 1 / x, rtol=1e-9, atol=1e-11
    )
