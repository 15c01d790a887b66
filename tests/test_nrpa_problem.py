"""The problem interface: bounds, replays, and equal results with and without a compiler."""

import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import gameai_lib
from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.referee import judge
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import tsptw
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.problem import Problem
from gameai_lib.nrpa.search.rules import Rules
from gameai_lib.nrpa.search.tryout import try_out
from gameai_lib.nrpa.search.walk import Playout, choices_of, playout_of, replay
from tests.nrpa_games import kernels_are_built_in, one_move, replaced_score, verdict_of

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import numpy as np
from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.game.tsptw import tsptw
"""
GAMES = """
for problem in (morpion("5D"), samegame(bundled_board()), tsptw(bundled_tsptw("medium"))):
    search = NRPA(problem, np.random.default_rng(8), level=2, n_iterations=4)
    nested = NMCS(problem, np.random.default_rng(8), level=1)
    nested.advance(12)
    for best in (search.run(), nested.best):
        print(best.score, *best.choices)
"""


@pytest.mark.slow
def test_same_games_without_numba():
    source = WITHOUT_NUMBA + GAMES
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        for program in (source, source.replace('sys.modules["numba"] = None', ""))
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].splitlines()) == 6


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


@pytest.mark.parametrize("searcher", [NRPA, NMCS])
def test_a_built_in_game_with_its_score_replaced(searcher):
    problem = tsptw(bundled_tsptw("small"))
    own = replace(problem, rules=problem.rules._replace(score=replaced_score))
    search = searcher(own, np.random.default_rng(0), level=1)
    assert search.run(10).score == -17.0
    assert flat_monte_carlo(own, np.random.default_rng(0), 3)[1].tolist() == [-17.0] * 3
    assert judge(own, search.best).score == -17.0


def test_a_built_in_game_with_its_first_position_replaced():
    problem = leftmove(5)
    own = replace(problem, rules=problem.rules._replace(reset=_one_ply_played))
    assert NRPA(own, np.random.default_rng(0), level=1, n_iterations=3).run().choices.size == 4


def _one_ply_played(ints, floats):
    ints[1] = 1
    ints[2] = 0


def test_another_process_knows_the_problems_of_this_package():
    problem = morpion("5D")
    best = NRPA(problem, np.random.default_rng(0), level=1, n_iterations=3).run()
    wrong = best._replace(codes=best.codes[::-1])
    assert pickle.loads(pickle.dumps(problem)).rules == problem.rules
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert executor.submit(kernels_are_built_in, problem).result()
        assert "accepted" in executor.submit(verdict_of, problem, best).result()
        assert "move 1: the line" in executor.submit(verdict_of, problem, wrong).result()


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


def test_try_out_refuses_a_score_that_is_no_number():
    problem = Problem("nan", Rules(_clean_reset, _three_moves, _count, _nan), [0], [], 1, 3, 1)
    with pytest.raises(ValueError, match="nan: score returns nan"):
        try_out(problem, np.random.default_rng(0))


def test_replay_and_translate():
    problem = morpion("5D")
    best = NRPA(problem, np.random.default_rng(0), level=1, n_iterations=3).run()
    np.testing.assert_array_equal(choices_of(problem, best.codes), best.choices)
    again = playout_of(problem, best.choices)
    assert again.score == best.score
    plies = list(replay(problem, best.choices))
    assert len(plies) == best.score + 1
    assert plies[-1].choice == -1
    first = plies[0].legal.copy()
    list(replay(problem, best.choices))
    np.testing.assert_array_equal(first, plies[0].legal)


def test_replay_refuses():
    with pytest.raises(ValueError, match="ply 1: choice 2 of 2 legal moves"):
        list(replay(leftmove(3), [0, 2, 0]))
    with pytest.raises(ValueError, match="ply 0: choice -1 of 2"):
        list(replay(leftmove(3), [-1, 0, 0]))
    with pytest.raises(ValueError, match="2 legal moves are left after 1 plies"):
        playout_of(leftmove(3), [0])
    with pytest.raises(ValueError, match="ply 0: move 5 is not legal"):
        choices_of(leftmove(3), [5])


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


ONE_SEARCH = """
import numpy as np
from gameai_lib.nrpa.game.instances import bundled_tsptw
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.referee import judge
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.game.tsptw import tsptw
for problem in ({problems}):
    judge(problem, NRPA(problem, np.random.default_rng(0), level=1, n_iterations=5).run())
"""


@pytest.mark.slow
def test_cached_kernels_of_two_problems_do_not_mix(tmp_path):
    # Each is compiled in a process of its own, then both are read from the cache in one.
    pytest.importorskip("numba", reason="without numba there is no cache")
    problems = ["leftmove(9)", "tsptw(bundled_tsptw('small'))"]
    for chosen in ([problems[0]], [problems[1]], problems):
        program = ONE_SEARCH.format(problems=", ".join(chosen) + ",")
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)


CACHE_HITS = """
import numpy as np
from gameai_lib.nrpa import NRPA, leftmove
from gameai_lib.nrpa.search.compiled import kernels_of
print(NRPA(leftmove(9), np.random.default_rng(0), level=1, n_iterations=5).run().score)
stats = kernels_of(leftmove(9)).nrpa.stats
print(len(stats.cache_hits), len(stats.cache_misses))
"""


@pytest.mark.slow
def test_kernels_are_kept_on_disk_until_a_source_changes(tmp_path):
    pytest.importorskip("numba", reason="without numba there is no cache")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(gameai_lib.__file__).parent, tmp_path / "gameai_lib", ignore=ignored)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", CACHE_HITS]

    def answers():
        run = subprocess.run(
            command, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return run.stdout.split()

    (score, *first), second = answers(), answers()
    assert (first, second) == (["0", "1"], [score, "1", "0"])
    rules = tmp_path / "gameai_lib/nrpa/game/leftmove.py"
    changed = rules.read_text().replace("float(ints[N_LEFT])", "float(100 + ints[N_LEFT])")
    rules.write_text(changed)
    assert answers() == [str(100 + float(score)), "0", "1"]


def test_referee_reads_the_rules_not_the_name():
    problem = replace(morpion("5D"), name="a game")
    best = NRPA(problem, np.random.default_rng(0), level=1, n_iterations=3).run()
    assert judge(problem, best).score == best.score


@pytest.mark.parametrize(
    ("codes", "message"),
    [([0, 2, 4, 6, 8] * 20, "ply 5"), ([0] * 5, "ply 1"), ([0, 2], "ply 2")],
)
def test_referee_of_leftmove(codes, message):
    playout = Playout(float(len(codes)), np.zeros(len(codes), np.int64), np.array(codes))
    with pytest.raises(ValueError, match=message):
        judge(leftmove(5), playout)
