import math
import pickle
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
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

PROBLEM = max_m(4, 5, sigma=1.0)
ALL_FOUR = Settings(n_neighbours=4, mutation=0.0)


def run(n_steps, seed=1, settings=DEFAULTS, model=None, evaluate=PROBLEM.evaluate, **options):
    model = LandscapeModel(PROBLEM.space) if model is None else model
    rng = np.random.default_rng(seed)
    return model, list(islice(search_steps(evaluate, model, rng, settings, **options), n_steps))


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
    steps = search_steps(spoil, model, np.random.default_rng(5))
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


def test_a_small_space_is_exhausted_even_where_some_neighbours_are_rare():
    """One of the seven neighbours comes up once in 100 draws."""
    space = grid(3, 2)
    for seed in range(40):
        found = neighbours(space, [0, 0, 0], 7, np.random.default_rng(seed), mutation=0.1)
        assert len(found) == 7


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
        (Settings(n_neighbours=2.5), "n_neighbours must be a whole number, got 2.5"),
        (Settings(mutation=0.0, flip_once=False), "every neighbour is the parent"),
        (Settings(mutation=1.5), "mutation must be .* at most 1, got 1.5"),
        (Settings(k=-1.0), "k must be at least 0, got -1"),
        (Settings(k_scale=math.nan), "k_scale must be at least 0 .*, got nan"),
    ],
)
def test_bad_settings_are_refused_at_the_call(settings, message):
    model = LandscapeModel(PROBLEM.space)
    with pytest.raises((TypeError, ValueError), match=message):
        search_steps(PROBLEM.evaluate, model, None, settings)
    with pytest.raises((TypeError, ValueError), match=message):
        search_batches(PROBLEM.evaluate, model, None, None, 1, settings)


@pytest.mark.parametrize(
    ("start", "message"), [((0, 0, 0, 5), "outside"), ([(0, 0, 0, 0)], r"one point.*\(1, 4\)")]
)
def test_a_bad_start_is_refused_at_the_call(start, message):
    model = LandscapeModel(PROBLEM.space)
    with pytest.raises(ValueError, match=message):
        search_steps(PROBLEM.evaluate, model, None, start=start)
    with pytest.raises(ValueError, match=message):
        search_batches(PROBLEM.evaluate, model, None, None, 1, start=start)


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


@pytest.mark.parametrize("bad", [None, "three", [1.0, 2.0]])
def test_what_an_evaluator_returned_instead_of_a_number_is_told(bad):
    with pytest.raises(EvaluationError, match="'x3': 4}, returned") as caught:
        run(1, evaluate=lambda p, r: bad, start=(1, 2, 3, 4))
    assert str(caught.value).endswith(f"returned {bad!r}, which is not a number")
    assert caught.value.point.tolist() == [1, 2, 3, 4]


def check_is_whole(error):
    assert "returned nan" in str(error)
    assert error.point.tolist() == [1, 2, 3, 4]
    assert error.model.fitness.tolist() == [7.0]
    assert error.model.space == PROBLEM.space


def fail_after_one_evaluation():
    """Raise an EvaluationError; a process pool can run it."""
    model = LandscapeModel(PROBLEM.space)
    model.add((0, 0, 0, 0), 7.0)
    run(1, model=model, evaluate=lambda p, r: math.nan, start=(1, 2, 3, 4))


def test_an_evaluation_error_survives_pickling():
    with pytest.raises(EvaluationError) as caught:
        fail_after_one_evaluation()
    check_is_whole(pickle.loads(pickle.dumps(caught.value)))


def test_an_evaluation_error_comes_out_of_a_worker_process():
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        future = executor.submit(fail_after_one_evaluation)
        with pytest.raises(EvaluationError) as caught:
            future.result()
    check_is_whole(caught.value)


