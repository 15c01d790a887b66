"""The contest of the NTBEA chapter: how near to the best point is what each entrant recommends?

``python -m gameai_book.ntbea.measure.contest families 100`` plays our entrants on instances of
every family, drawn anew for each run, and then the packages that are installed (``pip install
optuna ntbea nevergrad``). ``... parts 40`` plays NTBEA with other tuples, several looks at a point,
or several runs, ``... planet_wars 100`` the agents' table beside the order that was published, and
``... settings 200`` NTBEA with one setting changed at a time. ``... dear 8`` plays rivals that
think for long, with 100 games only (``pip install optuna torch smac``), and ``... three 100`` what
might help where three dials of six matter, and only together. With ``--only NAME`` one entrant,
method or setting is played, and all other rows stay as they are stored.

Every run is kept in ``_build/ntbea``, so that a group goes on where it ended. What comes of them
goes to the files that `gameai_book.ntbea.results.contest` reads: true values, or of groups that
play families shares of the way from a random point to the best, and how these differ from the
rival's on the same instances.
"""

import argparse
import csv
import zlib
from collections import defaultdict
from functools import partial
from pathlib import Path

import numpy as np

from gameai_book.ntbea.contest.rivals import random_games
from gameai_book.ntbea.contest.settings import BUDGET, SETTINGS, label
from gameai_book.ntbea.contest.whys import Cell
from gameai_book.ntbea.measure import ours, peers
from gameai_book.ntbea.measure.families import ASIDE, FAMILIES
from gameai_book.ntbea.measure.parts import PARTS
from gameai_book.ntbea.measure.tables import write_csv
from gameai_book.ntbea.measure.three import THREE
from gameai_book.ntbea.results.contest import (
    BUDGETS,
    HEADER,
    load_contest,
    path_of,
    problems_of_settings,
)
from gameai_book.ntbea.results.tables import planet_wars_table

# {group: whose share is taken off an entrant's on the same instance; None for nobody's}
COMPARED = {
    "families": lambda entrant: None if entrant == "tune" else "tune",
    "dear": lambda entrant: None if entrant == "tune" else "tune",
    "three": lambda entrant: None if entrant == "tune" else "tune",
    "parts": lambda entrant: {"1": None, "1 2": "1", "1 2 d": "1 2"}.get(entrant, "1 2 d"),
}

KEPT = Path("_build/ntbea")
EMPTY = Cell(0, 0.0, 0.0)
DEAR_BUDGET = 100
STREAM = 1  # of instances; every choice was made on the second


def draw_instance(family, run):
    """The instance of one run, the same for all entrants."""
    return (FAMILIES | ASIDE)[family](
        np.random.default_rng([STREAM, run, zlib.crc32(family.encode())])
    )


def generator(family, entrant, run, *budget):
    """The generator of one run of one entrant."""
    return np.random.default_rng([STREAM, run, zlib.crc32(f"{family} {entrant}".encode()), *budget])


def each_budget(name, recommend, budgets=BUDGETS):
    """Entrants that know their budget: a run for each, {(budget, name): point}."""

    def play(problem, rng_of):
        return {(b, name): recommend(problem, b, rng_of(name, b)) for b in budgets}

    return play


def read(name, problem, rng_of, points, fitness, budgets=BUDGETS):
    """What every reading makes of the first games, {(budget, entrant): point}."""
    found = {}
    for budget in budgets:
        for reading, recommend in ours.READINGS.items():
            entrant = f"{name}, {reading}"
            games = points[:budget], fitness[:budget]
            found[budget, entrant] = recommend(problem.space, *games, rng_of(entrant, budget))
    return found


def sample_run(name, sampler, budgets=BUDGETS):
    """A sampler that does not know its budget: one run serves all budgets and readings."""

    def play(problem, rng_of):
        games = sampler(problem, max(budgets), rng_of(name))
        return read(name, problem, rng_of, *games, budgets)

    return play


def nevergrad(problem, rng_of):
    """Nevergrad, read by us and by itself."""
    *games, own = peers.nevergrad(problem, BUDGETS, rng_of("Nevergrad"))
    return read("Nevergrad", problem, rng_of, *games) | {
        (budget, "Nevergrad"): point for budget, point in own.items()
    }


def smac3(problem, rng_of):
    """SMAC3, read by us and by itself; it stops where fewer points are than games."""
    if problem.space.size < DEAR_BUDGET:
        return {}
    *games, own = peers.smac3(problem, DEAR_BUDGET, rng_of("SMAC3"))
    found = read("SMAC3", problem, rng_of, *games, (DEAR_BUDGET,))
    return found | {(DEAR_BUDGET, "SMAC3"): own}


def pypi(problem, rng_of):
    """PyPI's package, read by itself."""
    own = peers.pypi_ntbea(problem, BUDGETS, rng_of("PyPI ntbea"))
    return {(budget, "PyPI ntbea"): point for budget, point in own.items()}


