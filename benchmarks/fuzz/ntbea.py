"""NTBEA: spaces, models, searches, evaluators that misbehave, damaged files, interrupts."""

import contextlib
import io
import json
import math
import operator
import os
import sys
import tempfile
import warnings
from concurrent.futures import Future
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.fuzz import Fault, Target
from benchmarks.fuzz.harness import interrupted
from benchmarks.fuzz.mutants import damaged, damaged_json, junk, near
from benchmarks.fuzz.mutants import spoiled as always_spoiled
from gameai_lib.ntbea import (
    EvaluationError,
    Interrupted,
    LandscapeModel,
    Problem,
    SearchSpace,
    Settings,
    Tuner,
    TupleRegression,
    best_by_model,
    best_sampled,
    neighbours,
    search_batches,
    search_steps,
    tune,
)
from gameai_lib.ntbea.game import planet_wars, problems, space_battle
from gameai_lib.ntbea.search import bandits

SPACE = SearchSpace({"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b", "c")})
BIG = SearchSpace({f"x{i}": range(9) for i in range(6)})  # its six-tuple is hashed


def targets():
    """What NTBEA is tried with."""
    # Compiled here, once: the processes that try the inputs are forked from this one.
    planet_wars.play(**_wars())
    space_battle.play(**_battle())
    tune(_won, BIG, 3, np.random.default_rng(1), progress=lambda *_: None)
    return [
        target._replace(make=partial(_make, target.make), run=partial(_run, target.run))
        for target in _targets()
    ]


def _make(make, rng):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what overflows here is not a fault of the library
        return make(rng)


def spoiled(good, rng):
    """Good arguments, most of the time with one or two that are not."""
    while rng.random() > 0.15:
        with contextlib.suppress(Exception):  # junk that cannot be changed once more
            return always_spoiled(good, rng)
    return dict(good)


def _run(run, given):
    # As numpy does unless told otherwise: next to 1e200 the square of 1 may vanish.
    with np.errstate(under="ignore"):
        run(given)


def _targets():
    return [
        Target("space", _parameters, _space, weight=2),
        Target("points", partial(_near_points, SPACE), _points, weight=3),
        Target("point_of", lambda rng: spoiled(SPACE.values_of([1, 1, 1]), rng), _point_of),
        Target("model", lambda rng: spoiled(_MODEL, rng), _model, weight=2),
        Target("add", _evaluations, _add, weight=4),
        Target("ask", _questions, _ask, weight=3),
        Target("settings", _some_settings, _search, weight=2),
        Target("search", _search_arguments, _search, weight=2),
        Target("evaluator", _misbehaviour, _evaluator, weight=2),
        Target("tune", _tune_arguments, _tune),
        Target("tuner", _tuner_arguments, _tuner),
        Target("ask and tell", _ask_script, _ask_and_tell, weight=3),
        Target("tuner file", _tuner_bytes, _tuner_file, weight=2),
        Target("tuner content", _tuner_content, _tuner_file, weight=2),
        Target("batches", _batch_arguments, _batches, weight=2),
        Target("executor", _executor_script, _executor, weight=2),
        Target("regression", _extreme_fitness, _regression),
        Target("neighbours", _neighbour_arguments, _neighbours),
        Target("model file", _model_bytes, _model_file, weight=3),
        Target("model content", _model_content, _model_file, weight=2),
        Target("problem", _problem_arguments, _problem),
        Target("factories", _factory_arguments, _factory),
        Target("planet wars", lambda rng: spoiled(_wars(), rng), _play_wars),
        Target("planet wars agent", _agent, _play_wars),
        Target("space battle", lambda rng: spoiled(_battle(), rng), _play_battle),
        Target("space battle rules", _rules, _play_battle),
        Target("chance", lambda rng: spoiled(_CHANCE, rng), _chance),
        Target("interrupt", _moment, _interrupt, weight=0.02),
    ]


# Spaces and points


