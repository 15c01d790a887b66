import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gameai_lib.ntbea import tune
from gameai_lib.ntbea.game.problems import max_m
from tests.ntbea.executors import Script

PROBLEM = max_m(4, 4, sigma=1.0)


def test_what_it_expects_is_honest_and_its_last_games_are_good():
    """The true value lies within three standard deviations of what is expected."""
    inside = 0
    for seed in range(5):
        tuned = tune(PROBLEM.evaluate, PROBLEM.space, 80, np.random.default_rng(seed))
        inside += abs(PROBLEM.true_value(tuned.point) - tuned.expected) < 3 * tuned.std + 1e-9
        worth = PROBLEM.true_values(tuned.model.points)
        assert worth[60:].mean() > worth[:10].mean() + 2
    assert inside >= 4


def by_point(point, rng):
    return point.sum() + rng.normal()


def tuning(evaluate=by_point, n_evaluations=43, seed=1, space=PROBLEM.space, **options):
    """A tuning as numbers that can be compared."""
    tuned = tune(evaluate, space, n_evaluations, np.random.default_rng(seed), **options)
    model = tuned.model
    return tuned.values, tuned.expected, model.points.tolist(), model.fitness.tolist()


@pytest.mark.parametrize("rule", ["ntbea", "thompson"])
@pytest.mark.parametrize("n_at_a_time", [1, 4, 100])
def test_several_at_a_time_differ_and_depend_not_on_the_executor_nor_on_its_timing(
    rule, n_at_a_time
):
    options = {"rule": rule, "n_at_a_time": n_at_a_time}
    here = tuning(executor=Script(), **options)
    with ThreadPoolExecutor(3) as threads:
        assert tuning(executor=threads, **options) == here
    points = [tuple(point) for point in here[2]]
    assert len(points) == 43
    for i in range(0, 43, n_at_a_time):
        assert len(set(points[i : i + n_at_a_time])) == len(points[i : i + n_at_a_time])


@pytest.mark.parametrize("when", [0, 80, 99])
@pytest.mark.parametrize("huge", [1e200, -1e200, 1e-300])
def test_a_huge_result_costs_no_evaluation(when, huge):
    results = iter([0.0] * when + [huge] + [0.0] * 99)
    tuned = tune(lambda p, r: next(results) + p.sum(), PROBLEM.space, 100, 1)
    assert math.isfinite(tuned.expected + tuned.std)
    if huge == 1e200:
        assert tuned.point.tolist() == tuned.model.points[when].tolist()
