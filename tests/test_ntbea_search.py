import math
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice, pairwise
from multiprocessing import get_context

import numpy as np
import pytest

from gameai_lib.ntbea.landscape import LandscapeModel
from gameai_lib.ntbea.problems import grid, max_m, one_max
from gameai_lib.ntbea.search import (
    DEFAULTS,
    EvaluationError,
    Settings,
    _neighbours,
    neighbours,
    search,
    search_batches,
)
from gameai_lib.ntbea.space import SearchSpace

PROBLEM = max_m(4, 5, sigma=1.0)


def run(n_steps, seed=1, settings=DEFAULTS, model=None, evaluate=PROBLEM.evaluate, **options):
    model = LandscapeModel(PROBLEM.space) if model is None else model
    rng = np.random.default_rng(seed)
    return model, list(islice(search(evaluate, model, rng, settings, **options), n_steps))


def test_each_step_is_one_evaluation_learned():
    calls = []

    def evaluate(point, rng):
        calls.append(point)
        return PROBLEM.evaluate(point, rng)

    model, steps = run(60, evaluate=evaluate)
    assert len(calls) == len(steps) == model.n_evaluations == 60
    np.testing.assert_array_equal(model.points, [s.point for s in steps])
    np.testing.assert_array_equal(model.fitness, [s.fitness for s in steps])


def test_the_choice_is_the_highest_bound_of_a_model_that_knows_the_steps_before():
    _, steps = run(40)
    model = LandscapeModel(PROBLEM.space)
    for before, step in pairwise(steps):
        model.add(before.point, before.fitness)
        assert step.k == pytest.approx(0.3 * np.ptp(model.fitness))
        bound = model.ucb(step.neighbours, step.k)
        np.testing.assert_allclose(step.mean + step.k * step.explore, bound)
        chosen = (step.neighbours == step.point).all(axis=1)
        assert chosen.sum() == 1
        assert bound[chosen][0] >= bound.max() - 1e-6


def test_neighbours_belong_to_the_current_point_not_to_the_best():
    _, steps = run(80, settings=Settings(mutation=0.0, n_neighbours=10))
    for before, step in pairwise(steps):
        assert ((step.neighbours != before.point).sum(axis=1) == 1).all()


def test_a_yielded_step_is_never_changed_and_the_evaluator_may_spoil_its_copy():
    def spoil(point, rng):
        point[:] = 0
        return rng.normal()

    model = LandscapeModel(PROBLEM.space)
    steps = search(spoil, model, np.random.default_rng(5))
    first = next(steps)
    kept = first.point.copy()
    later = list(islice(steps, 20))
    np.testing.assert_array_equal(first.point, kept)
    assert any(step.point.any() for step in later)
    np.testing.assert_array_equal(model.points[0], kept)


def test_the_parent_is_never_evaluated_twice_in_a_row():
    model, _ = run(300)
    assert (np.diff(model.points, axis=0) != 0).any(axis=1).all()
    assert len(np.unique(model.points, axis=0)) < 300  # but points are revisited


def test_neighbours_are_distinct_and_differ_from_the_parent():
    space = grid(6, 3)
    parent = np.array([0, 1, 2, 0, 1, 2])
    for flip_once in (True, False):
        found = neighbours(
            space, parent, 80, np.random.default_rng(2), mutation=0.3, flip_once=flip_once
        )
        assert len(np.unique(found, axis=0)) == 80
        assert (found != parent).any(axis=1).all()
        space.check(found)
    assert parent.tolist() == [0, 1, 2, 0, 1, 2]


def test_mutation_rate_and_the_value_that_changes():
    """With p and flip_once a dimension changes with chance p + (1 - p) / d, never to itself."""
    space, p = grid(5, 4), 0.3
    rng = np.random.default_rng(4)
    parent = np.array([1, 1, 1, 1, 1])
    found = np.concatenate([neighbours(space, parent, 1, rng, mutation=p) for _ in range(4000)])
    expected = p + (1 - p) / 5
    assert abs((found != parent).mean() - expected) < 5 * math.sqrt(0.25 / 20_000)
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


def test_fewer_distinct_neighbours_than_asked_for_says_so():
    space = grid(3, 2)
    with pytest.warns(UserWarning, match="found 7 distinct neighbours where 50"):
        found = neighbours(space, [0, 0, 0], 50, np.random.default_rng(1), mutation=0.5)
    assert len(np.unique(found, axis=0)) == 7


def test_a_parameter_with_one_value_never_changes():
    space = SearchSpace({"a": (1, 2, 3), "fixed": (7,), "b": (0, 1)})
    found = neighbours(space, [0, 0, 0], 4, np.random.default_rng(1), mutation=0.5)
    assert (found[:, 1] == 0).all()
    assert (found.any(axis=1)).all()


