"""The whole of tuning in one call: a `Tuner` is asked and told until the budget is spent."""

import math
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.ntbea.game.space import Space
from gameai_lib.ntbea.search.batches import run_batch
from gameai_lib.ntbea.search.landscape import LandscapeModel, fitness_of
from gameai_lib.ntbea.search.steps import (
    DEFAULTS,
    EvaluationError,
    Settings,
    play_here,
)
from gameai_lib.ntbea.search.tuner import Rule, Tuned, Tuner, Valid

Caught = type[Exception] | tuple[type[Exception], ...]


class Interrupted(KeyboardInterrupt):
    """Control-C ended a tuning."""

    model: LandscapeModel  #: all that was learned


def tune(
    evaluate: Callable[[Any, np.random.Generator], float | tuple[float, float]],
    space: Space,
    n_evaluations: int,
    rng: Seed,
    settings: Settings = DEFAULTS,
    *,
    rule: Rule = "thompson",
    named: bool = False,
    model: LandscapeModel | None = None,
    valid: Valid | None = None,
    catch: Caught = (),
    executor: Executor | None = None,
    n_at_a_time: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Tuned:
    """Tune by Thompson sampling, or with ``rule="ntbea"`` by NTBEA; return a `Tuned`.

    The default is not NTBEA. `Tuner`, the same by ask and tell, says what it is, and what all
    arguments are that are not described here. 2,000 evaluations of twenty parameters take
    7 CPU-seconds and 20 MB in all (``benchmarks.ntbea``).

    Parameters
    ----------
    evaluate : callable
        ``evaluate(point, rng)`` returns one noisy fitness, larger is better; with
        `named` ``evaluate(values, rng)``. It may return a pair, the fitness and the standard
        deviation of its noise: what is noisier counts less, as for `Tuner.tell`.
    n_evaluations : int
        Calls of `evaluate`, those that fail included.
    named : bool
        Whether `evaluate` takes a dict from parameter name to value in place of a point.
    catch : exception class or tuple of them
        What `evaluate` raises where a combination fails. Its point is given up, as by
        `Tuner.give_up`, and so is one for which it returns NaN or infinity. With none both end
        the tuning.
    executor : concurrent.futures.Executor, optional
        Runs the evaluations, each with a generator spawned from `rng`; a process pool needs an
        evaluator it can pickle. Errors and interrupts are as for `search_batches`.
    n_at_a_time : int
        Evaluations at a time in the executor, where one alone is no quicker than here. They are
        asked together and learned in the order asked: the result depends on this number, but not
        on the executor or its timing.
    progress : callable, optional
        Called as ``progress(n_done, n_evaluations)``; by default a bar that appears after two
        seconds (`gameai_lib.base.progress.Bar`).

    Notes
    -----
    A failure that is not caught is an `EvaluationError`, Ctrl-C is `Interrupted`, and a ValueError
    says that no combination is left to play or to recommend. Each of them, and whatever else ends
    the call after its first evaluation, has an attribute `model` that holds all that was learned,
    and that ``tune(..., model=model)`` goes on from. In a notebook the last error is
    ``sys.last_value``.
    """
    tuner = Tuner(space, rng, settings, rule=rule, model=model, valid=valid)
    n_evaluations = checks.whole("n_evaluations", n_evaluations)
    if checks.whole("n_at_a_time", n_at_a_time) > 1 and executor is None:
        raise ValueError(f"n_at_a_time={n_at_a_time} needs an executor")
    classes = catch if isinstance(catch, tuple) else (catch,)
    if not all(isinstance(one, type) and issubclass(one, Exception) for one in classes):
        raise TypeError(f"catch must be a class of exceptions or a tuple, got {short(catch)}")
    by_name = tuner.space if checks.flag("named", named) else None
    evaluator = partial(_evaluate, checks.function("evaluate", evaluate), by_name, classes)
    play: Callable[..., Any] = play_here
    if executor is not None:
        checks.kind("executor", executor, Executor)
        play = partial(run_batch, executor)
    play = partial(play, evaluator, tuner.model, tuner.rng, partial(_learn, tuner))
    n_done = 0
    try:
        with Bar("tune", n_evaluations, "evaluations") as bar:
            while n_done < n_evaluations:
                n = min(n_at_a_time, n_evaluations - n_done)
                for _ in play([tuner.ask_point() for _ in range(n)]):
                    n_done += 1
                    progress(n_done, n_evaluations) if progress else bar(n_done)
        return tuner.best()
    except KeyboardInterrupt as stop:
        known = f"has learned {tuner.model.n_evaluations} evaluations"
        stopped = Interrupted(f"stopped; `sys.last_value.model` {known}")
        stopped.model = tuner.model
        raise stopped from stop
    except BaseException as error:
        if isinstance(error, EvaluationError) and not named:
            error.add_note("It was given an array of indices: named=True gives values by name.")
        vars(error)["model"] = tuner.model
        raise


class Failure(NamedTuple):
    """Why a combination has failed."""

    reason: str


class Result(NamedTuple):
    """What an evaluator has returned."""

    fitness: float
    std: float | None  #: of its noise, above 0; None where it is not told


def _evaluate(evaluate, space, classes, point, rng):
    """Evaluate a point, in a worker maybe; what is caught becomes a `Failure`.

    With a `space` it is evaluated by name.
    """
    try:
        returned = evaluate(point if space is None else space.values_of(point), rng)
    except classes as error:
        return Failure(short(error, 200))
    is_pair = isinstance(returned, tuple) and len(returned) == 2
    fitness, std = returned if is_pair else (returned, None)
    if classes and isinstance(fitness, Real) and not math.isfinite(fitness):
        return Failure(f"returned {fitness}")
    if is_pair:
        std = checks.number("the std that it returned", std, 0.0, above=True)
    return Result(fitness_of(fitness, "returned"), std)


def _learn(tuner, point, outcome):
    """Tell the fitness of a point, or give it up."""
    if isinstance(outcome, Failure):
        tuner.give_up(tuner.space.values_of(point), outcome.reason)
    else:
        tuner.tell_point(point, *outcome)
