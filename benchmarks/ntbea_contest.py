"""The contest of the NTBEA chapter: true value of what each entrant recommends.

``python -m benchmarks.ntbea_contest ours 100`` plays the library's entrants,
``... peers 100`` those of the installed peers. Runs that exist are not played again;
sums, not single runs, are kept in ``gameai_lib/ntbea/data/contest_<group>.csv``.
"""

import argparse
import csv
import os
import zlib

from benchmarks import ntbea_ours, ntbea_peers
from gameai_lib.ntbea import problems
from gameai_lib.ntbea.tables import DATA

BUDGETS = (50, 100, 500)
HEADER = ("problem", "budget", "entrant", "runs", "crashes", "total", "squares")


def contest_problems():
    """Return the seven problems, by name."""
    entered = (
        problems.one_max(sigma=1.0),
        problems.one_max(),
        problems.max_m(),
        problems.max_m(5, 10, sigma=5.0),
        problems.corner_trap(),
        problems.five_bit_traps(),
        problems.hartmann(),
    )
    return {problem.name: problem for problem in entered}


def load(path):
    """Return {(problem, budget, entrant): [runs, crashes, total, squares]}, empty without file."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return {(r[0], int(r[1]), r[2]): [int(r[3]), int(r[4]), float(r[5]), float(r[6])] for r in rows}


def save(path, cells):
    """Write the cells, whole or not at all."""
    partial = path.with_suffix(".partial")
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows([*key, *values] for key, values in sorted(cells.items()))
    os.replace(partial, path)


def play(problem, entrant, name, budgets, run, cells):
    """Play one run of one entrant and enter the true values of what it recommends."""
    seed = [run, zlib.crc32(f"{problem.name} {name}".encode())]
    for (budget, label), point in entrant(problem, budgets, seed).items():
        cell = cells.setdefault((problem.name, budget, label), [0, 0, 0.0, 0.0])
        cell[0] += 1
        if point is None:
            cell[1] += 1
        else:
            value = problem.true_value(point)
            cell[2] += value
            cell[3] += value**2


def contest(group, n_runs, n_large):
    """Bring every cell to `n_runs` runs, those of the largest budget to `n_large`."""
    entrants = ntbea_ours.ENTRANTS if group == "ours" else ntbea_peers.installed()
    if not entrants:
        print("no peer is installed here, nothing to play")
    path = DATA / f"contest_{group}.csv"
    cells = load(path)
    for budgets, n in ((BUDGETS[:-1], n_runs), (BUDGETS[-1:], n_large)):
        for run in range(n):
            for problem in contest_problems().values():
                for name, entrant in entrants.items():
                    if runs_so_far(cells, problem, budgets, name) <= run:
                        play(problem, entrant, name, budgets, run, cells)
                        save(path, cells)
            print(f"{group}, budgets {budgets}: run {run + 1} of {n}", flush=True)


def runs_so_far(cells, problem, budgets, name):
    """Return how many runs the entrant called `name` has at these budgets."""
    runs = [
        values[0]
        for (problem_name, budget, label), values in cells.items()
        if (problem_name, budget) == (problem.name, budgets[0]) and label.split(",")[0] == name
    ]
    return max(runs, default=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("group", choices=("ours", "peers"))
    parser.add_argument("n_runs", type=int)
    parser.add_argument("--large", type=int, help="runs at the largest budget, default all")
    arguments = parser.parse_args()
    large = arguments.n_runs if arguments.large is None else arguments.large
    contest(arguments.group, arguments.n_runs, large)
