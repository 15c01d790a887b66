"""The whole of tuning in one call: search, then spend the rest on the favourites.

The search is NTBEA as published. The last fifth of the budget goes to the points that
`TupleRegression` would recommend, as Goodman and Lucas (2020) advise to spend part of the
budget on the choice; the contest in ``benchmarks`` shows what either part adds.
"""

import math
import sys
import time
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.ntbea._checks import function, kind, number, short, whole
from gameai_lib.ntbea.landscape import LandscapeModel, checked_sizes
from gameai_lib.ntbea.recommend import MOST_POINTS, TupleRegression
from gameai_lib.ntbea.search import DEFAULTS, evaluate_once, search
from gameai_lib.ntbea.space import SearchSpace

_N_ROUNDS = 8  # of the final choice; the favourite may change between rounds


class Tuned(NamedTuple):
    """What tuning recommends and all it learned."""

    point: np.ndarray  # (n_dims,) int, the recommendation
    expected: float  # its fitness, as the regression expects it
    std: float  # standard deviation of that expectation
    model: LandscapeModel


class Interrupted(KeyboardInterrupt):
    """Control-C ended a tuning; what it had learned is here.

    Attributes
    ----------
    model : LandscapeModel
        All that was learned before. ``best_sampled(model)`` recommends a point, and
        ``tune(..., model=model)`` goes on.
    """

    def __init__(self, message, model):
        super().__init__(message)
        self.model = model

    def __reduce__(self):
        return type(self), (*self.args, self.model)


def tune(
    evaluate,
    space,
    n_evaluations,
    rng,
    settings=DEFAULTS,
    *,
    sizes=(1, 2, "d"),
    final=0.2,
    model=None,
    progress=None,
):
    """Return the recommendation after exactly `n_evaluations` noisy evaluations.

    Up to nine fits of `TupleRegression` take O(n^3) time and O(n^2) memory each for n
    distinct points evaluated; for budgets of thousands use `search` and `best_sampled`.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(point, rng)`` returns one noisy fitness, larger is better.
    space : SearchSpace
        The space to search.
    n_evaluations : int
        Calls of `evaluate`.
    rng : numpy.random.Generator
        Source of every random number.
    settings : Settings
        How the search chooses points.
    sizes : tuple of int or "d"
        Sizes of the n-tuples of a new model.
    final : float
        Share of the budget, below 1, spent on the points the regression recommends.
    model : LandscapeModel, optional
        An earlier model of the same space to go on from, or a new one. It learns every
        evaluation at once.
    progress : callable, optional
        Called as ``progress(n_done, n_evaluations)``; by default a `ProgressLine`.

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
        space has one point only, the model has another space, or more than 8000 distinct
        points could come together.

    Whatever ends the call after its first evaluation, an error of `progress` included, has an
    attribute `model` that holds all that was learned. In a notebook the last
    error is ``sys.last_value``.

    Examples
    --------
    >>> try:  # doctest: +SKIP
    ...     tuned = tune(evaluate, space, 500, rng)
    ... except KeyboardInterrupt as stop:
    ...     point = best_sampled(stop.model)
    """
    kind("space", space, SearchSpace)
    n_evaluations = whole("n_evaluations", n_evaluations)
    number("final", final, 0.0, math.nextafter(1, 0), "is a share from 0 to below 1")
    if model is None:
        model = LandscapeModel(space, _existing(checked_sizes(sizes), space.n_dims))
    kind("model", model, LandscapeModel)
    if model.space != space:
        raise ValueError(f"the model belongs to {short(model.space)}, not to {short(space)}")
    if min(space.size, model.n_evaluations + n_evaluations) > MOST_POINTS:
        most = f"the final choice takes {MOST_POINTS} points at most"
        raise ValueError(f"{most}, got n_evaluations={short(n_evaluations)}; use `search`")
    report = ProgressLine() if progress is None else progress
    function("progress", report)
    steps = search(evaluate, model, rng, settings)
    n_before = model.n_evaluations
    try:
        return _run(steps, evaluate, model, rng, n_evaluations, final, report)
    except KeyboardInterrupt as stop:
        done = f"stopped after {model.n_evaluations - n_before} of {n_evaluations} evaluations"
        raise Interrupted(
            f"{done}; `model` of this error holds them (sys.last_value.model)", model
        ) from stop
    except BaseException as error:
        error.model = model
        raise


def _run(steps, evaluate, model, rng, n_evaluations, final, report):
    """Search, spend the rest on the favourites, recommend."""
    n_final = min(int(final * n_evaluations), n_evaluations - 1)
    n_search = n_evaluations - n_final
    for done, _ in enumerate(islice(steps, n_search), 1):
        report(done, n_evaluations)
    done = n_search
    for n_round in _rounds(n_final):
        point = TupleRegression(model).best()
        for _ in range(n_round):
            model.add(point, evaluate_once(evaluate, point, rng, model))
            done += 1
            report(done, n_evaluations)
    regression = TupleRegression(model)
    point = regression.best()
    return Tuned(point, float(regression.mean(point)), float(regression.std(point)), model)


class ProgressLine:
    """Shows progress of a run that takes longer than two seconds, on standard error."""

    def __init__(self, stream=None, seconds=2.0):
        self._stream = stream
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def __call__(self, n_done, n_total):
        """Write a line if the last one is `seconds` old."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._seconds
            print(f"{n_done} of {n_total} evaluations", file=self._stream or sys.stderr)


def _existing(sizes, n_dims):
    """Leave out sizes of n-tuples that a small space does not have."""
    return tuple(s for s in sizes if not (s != "d" and s > n_dims))


def _rounds(n_final):
    """Return the sizes of at most `_N_ROUNDS` even rounds that sum to `n_final`."""
    ends = np.linspace(0, n_final, min(_N_ROUNDS, n_final) + 1).astype(int)
    return np.diff(ends).tolist()
