"""Models of draws: chances by hand, slopes against differences."""

import numpy as np
import pytest

from gameai_lib.btmm.model.players.ties import LOG_CHANCES, SLOPES, TIES

D = np.array([-3.0, -0.4, 0.0, 1.1, 5.0])
STEP = 1e-4


def test_chances_by_hand():
    # Davidson: 4 : nu sqrt(4 * 1) : 1 with nu = 1; Rao and Kupper: 4 / (4 + 2), 1 / (1 + 2 * 4).
    d = np.log([4.0])
    np.testing.assert_allclose(np.exp(LOG_CHANCES["davidson"](d, 0.0))[:, 0] * 7, [4, 2, 1])
    kupper = np.exp(LOG_CHANCES["rao-kupper"](d, np.log(2)))[:, 0]
    np.testing.assert_allclose(kupper * 9, [6, 2, 1])
    assert (LOG_CHANCES["rao-kupper"](d, -0.1) == -np.inf).all()  # kappa below 1


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("outcome", [0, 1, 2])
def test_slopes_are_derivatives(ties, outcome):
    def log_p(d, log_tie):
        return LOG_CHANCES[ties](d, log_tie)[outcome]

    def slope(f):
        return (f(STEP) - f(-STEP)) / (2 * STEP)

    outcomes, tie = np.full(D.size, outcome), 0.7
    np.testing.assert_allclose(np.exp(LOG_CHANCES[ties](D, tie)).sum(axis=0), 1)
    value, by_d, by_tie, dd, dt, tt = SLOPES[ties](D, tie, outcomes)
    np.testing.assert_array_equal(value, log_p(D, tie))
    np.testing.assert_allclose(by_d, slope(lambda h: log_p(D + h, tie)), atol=1e-7)
    np.testing.assert_allclose(by_tie, slope(lambda h: log_p(D, tie + h)), atol=1e-7)
    for got, i, at in (
        (dd, 1, lambda h: (D + h, tie)),
        (dt, 1, lambda h: (D, tie + h)),
        (tt, 2, lambda h: (D, tie + h)),
    ):
        wanted = -slope(lambda h, i=i, at=at: SLOPES[ties](*at(h), outcomes)[i])
        np.testing.assert_allclose(got, wanted, atol=1e-7)
