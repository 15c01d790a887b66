"""How `tune` grows with its budget: ``python -m benchmarks.ntbea_growth``.

Twenty dials of five values, each with an effect of its own, and a noise as large as three of
them. Printed are processor seconds (of all threads), the memory that was added, and how far the
choice is below the best point.
"""

import multiprocessing
import resource
import time

import numpy as np

from gameai_lib.ntbea import SearchSpace, tune

BUDGETS = (250, 500, 1000, 2000, 4000)
SPACE = SearchSpace({f"dial {i}": tuple(range(5)) for i in range(20)})
EFFECTS = np.random.default_rng(0).normal(size=(20, 5))


def play(point, rng):
    """One noisy evaluation."""
    return EFFECTS[np.arange(20), point].sum() + 3 * rng.normal()


def measured(budget):
    """CPU seconds, MB and the loss of one run, in a process that has compiled before."""
    tune(play, SPACE, 30, np.random.default_rng(0))
    before, started = _peak(), time.process_time()
    tuned = tune(play, SPACE, budget, np.random.default_rng(1), progress=lambda *_: None)
    seconds = time.process_time() - started
    loss = EFFECTS.max(axis=1).sum() - EFFECTS[np.arange(20), tuned.point].sum()
    return seconds, _peak() - before, loss


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    """Print a line for every budget, each of a process of its own."""
    print("evaluations   CPU s     MB   loss")
    for budget in BUDGETS:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            seconds, megabytes, loss = pool.apply(measured, (budget,))
        print(f"{budget:11,}{seconds:8.1f}{megabytes:7.0f}{loss:7.2f}", flush=True)


if __name__ == "__main__":
    main()