def test_stopped_saved_and_loaded_the_search_is_the_same(tmp_path):
    whole, _ = run(40)
    rng, model = np.random.default_rng(1), LandscapeModel(PROBLEM.space)
    list(islice(search_steps(PROBLEM.evaluate, model, rng), 20))
    model.save(tmp_path / "model.npz")
    model = LandscapeModel.load(tmp_path / "model.npz")
    list(islice(search_steps(PROBLEM.evaluate, model, rng), 20))
    np.testing.assert_array_equal(model.points, whole.points)
    np.testing.assert_array_equal(model.fitness, whole.fitness)


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


def test_a_step_shares_its_point_with_nobody():
    start = np.array([4, 3, 2, 1])
    model, expected = run(2, start=start)
    model = LandscapeModel(PROBLEM.space)
    steps = search_steps(PROBLEM.evaluate, model, np.random.default_rng(1), start=start)
    first = next(steps)
    assert not np.shares_memory(first.point, start)
    first.point[:] = 0
    np.testing.assert_array_equal(next(steps).neighbours, expected[1].neighbours)


@pytest.mark.parametrize("unit", [2.0**-30, 1024, 2.0**30])
def test_scaled_k_makes_the_run_independent_of_the_unit_of_fitness(unit):
    def other_unit(point, rng):
        return unit * PROBLEM.evaluate(point, rng)

    one, _ = run(100)
    other, _ = run(100, evaluate=other_unit)
    np.testing.assert_array_equal(one.points, other.points)


@pytest.mark.parametrize("fitness", [0.0, 2.0**-40, 2.0**50])
def test_equal_bounds_are_drawn_at_random(fitness):
    """All four points of a line of equal fitness come up after any other."""
    space = SearchSpace({"a": range(5)})
    model = LandscapeModel(space, (1,))
    for point in space.all_points():
        model.add(point, fitness)
    rng = np.random.default_rng(2)
    chosen = []
    for _ in range(200):
        copied = pickle.loads(pickle.dumps(model))
        chosen.append(next(search_steps(lambda p, r: fitness, copied, rng, ALL_FOUR)).point)
    counts = np.bincount(np.concatenate(chosen), minlength=5)
    assert counts[4] == 0
    assert abs(counts[:4] - 50).max() < 5 * math.sqrt(50)


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


class Scripted(Future):
    """The future of one evaluation whose end is known; None stands for not started."""

    def __init__(self, end):
        super().__init__()
        if isinstance(end, Exception):
            self.set_exception(end)
        elif end is not None:
            self.set_result(end)

    def result(self, timeout=None):
        assert self.done(), "waits for an evaluation that never starts"
        return super().result(timeout)


class Script:
    """An executor whose evaluations end as written down."""

    def __init__(self, *ends):
        self.ends = iter(ends)
        self.futures = []

    def submit(self, evaluate, point, rng):
        self.futures.append(Scripted(next(self.ends)))
        return self.futures[-1]


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
    script = Script(1.0, 2.0, None, None)
    steps = search_batches(
        PROBLEM.evaluate, LandscapeModel(PROBLEM.space), np.random.default_rng(1), script, 3
    )
    list(islice(steps, 2))
    steps.close()
    assert [f.cancelled() for f in script.futures] == [False, False, True, True]


def batches(batch_size, n_evaluations, seed=1, settings=DEFAULTS, model=None):
    """Steps of a search in batches, all of them."""
    model = LandscapeModel(PROBLEM.space) if model is None else model
    calls = []

    def evaluate(point, rng):
        calls.append(point)
        return float(point.sum() + rng.normal())

    with ThreadPoolExecutor(1) as executor:
        steps = list(
            search_batches(
                evaluate,
                model,
                np.random.default_rng(seed),
                executor,
                batch_size,
                settings,
                n_evaluations=n_evaluations,
            )
        )
    assert len(calls) == len(steps)
    return model, steps


@pytest.mark.parametrize("n_evaluations", [1, 2, 5, 9, 12])
def test_batches_stop_after_exactly_the_agreed_number_of_calls(n_evaluations):
    model, steps = batches(4, n_evaluations)
    assert len(steps) == model.n_evaluations == n_evaluations


