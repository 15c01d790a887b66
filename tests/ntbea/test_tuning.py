import math
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from gameai_lib.ntbea.game.problems import grid, max_m, one_max
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.steps import EvaluationError, Settings
from gameai_lib.ntbea.search.tuning import tune

PROBLEM = max_m(4, 4, sigma=1.0)


@pytest.mark.parametrize("n_evaluations", [1, 2, 7, 50, 83])
@pytest.mark.parametrize("rule", ["ntbea", "thompson"])
def test_the_evaluator_is_called_exactly_as_often_as_agreed(n_evaluations, rule):
    calls, reports = [], []

    def evaluate(point, rng):
        calls.append(point)
        return PROBLEM.evaluate(point, rng)

    tuned = tune(
        evaluate,
        PROBLEM.space,
        n_evaluations,
        np.random.default_rng(1),
        rule=rule,
        progress=lambda done, total: reports.append((done, total)),
    )
    assert len(calls) == n_evaluations == tuned.model.n_evaluations
    assert reports == [(i, n_evaluations) for i in range(1, n_evaluations + 1)]


def test_the_last_games_go_to_what_is_good():
    tuned = tune(PROBLEM.evaluate, PROBLEM.space, 100, np.random.default_rng(2))
    worth = PROBLEM.true_values(tuned.model.points)
    assert worth[80:].mean() > worth[:10].mean() + 3


def test_expected_value_and_spread_are_honest():
    """The true value lies within three standard deviations of what is expected."""
    inside = 0
    for seed in range(20):
        tuned = tune(PROBLEM.evaluate, PROBLEM.space, 100, np.random.default_rng(seed))
        inside += abs(PROBLEM.true_value(tuned.point) - tuned.expected) < 3 * tuned.std + 1e-9
    assert inside >= 18


def test_it_beats_a_single_look_at_many_points():
    problem = one_max()
    values = [
        problem.true_value(
            tune(problem.evaluate, problem.space, 100, np.random.default_rng(seed)).point
        )
        for seed in range(20)
    ]
    assert np.mean(values) > 0.75  # random search: 0.57


def test_tuning_goes_on_from_a_model():
    first = tune(PROBLEM.evaluate, PROBLEM.space, 30, np.random.default_rng(1))
    again = tune(PROBLEM.evaluate, PROBLEM.space, 20, np.random.default_rng(2), model=first.model)
    assert again.model is first.model
    assert again.model.n_evaluations == 50


def by_name(values, rng):
    return sum(values.values()) + rng.normal()


def by_point(point, rng):
    return point.sum() + rng.normal()


class Now:
    """An executor that runs at once."""

    def submit(self, evaluate, *given):
        future = Future()
        try:
            future.set_result(evaluate(*given))
        except Exception as error:
            future.set_exception(error)
        return future


def tuning(evaluate=by_point, n_evaluations=43, seed=1, space=PROBLEM.space, **options):
    """A tuning as numbers that can be compared."""
    tuned = tune(evaluate, space, n_evaluations, np.random.default_rng(seed), **options)
    model = tuned.model
    return tuned.values, tuned.expected, model.points.tolist(), model.fitness.tolist()


def test_a_named_evaluator_gives_the_same():
    assert tuning(by_name, named=True) == tuning(by_point)


def test_the_recommendation_has_names():
    space = SearchSpace({"speed": (1, 2, 4), "map": ("a", "b")})
    tuned = tune(lambda v, rng: v["speed"], space, 20, np.random.default_rng(1), named=True)
    assert tuned.values == space.values_of(tuned.point)
    assert tuned.values["speed"] == 4


@pytest.mark.parametrize("rule", ["ntbea", "thompson"])
@pytest.mark.parametrize("n_at_a_time", [1, 4, 100])
def test_several_at_a_time_depend_neither_on_the_executor_nor_on_its_timing(rule, n_at_a_time):
    options = {"rule": rule, "n_at_a_time": n_at_a_time}
    here = tuning(executor=Now(), **options)
    with ThreadPoolExecutor(3) as threads:
        assert tuning(executor=threads, **options) == here
    assert len(here[2]) == 43


def test_a_process_pool_runs_a_named_evaluator():
    here = tuning(by_name, 10, named=True, executor=Now(), n_at_a_time=3)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert tuning(by_name, 10, named=True, executor=pool, n_at_a_time=3) == here


def test_several_at_a_time_differ_as_long_as_they_can():
    _, _, points, _ = tuning(executor=Now(), n_at_a_time=5, n_evaluations=40)
    for i in range(0, 40, 5):
        assert len({tuple(point) for point in points[i : i + 5]}) == 5


@pytest.mark.parametrize(("when", "learned"), [(0, 5), (7, 11), (38, 41)])
def test_a_failure_among_several_keeps_all_that_ended(when, learned):
    """Six at a time are played to their end."""
    calls = iter(range(100))

    def evaluate(point, rng):
        return math.nan if next(calls) == when else by_point(point, rng)

    with pytest.raises(EvaluationError, match="returned nan") as caught:
        tuning(evaluate, executor=Now(), n_at_a_time=6)
    assert caught.value.model.n_evaluations == learned


