"""Results of the contest between tuners, read from the files that `measure.contest` writes.

A file holds a `Cell` for every problem, budget and entrant. In those of the groups "families" and
"parts" the values are shares of the way from a random point, 0, to the best one, 1, and all but
one entrant's are differences: less the share that another had on the same instance, see `COMPARED`.
"""

import itertools

from gameai_book.ntbea.contest import settings
from gameai_book.ntbea.contest.runs import Cell, ahead, is_close
from gameai_book.ntbea.results.tables import DATA, planet_wars_table, read_csv, write_csv
from gameai_lib.ntbea.game import problems

BUDGETS = (50, 100, 200)

# of landscapes, see `gameai_book.ntbea.measure.families`
FAMILIES = (
    *("Switches", "Dials", "Few dials", "Hills won or lost", "Hills with noise", "Pairs"),
    *("Triples", "Chain", "Traps", "Corner", "Planet Wars", "Ships"),
)

# {group: whose share is taken off an entrant's on the same instance; None for nobody's}
COMPARED = {
    "families": lambda entrant: None if entrant == "tune" else "tune",
    "parts": lambda entrant: {"1": None, "1 2": "1", "1 2 d": "1 2"}.get(entrant, "1 2 d"),
}

CASES = tuple(itertools.product(FAMILIES, BUDGETS))

# With which `tune` is compared, NTBEA and our own readings of its games among them.
SAMPLERS = "random", "NTBEA", "TPE", "Nevergrad"
READINGS = "best trial", "marginals", "model mean", "regression"
RIVALS = (
    *(f"{sampler}, {reading}" for sampler in SAMPLERS for reading in READINGS),
    "RMHC(5)",
    "Nevergrad",
    "PyPI ntbea",
)

HEADER = ("problem", "budget", "entrant", "runs", "total", "squares")


def load_contest(group):
    """Return {(problem, budget, entrant): Cell} of a group."""
    return {
        (problem, int(budget), entrant): Cell(int(runs), float(total), float(squares))
        for problem, budget, entrant, runs, total, squares in read_csv(_path(group), HEADER)
    }


def save_contest(group, cells):
    """Write the cells of one group, whole or not at all."""
    rows = (
        (*key, cell.runs, round(cell.total, 9), round(cell.squares, 9))
        for key, cell in sorted(cells.items())
    )
    write_csv(_path(group), HEADER, rows)


def _path(group):
    return DATA / f"contest_{group}.csv"


def n_close(cells, rivals=RIVALS, n_errors=1):
    """In how many `CASES` `tune` is best, or within so many standard errors of the best rival."""
    return sum(is_close(ahead(cells, *case, rivals)[1], n_errors) for case in CASES)


def n_runs(cells):
    """How many runs some cells have, in words such as "60", or "50 to 100" where they differ."""
    runs = sorted({cell.runs for cell in cells})
    return f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"


def problems_of_settings():
    """Return the problems on which the settings were compared."""
    return planet_wars_table(), problems.one_max(), problems.hartmann()


def load_settings():
    """Return {problem name: {setting: [Cell of each value]}}."""
    cells = load_contest("settings")
    return {
        problem.name: {
            setting: [cells[problem.name, settings.BUDGET, settings.label(setting, v)] for v in vs]
            for setting, vs in settings.SETTINGS.items()
        }
        for problem in problems_of_settings()
    }
