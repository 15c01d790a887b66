"""Flat Monte Carlo: its policy, and uniform playouts against another program."""

import numpy as np
import pytest

from gameai_lib.nrpa import flat_monte_carlo, morpion


def test_uniform_playouts_of_morpion():
    _, scores = flat_monte_carlo(morpion("5D"), np.random.default_rng(0), 40_000)
    # 42.91 ± 0.03 was measured over 200 000 playouts of another program.
    assert scores.mean() == pytest.approx(42.91, abs=4 * 13.58 / np.sqrt(40_000))
    assert scores.std() == pytest.approx(13.58, abs=0.3)
