"""The contest of the NTBEA chapter: how near to the best point is what each entrant recommends?

``python -m gameai_book.ntbea.measure.contest families 100`` plays our entrants on instances of
every family, drawn anew for each run, and then the packages that are installed (``pip install
optuna ntbea nevergrad``). ``... parts 40`` plays NTBEA with other tuples, several looks at a point,
or several runs. Games of both are kept in ``_build/ntbea``, so that they go on where they ended;
the share of the way from a random point to the best, and how it differs from the rival's on the
same instances, go to the files that `gameai_book.ntbea.results.contest` reads. ``... planet_wars
100`` plays the agents' table beside the order that was published, ``... settings 200`` NTBEA with
one setting changed at a time. With ``--only NAME`` one entrant, method or setting is played, and
all other rows stay as they are stored.
"""

import argparse
import csv
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np

from gameai_book.ntbea.contest.runs import EMPTY, play_runs
from gameai_book.ntbea.contest.settings import BUDGET, SETTINGS, label
from gameai_book.ntbea.contest.whys import PARTS
from gameai_book.ntbea.measure import ours, peers
from gameai_book.ntbea.measure.families import FAMILIES
from gameai_book.ntbea.results.contest import (
    BUDGETS,
    COMPARED,
    load_contest,
    problems_of_settings,
    save_contest,
)
from gameai_book.ntbea.results.tables import planet_wars_table

KEPT = Path("_build/ntbea")
CONTEST, TRAINING = 1, 2  # streams of instances; every choice was made on the second


def drawn(family, run, stream=CONTEST):
    """The instance of one run, the same for all entrants."""
    return FAMILIES[family](np.random.default_rng([stream, run, zlib.crc32(family.encode())]))


def generator(family, entrant, run, *budget, stream=CONTEST):
    """The generator of one run of one entrant."""
    return np.random.default_rng([stream, run, zlib.crc32(f"{family} {entrant}".encode()), *budget])


def each_budget(name, recommend):
    """Entrants that know their budget: a run for each, {(budget, name): point}."""

    def play(problem, rng_of):
        return {(b, name): recommend(problem, b, rng_of(name, b)) for b in BUDGETS}

    return play


def read(name, problem, rng_of, points, fitness):
    """What every reading makes of the first games, {(budget, entrant): point}."""
    found = {}
    for budget in BUDGETS:
        for reading, recommend in ours.READINGS.items():
            entrant = f"{name}, {reading}"
            games = points[:budget], fitness[:budget]
            found[budget, entrant] = recommend(problem.space, *games, rng_of(entrant, budget))
    return found


def sampled(name, sampler):
    """A sampler that does not know its budget: one run serves all budgets and readings."""

    def play(problem, rng_of):
        return read(name, problem, rng_of, *sampler(problem, max(BUDGETS), rng_of(name)))

    return play


def nevergrad(problem, rng_of):
    """Nevergrad, read by us and by itself."""
    *games, own = peers.nevergrad(problem, BUDGETS, rng_of("Nevergrad"))
    return read("Nevergrad", problem, rng_of, *games) | {
        (budget, "Nevergrad"): point for budget, point in own.items()
    }


def pypi(problem, rng_of):
    """PyPI's package, read by itself."""
    own = peers.pypi_ntbea(problem, BUDGETS, rng_of("PyPI ntbea"))
    return {(budget, "PyPI ntbea"): point for budget, point in own.items()}


ENTRANTS = {
    "tune": each_budget("tune", ours.tuned),
    "RMHC": each_budget("RMHC(5)", ours.climb(5)),
    "random": sampled("random", ours.random),
    "NTBEA": sampled("NTBEA", ours.ntbea),
    "TPE": sampled("TPE", peers.tpe),
    "Nevergrad": nevergrad,
    "PyPI ntbea": pypi,
}
PLAYED = {name: each_budget(name, part) for name, part in PARTS.items()}
SHARE_OF_RUNS = {"Nevergrad": 0.5, "PyPI ntbea": 0.5}  # the slow ones


