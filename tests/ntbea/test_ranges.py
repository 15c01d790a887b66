"""Steps of a range: ends, whole numbers and factors."""

import numpy as np

from gameai_lib.ntbea import between


def test_steps_are_even_or_by_one_factor_and_hold_both_ends():
    assert between(0, 1.0, 5) == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert between(1e-4, 1, 5, log=True) == (0.0001, 0.001, 0.01, 0.1, 1.0)
    assert between(-3, 3, 4) == (-3, -1, 1, 3)
    close = between(1.0, 1.00001, 4)
    assert (close[0], close[-1]) == (1.0, 1.00001)
    np.testing.assert_allclose(np.diff(close), 1e-5 / 3, rtol=0.2)


def test_whole_numbers_stay_whole_and_are_no_more_than_there_are():
    for low, high, log in ((1, 100, True), (0, 3, False), (2, 5, True), (1, 2**50, True)):
        steps = between(low, high, log=log)
        assert all(type(step) is int for step in steps)
        assert (steps[0], steps[-1]) == (low, high)
        assert list(steps) == sorted(set(steps))
        assert len(steps) <= min(9, high - low + 1)
    assert between(1, 64, 7, log=True) == (1, 2, 4, 8, 16, 32, 64)
    assert type(between(1, 3.0, 3)[1]) is float
