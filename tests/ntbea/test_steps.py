"""A search step by step, its neighbours, and the same in batches."""

import math
import pickle
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from itertools import islice, pairwise
from multiprocessing import get_context

import numpy as np
import pytest

from gameai_lib.ntbea.game.problems import grid, max_m, one_max
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.batches import search_batches
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.mutation import _neighbours, neighbours
from gameai_lib.ntbea.search.steps import DEFAULTS, EvaluationError, Settings, search_steps
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

    learned, steps = run(60, evaluate=evaluate)
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
    model, (first, *_) = run(20, model=model, seed=2)  # it goes on
    assert model.n_evaluations == 100
    assert (first.neighbours != last).any(axis=1).all()
    model, _ = run(300)
    assert (np.diff(model.points, axis=0) != 0).any(axis=1).all()
    assert len(np.unique(model.points, axis=0)) < 300  # but points are revisited


def test_a_step_shares_its_point_with_nobody():
    _, expected = run(2)
    model, steps = begun()
    first = next(steps)
    assert first.point.tolist() == expected[0].point.tolist()
    first.point[:] = 7
    assert model.points[0].tolist() == expected[0].point.tolist()
    np.testing.assert_array_equal(next(steps).neighbours, expected[1].neighbours)


@pytest.mark.parametrize("flip_once", [True, False])
def test_a_dimension_changes_as_often_as_it_should_to_any_other_value(flip_once):
    """With p and flip_once with chance p + (1 - p) / d, never to itself."""
    parent, rng = np.array([1, 1, 1, 1, 1]), np.random.default_rng(4)
    options = {"mutation": 0.3, "flip_once": flip_once}
    found = np.array([neighbours(grid(5, 4), parent, 1, rng, **options)[0] for _ in range(4000)])
    none = 0 if flip_once else 0.7**5  # what is equal to the parent is drawn again
    expected = 0.3 + 0.7 / 5 if flip_once else 0.3 / (1 - none)
    assert abs((found != parent).mean() - expected) < 5 * math.sqrt(0.25 / 20_000)
    counts = np.bincount(found[:, 0], minlength=4)[[0, 2, 3]]
    assert abs(counts - counts.mean()).max() < 5 * math.sqrt(counts.mean())
    many = neighbours(grid(5, 4), parent, 80, rng, **options)
    assert len(np.unique(many, axis=0)) == 80
    assert (many != parent).any(axis=1).all()


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
    for seed in range(40):
        rng = np.random.default_rng(seed)
        assert len(neighbours(grid(3, 2), [0, 0, 0], 7, rng, mutation=0.1)) == 7
    with pytest.warns(UserWarning, match="found 7 distinct neighbours where 50"):
        found = neighbours(grid(3, 2), [0, 0, 0], 50, rng, mutation=0.5)
    assert len(np.unique(found, axis=0)) == 7
    fixed = SearchSpace({"a": (1, 2, 3), "fixed": (7,), "b": (0, 1)})
    assert (neighbours(fixed, [0, 0, 0], 4, rng, mutation=0.5)[:, 1] == 0).all()


def test_more_neighbours_than_there_are_is_one_warning_and_no_work():
    """18 points; with 100,000 rows a step took three seconds."""
    space = SearchSpace({"a": (1, 2, 3), "b": (0, 1), "c": (4, 5, 6)})
    options = {"model": LandscapeModel(space), "evaluate": lambda point, rng: rng.random()}
    with pytest.warns(UserWarning, match="found 17 distinct neighbours where 100000") as caught:
        _, steps = run(15, settings=Settings(n_neighbours=100_000), **options)
    assert [warning.filename for warning in caught] == [__file__]
    assert {len(step.neighbours) for step in steps[1:]} == {17}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"settings": Settings(n_neighbours=0)}, "n_neighbours must be at least 1, got 0"),
        ({"settings": Settings(n_neighbours=10**5)}, "n_neighbours must be from 1 to 10000, got"),
        ({"settings": Settings(mutation=0.0, flip_once=False)}, "every neighbour is the parent"),
        ({"settings": Settings(mutation=1.5)}, "mutation must be .* at most 1, got 1.5"),
        ({"settings": Settings(k=-1.0)}, "k must be at least 0, got -1"),
        ({"settings": Settings(k_scale=math.nan)}, "k_scale must be at least 0 .*, got nan"),
        ({"model": LandscapeModel(SearchSpace({"a": (1,)}), (1,))}, "one point only"),
    ],
)
def test_what_is_wrong_is_refused_at_the_call(options, message):
    options = {"evaluate": len, "model": LandscapeModel(grid(10, 5)), "rng": None} | options
    with pytest.raises((TypeError, ValueError), match=message):
        search_steps(**options)
    with pytest.raises((TypeError, ValueError), match=message):
        search_batches(**options, executor=None, batch_size=1)


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "1.5", [1.0, 2.0], 1j, 10**400])
def test_an_evaluator_without_a_number_is_told_and_what_was_learned_is_kept(bad):
    results = iter([1.0, bad])
    with pytest.raises(EvaluationError, match=r"'x3': [0-4]}, returned ") as caught:
        run(3, evaluate=lambda point, rng: next(results))
    assert caught.value.model.fitness.tolist() == [1.0]
    PROBLEM.space.check_point(caught.value.point)


