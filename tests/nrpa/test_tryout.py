"""Rules tried out in plain Python: what leaves its bounds is found."""

import numpy as np
import pytest

from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import tsptw
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.nrpa.problem.tryout import try_out
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from tests.nrpa.games import one_move


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
