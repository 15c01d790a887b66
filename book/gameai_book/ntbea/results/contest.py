"""Results of the contest between tuners, read from the files that ``benchmarks`` writes.

A file keeps a `Cell` for every problem, budget and entrant. In those of the groups "families" and
"parts" the values are shares of the way from a random point, 0, to the best one, 1, and all but
one entrant's are differences: less the share that another had on the same instance, see `COMPARED`.
"""

import csv
import io
import itertools
import math
from pathlib import Path

from gameai_book.ntbea.contest import settings
from gameai_book.ntbea.contest.runs import Cell, ahead, is_close
from gameai_book.ntbea.results.tables import DATA, planet_wars_table, read_csv
from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.ntbea._checks import fitness_of
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

HEADER = ("problem", "budget", "entrant", "runs", "crashes", "total", "squares")


def load_contest(*groups):
    """Return {(problem, budget, entrant): Cell} of all groups; a missing file holds no cells.

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
        raise ValueError(f"{short(text)} is not a count")
    return int(text)


def _real(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def n_close(cells, rivals=RIVALS, n_errors=1):
    """In how many `CASES` `tune` is best, or within so many standard errors of the best rival."""
    return sum(is_close(ahead(cells, *case, rivals)[1], n_errors) for case in CASES)


def n_runs(cells):
    """How many runs some cells have, in words such as "60", or "50 to 100" where they differ."""
    runs = sorted({cell.runs for cell in cells})
    return f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"


def save_contest(group, cells, folder=DATA):
    """Write the cells of one group, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for key, cell in sorted(cells.items()):
        sums = round(cell.total, 4), round(cell.squares, 4)
        writer.writerow([*key, cell.runs, cell.crashes, *sums])
    write_whole(_path(group, folder), text.getvalue())


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