def _parameters(rng):
    good = {"speed": (1, 2.5, 4), "shield": [False, True], "map": ("a", "b"), "n": range(3)}
    if rng.random() < 0.2:
        return junk(rng) if rng.random() < 0.5 else near(list(good.items()), rng)
    return spoiled(good, rng)


def _space(parameters):
    space = SearchSpace(parameters)
    points = space.random_points(3, np.random.default_rng(1))
    for point in points:
        if (space.point_of(space.values_of(point)) != point).any():
            raise Fault(f"{point} does not come back")
    if space.size <= 1000 and len(np.unique(space.all_points(), axis=0)) != space.size:
        raise Fault("not every point is listed")
    if SearchSpace(list(zip(space.names, space.values, strict=True))) != space or not repr(space):
        raise Fault("its own values make another space")


def _near_points(space, rng):
    points = space.random_points(int(rng.integers(1, 5)), rng)
    points = points[0] if rng.random() < 0.5 else points
    return [junk, partial(near, points), lambda _: points, partial(near, points.tolist())][
        rng.integers(4)
    ](rng)


def _points(points):
    checked = SPACE.check(points)
    if checked.dtype != np.int64 or ((checked < 0) | (checked >= SPACE.n_values)).any():
        raise Fault(f"{checked}")
    if not np.array_equal(checked, np.asarray(points)):
        raise Fault(f"changed to {checked}")
    if checked.ndim == 1:
        SPACE.values_of(points)


def _point_of(values):
    point = SPACE.point_of(values)
    again = SPACE.values_of(point)
    if again != values or any(
        isinstance(again[k], bool) != isinstance(values[k], bool | np.bool_) for k in again
    ):
        raise Fault(f"{again}")


# Models

_MODEL = {"space": SPACE, "sizes": (1, 2, "d"), "epsilon": 0.5}
_FITNESS = (0.0, 1.0, -1.0, 0.5, 1e200, -1e200, 1e249, 5e-324, 1e-300, 1e9, True, np.float32(2))


def _model(options):
    model = LandscapeModel(**options)
    rng = np.random.default_rng(1)
    for point in model.space.random_points(5, rng):
        model.add(point, rng.random())
    _check_counts(model)


def _check_counts(model):
    """What a model has learned, against counting."""
    points, fitness = model.points, model.fitness
    if not len(points) == len(fitness) == model.n_evaluations:
        raise Fault("unequal numbers of points and results")
    queries = model.space.random_points(3, np.random.default_rng(2))
    queries = np.concatenate([queries, points[:3]])
    mean, explore = model.mean_and_explore(queries)
    for query, own_mean, own_explore in zip(queries, mean, explore, strict=True):
        means, widths = [], []
        for dims in model.tuples:
            seen = fitness[(points[:, dims] == query[list(dims)]).all(axis=1)]
            if len(seen):
                means.append(seen.sum() / len(seen))
            widths.append(math.sqrt(math.log1p(len(points)) / (len(seen) + model.epsilon)))
        expected = sum(means) / len(means) if means else 0.0
        scale = np.abs(fitness).max(initial=0.0)
        if not abs(own_mean - expected) <= 1e-9 * scale:
            raise Fault(f"mean {own_mean}, not {expected}, of {query}")
        if not math.isclose(own_explore, sum(widths) / len(widths), rel_tol=1e-9):
            raise Fault(f"explore {own_explore} of {query}")


def _evaluations(rng):
    space = SPACE if rng.random() < 0.7 else BIG
    points = space.random_points(int(rng.integers(1, 12)), rng)
    data = [(point, _FITNESS[rng.integers(len(_FITNESS))]) for point in points]
    if rng.random() < 0.7:
        at = int(rng.integers(len(data)))
        point, fitness = data[at]
        if rng.random() < 0.5:
            data[at] = _near_points(space, rng), fitness
        else:
            data[at] = point, junk(rng)
    return space, data


