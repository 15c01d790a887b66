"""The contest of the NTBEA chapter: true value of what each entrant recommends.

``python -m benchmarks.ntbea_contest ours 100`` plays the library's entrants,
``... peers 100 --large 30`` the installed peers with fewer runs at the largest budget,
``... helped 25 --large 0`` the peers with a hand from us, and
``... planet_wars 100`` the agents' table beside the order that was published,
``... settings 200`` NTBEA with one setting changed at a time, ``... ways 400`` other ways to
spend the same games, and ``... parts 400`` NTBEA with other tuples, or several looks at a point.
Runs of the contest that exist are not played again: only sums are kept, see
`gameai_lib.ntbea.results.contest`.
"""

import argparse
import zlib

import numpy as np

from benchmarks import ntbea_ours, ntbea_peers
from gameai_lib.ntbea.contest.runs import BUDGETS, EMPTY, contest_problems, play_runs
from gameai_lib.ntbea.contest.settings import BUDGET, SETTINGS, label
from gameai_lib.ntbea.contest.whys import LOOKS, SPENT, TUPLES, WAYS, played_again
from gameai_lib.ntbea.results.contest import (
    load_contest,
    problems_of_parts,
    problems_of_settings,
    problems_of_ways,
    save_contest,
)
from gameai_lib.ntbea.results.tables import planet_wars_table

GROUPS = ("ours", "peers", "helped", "planet_wars", "settings", "ways", "parts")


def play(problem, entrant, name, budgets, run, cells):
    """Play one run of one entrant and enter the true values of what it recommends."""
    seed = [run, zlib.crc32(f"{problem.name} {name}".encode())]
    for (budget, entry), point in entrant(problem, budgets, seed).items():
        key = problem.name, budget, entry
        value = None if point is None else problem.true_value(point)
        cells[key] = cells.get(key, EMPTY).with_run(value)


def runs_so_far(cells, problem, budgets, name):
    """Return how many runs the entrant called `name` has at these budgets."""
    runs = [
        cell.runs
        for (problem_name, budget, label), cell in cells.items()
        if (problem_name, budget) == (problem.name, budgets[0]) and label.split(",")[0] == name
    ]
    return max(runs, default=0)


def contest(group, stages):
    """Bring every cell of a group to the runs of its stage.

    A stage is (problems, budgets, number of runs).
    """
    entrants = {
        "ours": ntbea_ours.ENTRANTS,
        "planet_wars": ntbea_ours.PUBLISHED,
        "peers": ntbea_peers.installed(),
        "helped": ntbea_peers.helped(),
    }[group]
    if not entrants:
        print("no peer is installed here, nothing to play")
    cells = load_contest(group)
    for entered, budgets, n_runs in stages:
        for run in range(n_runs):
            for problem in entered:
                for name, entrant in entrants.items():
                    if runs_so_far(cells, problem, budgets, name) <= run:
                        play(problem, entrant, name, budgets, run, cells)
                        save_contest(group, cells)
            print(f"{group}, budgets {budgets}: run {run + 1} of {n_runs}", flush=True)


def settings(n_runs, seed=7):
    """Play `n_runs` searches for every value of every setting; run r has seed (`seed`, r)."""
    cells = {}
    for problem in problems_of_settings():
        for setting, values in SETTINGS.items():
            for value, options in values.items():
                key = problem.name, BUDGET, label(setting, value)
                cells[key] = play_runs(problem, BUDGET, n_runs, seed, **options)
                mean, error = cells[key].mean, cells[key].standard_error
                print(f"{problem.name}, {key[2]}: {mean:.3f} ± {error:.3f}", flush=True)
    save_contest("settings", cells)


def ways(n_runs, seed=11):
    """Play `n_runs` runs of every way to spend the games; run r has seed (`seed`, r)."""
    cells = {}
    for problem in problems_of_ways():
        for way, recommend in WAYS.items():
            cell = EMPTY
            for run in range(n_runs):
                point = recommend(problem, SPENT, rng=np.random.default_rng([seed, run]))
                cell = cell.with_run(problem.true_value(point))
            cells[problem.name, SPENT, way] = cell
            print(f"{problem.name}, {way}: {cell.mean:.3f} ± {cell.standard_error:.3f}", flush=True)
    save_contest("ways", cells)


def parts(n_runs, seed=13):
    """Play `n_runs` searches with every set of tuples, and with several looks at a point."""
    cells = {}
    for problem, budgets in problems_of_parts():
        for budget in budgets:
            for name, options in TUPLES.items():
                key = problem.name, budget, f"tuples {name}"
                cells[key] = play_runs(problem, budget, n_runs, seed, **options)
            for name, n_games in LOOKS.items():
                cell = EMPTY
                for run in range(n_runs):
                    rng = np.random.default_rng([seed, run])
                    point = played_again(problem, budget, n_games, rng)
                    cell = cell.with_run(problem.true_value(point))
                cells[problem.name, budget, name] = cell
            for (problem_name, games, name), cell in cells.items():
                if (problem_name, games) == (problem.name, budget):
                    said = f"{cell.mean:.3f} ± {cell.standard_error:.3f}"
                    print(f"{problem.name}, {budget}, {name}: {said}", flush=True)
            save_contest("parts", cells)


def main():
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("n_runs", type=int)
    parser.add_argument("--large", type=int, help="runs at the largest budget, default all")
    options = parser.parse_args()
    alone = {"settings": settings, "ways": ways, "parts": parts}
    if options.group in alone:
        alone[options.group](options.n_runs)
        return
    if options.group == "planet_wars":
        contest("planet_wars", [((planet_wars_table(),), (288,), options.n_runs)])
        return
    large = options.n_runs if options.large is None else options.large
    entered = contest_problems()
    contest(
        options.group,
        [(entered, BUDGETS[:-1], options.n_runs), (entered, BUDGETS[-1:], large)],
    )


if __name__ == "__main__":
    main()
