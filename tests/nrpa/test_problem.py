"""Problems: sizes, bias and arrays."""

import numpy as np
import pytest

from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.problem.problem import Problem


@pytest.mark.parametrize("size", ["n_codes", "max_plies", "max_legal"])
def test_sizes_must_be_positive(size):
    good = leftmove(3)
    sizes = {"n_codes": 6, "max_plies": 3, "max_legal": 2} | {size: 0}
    with pytest.raises(ValueError, match=f"{size} must be from 1 to 16777216, got 0"):
        Problem("bad", good.rules, good.ints, good.floats, **sizes)


@pytest.mark.parametrize(
    ("bias", "message"),
    [(np.zeros(5), "bias must be 6 numbers, got 5"), (np.full(6, np.nan), "finite, got nan")],
)
def test_bias_must_fit(bias, message):
    good = leftmove(3)
    with pytest.raises(ValueError, match=message):
        Problem("bad", good.rules, good.ints, good.floats, 6, 3, 2, bias)


def test_arrays_are_copied():
    ints = np.array([3, 0, 0])
    problem = Problem("copy", leftmove(3).rules, ints, [], 6, 3, 2)
    ints[0] = 99
    assert problem.ints[0] == 3