def _add(given):
    space, data = given
    model = LandscapeModel(space)
    try:
        for point, fitness in data:
            model.add(point, fitness)
    finally:
        _check_counts(model)
    for dims in model.tuples[:4]:
        arms, rows = model.arms(dims), model.table(dims)
        if not arms.n.sum() == sum(row.n for row in rows) == len(data):
            raise Fault(f"counts of {dims}")
        if not np.isfinite(arms.std[arms.n > 1]).all():
            raise Fault(f"spread of {dims}")
    best_sampled(model), best_by_model(model)


def _learned(n=6):
    model, rng = LandscapeModel(SPACE), np.random.default_rng(3)
    for point in SPACE.random_points(n, rng):
        model.add(point, rng.random())
    return model


def _questions(rng):
    name = ("mean", "explore", "ucb", "arms", "table")[rng.integers(5)]
    good = {"points": SPACE.random_points(3, rng), "k": 0.3} if name == "ucb" else None
    good = good or ({"dims": (0, 2)} if name in ("arms", "table") else {"points": [0, 1, 1]})
    return name, spoiled(good, rng)


def _ask(question):
    name, options = question
    answer = getattr(_learned(), name)(**options)
    if name in ("mean", "explore", "ucb") and not np.isfinite(answer).all():
        raise Fault(f"{answer}")


# Searches


def _won(point, rng):
    return float(rng.random() < 0.5)


def _some_settings(rng):
    good = {"n_neighbours": 5, "mutation": 0.4, "flip_once": True, "k": 1.0, "k_scale": 0.3}
    return {"settings": Settings(**spoiled(good, rng))}


def _search_arguments(rng):
    good = {
        "evaluate": _won,
        "model": _learned(),
        "rng": np.random.default_rng(1),
        "settings": Settings(),
        "start": [0, 1, 2],
    }
    return spoiled(good, rng)


def _search(options):
    model = _learned()
    good = {"evaluate": _won, "model": model, "rng": np.random.default_rng(1)}
    options = good | options
    steps = list(islice(search_steps(**options), 4))
    before = None
    for step in steps:
        if before is not None and (step.neighbours == before).all(axis=1).any():
            raise Fault("a point is its own neighbour")
        if len(np.unique(step.neighbours, axis=0)) != len(step.neighbours):
            raise Fault("a neighbour comes twice")
        before = step.point
    _check_counts(options["model"])


class _Given(Exception):
    """What an evaluator raises."""


_RAISED = (
    _Given("x" * 10_000), KeyError(), StopIteration(3), KeyboardInterrupt(), SystemExit(2),
    GeneratorExit(), MemoryError(), RecursionError("deep"), UnicodeDecodeError("a", b"", 0, 1, "b"),
    OSError(5, "gone"), ValueError(),
)  # fmt: skip


def _misbehaviour(rng):
    when = int(rng.integers(0, 25))
    if rng.random() < 0.4:
        return when, _RAISED[rng.integers(len(_RAISED))]
    return when, (junk(rng) if rng.random() < 0.8 else _FITNESS[rng.integers(len(_FITNESS))])


def _evaluator(behaviour):
    when, what = behaviour
    calls = []

    def evaluate(point, rng):
        calls.append(point.copy())
        point[:] = -7
        rng.random(len(calls) % 3)
        if len(calls) == when + 1:
            if isinstance(what, BaseException):
                raise what
            return what
        return float(rng.random() < 0.5)

    try:
        tuned = tune(evaluate, SPACE, 20, np.random.default_rng(1), progress=lambda *_: None)
        model, expected = tuned.model, 20
        if not math.isfinite(tuned.expected) or not math.isfinite(tuned.std):
            raise Fault(f"{tuned.expected} ± {tuned.std}")
    except (EvaluationError, Interrupted, SystemExit, GeneratorExit) as error:
        model, expected = error.model, when
        if isinstance(error, KeyboardInterrupt) != isinstance(what, KeyboardInterrupt):
            raise Fault(f"{error!r}") from error
        if isinstance(error, EvaluationError):
            LandscapeModel(SPACE).add(error.point, 0.0)
            if len(str(error)) > 500:
                raise Fault("a long message") from error
    same = all(map(np.array_equal, model.points, calls[:expected]))
    if model.n_evaluations != expected or not same:
        raise Fault(f"{model.n_evaluations} learned where {expected} were finished")
    _check_counts(model)


