"""Kernels of problems: with parts replaced, in another process, and from the cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gameai_lib
from gameai_lib.nrpa import FlatMonteCarlo, bundled_tsptw, leftmove, tsptw

# Flat Monte Carlo is the search that is compiled soonest; all three are kept in one way.
CACHE_HITS = """
import numpy as np
from gameai_lib.base.jit import njit
from gameai_lib.nrpa import FlatMonteCarlo, bundled_tsptw, leftmove, tsptw
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


def answers(cache, *problems, **options):
    """Score, hits and misses of each problem in another process."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | options.pop("environment", {})
    command = [sys.executable, "-c", CACHE_HITS.format(problems=", ".join(problems))]
    pipes = {"check": True, "capture_output": True, "text": True}
    run = subprocess.run(command, env=environment, **pipes, **options)
    return [line.split() for line in run.stdout.splitlines()]


@pytest.mark.slow
def test_kernels_are_kept_on_disk_until_a_source_changes_and_do_not_mix(tmp_path):
    pytest.importorskip("numba", reason="without numba there is no cache")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(gameai_lib.__file__).parent, tmp_path / "gameai_lib", ignore=ignored)
    there = {"cwd": tmp_path, "environment": {"PYTHONPATH": str(tmp_path)}}
    problems = "leftmove(9)", "tsptw(bundled_tsptw('small'))"
    scores = [
        FlatMonteCarlo(problem, np.random.default_rng(0)).run(5).score
        for problem in (leftmove(9), tsptw(bundled_tsptw("small")))
    ]
    assert answers(tmp_path, *problems, **there) == [[str(score), "0", "1"] for score in scores]
    assert answers(tmp_path, *problems, **there) == [[str(score), "1", "0"] for score in scores]
    rules = tmp_path / "gameai_lib/nrpa/game/leftmove.py"
    changed = rules.read_text().replace("float(ints[N_LEFT])", "float(100 + ints[N_LEFT])")
    rules.write_text(changed)
    assert answers(tmp_path, "leftmove(9)", **there) == [[str(100 + scores[0]), "0", "1"]]


@pytest.mark.slow
def test_rules_from_elsewhere_are_kept_on_disk_and_do_not_mix(tmp_path):
    # Closures of a text that differ by a number alone, each compiled in a process of its own.
    pytest.importorskip("numba", reason="without numba there is no cache")
    three, four = (["3.5", "0", "1"], ["4.5", "0", "1"])
    assert answers(tmp_path, "own(3)", "seal_own(3)") == [three, three]
    three_again = ["3.5", "1", "0"]
    problems = "own(4)", "own(3)", "seal_own(4)", "seal_own(3)"
    assert answers(tmp_path, *problems) == [four, three_again, four, three_again]
