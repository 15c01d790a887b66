"""Doors of ntbea: what is given by mistake is refused by name, and what is accepted is right."""

import io
import json
import math
from fractions import Fraction
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import strategies as st

from gameai_lib import ntbea
from gameai_lib.ntbea import LandscapeModel, Problem, SearchSpace, Settings, Tuner
from tests.ntbea.executors import Script
from tests.ntbea.test_landscape import counted
from tests.support.doors import damaged, damaged_json, door, is_named, junk, near, spoiled

# What numpy leaves open of a damaged file is closed by the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

PARAMETERS = {"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b", "c")}
SPACE = SearchSpace(PARAMETERS)
BIG = SearchSpace({f"x{i}": range(9) for i in range(6)})  # its six-tuple is hashed
SIZES = -310, -200, -20, 0, 9, 100, 200, 245
FITNESS = st.sampled_from(
    [0.0, 1.0, 5e-324, True, np.float32(2), Fraction(1, 2), 1e200]
) | st.builds(
    lambda x, size, shift: x * 10.0**size + shift,
    *(st.floats(-3, 3), st.sampled_from(SIZES), st.sampled_from([0, 0, 1, 1e9])),
)


def rng_of(seed=1):
    return np.random.default_rng(seed)


def points_of(space):
    return st.tuples(*(st.integers(0, n - 1) for n in space.n_values.tolist()))


def one_of(table):
    """Strategy of a row of `table` whose second, the keyword arguments, may be wrong."""
    return st.sampled_from(table).flatmap(lambda row: st.tuples(st.just(row[0]), spoiled(row[1])))


def learned():
    model = LandscapeModel(SPACE)
    for n, point in enumerate(SPACE.random_points(6, rng_of(3))):
        model.add(point, n / 7)
    return model


def won(point, rng):
    return float(rng.random() < 0.5)


def check_counts(model):
    """Assert that a model has learned what counting says."""
    points, fitness = model.points, model.fitness
    assert len(points) == len(fitness) == model.n_evaluations
    queries = np.concatenate([model.space.random_points(3, rng_of(2)), points[:3]])
    scale = np.abs(fitness).max(initial=0.0)
    data = list(zip(points, fitness, strict=True))
    for query, mean, explore in zip(queries, *model.mean_and_explore(queries), strict=True):
        expected, width = counted(data, query, model.tuples, model.epsilon)
        assert abs(mean - expected) <= 1e-9 * scale + 1e-300
        assert math.isclose(explore, width, rel_tol=1e-9)


# Models


@st.composite
def evaluations(draw):
    space = draw(st.sampled_from((SPACE, SPACE, BIG)))
    data = draw(st.lists(st.tuples(points_of(space), FITNESS), min_size=1, max_size=24))
    if draw(st.booleans()):
        point, fitness = data.pop()
        data.append((draw(near(np.array(point)) | junk()), draw(near(fitness) | junk())))
    return draw(spoiled({"space": space, "sizes": (1, 2, "d"), "epsilon": 0.5})), data


@door(evaluations(), share=2)
def test_model(given):
    options, data = given
    model = LandscapeModel(**options)
    try:
        for point, fitness in data:
            model.add(point, fitness)
    finally:
        check_counts(model)
    for dims in model.tuples[:4]:
        arms = model.arms(dims)
        assert arms.n.sum() == len(data)
        assert np.array_equal(np.isfinite(arms.mean), arms.n > 0)
    ntbea.best_by_model(model)
    best, regression = ntbea.best_sampled(model), ntbea.TupleRegression(model)
    queries = np.array([best, regression.best(), *model.points])
    mean, std = regression.mean(queries), regression.std(queries)
    assert np.isfinite([mean, std]).all()
    assert (std >= 0).all()
    assert (np.abs(mean) <= 10 * np.abs(model.fitness).max() + 1e-300).all()


# Calls of one answer


def is_valid(values):
    return values["speed"] != 2.5 or values["shield"]


MODEL = learned()
SMALL = {"n_neighbours": 5, "mutation": 0.4, "flip_once": True}


def points_and_back(space):
    """The first points of a space by their values, there and back."""
    space = SearchSpace(space)
    points = space.random_points(3, rng_of())
    assert [space.point_of(space.values_of(p)).tolist() for p in points] == points.tolist()
    return points


def neighbours(**given):
    found = ntbea.neighbours(**given)
    assert not (found == given["point"]).all(axis=1).any()
    assert len(found) <= given["n_neighbours"]
    return found


def run_steps(evaluate, model, n_neighbours, mutation, flip_once, **options):
    """Results of a few steps, or of some batches."""
    search = ntbea.search_batches if "executor" in options else ntbea.search_steps
    settings = Settings(n_neighbours, mutation, flip_once)
    found = [*islice(search(evaluate, model, rng_of(), settings=settings, **options), 12)]
    check_counts(model)
    return [step.fitness for step in found]