def _is_valid(values):
    return values["speed"] != 2.5 or values["shield"]


def _tune_arguments(rng):
    good = {
        "evaluate": _won,
        "space": SPACE,
        "n_evaluations": 6,
        "rng": np.random.default_rng(1),
        **_rule_and_settings(rng),
        "sizes": (1, 2, "d"),
        "model": _learned(),
        "named": bool(rng.integers(2)),
        "valid": _is_valid,
        "catch": (ArithmeticError, LookupError),
        "executor": _Now(),
        "n_at_a_time": int(rng.integers(1, 4)),
    }
    return spoiled(good, rng)


def _is_long(options):
    """Whether nine million games are asked for, which is not a fault, but takes its time."""
    with contextlib.suppress(TypeError):
        return operator.index(options["n_evaluations"]) > 10_000
    return False


def _tune(options):
    if _is_long(options):
        return
    before = options["model"].n_evaluations if isinstance(options["model"], LandscapeModel) else 0
    tuned = tune(**options, progress=lambda *_: None)
    n_told = tuned.model.n_evaluations - before
    if n_told + len(tuned.model.failed) != options["n_evaluations"]:
        raise Fault(f"{n_told} evaluations, {len(tuned.model.failed)} failed")
    tuned.model.space.check_point(tuned.point)


def _tuner_arguments(rng):
    good = {
        "space": SPACE,
        "rng": np.random.default_rng(1),
        **_rule_and_settings(rng),
        "sizes": (1, 2, "d"),
        "model": _learned(),
        "valid": _is_valid,
    }
    return spoiled(good, rng)


def _rule_and_settings(rng):
    if rng.integers(2):
        return {"rule": "thompson", "settings": Settings()}
    return {"rule": ("ntbea", "ucb")[rng.integers(2)], "settings": Settings(n_neighbours=3)}


def _tuner(options):
    tuner = Tuner(**options)
    before = tuner.model.n_evaluations
    for _ in range(4):
        first, second = tuner.ask(), tuner.ask()
        if tuner.asked != [first, second]:
            raise Fault(f"{first} and {second} were asked, not {tuner.asked}")
        tuner.tell(second, 0.5)
        tuner.give_up(first)
    if tuner.model.n_evaluations != before + 4 or tuner.asked:
        raise Fault(f"{tuner.model.n_evaluations} evaluations, {tuner.asked} asked")
    if any(tuner.ask() == values for values, _ in tuner.model.failed):
        raise Fault("what failed is asked again")
    tuner.space.point_of(tuner.best().values)


def _ask_script(rng):
    """What is told or given up at each turn, good or not, with either rule."""
    turns = []
    for _ in range(int(rng.integers(1, 25))):
        values = SPACE.values_of(SPACE.random_points(1, rng)[0])
        fitness = _FITNESS[rng.integers(len(_FITNESS))]
        if rng.random() < 0.3:
            values = near(values, rng) if rng.random() < 0.7 else junk(rng)
        if rng.random() < 0.3:
            fitness = junk(rng)
        turns.append(
            (("ask", "tell", "answer", "give up", "best")[rng.integers(5)], values, fitness)
        )
    return ("ntbea", "thompson")[rng.integers(2)], turns


def _ask_and_tell(script):
    rule, turns = script
    tuner, n_told, asked = Tuner(SPACE, np.random.default_rng(1), rule=rule), 0, []
    for turn, values, fitness in turns:
        if turn == "answer":
            values = asked[0] if asked else values
        try:
            if turn == "ask":
                asked.append(tuner.ask())
            elif turn == "best":
                SPACE.point_of(tuner.best().values)
            elif turn == "give up":
                tuner.give_up(values)
                asked.remove(values)
            else:
                tuner.tell(values, fitness)
                n_told += 1
                if values in asked:
                    asked.remove(values)
        except (TypeError, ValueError) as error:
            if len(str(error)) > 500:
                raise Fault("a long message") from error
        if tuner.model.n_evaluations != n_told or tuner.asked != asked:
            raise Fault(f"{tuner.model.n_evaluations} of {n_told} learned, {tuner.asked} asked")
    _check_counts(tuner.model)


