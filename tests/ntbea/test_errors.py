"""What the doors of ntbea refuse, in one table: each error names what it refuses."""

import math

import numpy as np
import pytest

from gameai_lib.ntbea import (
    LandscapeModel,
    Problem,
    SearchSpace,
    Settings,
    Tuner,
    between,
    search_batches,
    search_steps,
    tune,
)
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import grid
from tests.ntbea.executors import Script
from tests.ntbea.test_space import CATEGORIES, SPACE

MODEL = LandscapeModel(grid(3, 2), (1,))
RULES = space_battle.Rules(6, 2, 10, 5, 4, 20)
PILOT, OPPONENT = space_battle.NEAR_SIGHTED, planet_wars.OPPONENT


def never(*_):
    pytest.fail("an evaluation was played")


def tuner(**options):
    return Tuner(**{"space": SPACE, "rng": 1} | options)


def tuning(**options):
    return tune(**{"evaluate": never, "space": SPACE, "n_evaluations": 5, "rng": 1} | options)


def search(space=None, **how):
    return search_steps(never, LandscapeModel(space or grid(10, 5)), 1, Settings(**how))


def batches(batch_size, n_evaluations=None, **how):
    """Begin a search of 27 points in batches."""
    given = never, LandscapeModel(grid(3, 3)), 1, Script(), batch_size, Settings(**how)
    return search_batches(*given, n_evaluations=n_evaluations)


def problem(**noise):
    return Problem("x", grid(1, 2), lambda points: points.sum(axis=1), **noise)


def wars(n_model_calls=80, **changes):
    agent = OPPONENT._replace(**changes)
    return planet_wars.play(agent, OPPONENT, 1, n_model_calls=n_model_calls)


def battle(rules=RULES, **changes):
    return space_battle.play(rules, PILOT._replace(**changes), PILOT, 1)


def point(**values):
    return SPACE.point_of({"speed": 1, "shield": True, "map": "a"} | values)


