"""A reader's own rules: whatever they do, the process lives, and the error names the function."""

import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.nrpa_rules import own
from gameai_book.nrpa.measure.codes import place_keyed, state_keyed
from gameai_lib.base.jit import COMPILED, njit
from gameai_lib.nrpa import NMCS, NRPA, judge, leftmove, morpion, samegame, tsptw
from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.problem.rules import MOST_INLINED, RulesError, size_inlined
from gameai_lib.nrpa.problem.tryout import look_at, try_out
from gameai_lib.nrpa.problem.walk import playout_of, replay
from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from tests.nrpa.games import one_move
from tests.nrpa.wild import FAULTS, LATER, faulty, wild

RULES = one_move().rules
SEARCHES = {
    "NRPA": lambda problem: NRPA(problem, np.random.default_rng(0), level=2, n_iterations=9),
    "NMCS": lambda problem: NMCS(problem, np.random.default_rng(0), level=2),
    "flat": lambda problem: FlatMonteCarlo(problem, np.random.default_rng(0)),
}
DOORS = {
    name: lambda problem, make=make: make(problem).run(500) for name, make in SEARCHES.items()
} | {"try_out": lambda problem: try_out(problem, np.random.default_rng(0))}


def said(door, problem):
    with pytest.raises(RulesError) as caught:
        DOORS[door](problem)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_every_door_names_the_fault(door):
    # Without numba, numpy divides by zero and warns.
    named = [fault for fault in FAULTS if COMPILED or fault != "division by zero"]
    for fault in named:
        assert said(door, faulty(fault)).startswith(f"faulty: {fault}: {FAULTS[fault][0]}")
    for fault in {*named} & {*LATER}:
        rule = FAULTS[fault][0].split()[0]
        assert said(door, faulty(fault, since=3)).startswith(f"faulty: {fault}: {rule}")
    assert 51 < getattr(found := DOORS[door](wild()), "score", found) <= 63


@pytest.mark.skipif(not COMPILED, reason="this process is one without compiled kernels")
def test_every_door_says_the_same_without_compiled_kernels():
    code = "from tests.nrpa.test_rules import DOORS, test_every_door_names_the_fault as test\n"
    command = [sys.executable, "-W", "error", "-c", f"{code}for door in DOORS: test(door)"]
    subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=True)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["NaN", "score reads beyond"])
@pytest.mark.parametrize("name", SEARCHES)
def test_the_games_before_the_fault_are_kept(fault, name):
    # Only games whose codes add up to 54, which score 60, or to more break the contract.
    search = SEARCHES[name](faulty(fault, at_least=54))
    with pytest.raises(RulesError, match=f"faulty: {fault}: score"):
        search.run(10_000)
    best, n_playouts = search.best, search.n_playouts
    assert 0 < n_playouts < 10_000
    assert 0 < best.score < 60
    assert judge(search.problem, best).score == best.score
    with pytest.raises(RulesError, match=f"faulty: {fault}: score"):
        search.run(10_000)
    assert search.n_playouts == n_playouts
    assert not search.finished


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_a_change_that_the_look_does_not_meet_is_found_in_the_best_game(name):
    with pytest.raises(RulesError, match="legal changes the position"):
        SEARCHES[name](faulty("legal counts", at_least=54)).run(500)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["NRPA", "NMCS"])
def test_faultless_rules_play_the_games_of_the_unchecked_ones(name):
    built_in = leftmove(9)
    checked = own(built_in)
    assert checked.checked
    assert not built_in.checked
    one, two = (SEARCHES[name](problem).run(60) for problem in (built_in, checked))
    assert (one.score, one.choices.tolist()) == (two.score, two.choices.tolist())
    # The same functions with arrays and bounds of a reader.
    for ints, words in (
        ([4], "reset raises IndexError"),
        ([12, 0, 0], "longer than max_plies = 9"),
    ):
        with pytest.raises(RulesError, match=words):
            SEARCHES[name](replace(built_in, ints=ints)).run(3)


def test_what_may_change_in_a_problem_that_is_trusted():
    problem = leftmove(5)
    trusted = replace(problem, name="mine"), replace(problem, bias=np.zeros(10))
    for other in (*trusted, pickle.loads(pickle.dumps(problem)), place_keyed(problem)):
        assert not other.checked
    ints = np.array([3, 0, 0])
    copied = replace(problem, ints=ints)
    changed = copied, replace(problem, n_codes=11), replace(problem, max_plies=4)
    for other in (*changed, state_keyed(one_move())):
        assert other.checked
    ints[0] = 99
    assert copied.ints[0] == 3
    with pytest.raises(ValueError, match="read-only"):
        problem.ints[0] = 9
    with pytest.raises(ValueError, match="WRITEABLE"):
        problem.ints.setflags(write=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [morpion("5T"), samegame(bundled_board()), tsptw(bundled_tsptw("small"), look_ahead=True)],
    ids=lambda problem: problem.name,
)
def test_rules_of_this_package_keep_the_contract(problem):
    # `legal` of SameGame notes which groups it offers, that of a tour where it has looked before.
    look_at(own(problem))
    assert np.isfinite(try_out(own(problem), 1, 1))


@njit
def _far(array, i):
    array[i * 1_000_000] = 1 if i < 3 else _far(array, i - 1)
    return 0


def _reset_far(ints, floats):
    _far(ints, ints[0])


