"""The whole of tuning in one call: a `Tuner` is asked and told until the budget is spent.

By default it plays what is best in a draw from a `TupleProcess`; the contest in ``benchmarks``
compares this with NTBEA's own search, with other readings of it, and with other packages.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.batches import run_batch, spawning
from gameai_lib.ntbea.search.landscape import LandscapeModel, Sizes
from gameai_lib.ntbea.search.steps import DEFAULTS, Settings, evaluate_once
from gameai_lib.ntbea.search.tuner import Rule, Tuned, Tuner


class Interrupted(KeyboardInterrupt):
    """Control-C ended a tuning; what it had learned is here.

    Attributes
    ----------
    model : LandscapeModel
        All that was learned before. ``best_sampled(model)`` recommends a point, and
        ``tune(..., model=model)`` goes on.
    """

    def __init__(self, message: str, model: LandscapeModel) -> None:
        super().__init__(message)
        self.model = model

    def __reduce__(self):
        return type(self), (*self.args, self.model)


def tune(
    evaluate: Callable[[Any, np.random.Generator], float],
    space: SearchSpace,
    n_evaluations: int,
    rng: Seed,
    settings: Settings = DEFAULTS,
    *,
    rule: Rule = "thompson",
    named: bool = False,
    sizes: Sizes = (1, 2, "d"),
    model: LandscapeModel | None = None,
    minimize: bool = False,
    executor: Executor | None = None,
    n_at_a_time: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Tuned:
    """Return the recommendation after exactly `n_evaluations` noisy evaluations.

    In a space of more than 400 values in all the search is that of NTBEA, whatever the rule.
    2,000 evaluations of twenty parameters take 10 CPU-seconds and 34 MB in all
    (``benchmarks.ntbea_growth``).

    Parameters
    ----------
    evaluate : callable
        ``evaluate(point, rng)`` returns one noisy fitness, larger is better (but see
        `minimize`); with `named`
        ``evaluate(values, rng)``.
    space : SearchSpace
        The space to search.
    n_evaluations : int
        Calls of `evaluate`.
    rng : numpy.random.Generator
        Source of every random number.
    settings : Settings
        How the search chooses points.
    rule : {"ucb", "thompson"}
        What the search evaluates next, see `Tuner`.
    named : bool
        Whether `evaluate` takes a dict from parameter name to value in place of a point.
    sizes : tuple of int or "d"
        Sizes of the n-tuples of a new model.
    model : LandscapeModel, optional
        An earlier model of the same space to go on from, or a new one. It learns every
        evaluation at once.
    minimize : bool
        Whether smaller is better of what `evaluate` returns. The model then learns its negative.
    executor : concurrent.futures.Executor, optional
        Runs the evaluations, each with a generator spawned from `rng`; a process pool needs an
        evaluator it can pickle. Failures and interrupts are as for `search_batches`.
    n_at_a_time : int
        Evaluations at a time in the executor. They are asked together and learned in the order
        asked: the result depends on this number, but not on the executor or its timing.
    progress : callable, optional
        Called as ``progress(n_done, n_evaluations)``; by default a bar that appears
        after two seconds (`gameai_lib.base.progress.Bar`).

    Returns
    -------
    Tuned

    Raises
    ------
    EvaluationError
        If the evaluator fails.
    Interrupted
        If Ctrl-C ends the call; it is a `KeyboardInterrupt`.
    ValueError, TypeError
        Before the first evaluation, if an argument is out of range or of another kind, the
        space has one point only, the model has another space, or several are wanted at a time
        without an executor.

    Notes
    -----
    Whatever ends the call after its first evaluation, an error of `progress` included, has an
    attribute `model` that holds all that was learned. In a notebook the last
    error is ``sys.last_value``.

    Examples
    --------
    >>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
    >>> def score(values, rng):
    ...     return values["speed"] - 3 * values["shield"] + rng.normal()
    >>> tune(score, space, 60, np.random.default_rng(1), named=True).values
    {'speed': 4, 'shield': False}

    >>> try:  # doctest: +SKIP
    ...     tuned = tune(evaluate, space, 500, rng)
    ... except KeyboardInterrupt as stop:
    ...     point = best_sampled(stop.model)
    """
    tuner = Tuner(space, rng, settings, rule=rule, sizes=sizes, model=model, minimize=minimize)
    model = tuner.model
    n_evaluations = checks.whole("n_evaluations", n_evaluations)
    if progress is not None:
        checks.function("progress", progress)
    play = _player(tuner, evaluate, named, executor)
    if checks.whole("n_at_a_time", n_at_a_time) > 1 and executor is None:
        raise ValueError(f"n_at_a_time={n_at_a_time} needs an executor")
    n_before = model.n_evaluations
    try:
        with Bar("tune", n_evaluations, "evaluations") as bar:
            n_done = 0
            for n in _parts(n_evaluations, n_at_a_time):
                for _ in play([tuner.ask_point() for _ in range(n)]):
                    n_done += 1
                    if progress is None:
                        bar(n_done)
                    else:
                        progress(n_done, n_evaluations)
        return tuner.best()
    except KeyboardInterrupt as stop:
        done = f"stopped after {model.n_evaluations - n_before} of {n_evaluations} evaluations"
        raise Interrupted(
            f"{done}; `model` of this error holds them (sys.last_value.model)", model
        ) from stop
    except BaseException as error:
        vars(error)["model"] = model
        raise


def _player(tuner, evaluate, named, executor):
    """Return what evaluates points and tells the tuner, one after another as it is iterated."""
    checks.function("evaluate", evaluate)
    if checks.flag("named", named):
        evaluate = partial(_by_name, evaluate, tuner.space)
    if executor is None:
        return partial(_play_here, tuner, evaluate)
    checks.function("the `submit` of the executor", getattr(executor, "submit", None))
    rng = spawning(tuner.rng)
    return partial(run_batch, evaluate, tuner.model, rng, executor, learn=tuner.tell_point)


def _play_here(tuner, evaluate, points):
    for point in points:
        fitness = evaluate_once(evaluate, point, tuner.rng, tuner.model)
        tuner.tell_point(point, fitness)
        yield point, fitness


def _by_name(evaluate, space, point, rng):
    return evaluate(space.values_of(point), rng)


def _parts(n, most):
    """Return n as a sum of numbers up to `most`."""
    return [most] * (n // most) + [n % most] * (n % most > 0)
