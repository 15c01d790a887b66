"""Why NTBEA is as it is: searches with one part left out, told in a few numbers.

The search of these experiments is the library's own; only what they change is named.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib._checks import kind, whole
from gameai_lib.ntbea.game.problems import Problem
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.printed import small_search
from gameai_lib.ntbea.search.steps import DEFAULTS, search_steps


class Means(NamedTuple):
    """A mean over runs and its standard error."""

    mean: float
    error: float


def mean_of(values):
    """Return the `Means` of some numbers, at least two."""
    values = np.asarray(values, float)
    return Means(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))


def searched(problem, n_evaluations, n_runs, *, settings=DEFAULTS, **model_options):
    """Return the `LandscapeModel` of each of `n_runs` searches; run r draws from generator r.

    Parameters
    ----------
    problem : Problem
    n_evaluations, n_runs : int
    settings : Settings
    **model_options
        `sizes` and `epsilon` of the models.
    """
    kind("problem", problem, Problem)
    models = []
    for run in range(whole("n_runs", n_runs, 2)):
        model = LandscapeModel(problem.space, **model_options)
        steps = search_steps(problem.evaluate, model, np.random.default_rng(run), settings)
        for _ in islice(steps, whole("n_evaluations", n_evaluations)):
            pass
        models.append(model)
    return models


def n_looked_at(models):
    """`Means` of how many different points each model has learned from."""
    return mean_of([len(np.unique(model.points, axis=0)) for model in models])


def worth_with_bonus(models, problem, k_scale):
    """`Means` of true values if the evaluated point of the largest bound were recommended.

    `k_scale` is the weight of the bonus in ranges of the results; with 0 the mean decides.
    """
    values = []
    for model in models:
        points = np.unique(model.points, axis=0)
        bounds = model.ucb(points, k_scale * model.fitness_range)
        values.append(problem.true_value(points[np.argmax(bounds)]))
    return mean_of(values)


def with_fault(problem, n_evaluations, n_runs, fault, **options):
    """Return the `PrintedRun` of each of `n_runs` small searches with one printed fault."""
    kind("problem", problem, Problem)
    return [
        small_search(
            problem.evaluate, problem.space, n_evaluations, np.random.default_rng(run),
            fault=fault, **options,
        )
        for run in range(whole("n_runs", n_runs))
    ]  # fmt: skip