class _Now:
    """An executor that runs at once."""

    def submit(self, evaluate, point, rng):
        future = Future()
        try:
            future.set_result(evaluate(point, rng))
        except BaseException as error:
            future.set_exception(error)
        return future


def _batch_arguments(rng):
    good = {
        "evaluate": _won,
        "model": _learned(),
        "rng": np.random.default_rng(1),
        "executor": _Now(),
        "batch_size": 3,
        "settings": Settings(n_neighbours=5),
        "start": [0, 1, 1],
        "n_evaluations": 7,
    }
    return spoiled(good, rng)


def _batches(options):
    steps = list(islice(search_batches(**options), 12))
    wanted = options["n_evaluations"]
    if len(steps) != (12 if wanted is None else min(12, wanted)):
        raise Fault(f"{len(steps)} steps")
    _check_counts(options["model"])


class _Scripted:
    """An executor whose evaluations end as written down; None stands for not yet."""

    def __init__(self, ends):
        self.ends = iter(ends)

    def submit(self, evaluate, point, rng):
        kind, end = next(self.ends)
        if kind == "refuse":
            raise RuntimeError("cannot schedule new futures")
        if kind == "odd":
            return end
        future = Future()
        if kind == "cancelled":
            future.cancel()
        elif kind == "waits":
            future.result = partial(_interrupt_now, future)
        elif isinstance(end, BaseException):
            future.set_exception(end)
        else:
            future.set_result(end)
        return future


def _interrupt_now(future):
    raise KeyboardInterrupt


def _executor_script(rng):
    ends = [("ends", 1.0)] * 12
    for _ in range(int(rng.integers(1, 4))):
        kind = ("ends", "ends", "raises", "refuse", "odd", "cancelled", "waits")[rng.integers(7)]
        end = _RAISED[rng.integers(len(_RAISED))] if kind == "raises" else junk(rng)
        ends[rng.integers(12)] = (kind, end)
    return ends


def _executor(ends):
    model = LandscapeModel(SPACE)
    rng = np.random.default_rng(1)
    steps = search_batches(_won, model, rng, _Scripted(ends), 4, Settings(n_neighbours=4))
    try:
        n_steps = len(list(islice(steps, 9)))
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        n_steps = 0
    if model.n_evaluations < n_steps:
        raise Fault("not all steps are learned")
    _check_counts(model)


def _extreme_fitness(rng):
    n = int(rng.integers(1, 25))
    points = SPACE.random_points(n, rng)
    exponent = float(rng.choice([-310, -200, -20, 0, 9, 100, 200, 245]))
    with np.errstate(under="ignore"):
        fitness = rng.normal(size=n) * 10.0**exponent + float(rng.choice([0, 0, 1, 1e9, 1e200]))
    if rng.random() < 0.3:
        fitness[rng.integers(n)] = _FITNESS[rng.integers(10)]
    return points, fitness


def _regression(data):
    model = LandscapeModel(SPACE)
    for point, fitness in zip(*data, strict=True):
        model.add(point, fitness)
    regression, queries = TupleRegression(model), SPACE.all_points()
    mean, std = regression.mean(queries), regression.std(queries)
    if not np.isfinite([mean, std]).all() or (std < 0).any():
        raise Fault("not finite")
    spread = np.abs(model.fitness).max()
    if (np.abs(mean) > 10 * spread + 1e-300).any():
        raise Fault(f"means up to {np.abs(mean).max()} of results up to {spread}")
    SPACE.check_point(regression.best())


