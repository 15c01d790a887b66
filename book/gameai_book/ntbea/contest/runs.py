"""The contest between tuners: its problems, runs of the search, and who is best.

A `Cell` keeps of all runs of one entrant on one problem with one budget how many there are, how
many crashed, and the sum and sum of squares of the true values of the recommendations.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.ntbea.game import problems
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import DEFAULTS, search_steps


class Cell(NamedTuple):
    """All runs of one entrant on one problem with one budget."""

    runs: int
    crashes: int
    total: float
    squares: float

    @property
    def n(self):
        """Runs that ended with a recommendation."""
        return self.runs - self.crashes

    @property
    def mean(self):
        """Mean true value of the recommendations, nan without any."""
        return self.total / self.n if self.n else float("nan")

    @property
    def standard_error(self):
        """Standard error of the mean, nan below two runs."""
        if self.n < 2:
            return float("nan")
        variance = max(self.squares / self.n - self.mean**2, 0.0) * self.n / (self.n - 1)
        return (variance / self.n) ** 0.5

    def with_run(self, value):
        """Return the cell with one more run, of true value `value` or None for a crash."""
        if value is None:
            return self._replace(runs=self.runs + 1, crashes=self.crashes + 1)
        return Cell(self.runs + 1, self.crashes, self.total + value, self.squares + value**2)


EMPTY = Cell(0, 0, 0.0, 0.0)


def search_once(problem, n_evaluations, seed, *, settings=DEFAULTS, **model_options):
    """Return the `LandscapeModel` of one search that draws from ``default_rng(seed)``.

    Parameters
    ----------
    problem : Problem
        What is searched.
    n_evaluations : int
        The budget.
    seed : int or sequence of int
    settings : Settings
        How the search chooses.
    **model_options
        `sizes` and `epsilon` of the model.
    """
    checks.kind("problem", problem, problems.Problem)
    model = LandscapeModel(problem.space, **model_options)
    steps = search_steps(problem.evaluate, model, np.random.default_rng(seed), settings)
    for _ in islice(steps, checks.whole("n_evaluations", n_evaluations)):
        pass
    return model


def play_runs(problem, n_evaluations, n_runs, seed, **options):
    """Return the `Cell` of `n_runs` searches that recommend their best sampled point.

    Parameters
    ----------
    problem : Problem
        What is searched.
    n_evaluations : int
        Budget of each run.
    n_runs : int
        Number of runs; run r draws from ``default_rng([seed, r])``.
    seed : int
        First part of the seed.
    **options
        Of `search_once`.
    """
    seed, cell = checks.whole("seed", seed, 0), EMPTY
    with Bar("searches", checks.whole("n_runs", n_runs), "runs") as bar:
        for run in range(n_runs):
            model = search_once(problem, n_evaluations, [seed, run], **options)
            cell = cell.with_run(problem.true_value(best_sampled(model)))
            bar(cell.runs)
    return cell


def ahead(cells, problem, budget, entrants):
    """Of some entrants the one furthest ahead of ours on the same instances, and its `Cell`.

    Parameters
    ----------
    cells : dict of (problem, budget, entrant) to Cell
        Of differences from ours.
    problem, budget
    entrants : iterable of str
        Those without a cell are left out.

    Raises
    ------
    ValueError
        If none has a cell.
    """
    here = {e: cells[problem, budget, e] for e in entrants if (problem, budget, e) in cells}
    if not here:
        raise ValueError(f"no cell of {short(list(entrants))} in {short((problem, budget))}")
    name = max(here, key=lambda entrant: here[entrant].mean)
    return name, here[name]


def is_close(difference, n_errors=1):
    """True if the difference, a `Cell` of a rival's less ours, is not beyond its own error(s)."""
    return difference.mean <= n_errors * difference.standard_error + 1e-12  # rounding of equals


def leaders(cells):
    """The entrants of largest mean among some without crashed runs, equals in their order.

    Parameters
    ----------
    cells : dict of str to Cell

    Raises
    ------
    ValueError
        If there is no entrant without crashes.
    """
    whole = {entrant: cell.mean for entrant, cell in cells.items() if not cell.crashes}
    if not whole:
        raise ValueError("no entrant without crashes")
    best = max(whole.values()) - 1e-12  # rounding of equal numbers
    return [entrant for entrant, mean in whole.items() if mean >= best]
