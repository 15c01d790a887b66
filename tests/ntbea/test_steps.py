"""A search step by step, its neighbours, and the same in batches."""

import copy
import math
import pickle
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice, pairwise
from multiprocessing import get_context

import numpy as np
import pytest

from gameai_lib.ntbea import (
    EvaluationError,
    LandscapeModel,
    SearchSpace,
    Settings,
    neighbours,
    search_batches,
    search_steps,
)
from gameai_lib.ntbea.game.problems import grid, max_m
from gameai_lib.ntbea.search.mutation import _neighbours
from gameai_lib.ntbea.search.steps import DEFAULTS
from tests.ntbea.executors import Script

PROBLEM = max_m(4, 5, sigma=1.0)
ONE_CHANGES = Settings(mutation=0.0, n_neighbours=10)


def begun(seed=1, settings=DEFAULTS, model=None, evaluate=PROBLEM.evaluate, **options):
    model = LandscapeModel(PROBLEM.space) if model is None else model
    return model, search_steps(evaluate, model, np.random.default_rng(seed), settings, **options)


def run(n_steps, *given, **options):
    model, steps = begun(*given, **options)
    return model, list(islice(steps, n_steps))


def test_a_step_plays_the_highest_bound_of_what_the_steps_before_have_taught():
    calls = []

    def evaluate(point, rng):
        calls.append(point.copy())
        fitness = PROBLEM.evaluate(point, rng)
        point[:] = 0  # an evaluator may spoil its copy
        return fitness

    learned, search = begun(evaluate=evaluate)
    steps = []
    for step in islice(search, 60):
        steps.append(copy.deepcopy(step))
        step.point[:] = 7  # and a reader the step
    np.testing.assert_array_equal(learned.points, calls)
    np.testing.assert_array_equal(learned.points, [s.point for s in steps])
    np.testing.assert_array_equal(learned.fitness, [s.fitness for s in steps])
    model = LandscapeModel(PROBLEM.space)
    for before, step in pairwise(steps):
        model.add(before.point, before.fitness)
        assert step.k == pytest.approx(0.3 * np.ptp(model.fitness))
        bound = model.ucb(step.neighbours, step.k)
        np.testing.assert_allclose(step.mean + step.k * step.explore, bound)
        chosen = (step.neighbours == step.point).all(axis=1)
        assert chosen.sum() == 1
        assert bound[chosen][0] >= bound.max() - 1e-6


def test_neighbours_belong_to_the_last_point_and_not_to_the_best():
    model, steps = run(80, settings=ONE_CHANGES)
    for before, step in pairwise(steps):
        assert ((step.neighbours != before.point).sum(axis=1) == 1).all()
    last = model.points[-1]
    model, (first, *_) = run(220, model=model, seed=2)  # it goes on
    assert (first.neighbours != last).any(axis=1).all()
    assert (np.diff(model.points, axis=0) != 0).any(axis=1).all()
    assert len(np.unique(model.points, axis=0)) < 300  # but points are revisited


@pytest.mark.parametrize("flip_once", [True, False])
def test_a_dimension_changes_as_often_as_it_should_to_any_other_value(flip_once):
    """With p and flip_once with chance p + (1 - p) / d, never to itself."""
    parent, rng = np.array([1, 1, 1, 1, 1]), np.random.default_rng(4)
    options = {"mutation": 0.3, "flip_once": flip_once}
    found = np.array([neighbours(grid(5, 4), parent, 1, rng, **options)[0] for _ in range(2000)])
    none = 0 if flip_once else 0.7**5  # what is equal to the parent is drawn again
    expected = 0.3 + 0.7 / 5 if flip_once else 0.3 / (1 - none)
    assert abs((found != parent).mean() - expected) < 5 * math.sqrt(0.25 / 10_000)
    counts = np.bincount(found[:, 0], minlength=4)[[0, 2, 3]]
    assert abs(counts - counts.mean()).max() < 5 * math.sqrt(counts.mean())


def test_compiled_neighbours_equal_plain_python():
    plain = getattr(_neighbours, "py_func", _neighbours)
    space = grid(4, 3)
    arguments = (np.array([0, 1, 2, 0]), space.n_values, np.arange(4), 0.4, True)
    found, rows = np.zeros((2, 20, 4), np.int64)
    n = _neighbours(found, *arguments, np.random.default_rng(8))
    assert n == plain(rows, *arguments, np.random.default_rng(8)) == 20
    np.testing.assert_array_equal(found, rows)


def test_a_small_space_is_exhausted():
    """One of the seven neighbours comes up once in 100 draws."""
    rng = np.random.default_rng(1)
    for n in (7, 50) * 20:
        found = neighbours(grid(3, 2), [0, 0, 0], n, rng, mutation=0.1)
        assert len(np.unique(found, axis=0)) == len(found) == 7
    fixed = SearchSpace({"a": (1, 2, 3), "fixed": (7,), "b": (0, 1)})
    assert (neighbours(fixed, [0, 0, 0], 4, rng, mutation=0.5)[:, 1] == 0).all()
    # 18 points; with 100,000 rows a step took three seconds.
    model = LandscapeModel(SearchSpace({"a": (1, 2, 3), "b": (0, 1), "c": (4, 5, 6)}))
    _, steps = run(15, 1, Settings(n_neighbours=100_000), model, lambda point, rng: 1.0)
    assert {len(step.neighbours) for step in steps[1:]} == {17}


