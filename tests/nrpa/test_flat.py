"""Flat Monte Carlo: uniform playouts against another program."""

import numpy as np
import pytest

from gameai_lib.nrpa import flat_monte_carlo, morpion


# What was measured over 200,000 playouts of another program.
@pytest.mark.parametrize(("variant", "mean", "error"), [("5D", 42.91, 0.03), ("5T", 53.58, 0.04)])
def test_uniform_playouts_of_morpion(variant, mean, error):
    _, scores = flat_monte_carlo(morpion(variant), np.random.default_rng(0), 40_000)
    assert scores.mean() == pytest.approx(mean, abs=4 * np.hypot(scores.std() / 200, error))
    assert variant == "5T" or scores.std() == pytest.approx(13.58, abs=0.3)
