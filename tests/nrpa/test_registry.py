"""Every game of this package has a referee, which refuses what is not legal."""

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.base.jit import COMPILED
from gameai_lib.nrpa import flat_monte_carlo, judge, leftmove, search
from gameai_lib.nrpa.problem.registry import record_of
from tests.nrpa.games import GAMES


@pytest.mark.skipif(not COMPILED, reason="tells the rules from a referee by their compiler")
@pytest.mark.parametrize("name", GAMES)
def test_a_referee_knows_nothing_of_the_rules(name, monkeypatch):
    problem, module = GAMES[name], importlib.import_module(f"gameai_lib.nrpa.game.{name}")
    game, _ = flat_monte_carlo(problem, np.random.default_rng(0), 1)
    for place, value in vars(module).copy().items():
        if hasattr(value, "py_func"):
            monkeypatch.delattr(module, place)
    assert judge(problem, game).score == game.score


def test_a_search_knows_no_game():
    for path in Path(search.__file__).parent.glob("*.py"):
        assert "gameai_lib.nrpa.game" not in path.read_text("utf-8"), path


def test_a_problem_with_a_function_replaced_has_no_record():
    problem = leftmove(5)
    rules = problem.rules._replace(play=lambda ints, floats, k, code: None)
    assert record_of(problem) is not None
    assert record_of(replace(problem, rules=rules)) is None