REFUSED = [
    (lambda: SearchSpace({}), "got none"),
    (lambda: SearchSpace({"a": (1, math.nan)}), "repeats a value, or has NaN: .*nan"),
    (lambda: SearchSpace({"a": 5}), "'a' needs a list of 1 to 100000 values, got 5"),
    (lambda: SearchSpace({"a": {1, 2}}), "'a' needs a list of .* got {1, 2}"),  # in no order
    (lambda: SearchSpace({"a": range(10**9)}), "1 to 100000 values, got range"),
    (lambda: SearchSpace({"a": ("x", {"y": 1})}), "values of 'a' are .*hashable .* got .*'y': 1}"),
    (lambda: SearchSpace({"": (1, 2)}), "non-empty word"),
    (lambda: SearchSpace(5), "a mapping of names to values, .* got 5"),
    (lambda: point(speed=3), "speed=3"),
    (lambda: point(speed=1.0001), "speed=1.0001 is not one of"),
    (lambda: point(sped=1), r"no parameter 'sped' among \['speed', 'shield'"),
    (lambda: SPACE.point_of({"speed": 1}), r"no value for 'shield' in {'speed': 1}"),
    (lambda: CATEGORIES.point_of({"ai": "None", "map": 1}), "ai='None' is not one of"),
    (lambda: between(2, 1), "low must be below high, got 2 and 1"),
    (lambda: between(1, 1), "low must be below high, got 1 and 1"),
    (lambda: between(0, 1.0, log=True), "positive low, got 0"),
    (lambda: between("a", 1), "low must be a number, got 'a'"),
    (lambda: between(0, math.nan), "high must be .*, got nan"),
    (lambda: between(0, 1e200), "high must be .* at most 1e.100, got 1e.200"),
    (lambda: between(0, 1, 1), "n_steps must be from 2 to 1000, got 1"),
    (lambda: between(0, 1, log=1), "log must be True or False, got 1"),
    (lambda: between(1.0, 1.0000000000000002, 9), "no 9 different floats"),
    (lambda: SPACE.check([3, 0, 0]), r"\[3, 0, 0\] lies outside"),
    (lambda: SPACE.check(np.array([0, 0, 2**63], np.uint64)), "lies outside"),
    (lambda: SPACE.check([0, 0]), "need 3 indices"),
    (lambda: SPACE.check(range(10**9)), "points must have at most .* entries, got range"),
    (lambda: SPACE.check([0.0, 0, 0]), "points must be an array of whole numbers, got"),
    (lambda: grid(30, 10).all_points(), "too many to list"),
    (lambda: LandscapeModel(grid(2, 2), (3,)), r"no n-tuples of 2 dimen.* the sizes \(3,\)"),
    (lambda: LandscapeModel(grid(2, 2), (True,)), "a whole number, got True"),
    (lambda: LandscapeModel(grid(30, 2), (15,)), "155117520 n-tuples of 30 dim.*20000 at most"),
    (lambda: LandscapeModel(grid(2, 2), (1,), 0), "epsilon must be at least .*, got 0"),
    (lambda: MODEL.add((0, 0, 0), 1e300), "which is beyond 1e.250"),
    (lambda: MODEL.add((0, 0, 0), "1"), "'1', which is not a number"),
    (lambda: MODEL.arms((0, 1)), r"no n-tuple \(0, 1\)"),
    (lambda: MODEL.arms(2), "parameters are given by name or number"),
    (lambda: MODEL.arms(["no such"]), "no parameter 'no such' among"),
    (lambda: LandscapeModel(grid(6, 12)).arms(range(6)), "too many arms, "),
    (lambda: LandscapeModel.load(0), "path must be the path of a file"),  # 0 is the keyboard
    (lambda: MODEL.save(None), "path must be the path of a file"),
    (lambda: search(n_neighbours=10**5), "n_neighbours must be from 1 to 10000, got"),
    (lambda: search(mutation=0.0, flip_once=False), "every neighbour is the parent"),
    (lambda: search(mutation=1.5), "mutation must be .* at most 1, got 1.5"),
    (lambda: search(k=-1.0), "k must be at least 0, got -1"),
    (lambda: search(k_scale=math.nan), "k_scale must be at least 0 .*, got nan"),
    (lambda: search(k=1, k_scale=0.5), "k or k_scale, not both"),
    (lambda: search(SearchSpace({"a": (1,)})), "one point only"),
    (lambda: batches(0), "batch_size must be at least 1, got 0"),
    (lambda: batches(27), "batch_size is 27, but a population has 26 neighbours at most"),
    (lambda: batches(9, mutation=0.0), "batch_size is 9, but a population has 6"),
    (lambda: batches(9, mutation=1.0), "batch_size is 9, but a population has 8"),
    (lambda: batches(9, n_evaluations=0), "n_evaluations must be at least 1, got 0"),
    (lambda: tuner(settings=Settings(k=0)), "k=0, .* are for NTBEA: leave them out"),
    (lambda: tuner(rule="UCB"), r"one of \['thompson', 'ntbea'\], got 'UCB'"),
    (lambda: tuner(model=MODEL), "the model has .*'x0'"),
    (lambda: tuner(valid=3), "valid must be a function, got 3"),
    (lambda: tuner(valid=lambda v: None).ask(), "what valid returns must be True .*, got None"),
    (lambda: tuner(valid=lambda v: v["c"]).ask(), r"valid raised KeyError\('c'\) for {'speed': "),
    (lambda: tuner().tell_point([0, 0, 0], 1.0, 0.0), "std must be more than 0, got 0"),
    (lambda: tuner().tell_point([0, 0, 0], 1.0, math.nan), "std must be more than 0, got nan"),
    (lambda: tuner().tell_point([0, 0, 0], 1.0, "1"), "std must be a number, got '1'"),
    (lambda: tuning(n_evaluations=0), "n_evaluations must be at least 1, got 0"),
    (lambda: LandscapeModel(SPACE, 2), r"a tuple such as \(1, 2, 'd'\), got 2"),
    (lambda: tuning(n_at_a_time=2), "n_at_a_time=2 needs an executor"),
    (lambda: tuning(rng=None), "rng must be a numpy.random.Generator, .*, got None"),
    (lambda: tuning(executor=4), "executor must be of type Executor, got 4"),
    (lambda: tuning(evaluate=3), "evaluate must be a function, got 3"),
    (lambda: tuning(space=3), "space must be of type SearchSpace or Mapping, got 3"),
    (lambda: tuning(model="m.npz"), "model must be of type LandscapeModel, got 'm.npz'"),
    (lambda: tuning(catch=True), "catch must be a class of exceptions or a tuple, got"),
    (lambda: tuning(catch=KeyboardInterrupt), "catch must be a class of exceptions or a"),
    (lambda: problem(), "one of them"),
    (lambda: problem(sigma=1.0, outcomes=(0, 1)), "one of them"),
    (lambda: problem(sigma=-1.0), "got -1.0"),
    (lambda: problem(outcomes=(1, 0)), r"two rising numbers, got \(1, 0\)"),
    (lambda: wars(length=2.5), "length must be a whole number, got 2.5"),
    (lambda: wars(flip_one=1), "flip_one must be True or False, got 1"),
    (lambda: wars(n_resamples=10**9), "do not pay for one plan"),
    (lambda: wars(n_model_calls=10**12), "n_model_calls must be from 1 to 100000"),
    (lambda: battle(RULES._replace(thrust=np.nan)), "thrust must be at least 0 .*, got nan"),
    (lambda: battle(n_plans=0), "n_plans must be at least 1, got 0"),
    (lambda: battle(n_plans=10**9), "more than 100000 ticks for a move"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_wrong_is_refused_by_name_and_costs_no_evaluation(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