ENTRANTS = {
    "tune": each_budget("tune", ours.tune_once),
    "RMHC": each_budget("RMHC(5)", ours.hill_climb),
    "random": sample_run("random", random_games),
    "NTBEA": sample_run("NTBEA", ours.ntbea),
    "TPE": sample_run("TPE", peers.tpe),
    "Nevergrad": nevergrad,
    "PyPI ntbea": pypi,
}
DEAR = {
    "tune": each_budget("tune", ours.tune_once, (DEAR_BUDGET,)),
    "TPE": sample_run("TPE", peers.tpe, (DEAR_BUDGET,)),
    "GPSampler": sample_run("GPSampler", peers.gp_sampler, (DEAR_BUDGET,)),
    "SMAC3": smac3,
}
AT_THREE = {name: ENTRANTS[name] for name in ("tune", "random", "NTBEA", "TPE")}
AT_THREE |= {name: each_budget(name, recommend) for name, recommend in THREE.items()}
SLOW = "Nevergrad", "PyPI ntbea", "SMAC3"  # half as many runs are played


def shares(play, family, run):
    """{(budget, entrant): share} of one run."""
    instance = draw_instance(family, run)
    found = play(instance.problem, lambda entrant, *b: generator(family, entrant, run, *b))
    return {key: round(instance.share(point), 5) for key, point in found.items()}


def play_published(name, problem, run):
    """{(budget, method): true value} of one run of a method of Lucas et al. (2019)."""
    table = planet_wars_table()
    point = ours.PUBLISHED[name](table, BUDGET, generator(problem, name, run, BUDGET))
    return {(BUDGET, name): table.true_value(point)}


def play_setting(setting, problem, run, seed=7):
    """{(budget, value): true value} of one run with every value of a setting."""
    (table,) = (one for one in problems_of_settings() if one.name == problem)
    found = {}
    for value, options in SETTINGS[setting].items():
        point = ours.entrant(**options)(table, BUDGET, [seed, run])
        found[BUDGET, label(setting, value)] = table.true_value(point)
    return found


def rows_of(group):
    """The rows of a group by name, what ``play(problem, run)`` plays, and names of problems."""
    if group == "planet_wars":
        return {n: partial(play_published, n) for n in ours.PUBLISHED}, [planet_wars_table().name]
    if group == "settings":
        problems = [problem.name for problem in problems_of_settings()]
        return {name: partial(play_setting, name) for name in SETTINGS}, problems
    if group == "parts":
        entrants = {name: each_budget(name, part) for name, part in PARTS.items()}
    else:
        absent = set(peers.PACKAGES) - set(peers.installed_peers())
        every = {"families": ENTRANTS, "dear": DEAR, "three": AT_THREE}[group]
        entrants = {name: play for name, play in every.items() if name not in absent}
    families = ASIDE if group == "three" else FAMILIES
    return {name: partial(shares, play) for name, play in entrants.items()}, families


def compare(group, n_runs, only=None):
    """Play what is missing of `n_runs` runs, each kept as it ends, and store what came of all."""
    path = KEPT / f"{group}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    rows = list(csv.reader(path.read_text().splitlines()))
    done = {(name, problem, int(run)) for name, problem, run, *_ in rows}
    entrants, problems = rows_of(group)
    for name in entrants if only is None else [only]:
        play = entrants[name]
        for run in range(n_runs // 2 if name in SLOW else n_runs):
            for problem in problems:
                if (name, problem, run) in done:
                    continue
                more = [(name, problem, run, *k, x) for k, x in play(problem, run).items()]
                with path.open("a") as file:
                    csv.writer(file, lineterminator="\n").writerows(more)
                rows += more
            print(f"{name}: run {run + 1}", flush=True)
        save_contest(group, stored_cells(group) | differences(group, rows))


def stored_cells(group):
    """The cells that are stored of a group, none before its first run."""
    return load_contest(group) if path_of(group).exists() else {}


def save_contest(group, cells):
    """Write the cells of one group, whole or not at all."""
    rows = (
        (*key, cell.runs, round(cell.total, 9), round(cell.squares, 9))
        for key, cell in sorted(cells.items())
    )
    write_csv(path_of(group), HEADER, rows)


def with_run(cell, value):
    """Return the cell with one more run, of true value `value`."""
    return Cell(cell.runs + 1, cell.total + value, cell.squares + value**2)


def differences(group, rows):
    """Cells of each entrant's value, less that of whom `COMPARED` names where it names one."""
    by_run = defaultdict(dict)
    for _, problem, run, budget, entrant, value in rows:
        by_run[problem, int(budget), int(run)][entrant] = float(value)
    cells = {}
    for (problem, budget, _), found in by_run.items():
        for entrant, value in found.items():
            rival = COMPARED[group](entrant) if group in COMPARED else None
            if rival is None or rival in found:
                key, less = (problem, budget, entrant), found[rival] if rival else 0.0
                cells[key] = with_run(cells.get(key, EMPTY), value - less)
    return cells


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "group", choices=("families", "parts", "planet_wars", "settings", "dear", "three")
    )
    parser.add_argument("n_runs", type=int)
    parser.add_argument("--only", metavar="NAME")
    options = parser.parse_args()
    compare(options.group, options.n_runs, options.only)