def _neighbour_arguments(rng):
    good = {
        "space": SPACE,
        "point": [1, 1, 1],
        "n_neighbours": 5,
        "rng": np.random.default_rng(1),
        "mutation": 0.4,
        "flip_once": True,
    }
    return spoiled(good, rng)


def _neighbours(options):
    found = neighbours(**options)
    options["space"].check(found)
    if (found == options["point"]).all(axis=1).any() or len(found) > options["n_neighbours"]:
        raise Fault(f"{found}")


# Files


def _saved_model():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.npz")
        _learned().save(path)
        return path.read_bytes()


_MODEL_BYTES = _saved_model()


def _model_bytes(rng):
    return damaged(_MODEL_BYTES, rng)


def _model_content(rng):
    about = {
        "parameters": [["a", [1, 2.5]], ["b", [False, True]]],
        "sizes": [1, "d"],
        "epsilon": 0.5,
    }
    points, fitness = np.array([[0, 1], [1, 1]]), np.array([1.0, 2.0])
    arrays = {"about": json.dumps(about), "points": points, "fitness": fitness}
    file = io.BytesIO()
    try:
        if rng.random() < 0.7:
            arrays["about"] = damaged_json(about, rng)
        else:
            arrays = spoiled(arrays, rng)
        np.savez(file, **arrays)
    except Exception:  # not every junk is an array
        return _MODEL_BYTES
    return file.getvalue()


def _small_tuner_bytes():
    tuner = Tuner(SPACE, np.random.default_rng(1), rule="thompson")
    for _ in range(5):
        tuner.tell(tuner.ask(), 0.5)
    tuner.ask()
    folder = tempfile.TemporaryDirectory()
    with folder:
        tuner.save(Path(folder.name, "tuner"))
        return Path(folder.name, "tuner").read_bytes()


_TUNER_BYTES = _small_tuner_bytes()


def _tuner_bytes(rng):
    return damaged(_TUNER_BYTES, rng)


def _tuner_content(rng):
    with np.load(io.BytesIO(_TUNER_BYTES)) as stored:
        arrays = dict(stored)
    file = io.BytesIO()
    try:
        arrays["about"] = damaged_json(json.loads(str(arrays["about"])), rng)
        np.savez(file, **arrays)
    except Exception:  # not every junk is an array
        return _TUNER_BYTES
    return file.getvalue()


def _tuner_file(content):
    folder, path = _in_a_file(content)
    with folder:
        tuner = Tuner.load(path)
        tuner.save(path)
        again = Tuner.load(path)
    for _ in range(2):
        asked = tuner.ask()
        if again.ask() != asked or again.asked != tuner.asked:
            raise Fault("another tuner comes back")
        tuner.tell(asked, 1.0)
        again.tell(asked, 1.0)
    _check_counts(tuner.model)


def _in_a_file(content, name="file"):
    folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    path = Path(folder.name, name)
    path.write_bytes(content)
    return folder, path


def _model_file(content):
    folder, path = _in_a_file(content)
    with folder:
        model = LandscapeModel.load(path)
        model.save(path)
        again = LandscapeModel.load(path)
    if (again.space, again.tuples, again.epsilon) != (model.space, model.tuples, model.epsilon):
        raise Fault("another model comes back")
    if not np.array_equal(again.points, model.points):
        raise Fault("other points come back")
    if not np.array_equal(again.fitness, model.fitness):
        raise Fault("other results come back")
    _check_counts(model)


# Problems and games


def _sums(points):
    return points.sum(axis=1)


def _problem_arguments(rng):
    returned = junk(rng)
    values = [_sums, lambda _: returned, returned][rng.integers(3)]
    if callable(returned):
        values = _sums
    good = {"name": "p", "space": SPACE, "sigma": 1.0, "outcomes": None, "best": 4.0}
    options = spoiled(good, rng) | {"true_values": values}
    return options, _near_points(SPACE, rng)


def _problem(given):
    options, point = given
    problem = Problem(**options)
    value = problem.true_value(point)
    result = problem.evaluate(point, np.random.default_rng(1))
    if not math.isfinite(value) or not math.isfinite(result):
        raise Fault(f"{value} {result}")


