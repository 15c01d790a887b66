"""Kernels are numba's in all that a caller can see, and what they make or are given is freed."""

import pickle

import numpy as np
import pytest

from gameai_lib import hanabi, nrpa
from gameai_lib.base import jit
from gameai_lib.ntbea.game import space_battle

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without numba nothing is compiled")


@jit.njit
def doubled(x):
    """Twice x."""
    return 2 * x


@jit.njit(cache=True)
def doubled_twice(x, y=0):
    return doubled(doubled(x)) + y


def test_a_kernel_is_the_function_calls_others_and_can_be_sent_to_another_process():
    assert (doubled.__name__, doubled.__doc__) == ("doubled", "Twice x.")
    assert doubled_twice(3) == doubled_twice.py_func(3) == 12
    assert doubled_twice(0.25, y=1) == 2
    assert [str(kind) for (kind, _) in doubled_twice.signatures] == ["int64", "float64"]
    assert hash(doubled) != hash(doubled_twice)
    assert pickle.loads(pickle.dumps(doubled_twice))(1) == 4


def test_every_array_that_kernels_are_given_or_make_is_freed():
    """By numba's own count, around searches, games and beliefs."""
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    problem, counts = nrpa.morpion("5D"), np.tile([3, 2, 2, 2, 1], 5)
    point = (0,) * len(space_battle.RULE_SPACE.names)

    def everything():
        nrpa.NRPA(problem, 0, level=2, n_iterations=5).run()
        nrpa.NMCS(problem, 0, level=1).run(20)
        problem.rules.reset(problem.ints.copy(), problem.floats.copy())
        hanabi.exact_belief(counts, np.ones((5, 25), bool))
        space_battle.evaluate(point, np.random.default_rng(0))
        return rtsys.get_allocation_stats()

    everything()
    before, after = everything(), everything()
    made, freed, counted, let_go = np.subtract(after, before)
    assert (made, counted) == (freed, let_go)
    assert made > 100  # those that are called from here are counted


def test_an_array_is_written_over_another_from_its_first_number_on():
    numbers = np.arange(6.0)
    jit.assign(numbers[:-1], numbers[1:])
    assert numbers.tolist() == [1, 2, 3, 4, 5, 5]
    table = np.zeros((2, 3))
    jit.assign(table[1], numbers[:3])
    assert table.tolist() == [[0, 0, 0], [1, 2, 3]]