def test_the_parent_of_the_next_batch_is_the_first_of_the_batch():
    _, steps = batches(5, 31, settings=Settings(mutation=0.0, n_neighbours=10))
    for first in range(1, 26, 5):
        changed = steps[first + 5].neighbours != steps[first].point
        assert (changed.sum(axis=1) == 1).all()


def test_batches_go_on_with_a_full_batch_around_the_last_point():
    model, _ = batches(5, 9)
    last = model.points[-1]
    _, steps = batches(5, 7, 2, Settings(mutation=0.0, n_neighbours=10), model)
    assert model.n_evaluations == 16
    for step in steps[:5]:
        assert step.neighbours is steps[0].neighbours
        assert (step.point != last).sum() == 1
    assert len(np.unique([s.point for s in steps[:5]], axis=0)) == 5


def test_the_default_population_is_large_enough_for_the_batch():
    """The default in 27 points is six neighbours."""
    model, steps = batches(20, 61, model=LandscapeModel(grid(3, 3)))
    assert [len(s.neighbours) for s in steps[1::20]] == [20, 20, 20]
    for first in (1, 21, 41):
        assert len(np.unique(model.points[first : first + 20], axis=0)) == 20


@pytest.mark.parametrize(
    ("batch_size", "options", "message"),
    [
        (0, {}, "batch_size must be at least 1, got 0"),
        (2.0, {}, "batch_size must be a whole number, got 2.0"),
        (27, {}, "batch_size is 27, but a population has 26 neighbours at most"),
        (7, {"mutation": 0.0}, "batch_size is 7, but a population has 6"),
        (9, {"mutation": 1.0}, "batch_size is 9, but a population has 8"),
        (5, {"n_neighbours": 4}, "batch_size is 5, but a population has 4"),
        (1, {"n_evaluations": 0}, "n_evaluations must be at least 1, got 0"),
        (1, {"n_evaluations": 1.5}, "n_evaluations must be a whole number, got 1.5"),
    ],
)
def test_bad_batches_are_refused_at_the_call(batch_size, options, message):
    n_evaluations = options.pop("n_evaluations", None)
    with pytest.raises((TypeError, ValueError), match=message):
        search_batches(
            PROBLEM.evaluate,
            LandscapeModel(grid(3, 3)),
            None,
            None,
            batch_size,
            Settings(**options),
            n_evaluations=n_evaluations,
        )


def test_more_neighbours_than_there_are_is_one_warning_and_no_work():
    """18 points; with 100,000 rows a step took three seconds."""
    space = SearchSpace({"a": (1, 2, 3), "b": (0, 1), "c": (4, 5, 6)})
    with pytest.warns(UserWarning, match="found 17 distinct neighbours where 100000") as caught:
        _, steps = run(
            15,
            settings=Settings(n_neighbours=100_000),
            model=LandscapeModel(space),
            evaluate=lambda p, r: r.random(),
        )
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert {len(step.neighbours) for step in steps[1:]} == {17}


def test_a_population_has_a_limit():
    with pytest.raises(ValueError, match="n_neighbours must be from 1 to 10000, got 100000"):
        run(1, settings=Settings(n_neighbours=100_000), model=LandscapeModel(grid(10, 10)))


@pytest.mark.parametrize("bad", ["1.5", b"1", np.array([1.0]), 1j, 10**400])
def test_what_only_looks_like_a_number_is_refused(bad):
    with pytest.raises(EvaluationError, match="which is not a number"):
        run(1, evaluate=lambda p, r: bad)


@pytest.mark.parametrize("good", [True, np.True_, np.float32(0.5), np.array(2), 3, Fraction(1, 2)])
def test_numbers_of_other_types_are_taken(good):
    model, _ = run(1, evaluate=lambda p, r: good)
    assert model.fitness.tolist() == [float(good)]


def test_messages_are_short():
    space = SearchSpace({f"{'long' * 20}{i}": ("x" * 1000, "y") for i in range(30)})
    with pytest.raises(EvaluationError, match="raised") as caught:
        run(1, model=LandscapeModel(space), evaluate=lambda p, r: int("9" * 4000 + "x"))
    assert len(str(caught.value)) < 500
