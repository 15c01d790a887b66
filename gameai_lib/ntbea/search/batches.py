"""NTBEA with several evaluations at a time, on any executor of `concurrent.futures`."""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Ints, Seed
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.steps import (
    DEFAULTS,
    EvaluationError,
    Settings,
    complete_settings,
    fitness_at,
    number_of,
    steps_of,
)


def search_batches(
    evaluate: Callable[[Ints, np.random.Generator], float],
    model: LandscapeModel,
    rng: Seed,
    executor: Executor,
    batch_size: int,
    settings: Settings = DEFAULTS,
    *,
    n_evaluations: int | None = None,
) -> Iterator[tuple[Ints, float]]:
    """Yield `Step` objects of a search whose evaluations run `batch_size` at a time.

    Every batch but the first, which is one point in an empty model, holds the neighbours with the
    highest upper confidence bound; its first point is the parent of the next. Each evaluation has
    a generator spawned from `rng`, and results are learned in the order of the batch: the run
    depends on neither the executor nor its timing.

    If an evaluation fails, those of its batch that have not started are cancelled, the others are
    awaited, learned and yielded, and then the first failure is raised. An interrupt waits for none,
    but those that have ended are learned. What is not described here is as for `search_steps`.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Runs ``evaluate(point, rng)``; a process pool needs an evaluator it can pickle.
    batch_size : int
        At most as many as the population holds.
    n_evaluations : int, optional
        Calls of `evaluate` after which the search stops; by default it has no end.
    """
    checks.kind("model", model, LandscapeModel)
    batch_size = checks.whole("batch_size", batch_size)
    n_left = math.inf if n_evaluations is None else checks.whole("n_evaluations", n_evaluations)
    settings = complete_settings(settings, model.space, batch_size)
    number = partial(number_of, checks.function("evaluate", evaluate))
    checks.kind("executor", executor, Executor)
    rng = checks.generator(rng)
    play = partial(run_batch, executor, number, model, rng, model.add)
    return steps_of(play, model, rng, settings, batch_size, n_left)


def run_batch(executor, evaluate, model, rng, learn, batch):
    """Evaluate points together; call ``learn(point, fitness)`` and yield the two, in order."""
    futures, failure = [], None
    try:
        for point, child in zip(batch, rng.spawn(len(batch)), strict=True):
            futures.append(executor.submit(evaluate, point.copy(), child))
        for i, (point, future) in enumerate(zip(batch, futures, strict=True)):
            try:
                fitness = fitness_at(point, model, future.result)
            except EvaluationError as error:
                failure = failure or error
                _cancel(futures)  # they fail, too, and after the first
                continue
            except BaseException:  # an interrupt, here or in the evaluator
                _learn_ended(learn, batch[i:], futures[i:])
                raise
            learn(point, fitness)
            yield point.copy(), fitness
    finally:
        _cancel(futures)
    if failure is not None:
        raise failure


def _learn_ended(learn, batch, futures):
    """Learn those evaluations that have ended without an error."""
    for point, future in zip(batch, futures, strict=True):
        if future.done() and not future.cancelled() and future.exception() is None:
            learn(point, future.result())


def _cancel(futures):
    """Cancel the evaluations that have not started."""
    for future in futures:
        future.cancel()
