"""Results of the contest between tuners, read from the files that `measure.contest` writes.

A file holds a `Cell` for every problem, budget and entrant. In those of the groups "families" and
"parts" the values are shares of the way from a random point, 0, to the best one, 1, and all but
one entrant's are differences: less the share that another had on the same instance.
"""

import itertools

from gameai_book.ntbea.contest import settings
from gameai_book.ntbea.contest.whys import Cell
from gameai_book.ntbea.results.tables import DATA, planet_wars_table, read_csv
from gameai_lib.ntbea.game import problems

BUDGETS = (50, 100, 200)

# of landscapes, see `gameai_book.ntbea.measure.families`
FAMILIES = (
    *("Switches", "Dials", "Few dials", "Hills won or lost", "Hills with noise", "Pairs"),
    *("Triples", "Chain", "Traps", "Corner", "Planet Wars", "Ships"),
)

CASES = tuple(itertools.product(FAMILIES, BUDGETS))

# With which `tune` is compared, NTBEA and our own readings of its games among them.
SAMPLERS = "random", "NTBEA", "TPE", "Nevergrad"
READINGS = "best trial", "marginals", "model mean", "regression"
HEADER = ("problem", "budget", "entrant", "runs", "total", "squares")


def load_contest(group):
    """Return {(problem, budget, entrant): Cell} of a group."""
    return {
        (problem, int(budget), entrant): Cell(int(runs), float(total), float(squares))
        for problem, budget, entrant, runs, total, squares in read_csv(path_of(group), HEADER)
    }


def path_of(group):
    """Where the cells of a group are stored."""
    return DATA / f"contest_{group}.csv"


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
