"""Kernels are numba's in all that a caller can see, but numba is loaded when it is needed."""

import pickle
import subprocess
import sys

import pytest

from gameai_lib.base import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without numba nothing is compiled")


@jit.njit
def doubled(x):
    """Twice x."""
    return 2 * x


@jit.njit(cache=True)
def doubled_twice(x, y=0):
    return doubled(doubled(x)) + y


def test_a_kernel_is_the_function_and_calls_others():
    assert (doubled.__name__, doubled.__doc__, doubled.__module__) == (
        "doubled",
        "Twice x.",
        __name__,
    )
    assert doubled_twice(3) == doubled_twice.py_func(3) == 12
    assert doubled_twice(0.25, y=1) == 2
    assert [str(kind) for (kind, _) in doubled_twice.signatures] == ["int64", "float64"]
    assert hash(doubled) != hash(doubled_twice)


def test_a_kernel_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(doubled_twice))(1) == 4


@pytest.mark.parametrize("door", ["btmm", "hanabi", "nrpa", "ntbea"])
def test_a_front_door_loads_nothing_that_takes_long(door):
    slow = "{'numba', 'scipy', 'matplotlib', 'PIL', 'pandas', 'dask', room.__name__ + '.show'}"
    code = f"import sys, gameai_lib.{door} as room; print({slow} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout.strip(), run.stderr) == ("set()", "")
