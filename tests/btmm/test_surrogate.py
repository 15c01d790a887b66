"""The pictures' surrogates: their steps by hand, and where they lie."""

import numpy as np
import pytest

from gameai_book.btmm import surrogate


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
