"""How `tune` grows with its budget: ``python -m gameai_book.ntbea.measure.growth``.

Twenty dials of five values, each with an effect of its own, and a noise as large as three of
them. Measured are processor seconds (of all threads), the memory that was added, and how far the
choice is below the best point, in five runs of each budget with one and with two threads of BLAS.
``--only 500`` measures the rows of one budget anew. What the docstring of `tune` says of its cost
is tested against the file that it writes.
"""

import argparse
import itertools
import multiprocessing
import os
import resource
import time

import numpy as np

from gameai_book.ntbea.measure.tables import write_csv
from gameai_book.ntbea.results.tables import DATA, read_csv
from gameai_lib.ntbea import SearchSpace, tune

HEADER = ("evaluations", "threads", "run", "seconds", "megabytes", "loss")
BUDGETS, THREADS, RUNS = (250, 500, 1000, 2000), (1, 2), range(1, 6)
SPACE = SearchSpace({f"dial {i}": tuple(range(5)) for i in range(20)})
EFFECTS = np.random.default_rng(0).normal(size=(20, 5))


def play(point, rng):
    """One noisy evaluation."""
    return EFFECTS[np.arange(20), point].sum() + 3 * rng.normal()


def measure_run(budget, run):
    """CPU seconds, MB and the loss of one run, in a process that has compiled before."""
    tune(play, SPACE, 30, np.random.default_rng(0))
    before, started = _peak(), time.process_time()
    tuned = tune(play, SPACE, budget, np.random.default_rng(run), progress=lambda *_: None)
    seconds = time.process_time() - started
    loss = EFFECTS.max(axis=1).sum() - EFFECTS[np.arange(20), tuned.point].sum()
    return seconds, _peak() - before, loss


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(budgets=BUDGETS):
    """Measure each run of these budgets in a process of its own, and write and print the rows."""
    rows = [row for row in read_csv(DATA / "growth.csv", HEADER) if int(row[0]) not in budgets]
    for case in itertools.product(budgets, THREADS, RUNS):
        budget, n_threads, run = case
        os.environ["OPENBLAS_NUM_THREADS"] = str(n_threads)  # read by the process as it begins
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            rows.append([*case, *np.round(pool.apply(measure_run, (budget, run)), 3)])
        print(*rows[-1], flush=True)
    write_csv(DATA / "growth.csv", HEADER, sorted(rows, key=lambda row: [*map(int, row[:3])]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=int, choices=BUDGETS)
    only = parser.parse_args().only
    main([only] if only else BUDGETS)