_FACTORIES = {
    problems.grid: {"n_dims": 2, "n_values": 3},
    problems.one_max: {"n_dims": 4, "sigma": 1.0},
    problems.max_m: {"n_dims": 3, "n_values": 4, "sigma": None},
    problems.corner_trap: {"n_dims": 3, "n_values": 3, "sigma": 1.0},
    problems.five_bit_traps: {"n_blocks": 2},
    problems.hartmann: {"n_values": 4},
}


def _factory_arguments(rng):
    factory = list(_FACTORIES)[rng.integers(len(_FACTORIES))]
    return factory, spoiled(_FACTORIES[factory], rng)


def _factory(given):
    factory, options = given
    made = factory(**options)
    if factory is problems.grid:
        return
    point = made.space.random_points(1, np.random.default_rng(1))[0]
    if not made.true_value(point) <= made.best + 1e-9 and not math.isnan(made.best):
        raise Fault(f"{made.true_value(point)} is more than the best, {made.best}")


def _wars():
    return {
        "first": planet_wars.OPPONENT,
        "second": planet_wars.Agent(3, False, True, 2, 5),
        "rng": np.random.default_rng(1),
        "n_model_calls": 20,
    }


def _agent(rng):
    good = planet_wars.OPPONENT._asdict()
    return _wars() | {"first": planet_wars.Agent(**spoiled(good, rng))}


def _play_wars(options):
    game = planet_wars.play(**options)
    if not np.isfinite(game.ships).all() or not ((game.actions >= 0) & (game.actions < 5)).all():
        raise Fault("an impossible game")
    planet_wars.result(options["first"], np.random.default_rng(1), n_model_calls=20)


def _battle():
    return {
        "rules": space_battle.Rules(6, 2, 10, 5, 4, 20),
        "first": space_battle.Planner(1, 2, 2),
        "second": space_battle.Planner(2, 2, 2),
        "rng": np.random.default_rng(1),
    }


def _rules(rng):
    good = _battle()
    rules = space_battle.Rules(**spoiled(good["rules"]._asdict(), rng))
    planner = space_battle.Planner(**spoiled(good["first"]._asdict(), rng))
    return good | ({"rules": rules} if rng.random() < 0.5 else {"first": planner})


def _play_battle(options):
    one = space_battle.play(**options)
    places = one.ships[:, :, :2]
    if not np.isfinite(one.points).all() or not ((places >= 0) & (places <= 400)).all():
        raise Fault("an impossible battle")


# Bandits

_CHANCE = {"better": 0.6, "worse": 0.5, "n_games": 20}


def _chance(options):
    chance = bandits.chance_to_pick_better(**options)
    if not 0.5 - 1e-9 <= chance <= 1 + 1e-9:
        raise Fault(f"{chance}")


def _moment(rng):
    return (SPACE, BIG)[rng.integers(2)], float(rng.uniform(0.003, 0.03))


def _interrupt(given):
    space, seconds = given
    model, rng = LandscapeModel(space), np.random.default_rng(1)

    def call():
        if space is SPACE:
            tune(_won, space, 6000, rng, model=model, progress=lambda *_: None)
        else:  # its regression would take minutes
            for _ in islice(search_steps(_won, model, rng), 6000):
                pass

    ignored, hook = [], sys.unraisablehook
    sys.unraisablehook = lambda what: ignored.append(repr(what.object))
    try:
        error = interrupted(call, seconds)
    except Fault:
        # Python drops an interrupt that comes while it forks, before the call has begun.
        if any("_releaseLock" in name for name in ignored):
            return
        raise
    finally:
        sys.unraisablehook = hook
    began = error is not None and space is SPACE and model.n_evaluations
    if began and getattr(error, "model", None) is not model:
        raise Fault(f"{error!r} does not hold the model")
    _check_counts(model)
    next(search_steps(_won, model, rng))
    _check_counts(model)
