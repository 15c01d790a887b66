"""Why NTBEA is as it is: searches with one part left out, told in a few numbers.

The search of these experiments is the library's own; only what they change is named.
"""

from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.contest.runs import search_once
from gameai_lib.base.progress import Bar


class Means(NamedTuple):
    """A mean over runs and its standard error."""

    mean: float
    error: float


def mean_of(values):
    """Return the `Means` of some numbers, at least two."""
    values = np.asarray(values, float)
    return Means(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))


def search_runs(problem, n_evaluations, n_runs, **options):
    """Return the models of `n_runs` searches; `options` are those of `search_once`.

    Run r draws from ``default_rng(r)``.
    """
    models = []
    with Bar("searches", n_runs, "runs") as bar:
        for run in range(n_runs):
            models.append(search_once(problem, n_evaluations, run, **options))
            bar(len(models))
    return models


def n_looked_at(models):
    """`Means` of how many different points each model has learned from."""
    return mean_of([len(np.unique(model.points, axis=0)) for model in models])


def worth_with_bonus(models, problem, k_scale):
    """`Means` of true values when the evaluated point of the largest bound is recommended.

    `k_scale` is the weight of the bonus in ranges of the results; with 0 the mean decides.
    """
    values = []
    for model in models:
        points = np.unique(model.points, axis=0)
        bounds = model.ucb(points, k_scale * model.fitness_range)
        values.append(problem.true_value(points[np.argmax(bounds)]))
    return mean_of(values)
