"""The choice of a move, at its borders."""

import math

import numpy as np
import pytest

from gameai_lib.nrpa.search.kernels import choose


@pytest.mark.parametrize(("u", "k"), [(0, 0), (0.16, 0), (0.17, 1), (0.49, 1), (0.51, 2)])
def test_choice_is_the_first_move_whose_cumulative_weight_exceeds_u(u, k):
    E = np.exp([0, math.log(2), math.log(3)])
    assert choose(E, np.arange(3), u) == k


def test_no_choice_beyond_the_last_move_when_weights_round():
    E = np.array([0.1, 0.2, 0.3])
    assert choose(E, np.arange(3), np.nextafter(1.0, 0.0)) == 2
