"""The pictures' surrogates: their steps by hand, and where they lie."""

import itertools

import numpy as np
import pytest

from gameai_book.btmm import surrogate


def test_median_by_hand():
    steps = list(itertools.islice(surrogate.median_steps([1, 2, 3, 4, 10], 5.0), 9))
    expected = [5, 3.686131, 3.512738, 3.321012, 3.152250, 3.043864]
    np.testing.assert_allclose([s.at for s in steps[:6]], expected, atol=1e-6)
    np.testing.assert_allclose([s.value for s in steps[:3]], [15, 11.6861, 11.5127], atol=1e-4)
    assert steps[5].value == pytest.approx(11, abs=0.05)
    assert steps[-1].value == pytest.approx(11, abs=5e-3)


def test_the_median_s_surrogate_touches_and_stays_above():
    x, axis = [1, 2, 3, 4, 10], np.linspace(0, 11, 400)
    for step in itertools.islice(surrogate.median_steps(x, 5.0), 4):
        assert step.surrogate(step.at)[0] == pytest.approx(step.value)
        above = step.surrogate(axis) - surrogate.sum_of_distances(x, axis)
        assert above.min() > -1e-12
        assert step.surrogate(step.best)[0] <= step.surrogate(axis).min()


def test_the_strength_s_surrogate_touches_and_stays_below():
    axis = np.geomspace(0.05, 20, 400)
    steps = [surrogate.duel_step(3, 1, 0.2)]
    while len(steps) < 60:
        steps.append(surrogate.duel_step(3, 1, steps[-1].best))
    for step in steps[:4]:
        assert step.surrogate(step.at) == pytest.approx(step.value)
        below = surrogate.duel_log_likelihood(3, 1, axis) - step.surrogate(axis)
        assert below.min() > -1e-12
        assert step.surrogate(step.best) >= step.surrogate(axis).max()
    assert steps[1].at == pytest.approx(3 * 1.2 / 4)
    assert steps[-1].at == pytest.approx(3)
