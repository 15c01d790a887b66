"""Control-C at random moments: no crash, no half-learned evaluation, nothing lost."""

import pickle
import signal
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from gameai_lib.ntbea import (
    Interrupted,
    LandscapeModel,
    search_batches,
    tune,
)
from gameai_lib.ntbea.game.problems import grid, max_m
from tests.ntbea.executors import Script

PROBLEM = max_m(4, 4, sigma=1.0)

# Runs in a process of its own, because what it looks for would end this one.
SCRIPT = """
import os, signal, sys, threading
import numpy as np
from gameai_lib.ntbea import LandscapeModel, SearchSpace, Tuner, neighbours
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea import search_steps

SPACE = SearchSpace({"a": (1, 2, 3), "b": (0, 1), "c": tuple(range(4096))})

def evaluate(point, rng):
    return float(rng.random() < point.sum() / 4100)

def check(model):
    assert len(model.points) == len(model.fitness) == model.n_evaluations
    points = model.points[-20:]
    again = LandscapeModel(model.space)
    for point, fitness in zip(model.points, model.fitness):
        again.add(point, fitness)
    for ours, fresh in zip(model.mean_and_explore(points), again.mean_and_explore(points)):
        assert np.array_equal(ours, fresh)

PLAYER, RULES = planet_wars.OPPONENT, space_battle.Rules(6, 2, 10, 5, 4, 20)
PILOT = space_battle.Planner(1, 2, 2)
KERNELS = {
    "wars": lambda rng: planet_wars.play(PLAYER, PLAYER, rng, n_model_calls=10),
    "battle": lambda rng: space_battle.play(RULES, PILOT, PILOT, rng),
    "neighbours": lambda rng: neighbours(SPACE, [0, 0, 0], 2, rng, mutation=0.3),
}

def kernel(rng, model):
    while True:
        KERNELS[sys.argv[1]](rng)

def asking(rng, model):
    tuner = Tuner(SPACE, rng, model=model, rule=("ntbea", "thompson")[rng.integers(2)])
    try:
        while True:
            values = tuner.ask()
            tuner.tell(values, evaluate(SPACE.point_of(values), rng))
    finally:
        assert len(tuner.asked) <= 1
        tuner.ask()

run = asking if sys.argv[1] == "tuner" else kernel
moments = np.random.default_rng(1)
signal.signal(signal.SIGINT, signal.default_int_handler)
for i in range(int(sys.argv[2])):
    model, rng = LandscapeModel(SPACE), np.random.default_rng(i)
    seconds = 0.02 * moments.random() if i else 0.5  # at first it may have to compile
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        run(rng, model)
        raise AssertionError("the interrupt was swallowed")
    except KeyboardInterrupt:
        check(model)
    next(search_steps(evaluate, model, rng))
    check(model)
print("survived")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "times"),
    [("tuner", 20), ("wars", 10), ("battle", 10), ("neighbours", 10)],
)
def test_interrupts_at_random_moments(what, times):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, what, str(times)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "survived\n", "")


def stops_after(n, error=KeyboardInterrupt):
    """An evaluator that raises `error` once it has been called `n` times."""
    calls = iter(range(10_000))

    def evaluate(point, rng):
        if next(calls) == n:
            raise error
        return PROBLEM.evaluate(point, rng)

    return evaluate


@pytest.mark.parametrize(
    ("options", "error", "n"),
    [
        ({"evaluate": stops_after(0)}, Interrupted, 0),
        ({"evaluate": stops_after(20)}, Interrupted, 20),
        ({"evaluate": stops_after(30, SystemExit)}, SystemExit, 30),
        ({"progress": lambda done, _: 1 / (done < 25)}, ZeroDivisionError, 25),
        ({"rule": "thompson"}, MemoryError, 10),
    ],
)
def test_whatever_ends_a_tuning_hands_over_the_model(monkeypatch, options, error, n):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr("gameai_lib.ntbea.search.process.TupleProcess._fit", fail)
    given = {"evaluate": PROBLEM.evaluate, "space": PROBLEM.space, "n_evaluations": 100}
    with pytest.raises(error) as caught:
        tune(**given | {"rng": 1, "rule": "ntbea"} | options)
    model = caught.value.model
    monkeypatch.undo()
    assert model.n_evaluations == n
    assert tune(PROBLEM.evaluate, PROBLEM.space, 20, 2, model=model).model is model
    copied = pickle.loads(pickle.dumps(caught.value))
    assert str(copied) == str(caught.value)
    assert copied.model.n_evaluations == n + 20
    assert error is not Interrupted or f"learned {n} evaluations" in str(copied)


LOST = OSError("lost")


@pytest.mark.parametrize(
    ("ends", "learned"),
    [
        ([2.0, None, 3.0, LOST, None, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0]),
        # Not the one that was cancelled for the first error:
        ([2.0, LOST, KeyboardInterrupt(), None, 4.0], [2.0, 4.0]),
        ([2.0, KeyboardInterrupt(), 3.0], [2.0, 3.0]),  # in a worker
    ],
)
def test_an_interrupted_batch_learns_what_has_ended(ends, learned):
    script, model = Script(1.0, *ends), LandscapeModel(PROBLEM.space)
    rng = np.random.default_rng(1)
    steps = search_batches(PROBLEM.evaluate, model, rng, script, len(ends))
    with pytest.raises(KeyboardInterrupt):
        list(islice(steps, 1 + len(ends)))
    assert model.fitness.tolist() == [1.0, *learned]
    if None in ends:
        assert [f.cancelled() for f in script.futures] == [False, *(end is None for end in ends)]


def test_an_evaluation_is_learned_whole_or_not_at_all(monkeypatch, interruptible):
    """An interrupt while the model makes room comes after the evaluation is learned."""
    model, zeros = LandscapeModel(grid(3, 3)), np.zeros_like
    for _ in range(64):
        model.add((0, 0, 0), 1.0)
    monkeypatch.setattr(np, "zeros_like", lambda a: signal.raise_signal(signal.SIGINT) or zeros(a))
    with pytest.raises(KeyboardInterrupt):
        model.add((0, 1, 2), 2.0)
    assert model.fitness.tolist() == [1.0] * 64 + [2.0]
    assert model.fitness_range == 1.0
