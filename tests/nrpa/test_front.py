"""The way into the room of NRPA: its names, its borders, and what a newcomer writes first."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gameai_lib import nrpa
from gameai_lib.nrpa import NRPA, Problem, Rules, RulesError, judge, leftmove, try_out

ROOM = Path(nrpa.__file__).parent


# A sub-room imports only from those before it.
ORDER = ("problem", "game", "search", "tours")


def imports(path):
    """Sub-rooms that a file imports from, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("gameai_lib.nrpa"):
            for alias in node.names:
                yield f"{node.module}.{alias.name}".split(".")[2]


def test_names_are_functions_and_classes_that_no_module_hides():
    for name in nrpa.__all__:
        value = getattr(nrpa, name)
        assert inspect.isfunction(value) or inspect.isclass(value), name
        assert value.__doc__, name
        assert not (ROOM / name).exists(), name
        assert not (ROOM / f"{name}.py").exists(), name


@pytest.mark.parametrize("place", range(len(ORDER)), ids=ORDER)
def test_imports_flow_one_way(place):
    # Rules know no search, and a search knows no game.
    allowed = {*ORDER[: place + 1]}
    allowed -= {"game"} if ORDER[place] == "search" else set()
    paths = [*(ROOM / ORDER[place]).glob("*.py")]
    assert len(paths) > 1
    for path in paths:
        assert not {*imports(path)} - allowed, path


def test_the_door_opens_without_matplotlib():
    code = "import gameai_lib.nrpa, sys; print('matplotlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == "False"


def test_a_search_from_the_front_door():
    problem = leftmove(20)
    best = NRPA(problem, np.random.default_rng(1), level=2, n_iterations=30).run()
    assert judge(problem, best).score == best.score == 20


# The switches of the README, to the letter: they are compiled once for both.
def reset(ints, floats):
    ints[0] = 1  # your own: five switches, read as one number behind a leading 1


def legal(ints, floats, codes, start):
    codes[start], codes[start + 1] = 2 * ints[0], 2 * ints[0] + 1
    return 2 if ints[0] < 32 else 0


def play(ints, floats, k, code):
    ints[0] = code


def score(ints, floats):
    return -abs(ints[0] - 32 - 19.0)  # which must be 19


@pytest.mark.slow
def test_a_problem_of_ones_own_from_the_front_door():
    problem = Problem("switches", Rules(reset, legal, play, score), [0], [], 64, 5, 2)
    assert try_out(problem, np.random.default_rng(0)) < 0
    best = NRPA(problem, np.random.default_rng(7), level=2, n_iterations=10).run()
    assert best.score == 0
    assert best.choices.tolist() == [1, 0, 0, 1, 1]
    short = Problem("short", problem.rules, [0], [], 40, 5, 2)
    with pytest.raises(RulesError, match=r"legal writes code [4-6]\d, outside 0 \.\. 39"):
        NRPA(short, np.random.default_rng(1), level=1).run()
