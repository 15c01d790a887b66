"""Results of the contest between tuners, read from the files that ``benchmarks`` writes.

A file keeps, for every problem, budget and entrant, the number of runs, how many of
them crashed, and the sum and sum of squares of the true values of the recommendations.
"""

import csv
import os
from typing import NamedTuple

from gameai_lib.ntbea.tables import DATA

HEADER = ("problem", "budget", "entrant", "runs", "crashes", "total", "squares")


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
    """Return {(problem, budget, entrant): Cell} of all groups; a missing file holds none."""
    cells = {}
    for group in groups:
        path = DATA / f"contest_{group}.csv"
        if path.exists():
            with open(path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    key = row["problem"], int(row["budget"]), row["entrant"]
                    counts = int(row["runs"]), int(row["crashes"])
                    cells[key] = Cell(*counts, float(row["total"]), float(row["squares"]))
    return cells


def save_contest(group, cells, folder=DATA):
    """Write the cells of one group, whole or not at all."""
    path = folder / f"contest_{group}.csv"
    partial = path.with_suffix(".partial")
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for key, cell in sorted(cells.items()):
            sums = round(cell.total, 9), round(cell.squares, 9)
            writer.writerow([*key, cell.runs, cell.crashes, *sums])
    os.replace(partial, path)


def is_close_to_best(cells, problem, budget, entrant):
    """True if the entrant is within one standard error of the best mean at a problem and budget.

    The standard error is the entrant's own. Crashed runs of others are left out of their
    means, to their advantage.
    """
    means = [c.mean for (p, b, _), c in cells.items() if (p, b) == (problem, budget) and c.n > 1]
    own = cells[problem, budget, entrant]
    return own.mean + own.standard_error >= max(means)
