"""The contest between tuners: runs of the search, what came of them, and who is best."""

from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.steps import DEFAULTS, search_steps

_ROUNDING = 1e-12  # of equal numbers


class Cell(NamedTuple):
    """What all runs of one entrant recommended on one problem with one budget."""

    runs: int
    total: float  #: sum of the true values of the recommendations
    squares: float  #: sum of their squares

    @property
    def mean(self):
        """Mean true value, nan without runs."""
        return self.total / self.runs if self.runs else float("nan")

    @property
    def standard_error(self):
        """Standard error of the mean, nan below two runs."""
        if self.runs < 2:
            return float("nan")
        variance = max(self.squares / self.runs - self.mean**2, 0.0) * self.runs / (self.runs - 1)
        return (variance / self.runs) ** 0.5

    def with_run(self, value):
        """Return the cell with one more run, of true value `value`."""
        return Cell(self.runs + 1, self.total + value, self.squares + value**2)


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