@pytest.mark.slow
def test_a_compiled_helper_is_checked_too():
    rules = RULES._replace(reset=njit(_reset_far))
    problem = replace(one_move(), rules=rules, ints=[1])
    with pytest.raises(RulesError, match=r"reset raises IndexError: index .*out of bounds"):
        NRPA(problem, np.random.default_rng(0)).run(3)


def test_what_would_grow_without_end_is_not_inlined():
    pytest.importorskip("numba", reason="without numba nothing is inlined")
    assert size_inlined(_far, {}) == np.inf
    assert all(size_inlined(rule, {}) < MOST_INLINED for rule in morpion("5D").rules)


def _fraction(ints, floats, codes, start):
    codes[start] = 1.7
    return 1


def _raising(ints, floats):
    raise ValueError("no score")


def _adds_half(ints, floats, k, code):
    ints[0] += 0.5


@pytest.mark.parametrize(
    ("change", "plain", "compiled"),
    [
        ({"legal": lambda ints, floats, codes, start: None},
         "legal returns None, which is not a number of moves: is `ret", ""),
        ({"legal": lambda ints, floats, codes, start: 0.5},
         "legal returns 0.5, which is not a number of moves", ""),
        ({"legal": _fraction}, r"legal puts 1\.7 where a whole number must be", ""),
        ({"score": lambda ints, floats: undefined_name(ints)},  # noqa: F821
         "score raises NameError: name 'undefined_name' is not defined",
         "score cannot be compiled: .*undefined_name"),
        ({"score": lambda ints, floats: "three"},
         "score returns 'three', which is not a number", ""),
        ({"score": _raising}, "score raises ValueError: no score",
         "score does not always return a number: is a `return` missing"),
        ({"play": _adds_half}, r"play puts 0\.5 where a whole number must be", ""),
        ({"play": lambda ints, floats, k, code: ints.append(k)}, "play raises AttributeError",
         "play cannot be compiled: Unknown attribute 'append'.*test_rules.py"),
    ],
)  # fmt: skip
def test_rules_that_do_not_compile(change, plain, compiled):
    problem = replace(one_move(), rules=RULES._replace(**change))
    with pytest.raises(RulesError, match=f"^one move: {plain}"):
        try_out(problem, np.random.default_rng(0))
    if compiled:
        pytest.importorskip("numba", reason="without numba nothing is compiled")
    with pytest.raises(RulesError, match=f"^one move: {compiled or plain}") as caught:
        FlatMonteCarlo(problem, np.random.default_rng(0)).run(5)
    assert len(str(caught.value)) < 500


BONUS, TABLE = 0.0, np.array([0.0, 1.0])


def _bonus():
    return BONUS


def _bonus_and_table(ints, floats):
    return _bonus() + TABLE[1]


@pytest.mark.parametrize("search", ["flat", "try_out"])
def test_what_rules_use_stays_as_it_is_when_the_problem_is_made(monkeypatch, search):
    problems = []
    for bonus, TABLE[1] in [(1.0, 10.0), (2.0, 20.0)]:
        monkeypatch.setitem(globals(), "BONUS", bonus)
        problems.append(one_move(score=_bonus_and_table))
    scores = [
        try_out(problem, 1) if search == "try_out" else SEARCHES[search](problem).run(1).score
        for problem in problems
    ]
    assert scores == [11, 22]
    again = [one_move(score=_bonus_and_table).rules.score for _ in range(2)]
    assert again[0] is again[1]  # else each problem would be compiled again


def test_another_process_with_other_numbers_is_refused(monkeypatch):
    stored = pickle.dumps(one_move(score=_bonus_and_table))
    assert pickle.loads(stored).name == "one move"
    monkeypatch.setitem(globals(), "BONUS", 3.0)
    with pytest.raises(RulesError, match=r"_bonus_and_table uses a number .* in this process"):
        pickle.loads(stored)


def _full(ints, floats):
    full = ints[0] + 2**62
    return 1.0 + 0 * (2 * full)


def test_try_out_warns_where_64_bits_are_full():
    with pytest.warns(RuntimeWarning, match="overflow"):
        try_out(one_move(score=_full), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if COMPILED else "ignore")  # compiled, it goes on in silence
        assert FlatMonteCarlo(one_move(score=_full), 1).run(1).score == 1


def test_a_loop_without_end_can_be_interrupted_in_its_first_game():
    code = """
from gameai_lib.nrpa import NRPA
from tests.nrpa.games import one_move

def forever(ints, floats, k, code):
    while True:
        floats[:] = 0

search = NRPA(one_move(play=forever), 1)
print("begins", flush=True)
search.run(seconds=1)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert said.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.skipif(not COMPILED, reason="plain Python refuses these rules")
def test_rules_that_only_run_compiled_are_searched():
    far = 0x9E3779B97F4A7C15  # more than 64 bits when it is multiplied
    problem = one_move(score=lambda ints, floats: 1.0 if ints[0] * far < 0 else 2.0)
    with pytest.raises(RulesError, match="score raises OverflowError"):
        try_out(problem, 1)
    assert DOORS["flat"](problem).score == 1.0


def test_replay_and_game_are_checked():
    for play in (lambda p: list(replay(p, [0, 0])), lambda p: playout_of(p, [0, 0])):
        with pytest.raises(RulesError, match="legal writes code 25"):
            play(faulty("code too large"))
