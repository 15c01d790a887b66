"""Who is ahead in the contest, for the benchmark and for what pages say of `tune`."""

from gameai_book.ntbea.results.contest import CASES, READINGS, SAMPLERS

_ROUNDING = 1e-12  # of equal numbers

RIVALS = (
    *(f"{sampler}, {reading}" for sampler in SAMPLERS for reading in READINGS),
    "RMHC(5)",
    "Nevergrad",
    "PyPI ntbea",
)


def ahead(cells, problem, budget, entrants):
    """Return the name and `Cell` of the entrant furthest ahead; those without a cell do not count.

    `cells`, a dict of (problem, budget, entrant) to `Cell`, are of differences from ours.
    """
    here = {e: cells[problem, budget, e] for e in entrants if (problem, budget, e) in cells}
    return max(here.items(), key=lambda item: item[1].mean)


def is_close(difference, n_errors=1):
    """True if the difference, a `Cell` of a rival's less ours, is not beyond its own error(s)."""
    return difference.mean <= n_errors * difference.standard_error + _ROUNDING


def n_close(cells, rivals=RIVALS, n_errors=1):
    """In how many `CASES` `tune` is best, or within so many standard errors of the best rival."""
    return sum(is_close(ahead(cells, *case, rivals)[1], n_errors) for case in CASES)
