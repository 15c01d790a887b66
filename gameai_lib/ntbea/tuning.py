"""The whole of tuning in one call: search, then spend the rest on the favourites.

The search is NTBEA as published. The last fifth of the budget goes to the points that
`TupleRegression` would recommend, as Goodman and Lucas (2020) advise to spend part of the
budget on the choice; the contest in ``benchmarks`` shows what either part adds.
"""

import sys
import time
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.ntbea.landscape import LandscapeModel
from gameai_lib.ntbea.recommend import TupleRegression
from gameai_lib.ntbea.search import DEFAULTS, evaluate_once, search

_N_ROUNDS = 8  # of the final choice; the favourite may change between rounds


class Tuned(NamedTuple):
    """What tuning recommends and all it learned."""

    point: np.ndarray  # (n_dims,) int, the recommendation
    expected: float  # its fitness, as the regression expects it
    std: float  # standard deviation of that expectation
    model: LandscapeModel


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
        evaluation at once, so it keeps them if Ctrl-C ends the call.
    progress : callable, optional
        Called as ``progress(n_done, n_evaluations)``; by default a `ProgressLine`.

    Returns
    -------
    Tuned

    Raises
    ------
    EvaluationError
        If the evaluator fails; its `model` keeps what was learned.
    ValueError
        Before the first evaluation, if a setting is out of range, the space has one
        point only, or the model has another space.
    """
    if n_evaluations < 1:
        raise ValueError(f"n_evaluations must be at least 1, got {n_evaluations}")
    if not 0 <= final < 1:
        raise ValueError(f"final is a share from 0 to below 1, got {final}")
    if model is None:
        model = LandscapeModel(space, _existing(sizes, space.n_dims))
    elif model.space != space:
        raise ValueError(f"the model belongs to {model.space}, not to {space}")
    report = ProgressLine() if progress is None else progress
    n_final = min(int(final * n_evaluations), n_evaluations - 1)
    n_search = n_evaluations - n_final
    for done, _ in enumerate(islice(search(evaluate, model, rng, settings), n_search), 1):
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
    expected, std = regression.mean(point[None])[0], regression.std(point[None])[0]
    return Tuned(point, float(expected), float(std), model)


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
    return tuple(s for s in sizes if not (isinstance(s, int | np.integer) and s > n_dims))


def _rounds(n_final):
    """Return the sizes of at most `_N_ROUNDS` even rounds that sum to `n_final`."""
    ends = np.linspace(0, n_final, min(_N_ROUNDS, n_final) + 1).astype(int)
    return np.diff(ends).tolist()
