"""Kernels of problems: with parts replaced, in another process, and from the cache."""

import os
import subprocess
import sys

import pytest

# Flat Monte Carlo is the search that is compiled soonest; all three are kept in one way, those of
# built-in problems as any kernel of the library (`tests/base/test_kept.py`).
CACHE_HITS = """
import numpy as np
from gameai_lib.base.jit import njit
from gameai_lib.nrpa import FlatMonteCarlo
from gameai_lib.nrpa.problem.compiled import kernel_of
from gameai_lib.nrpa.problem.problem import seal
from gameai_lib.nrpa.search.flat import flat

def seal_own(n):
    return seal("trusted", own(n).rules, [0], [0.0] * 3, 3, 1, 3)

def own(n):
    from tests.nrpa.games import one_move

    @njit
    def down(x):  # calls itself, and so stays a function of its own
        return n + 0.5 if x == 0 else down(x - 1)

    return one_move(score=lambda ints, floats: down(ints[0]))

for problem in ({problems},):
    score = FlatMonteCarlo(problem, np.random.default_rng(0)).run(5).score
    stats = kernel_of(problem, flat).stats
    print(score, len(stats.cache_hits), len(stats.cache_misses))
"""


def answers(cache, *problems):
    """Score, hits and misses of each problem in another process."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", CACHE_HITS.format(problems=", ".join(problems))]
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return [line.split() for line in run.stdout.splitlines()]


@pytest.mark.slow
def test_rules_from_elsewhere_are_kept_on_disk_and_do_not_mix(tmp_path):
    # Closures of a text that differ by a number alone, each compiled in a process of its own.
    pytest.importorskip("numba", reason="without numba there is no cache")
    three, four = (["3.5", "0", "1"], ["4.5", "0", "1"])
    assert answers(tmp_path, "own(3)", "seal_own(3)") == [three, three]
    three_again = ["3.5", "1", "0"]
    problems = "own(4)", "own(3)", "seal_own(4)", "seal_own(3)"
    assert answers(tmp_path, *problems) == [four, three_again, four, three_again]
