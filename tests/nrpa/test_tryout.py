"""Rules tried out in plain Python: what leaves its bounds is found."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from gameai_lib.base.jit import COMPILED
from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import tsptw
from gameai_lib.nrpa.problem import tryout
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules, RulesError
from gameai_lib.nrpa.problem.tryout import look_at, try_out
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.restarts import RunsFailed, restarts
from tests.nrpa.games import BOX_FAULTS, bars_of, one_move, snake


@pytest.mark.parametrize(
    "problem",
    [morpion("5T"), samegame(bundled_board()), tsptw(bundled_tsptw("small")), leftmove(5)],
    ids=lambda problem: problem.name,
)
def test_built_in_problems_stay_in_their_bounds(problem):
    assert np.isfinite(try_out(problem, np.random.default_rng(0), n_games=1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_codes": 2}, "writes code 2, outside 0 .. 1"),
        ({"max_legal": 2}, "legal writes more legal moves than max_legal = 2"),
    ],
)
def test_try_out_finds_what_leaves_its_bounds(change, message):
    good = one_move()
    sizes = {"n_codes": 3, "max_plies": 1, "max_legal": 3} | change
    bad = Problem("bad", good.rules, good.ints, good.floats, **sizes)
    with pytest.raises(ValueError, match=message):
        try_out(bad, np.random.default_rng(0))


def test_a_game_that_is_too_long():
    long = leftmove(5)
    bad = Problem("bad", long.rules, long.ints, long.floats, 10, 4, 2)
    with pytest.raises(ValueError, match="longer than max_plies = 4"):
        try_out(bad, np.random.default_rng(0))
    with pytest.raises(ValueError, match="longer than max_plies = 4"):
        flat_monte_carlo(bad, np.random.default_rng(0), 1)


def _forgetful_reset(ints, floats):
    pass  # the count of moves of the game before stays


def _three_moves(ints, floats, codes, start):
    codes[start] = 0
    return 1 if ints[0] < 3 else 0


def _count(ints, floats, k, code):
    ints[0] += 1


def _n_counted(ints, floats):
    return 1.0 * ints[0]


def _nan(ints, floats):
    return np.nan


def _clean_reset(ints, floats):
    ints[0] = 0


def test_try_out_finds_what_reset_forgets():
    rules = Rules(_forgetful_reset, _three_moves, _count, _n_counted)
    problem = Problem("forgetful", rules, [0], [], 1, 3, 1)
    with pytest.raises(ValueError, match="reset leaves something of the game before"):
        try_out(problem, np.random.default_rng(0))


def test_try_out_refuses_a_score_that_is_not_a_number():
    problem = Problem("nan", Rules(_clean_reset, _three_moves, _count, _nan), [0], [], 1, 3, 1)
    with pytest.raises(ValueError, match="nan: score returns nan"):
        try_out(problem, np.random.default_rng(0))


def _put(codes, place, code):
    codes[place] = code


def _two_moves(ints, floats, codes, start):
    _put(codes, start, 0)
    _put(codes, start + 1, 1)
    return 2 if ints[0] < 5 else 0


def test_try_out_runs_rules_that_hand_the_codes_to_a_helper():
    problem = Problem("h", Rules(_clean_reset, _two_moves, _count, _n_counted), [0], [], 2, 5, 2)
    assert try_out(problem, 1) == 5.0
    assert NRPA(problem, 1, level=1, n_iterations=3).run().score == 5.0


CHANGES = "changes the position: where it is asked twice, the game goes differently (it changes "
BOX_WORDS = {
    "legal counts": f"legal {CHANGES}ints[1] at ply 0)",
    "legal turns": f"legal {CHANGES}ints[3] at ply 0)",
    "legal in a helper": f"legal {CHANGES}floats[0] at ply 0)",
    "score counts": f"score {CHANGES}ints[1] at ply ",
    "score moves": f"score {CHANGES}ints[",
    "reset forgets": "reset leaves something of the game before",
    "no first move": "legal returns 0 for the first position: the game is over before it begins",
}
DOORS = {
    "try_out": lambda problem: try_out(problem, 1),
    "NRPA": lambda problem: NRPA(problem, 1, level=2, n_iterations=5).run(),
    "NMCS": lambda problem: NMCS(problem, 1, level=1).run(),
    "flat": lambda problem: FlatMonteCarlo(problem, 1).run(9),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("fault", BOX_WORDS)
def test_every_door_names_the_rule_that_no_bound_betrays(fault, door):
    with pytest.raises(RulesError) as caught:
        DOORS[door](snake(fault))
    assert str(caught.value).startswith(f"snake: {fault}: {BOX_WORDS[fault]}")
    assert caught.value.args[1] == BOX_FAULTS[fault]


def _hash_and_count(ints, floats, codes, start):
    codes[start] = 0
    if ints[0] * 0x9E3779B97F4A7C15 < 0:  # more than 64 bits, which plain Python refuses
        return 0
    ints[0] += 1
    return 1 if ints[0] < 3 else 0


@pytest.mark.skipif(not COMPILED, reason="plain Python refuses these rules")
@pytest.mark.parametrize("door", ["NRPA", "NMCS", "flat"])
def test_rules_that_only_run_compiled_are_looked_at_compiled(door):
    rules = Rules(_clean_reset, _hash_and_count, _count, _n_counted)
    problem = Problem("hash", rules, [0], [], 1, 3, 1)
    with pytest.raises(ValueError, match="hash: legal raises OverflowError"):
        try_out(problem, 1)
    with pytest.raises(RulesError, match=r"hash: legal changes the position.* ints\[0\] at ply 0"):
        DOORS[door](problem)


def test_restarts_name_the_rule_too():
    for fault, rule in list(BOX_FAULTS.items())[1:]:
        with pytest.raises(RunsFailed, match=f"2 of 2 runs .*: RulesError: snake: {fault}: {rule}"):
            list(restarts(snake(fault), 1, 2, level=1, n_iterations=5))


@pytest.mark.skipif(not COMPILED, reason="this process is one without compiled kernels")
def test_every_door_says_the_same_without_compiled_kernels():
    code = """