def shares(play, family, run, stream=CONTEST):
    """{(budget, entrant): share} of one run."""
    instance = drawn(family, run, stream)

    def rng_of(entrant, *budget):
        return generator(family, entrant, run, *budget, stream=stream)

    return {key: instance.share(point) for key, point in play(instance.problem, rng_of).items()}


def choose(entrants, only):
    """Return the entrants that are played: all, or the one called `only`."""
    return entrants if only is None else {only: entrants[only]}


def store(group, cells):
    """Store cells beside those that are stored already."""
    save_contest(group, load_contest(group) | cells)


def compare(group, entrants, n_runs):
    """Play what is missing of `n_runs` runs, each kept as it ends, and store the differences."""
    path = KEPT / f"{group}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = list(csv.reader(path.open())) if path.exists() else []
    done = {(name, family, int(run)) for name, family, run, *_ in rows}
    for name, play in entrants.items():
        for run in range(int(n_runs * SHARE_OF_RUNS.get(name, 1))):
            for family in FAMILIES:
                if (name, family, run) in done:
                    continue
                found = shares(play, family, run)
                more = [(name, family, run, *key, round(x, 5)) for key, x in found.items()]
                with path.open("a") as file:
                    csv.writer(file, lineterminator="\n").writerows(more)
                rows += more
            print(f"{name}: run {run + 1}", flush=True)
        store(group, differences(group, rows))


def differences(group, rows):
    """Cells of each entrant's share less that of whom `COMPARED` names, and of the first alone."""
    by_run = defaultdict(dict)
    for _, family, run, budget, entrant, share in rows:
        by_run[family, int(budget), int(run)][entrant] = float(share)
    cells = {}
    for (family, budget, _), found in by_run.items():
        for entrant, share in found.items():
            rival = COMPARED[group](entrant)
            if rival is not None and rival not in found:
                continue
            key = family, budget, entrant
            value = share if rival is None else share - found[rival]
            cells[key] = cells.get(key, EMPTY).with_run(value)
    return cells


def compare_published(n_runs, only):
    """Play the methods of Lucas et al. (2019) on the agents' table."""
    problem, cells = planet_wars_table(), {}
    for name, recommend in choose(ours.PUBLISHED, only).items():
        cell = EMPTY
        for run in range(n_runs):
            point = recommend(problem, BUDGET, generator(problem.name, name, run, BUDGET))
            cell = cell.with_run(problem.true_value(point))
        cells[problem.name, BUDGET, name] = cell
        print(f"{name}: {cell.mean:.3f} ± {cell.standard_error:.3f}", flush=True)
    store("planet_wars", cells)


def settings(n_runs, only, seed=7):
    """Play `n_runs` searches for every value of every setting; run r has seed (`seed`, r)."""
    cells = {}
    for problem in problems_of_settings():
        for setting, values in choose(SETTINGS, only).items():
            for value, options in values.items():
                key = problem.name, BUDGET, label(setting, value)
                cells[key] = play_runs(problem, BUDGET, n_runs, seed, **options)
                mean, error = cells[key].mean, cells[key].standard_error
                print(f"{problem.name}, {key[2]}: {mean:.3f} ± {error:.3f}", flush=True)
    store("settings", cells)


def main():
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("group", choices=("families", "parts", "planet_wars", "settings"))
    parser.add_argument("n_runs", type=int)
    parser.add_argument("--only", metavar="NAME")
    options = parser.parse_args()
    n_runs, only = options.n_runs, options.only
    if options.group == "families":
        absent = {"TPE", "Nevergrad", "PyPI ntbea"} - set(peers.installed())
        here = {name: play for name, play in ENTRANTS.items() if name not in absent}
        compare("families", choose(here, only), n_runs)
    elif options.group == "parts":
        compare("parts", choose(PLAYED, only), n_runs)
    else:
        {"planet_wars": compare_published, "settings": settings}[options.group](n_runs, only)


if __name__ == "__main__":
    main()
