import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gameai_lib.ntbea.game.problems import grid, max_m
from gameai_lib.ntbea.search.steps import EvaluationError
from gameai_lib.ntbea.search.tuning import tune
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


def by_name(values, rng):
    return sum(values.values()) + rng.normal()


def by_point(point, rng):
    return point.sum() + rng.normal()


def tuning(evaluate=by_point, n_evaluations=43, seed=1, space=PROBLEM.space, **options):
    """A tuning as numbers that can be compared."""
    tuned = tune(evaluate, space, n_evaluations, np.random.default_rng(seed), **options)
    model = tuned.model
    return tuned.values, tuned.expected, model.points.tolist(), model.fitness.tolist()


def test_a_named_evaluator_gives_the_same():
    assert tuning(by_name, named=True) == tuning(by_point)


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


@pytest.mark.parametrize(("when", "learned"), [(0, 5), (38, 41)])
def test_a_failure_among_several_keeps_all_that_ended(when, learned):
    """Six at a time are played to their end."""
    calls = iter(range(100))

    def evaluate(point, rng):
        return math.nan if next(calls) == when else by_point(point, rng)

    with pytest.raises(EvaluationError, match="returned nan") as caught:
        tuning(evaluate, executor=Script(), n_at_a_time=6)
    assert caught.value.model.n_evaluations == learned


def test_small_spaces_leave_out_tuples_they_do_not_have():
    for options in ({}, {"sizes": tuple(np.arange(1, 3)), "rule": "ntbea"}):
        tuned = tune(lambda p, r: float(p[0]), grid(1, 4), 12, 1, **options)
        assert tuned.point.tolist() == [3]
    assert tuned.model.sizes == (1,)


@pytest.mark.parametrize("when", [0, 80, 99])
@pytest.mark.parametrize("huge", [1e200, -1e200, 1e-300])
def test_a_huge_result_costs_no_evaluation(when, huge):
    results = iter([0.0] * when + [huge] + [0.0] * 99)
    tuned = tune(lambda p, r: next(results) + p.sum(), PROBLEM.space, 100, 1)
    assert math.isfinite(tuned.expected + tuned.std)
    if huge == 1e200:
        assert tuned.point.tolist() == tuned.model.points[when].tolist()
