"""Flat Monte Carlo: its policy, and uniform playouts against another program."""

import numpy as np
import pytest

from gameai_lib.nrpa import FlatMonteCarlo, flat_monte_carlo, leftmove, morpion


@pytest.mark.parametrize(
    ("policy", "error", "message"),
    [
        (np.zeros(3), ValueError, "policy must be 8 weights, got 3"),
        (np.full(8, np.nan), ValueError, "policy must be finite, got nan"),
        ("uniform", TypeError, "policy must be an array of numbers, got 'uniform'"),
    ],
)
def test_flat_monte_carlo_refuses(policy, error, message):
    with pytest.raises(error, match=message):
        FlatMonteCarlo(leftmove(4), np.random.default_rng(0), policy=policy)
    with pytest.raises(ValueError, match="n_playouts must be from 1 to 100000000, got 0"):
        flat_monte_carlo(leftmove(4), np.random.default_rng(0), 0)


def test_uniform_playouts_of_morpion():
    _, scores = flat_monte_carlo(morpion("5D"), np.random.default_rng(0), 40_000)
    # 42.91 ± 0.03 was measured over 200 000 playouts of another program.
    assert scores.mean() == pytest.approx(42.91, abs=4 * 13.58 / np.sqrt(40_000))
    assert scores.std() == pytest.approx(13.58, abs=0.3)
