"""Results of the contest between tuners, read from the files that ``benchmarks`` writes.

A file keeps, for every problem, budget and entrant, the number of runs, how many of
them crashed, and the sum and sum of squares of the true values of the recommendations.
"""

import csv
import io
import math
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.ntbea._checks import fitness_of
from gameai_lib.ntbea.game import problems
from gameai_lib.ntbea.game.tables import DATA, read_csv
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import DEFAULTS, search_steps

BUDGETS = (50, 100, 500)
HEADER = ("problem", "budget", "entrant", "runs", "crashes", "total", "squares")


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


def load_contest(*groups):
    """Return {(problem, budget, entrant): Cell} of all groups; a missing file holds none.

    Raises
    ------
    ValueError
        If a file does not hold what `save_contest` writes; the error names file and row.
    """
    cells = {}
    for group in groups:
        path = _path(group, DATA)
        if not path.exists():
            continue
        for number, row in enumerate(read_csv(path, HEADER), 2):
            try:
                key, cell = _read_cell(*row)
            except ValueError as error:
                raise ValueError(f"{path}, row {number}: {error} in {short(row)}") from error
            cells[key] = cell
    return cells


def _path(group, folder):
    checks.kind("a group", group, str)
    if not group.replace("_", "").isalnum():
        raise ValueError(f"a group is a word, got {short(group)}")
    return Path(checks.file_path(folder)) / f"contest_{group}.csv"


def _read_cell(problem, budget, entrant, *numbers):
    budget, runs, crashes = (_count(text) for text in (budget, *numbers[:2]))
    total, squares = (fitness_of(_real(text), "a sum") for text in numbers[2:])
    if crashes > runs or squares < 0:
        raise ValueError(f"{crashes} crashes of {runs} runs, sum of squares {squares}")
    return (problem, budget, entrant), Cell(runs, crashes, total, squares)


def _count(text):
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValueError(f"{short(text)} is no count")
    return int(text)


def _real(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def save_contest(group, cells, folder=DATA):
    """Write the cells of one group, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for key, cell in sorted(cells.items()):
        sums = round(cell.total, 9), round(cell.squares, 9)
        writer.writerow([*key, cell.runs, cell.crashes, *sums])
    write_whole(_path(group, folder), text.getvalue())


def play_runs(problem, n_evaluations, n_runs, seed, *, settings=DEFAULTS, **model_options):
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
    settings : Settings
        How the search chooses.
    **model_options
        `sizes` and `epsilon` of the `LandscapeModel`.
    """
    checks.kind("problem", problem, problems.Problem)
    n_evaluations = checks.whole("n_evaluations", n_evaluations)
    seed = checks.whole("seed", seed, 0)
    cell = EMPTY
    for run in range(checks.whole("n_runs", n_runs)):
        model = LandscapeModel(problem.space, **model_options)
        steps = search_steps(problem.evaluate, model, np.random.default_rng([seed, run]), settings)
        for _ in islice(steps, n_evaluations):
            pass
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
    """The name of the method of largest mean that is none of the `entrants`.

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