def test_an_error_of_an_evaluator_is_short_has_its_cause_and_can_be_pickled():
    space = SearchSpace({f"{'long' * 20}{i}": ("x" * 1000, "y") for i in range(30)})
    model = LandscapeModel(space)
    model.add([0] * 30, 7.0)
    with pytest.raises(EvaluationError, match=": ValueError") as caught:
        run(1, model=model, evaluate=lambda p, r: int("9" * 4000 + "x"))
    assert isinstance(caught.value.__cause__, ValueError)
    assert len(str(caught.value)) < 500
    error = pickle.loads(pickle.dumps(caught.value))
    assert (str(error), error.model.fitness.tolist()) == (str(caught.value), [7.0])
    assert error.point.tolist() == caught.value.point.tolist()


@pytest.mark.parametrize("unit", [2.0**-30, 2.0**30])
def test_scaled_k_makes_the_run_independent_of_the_unit_of_fitness(unit):
    other, _ = run(100, evaluate=lambda point, rng: unit * PROBLEM.evaluate(point, rng))
    np.testing.assert_array_equal(run(100)[0].points, other.points)


@pytest.mark.parametrize("fitness", [0.0, 0.1])
def test_equal_bounds_are_drawn_at_random(fitness):
    """All four points of a line of equal fitness come up after any other."""
    model = LandscapeModel(SearchSpace({"a": range(5)}), (1,))
    for point in model.space.all_points():
        for _ in range(1 + point[0]):  # the mean of three times 0.1 is not 0.1
            model.add(point, fitness)
    counts = np.zeros(5, int)
    for seed in range(200):
        given = seed, Settings(n_neighbours=4, mutation=0.0), pickle.loads(pickle.dumps(model))
        counts[run(1, *given, lambda point, rng: fitness)[1][0].point] += 1
    assert counts[4] == 0
    assert abs(counts[:4] - 50).max() < 5 * math.sqrt(50)


# In batches


def batches(n_steps, batch_size, executor=None, seed=6, evaluate=PROBLEM.evaluate, **options):
    model = options.pop("model", None) or LandscapeModel(PROBLEM.space)
    given = evaluate, model, np.random.default_rng(seed), executor or Script(), batch_size
    return model, list(islice(search_batches(*given, **options), n_steps))


def slow_first(point, rng):
    time.sleep(0.01 * rng.random())
    return PROBLEM.evaluate(point, rng)


def test_batches_do_not_depend_on_the_executor():
    expected, _ = batches(21, 4, evaluate=slow_first)
    for pool in (ThreadPoolExecutor(4), ProcessPoolExecutor(2, get_context("spawn"))):
        with pool as executor:
            model, _ = batches(21, 4, executor, evaluate=slow_first)
        np.testing.assert_array_equal(model.points, expected.points)
        assert model.n_evaluations == 21


def test_a_batch_holds_the_best_neighbours_of_the_first_of_the_batch_before():
    model, steps = batches(31, 5, settings=ONE_CHANGES)
    for first in range(1, 31, 5):
        batch, parent = steps[first : first + 5], steps[max(first - 5, 0)].point
        assert all(step.neighbours is batch[0].neighbours for step in batch)
        assert ((batch[0].neighbours != parent).sum(axis=1) == 1).all()
        bound = batch[0].mean + batch[0].k * batch[0].explore
        chosen = [np.flatnonzero((batch[0].neighbours == s.point).all(axis=1))[0] for s in batch]
        assert len(set(chosen)) == 5
        assert bound[chosen].min() >= np.sort(bound)[-5] - 1e-6
    last = model.points[-1]
    _, more = batches(5, 5, settings=ONE_CHANGES, model=model)  # a full one around the last point
    assert [(step.point != last).sum() for step in more] == [1] * 5


@pytest.mark.parametrize("n_evaluations", [1, 5, 7])
def test_batches_stop_after_exactly_the_agreed_number_of_calls(n_evaluations):
    executor = Script()
    model, steps = batches(99, 4, executor, n_evaluations=n_evaluations)
    assert len(executor.futures) == len(steps) == model.n_evaluations == n_evaluations
    # In 27 points the default is six neighbours, or as many as a batch has.
    model, steps = batches(41, 20, model=LandscapeModel(grid(3, 3)), evaluate=lambda p, r: 1.0)
    assert [len(s.neighbours) for s in steps[1::20]] == [20, 20]
    assert [len(np.unique(model.points[i : i + 20], axis=0)) for i in (1, 21)] == [20, 20]


def test_a_failure_keeps_what_is_finished_and_cancels_what_has_not_started():
    script = Script(1.0, 2.0, OSError("first"), 3.0, None, OSError("second"), 4.0)
    model, steps = LandscapeModel(PROBLEM.space), []
    with pytest.raises(EvaluationError, match="first") as caught:
        steps.extend(search_batches(PROBLEM.evaluate, model, np.random.default_rng(1), script, 6))
    assert model.fitness.tolist() == [s.fitness for s in steps] == [1.0, 2.0, 3.0, 4.0]
    np.testing.assert_array_equal(model.points, [s.point for s in steps])
    assert caught.value.model is model
    assert [f.cancelled() for f in script.futures] == [i == 4 for i in range(7)]
    batch = {tuple(p) for p in steps[1].neighbours}
    assert tuple(caught.value.point) in batch - {tuple(p) for p in model.points}
