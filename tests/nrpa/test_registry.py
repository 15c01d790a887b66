"""Every game of this package is registered; referees refuse what is not legal."""

import ast
import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.nrpa import NRPA, game, leftmove, morpion, search
from gameai_lib.nrpa.problem import registry
from gameai_lib.nrpa.problem.compiled import name_of
from gameai_lib.nrpa.problem.registry import judge, judge_by_rules, record_of


def test_referee_reads_the_rules_not_the_name():
    problem = replace(morpion("5D"), name="a game")
    best = NRPA(problem, np.random.default_rng(0), level=1, n_iterations=3).run()
    assert judge(problem, best).score == best.score


def compiled_in(path):
    """Names of the functions at the top of a file that are compiled."""
    functions = [
        n for n in ast.parse(path.read_text("utf-8")).body if isinstance(n, ast.FunctionDef)
    ]
    return {f.name for f in functions if any("njit" in ast.unparse(d) for d in f.decorator_list)}


GAMES = {
    path.stem: importlib.import_module(f"{game.__name__}.{path.stem}")
    for path in sorted(Path(game.__file__).parent.glob("*.py"))
    if compiled_in(path)
}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_this_package_is_registered(name):
    # Else it is compiled anew in each process, and judged by its own rules.
    rules = GAMES[name].RULES
    assert name_of(rules) == name
    # What chance adds to the score of a toy only its own rules count again.
    assert (registry._RECORDS[rules].judge is judge_by_rules) == (name == "toys")


@pytest.mark.parametrize("name", [*GAMES, "samegame_referee"])
def test_a_referee_knows_nothing_of_the_rules(name):
    path = Path(game.__file__).with_name(f"{name}.py")
    functions = {
        n.name: {part.id for part in ast.walk(n) if isinstance(part, ast.Name)}
        for n in ast.parse(path.read_text("utf-8")).body
        if isinstance(n, ast.FunctionDef)
    }
    used = {f for f in functions if f.startswith("judge_") or f == "evaluate"}
    assert used or name in ("toys", "samegame")
    while more := set().union(*(functions[f] & functions.keys() for f in used)) - used:
        used |= more
    assert not used & compiled_in(path)


def test_a_search_knows_no_game():
    for path in Path(search.__file__).parent.glob("*.py"):
        assert "gameai_lib.nrpa.game" not in path.read_text("utf-8"), path


def test_a_problem_with_a_function_replaced_has_no_record():
    problem = leftmove(5)
    assert record_of(problem) is not None
    own = replace(problem, rules=problem.rules._replace(play=_stays))
    assert record_of(own) is None


def _stays(ints, floats, k, code):
    ints[1] += 1