@pytest.mark.parametrize("good", [True, np.float32(0.5), np.array(2), Fraction(1, 2)])
def test_numbers_of_other_types_are_taken(good):
    assert run(1, evaluate=lambda p, r: good)[0].fitness.tolist() == [float(good)]


def test_an_evaluator_that_raises_is_told_shortly_with_its_cause():
    space = SearchSpace({f"{'long' * 20}{i}": ("x" * 1000, "y") for i in range(30)})
    with pytest.raises(EvaluationError, match="raised ValueError") as caught:
        run(1, model=LandscapeModel(space), evaluate=lambda p, r: int("9" * 4000 + "x"))
    assert isinstance(caught.value.__cause__, ValueError)
    assert len(str(caught.value)) < 500


def fail_after_one_evaluation():
    """Raise an EvaluationError; a process pool can run it."""
    model = LandscapeModel(PROBLEM.space)
    model.add((0, 0, 0, 0), 7.0)
    run(1, model=model, evaluate=lambda p, r: math.nan)


def test_an_evaluation_error_comes_whole_out_of_a_worker_process():
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        error = executor.submit(fail_after_one_evaluation).exception()
    assert isinstance(error, EvaluationError)
    assert "returned nan" in str(error)
    assert error.point.shape == (4,)
    assert (error.model.fitness.tolist(), error.model.space) == ([7.0], PROBLEM.space)


def test_stopped_saved_and_loaded_the_search_is_the_same(tmp_path):
    whole, _ = run(40)
    rng, model = np.random.default_rng(1), LandscapeModel(PROBLEM.space)
    list(islice(search_steps(PROBLEM.evaluate, model, rng), 20))
    model.save(tmp_path / "model.npz")
    model = LandscapeModel.load(tmp_path / "model.npz")
    list(islice(search_steps(PROBLEM.evaluate, model, rng), 20))
    np.testing.assert_array_equal(model.points, whole.points)
    np.testing.assert_array_equal(model.fitness, whole.fitness)


@pytest.mark.parametrize("unit", [2.0**-30, 1024, 2.0**30])
def test_scaled_k_makes_the_run_independent_of_the_unit_of_fitness(unit):
    other, _ = run(100, evaluate=lambda point, rng: unit * PROBLEM.evaluate(point, rng))
    np.testing.assert_array_equal(run(100)[0].points, other.points)


@pytest.mark.parametrize("fitness", [0.0, 2.0**-40, 2.0**50])
def test_equal_bounds_are_drawn_at_random(fitness):
    """All four points of a line of equal fitness come up after any other."""
    model = LandscapeModel(SearchSpace({"a": range(5)}), (1,))
    for point in model.space.all_points():
        model.add(point, fitness)
    counts = np.zeros(5, int)
    for seed in range(200):
        given = seed, Settings(n_neighbours=4, mutation=0.0), pickle.loads(pickle.dumps(model))
        counts[run(1, *given, lambda point, rng: fitness)[1][0].point] += 1
    assert counts[4] == 0
    assert abs(counts[:4] - 50).max() < 5 * math.sqrt(50)


def test_it_finds_the_optimum_of_a_noiseless_problem():
    problem = one_max(sigma=0.0)
    for seed in range(10):
        model, _ = run(100, seed, model=LandscapeModel(problem.space), evaluate=problem.evaluate)
        assert model.fitness.max() == 10


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


def test_the_default_population_is_large_enough_for_the_batch():
    """The default in 27 points is six neighbours."""
    model, steps = batches(61, 20, model=LandscapeModel(grid(3, 3)), evaluate=max_m(3, 3).evaluate)
    assert [len(s.neighbours) for s in steps[1::20]] == [20, 20, 20]
    for first in (1, 21, 41):
        assert len(np.unique(model.points[first : first + 20], axis=0)) == 20


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


def test_a_search_that_is_given_up_cancels_the_rest_of_its_batch():
    script, model = Script(1.0, 2.0, None, None), LandscapeModel(PROBLEM.space)
    steps = search_batches(PROBLEM.evaluate, model, np.random.default_rng(1), script, 3)
    list(islice(steps, 2))
    steps.close()
    assert [f.cancelled() for f in script.futures] == [False, False, True, True]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size must be at least 1, got 0"),
        ({"batch_size": 27}, "batch_size is 27, but a population has 26 neighbours at most"),
        ({"settings": Settings(mutation=0.0)}, "batch_size is 9, but a population has 6"),
        ({"settings": Settings(mutation=1.0)}, "batch_size is 9, but a population has 8"),
        ({"settings": Settings(n_neighbours=4)}, "batch_size is 9, but a population has 4"),
        ({"n_evaluations": 0}, "n_evaluations must be at least 1, got 0"),
    ],
)
def test_bad_batches_are_refused_at_the_call(options, message):
    model = LandscapeModel(grid(3, 3))
    with pytest.raises(ValueError, match=message):
        search_batches(PROBLEM.evaluate, model, None, None, **{"batch_size": 9} | options)
