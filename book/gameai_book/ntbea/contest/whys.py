"""Runs of the search, and what comes of them: means, their errors, and who leads."""

from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.base.progress import Bar
from gameai_lib.ntbea import LandscapeModel, search_steps
from gameai_lib.ntbea.search.steps import DEFAULTS

_ROUNDING = 1e-12  # of equal numbers


class Cell(NamedTuple):
    """What all runs of one entrant recommended on one problem with one budget."""

    runs: int
    total: float  #: sum of the true values of the recommendations
    squares: float  #: sum of their squares

    @property
    def mean(self):
        """Mean true value."""
        return self.total / self.runs

    @property
    def standard_error(self):
        """Standard error of the mean, of two runs or more."""
        variance = max(self.squares / self.runs - self.mean**2, 0.0) * self.runs / (self.runs - 1)
        return (variance / self.runs) ** 0.5


def search_once(problem, n_evaluations, rng, *, settings=DEFAULTS, **model_options):
    """Return the `LandscapeModel` of one search.

    `rng` is a generator or the seed of one; `model_options` are `sizes` and `epsilon`.
    """
    model = LandscapeModel(problem.space, **model_options)
    steps = search_steps(problem.evaluate, model, np.random.default_rng(rng), settings)
    for _ in islice(steps, n_evaluations):
        pass
    return model


def leaders(cells):
    """The entrants of largest mean in a dict of str to `Cell`, equals in their order."""
    best = max(cell.mean for cell in cells.values()) - _ROUNDING
    return [entrant for entrant, cell in cells.items() if cell.mean >= best]


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