@pytest.mark.parametrize("n_before", [20, 90])
def test_a_model_passed_in_keeps_what_was_learned_before_an_interrupt(n_before):
    calls = iter(range(100))

    def evaluate(point, rng):
        if next(calls) == n_before:
            raise KeyboardInterrupt
        return PROBLEM.evaluate(point, rng)

    model = LandscapeModel(PROBLEM.space)
    with pytest.raises(KeyboardInterrupt):
        tune(evaluate, PROBLEM.space, 100, np.random.default_rng(1), model=model)
    assert model.n_evaluations == n_before


@pytest.mark.parametrize(
    "settings",
    [Settings(n_neighbours=0), Settings(n_neighbours=2.5), Settings(mutation=0, flip_once=False)],
)
def test_bad_settings_cost_no_evaluation(settings):
    calls = []
    with pytest.raises((TypeError, ValueError), match=r"n_neighbours|parent"):
        tune(lambda p, r: calls.append(p), PROBLEM.space, 10, np.random.default_rng(1), settings)
    assert not calls


def test_small_spaces_leave_out_tuples_they_do_not_have():
    tuned = tune(lambda p, r: float(p[0]), grid(1, 4), 12, np.random.default_rng(1))
    assert tuned.point.tolist() == [3]
    sizes = tuple(np.arange(1, 3))
    options = {"sizes": sizes, "rule": "ntbea"}
    tuned = tune(lambda p, r: float(p[0]), grid(1, 4), 12, np.random.default_rng(1), **options)
    assert tuned.model.sizes == (1,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_evaluations": 0}, "n_evaluations must be at least 1, got 0"),
        ({"sizes": 2}, r"a tuple such as \(1, 2, 'd'\), got 2"),
        ({"sizes": (True,)}, "got True"),
        ({"rule": "greedy"}, r"rule must be one of \['thompson', 'ntbea', 'ucb'\], got 'greedy'"),
        ({"n_at_a_time": 0}, "n_at_a_time must be at least 1, got 0"),
        ({"n_at_a_time": 2}, "n_at_a_time=2 needs an executor"),
        ({"model": LandscapeModel(grid(2, 2))}, "the model has parameters"),
        ({"settings": Settings(mutation=2.0)}, "got 2.0"),
        ({"sizes": ("x",)}, "'x'"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    arguments = {"n_evaluations": 10, "space": PROBLEM.space} | options
    with pytest.raises(ValueError, match=message):
        tune(PROBLEM.evaluate, rng=np.random.default_rng(1), **arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rng": 0.5}, "rng must be a numpy.random.Generator, or a whole .*, got 0.5"),
        ({"rng": None}, "rng must be a numpy.random.Generator, .*, got None"),
        ({"rng": np.random.RandomState(1)}, "rng must be a numpy.random.Generator"),
        ({"n_evaluations": 10.0}, "n_evaluations must be a whole number, got 10.0"),
        ({"n_evaluations": True}, "n_evaluations must be a whole number, got True"),
        ({"named": 1}, "named must be True or False, got 1"),
        ({"executor": 4}, "executor must be one of .*, such as ThreadPoolExecutor\\(4\\), got 4"),
        ({"evaluate": 3}, "evaluate must be a function, got 3"),
        ({"space": 3}, "space must be of type SearchSpace or Mapping, got 3"),
        ({"model": "m.npz"}, "model must be of type LandscapeModel, got 'm.npz'"),
        ({"settings": {"k": 1}}, "settings must be of type Settings, got {'k': 1}"),
        ({"progress": 1}, "progress must be a function, got 1"),
    ],
)
def test_arguments_of_another_kind_are_refused(options, message):
    arguments = {
        "evaluate": PROBLEM.evaluate,
        "space": PROBLEM.space,
        "n_evaluations": 10,
        "rng": np.random.default_rng(1),
    }
    with pytest.raises(TypeError, match=message):
        tune(**(arguments | options))


@pytest.mark.parametrize("when", [0, 10, 80, 99])
@pytest.mark.parametrize("huge", [1e200, -1e200, 1e-300])
def test_a_huge_result_costs_no_evaluation(when, huge):
    calls = iter(range(100))

    def evaluate(point, rng):
        return huge if next(calls) == when else PROBLEM.evaluate(point, rng)

    tuned = tune(evaluate, PROBLEM.space, 100, np.random.default_rng(1))
    assert tuned.model.n_evaluations == 100
    assert math.isfinite(tuned.expected)
    assert math.isfinite(tuned.std)
    if huge == 1e200:
        assert tuned.point.tolist() == tuned.model.points[when].tolist()


def test_a_result_too_large_to_be_summed_is_an_evaluation_error():
    with pytest.raises(EvaluationError, match=r"returned 1e\+300, which is beyond 1e\+250"):
        tune(lambda p, r: 1e300, PROBLEM.space, 10, np.random.default_rng(1))