def run_tune(**options):
    found = ntbea.tune(rng=rng_of(), n_evaluations=6, **options, progress=lambda *_: None)
    assert found.model.n_evaluations + len(found.model.failed) >= 6
    return found.expected


def worth(**given):
    """What a problem says of its points."""
    problem = Problem(**given)
    values = [problem.true_value(point) for point in problem.space.all_points()]
    assert math.isnan(problem.best) or max(values) <= problem.best + 1e-9
    return problem.evaluate([0, 0, 0], rng_of())


PROBLEM = {"name": "p", "space": SPACE, "true_values": lambda p: p.sum(axis=1), "sigma": 1.0}
SEARCH = {"evaluate": won, "model": MODEL} | SMALL
CALLS = (
    (points_and_back, {"space": PARAMETERS | {"n": range(3)}}),
    (MODEL.ucb, {"points": np.array([[0, 1, 1], [2, 0, 0]]), "k": 0.3}),
    (neighbours, {"space": SPACE, "point": [1, 1, 1], "rng": rng_of(), **SMALL}),
    (run_steps, SEARCH),
    (run_steps, SEARCH | {"executor": Script(), "batch_size": 3, "n_evaluations": 7}),
    (
        run_tune,
        {"evaluate": won, "space": SPACE, "named": True, "catch": KeyError, "valid": is_valid},
    ),
    (run_tune, {"evaluate": won, "space": SPACE, "executor": Script(), "n_at_a_time": 2}),
    (worth, PROBLEM | {"outcomes": None}),
)


@door(one_of(CALLS), share=3)
def test_calls(given):
    call, options = given
    assert np.isfinite(call(**options)).all()


# Ask and tell


@st.composite
def tuners(draw):
    good = {"space": SPACE, "rng": rng_of(), "model": learned()}
    good |= {"valid": is_valid, "rule": draw(st.sampled_from(("thompson", "ntbea")))}
    good["settings"] = Settings() if good["rule"] == "thompson" else Settings(n_neighbours=3)
    return draw(spoiled(good))


VALUES = points_of(SPACE).map(SPACE.values_of)
TURN = st.tuples(
    st.sampled_from(("ask", "ask", "tell", "answer", "give up", "best")),
    VALUES | VALUES.flatmap(near) | junk(),
    FITNESS | junk(),
)


@door(st.tuples(tuners(), st.lists(TURN, max_size=24)), share=3)
def test_ask_and_tell(script):
    options, turns = script
    tuner = Tuner(**options)
    n_told, asked = tuner.model.n_evaluations, []
    for turn, values, fitness in turns:
        values, error = asked[0] if turn in ("answer", "give up") and asked else values, None
        try:
            match turn:
                case "ask":
                    asked.append(tuner.ask())
                    assert asked[-1] not in [values for values, _ in tuner.model.failed]
                case "best":
                    tuner.space.point_of(tuner.best().values)
                case "give up":
                    tuner.give_up(values)
                case _:
                    tuner.tell(values, fitness)
                    n_told += 1
            if turn not in ("ask", "best") and values in asked:
                asked.remove(values)
        except (TypeError, ValueError) as caught:
            error = caught
        assert error is None or is_named(error)
        assert (tuner.model.n_evaluations, tuner.asked) == (n_told, asked)
    check_counts(tuner.model)


# Files


def play_tuner():
    tuner = Tuner(SPACE, rng_of(), model=learned())
    tuner.give_up(tuner.ask(), "no server")
    tuner.ask()
    return tuner


def write_tuner(tuner):
    with TemporaryDirectory() as folder:
        tuner.save(Path(folder, "file"))
        return Path(folder, "file").read_bytes()


FILE = write_tuner(play_tuner())


@st.composite
def files(draw):
    """Files like a good one: damaged, or with other words about it, or other arrays."""
    way = draw(st.sampled_from(("bytes", "about", "arrays")))
    if way == "bytes":
        return draw(damaged(FILE))
    with np.load(io.BytesIO(FILE)) as file:
        arrays = dict(file)
    if way == "about":
        arrays["about"] = draw(damaged_json(json.loads(str(arrays["about"]))))
    else:
        arrays = draw(spoiled(arrays))
    content = io.BytesIO()
    try:
        np.savez(content, **arrays)
    except (TypeError, ValueError, OverflowError, MemoryError):  # not every junk is an array
        return FILE
    return content.getvalue()


@door(files(), share=5)
def test_files_of_tuners_which_are_those_of_models_and_more(content):
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(content)
        loaded = Tuner.load(path)
        loaded.save(path)
        again, model = Tuner.load(path), LandscapeModel.load(path)
    for name in ("space", "tuples", "epsilon", "failed"):
        assert getattr(model, name) == getattr(loaded.model, name)
    assert np.array_equal(again.model.points, loaded.model.points)
    assert np.array_equal(model.fitness, loaded.model.fitness)
    assert [again.ask(), again.ask()] == [loaded.ask(), loaded.ask()]
    check_counts(model)