from tests.nrpa.test_tryout import BOX_WORDS, DOORS, snake
for fault in BOX_WORDS:
    for door in DOORS.values():
        try:
            door(snake(fault))
        except ValueError as error:
            print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    said = run.stdout.splitlines()
    assert len(said) == len(BOX_WORDS) * len(DOORS)
    for k, (fault, words) in enumerate(BOX_WORDS.items()):
        assert all(line.startswith(f"snake: {fault}: {words}") for line in said[4 * k : 4 * k + 4])


def test_a_bar_counts_the_games(monkeypatch):
    shown = bars_of(monkeypatch, tryout)
    try_out(leftmove(4), 1, 2)
    assert shown == [("try_out", 2, "games"), (1, ""), (2, "")]


@pytest.mark.parametrize("door", DOORS)
def test_rules_without_a_fault_pass_every_door(door):
    assert getattr(found := DOORS[door](snake()), "score", found) <= 7


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [samegame(bundled_board()), tsptw(bundled_tsptw("small"), look_ahead=True)],
    ids=["SameGame", "tour"],
)
def test_rules_that_keep_a_list_of_moves_or_a_place_are_right(problem):
    # `legal` of SameGame notes which groups it offers, that of a tour where it has looked before.
    own = replace(problem, rules=Rules(*(getattr(r, "py_func", r) for r in problem.rules)))
    assert own.checked
    look_at(own)
    try_out(own, 1, 1)


@pytest.mark.parametrize("door", ["NRPA", "NMCS", "flat"])
def test_a_change_that_the_look_does_not_meet_is_found_in_the_best_game(door):
    # Random games have six steps mostly; the longest snake has seven.
    with pytest.raises(RulesError, match=r"legal changes the position.* ints\[1\] at ply 7\)"):
        DOORS[door](snake("legal counts", since=7))
