"""Steps of a range: ends, whole numbers, factors, and what is no range."""

import numpy as np
import pytest

from gameai_lib.ntbea import SearchSpace, between, tune


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
    assert type(between(1, 3.0, 3)[1]) is float


def test_a_range_is_tuned_as_any_other_parameter():
    space = {"rate": between(1e-3, 1, 7, log=True), "depth": between(1, 64, 7, log=True)}
    assert SearchSpace(space).values[1] == (1, 2, 4, 8, 16, 32, 64)

    def score(values, rng):
        return -abs(np.log10(values["rate"]) + 2) - abs(np.log2(values["depth"]) - 3)

    tuned = tune(score, space, 60, np.random.default_rng(1), named=True)
    assert tuned.values == {"rate": 0.01, "depth": 8}


@pytest.mark.parametrize(
    ("given", "options", "error", "said"),
    [
        ((2, 1), {}, ValueError, "low must be below high, got 2 and 1"),
        ((1, 1), {}, ValueError, "below high"),
        ((0, 1.0), {"log": True}, ValueError, "positive low, got 0"),
        (("a", 1), {}, TypeError, "low must be a number, got 'a'"),
        ((0, float("nan")), {}, ValueError, "high"),
        ((0, 1e200), {}, ValueError, "high must be"),
        ((0, 1, 1), {}, ValueError, "n_steps must be from 2"),
        ((0, 1), {"log": 1}, TypeError, "log must be True or False"),
        ((1.0, 1.0000000000000002, 9), {}, ValueError, "no 9 different floats"),
    ],
)
def test_what_is_no_range(given, options, error, said):
    with pytest.raises(error, match=said):
        between(*given, **options)
