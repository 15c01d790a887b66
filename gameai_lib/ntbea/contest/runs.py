"""The contest between tuners: its problems, runs of the search, and who is best.

A `Cell` keeps of all runs of one entrant on one problem with one budget how many there are, how
many crashed, and the sum and sum of squares of the true values of the recommendations.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.ntbea.game import problems
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import DEFAULTS, search_steps

BUDGETS = (50, 100, 500)


def contest_problems():
    """Return the seven noisy problems of the contest."""
    return (
        problems.one_max(sigma=1.0),
        problems.one_max(),
        problems.max_m(),
        problems.max_m(5, 10, sigma=5.0),
        problems.corner_trap(),
        problems.five_bit_traps(),
        problems.hartmann(),
    )


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
    for run in range(checks.whole("n_runs", n_runs)):
        model = search_once(problem, n_evaluations, [seed, run], **options)
        cell = cell.with_run(problem.true_value(best_sampled(model)))
    return cell


def is_close_to_best(cells, problem, budget, entrant, *, with_readings=False):
    """True if the entrant is within its own standard error of the best rival's mean.

    Rivals are all entrants but those with crashed runs, whose means leave out what went
    badly, and, unless `with_readings`, but the readings of our own NTBEA runs, which are not
    independent methods.

    Raises
    ------
    ValueError
        If the entrant has no such cell, or no rival.
    """
    if (problem, budget, entrant) not in cells:
        raise ValueError(f"no cell {short((problem, budget, entrant))}")
    own = cells[problem, budget, entrant]
    means = [
        cell.mean
        for (p, b, e), cell in cells.items()
        if (p, b) == (problem, budget)
        and not cell.crashes
        and (with_readings or not e.startswith("NTBEA"))
    ]
    if not means:
        raise ValueError(
            f"no rival without crashes in the cell {short((problem, budget, entrant))}"
        )
    return own.mean + own.standard_error >= max(means) - 1e-12  # rounding of equal numbers


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


def best_other(cells, problem, budget, entrants):
    """The name of the method of largest mean that is not one of the `entrants`.

    Methods with crashed runs and the readings of our own NTBEA runs do not count.

    Raises
    ------
    ValueError
        If there is no other method.
    """
    means = {
        e: cell.mean
        for (p, b, e), cell in cells.items()
        if (p, b) == (problem, budget)
        and not cell.crashes
        and not e.startswith("NTBEA")
        and e not in entrants
    }
    if not means:
        raise ValueError(f"no other method in the cell {short((problem, budget))}")
    return max(means, key=means.get)