def test_without_flip_and_mutation_nothing_could_move():
    with pytest.raises(ValueError, match="every neighbour is the parent"):
        run(2, settings=Settings(mutation=0.0, flip_once=False))
    with pytest.raises(ValueError, match="one point only"):
        run(2, model=LandscapeModel(SearchSpace({"a": (1,)}), (1,)), evaluate=lambda p, r: 0.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(n_neighbours=0), "n_neighbours must be at least 1, got 0"),
        (Settings(mutation=1.5), "probability, got 1.5"),
        (Settings(k=-1.0), "k must be zero or more, got -1"),
        (Settings(k_scale=math.nan), "k_scale must be zero or more, got nan"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        run(2, settings=settings)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_an_evaluator_without_a_number_keeps_what_was_learned(bad):
    values = iter([1.0, 2.0, bad])
    with pytest.raises(EvaluationError, match="returned") as caught:
        run(5, evaluate=lambda p, r: next(values))
    assert caught.value.model.fitness.tolist() == [1.0, 2.0]
    assert caught.value.point.shape == (4,)


def test_an_evaluator_that_raises_keeps_what_was_learned_and_the_cause():
    def evaluate(point, rng):
        raise KeyError("lost the game")

    with pytest.raises(EvaluationError, match="lost the game") as caught:
        run(1, evaluate=evaluate)
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.model.n_evaluations == 0


def test_a_search_goes_on_from_a_model():
    model, _ = run(20)
    last = model.points[-1]
    model, steps = run(20, model=model, seed=2)
    assert model.n_evaluations == 40
    assert len(steps[0].neighbours) == 50
    assert (steps[0].neighbours != last).any(axis=1).all()


def test_start_is_evaluated_first():
    _, steps = run(1, start=(4, 3, 2, 1))
    assert steps[0].point.tolist() == [4, 3, 2, 1]


def test_scaled_k_makes_the_run_independent_of_the_unit_of_fitness():
    def thousands(point, rng):
        return 1024 * PROBLEM.evaluate(point, rng)

    small, _ = run(100)
    large, _ = run(100, evaluate=thousands)
    np.testing.assert_array_equal(small.points, large.points)


def test_it_finds_the_optimum_of_a_noiseless_problem():
    problem = one_max(sigma=0.0)
    found = 0
    for seed in range(10):
        model, _ = run(100, seed, model=LandscapeModel(problem.space), evaluate=problem.evaluate)
        found += model.fitness.max() == 10
    assert found == 10


def slow_first(point, rng):
    time.sleep(0.01 * rng.random())
    return PROBLEM.evaluate(point, rng)


def test_batches_do_not_depend_on_the_executor():
    results = []
    for pool in (
        ThreadPoolExecutor(1),
        ThreadPoolExecutor(4),
        ProcessPoolExecutor(2, get_context("spawn")),
    ):
        with pool as executor:
            model = LandscapeModel(PROBLEM.space)
            rng = np.random.default_rng(6)
            list(islice(search_batches(slow_first, model, rng, executor, 4), 21))
        assert model.n_evaluations == 21
        results.append((model.points, model.fitness))
    for points, fitness in results[1:]:
        np.testing.assert_array_equal(points, results[0][0])
        np.testing.assert_array_equal(fitness, results[0][1])


def test_a_batch_holds_the_best_neighbours_once_each():
    with ThreadPoolExecutor(2) as executor:
        model = LandscapeModel(PROBLEM.space)
        rng = np.random.default_rng(6)
        steps = list(islice(search_batches(PROBLEM.evaluate, model, rng, executor, 5), 11))
    batch = steps[1:6]
    bound = batch[0].mean + batch[0].k * batch[0].explore
    chosen = [np.flatnonzero((batch[0].neighbours == s.point).all(axis=1))[0] for s in batch]
    assert len(set(chosen)) == 5
    assert bound[chosen].min() >= np.sort(bound)[-5] - 1e-6


def test_a_failing_batch_keeps_what_was_learned():
    def evaluate(point, rng):
        return math.nan if point.sum() > 9 else float(point.sum())

    with ThreadPoolExecutor(2) as executor:
        model = LandscapeModel(PROBLEM.space)
        rng = np.random.default_rng(6)
        with pytest.raises(EvaluationError, match="returned nan"):
            list(islice(search_batches(evaluate, model, rng, executor, 3), 500))
    assert 0 < model.n_evaluations < 500
    assert (model.points.sum(axis=1) <= 9).all()


def test_batch_size_must_be_positive():
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        next(search_batches(PROBLEM.evaluate, LandscapeModel(PROBLEM.space), None, None, 0))
