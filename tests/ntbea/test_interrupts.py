"""Control-C: no crash, no half-learned evaluation, nothing lost."""

import pickle
import signal
from itertools import islice

import numpy as np
import pytest

from gameai_lib.ntbea import (
    Interrupted,
    LandscapeModel,
    best_sampled,
    neighbours,
    search_batches,
    search_steps,
    tune,
)
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import grid, max_m
from gameai_lib.ntbea.search import mutation, steps
from tests.ntbea.executors import Script

PROBLEM = max_m(4, 4, sigma=1.0)

RULES, PILOT = space_battle.Rules(6, 2, 10, 5, 4, 20), space_battle.Planner(1, 2, 2)


def learned():
    model = LandscapeModel(PROBLEM.space)
    model.add([0] * 4, 1.0)
    return model


@pytest.mark.parametrize(
    ("owner", "name", "call"),
    [
        (planet_wars, "_play", lambda: planet_wars.result(planet_wars.OPPONENT, 1)),
        (space_battle, "_play", lambda: space_battle.play(RULES, PILOT, PILOT, 1)),
        (mutation, "_neighbours", lambda: neighbours(PROBLEM.space, [0] * 4, 2, 1, mutation=0.3)),
        (LandscapeModel, "_score", lambda: learned().mean([0] * 4)),
        (steps, "scored_neighbours", lambda: next(search_steps(PROBLEM.evaluate, learned(), 1))),
        (np, "unique", lambda: best_sampled(learned())),
    ],
)
def test_an_interrupt_waits_for_the_end(monkeypatch, interruptible, owner, name, call):
    """In compiled code it would end the process, and numpy would make a TypeError of it."""
    was, ended = getattr(owner, name), []

    def interrupted(*given, **options):
        signal.raise_signal(signal.SIGINT)
        ended.append(was(*given, **options))
        return ended[-1]

    monkeypatch.setattr(owner, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        call()
    assert ended


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
