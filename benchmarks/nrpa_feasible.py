"""How soon restarts with three biases meet all windows of a tour, on twenty seeds each.

Run ``python -m benchmarks.nrpa_feasible [rc_204.1 …] [--seeds 20] [--seconds 10]``, in some
minutes; the public instances are read from the folder named by GAMEAI_DATA. The biases, the level
and N are those of the chapter's last row.
"""

import argparse
import time

import numpy as np

from benchmarks.nrpa_tables import THREE_BIASES, data, seeds
from gameai_lib.nrpa.game.files import read_tsptw
from gameai_lib.nrpa.game.tsptw import LATE_COST, tsptw
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.search.restarts import restarts

BIASES, N_ITERATIONS = THREE_BIASES["three biases"]
MOST_RUNS = 100  # more than there is time for
ENOUGH = -LATE_COST  # a tour that misses no window costs less than one window


def seconds_to_meet(problems, seed, seconds, **parameters):
    """CPU-seconds after which all windows are met; infinite if that took more than `seconds`."""
    started = time.process_time()
    rng = np.random.default_rng(seed)
    for run in restarts(problems, rng, MOST_RUNS, target=ENOUGH, **parameters):
        spent = time.process_time() - started
        if run.best.score >= ENOUGH:
            judge(problems[0], run.best)
            return spent if spent <= seconds else np.inf
        if spent > seconds:
            return np.inf
    raise AssertionError("ended before its time")


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nrpa_feasible")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--n", type=int, default=N_ITERATIONS)
    chosen = parser.parse_args()
    paths = sorted(data("tsptw", "SolomonPotvinBengio").glob("rc_*.txt"))
    parameters = {"level": chosen.level, "n_iterations": chosen.n}
    print(f"Restarts of level {chosen.level}, N = {chosen.n}, biases {BIASES} in turn:")
    print("  instance  cities  all windows met  CPU-seconds: median    worst")
    n_met, all_seeds = 0, seeds(chosen.seeds)
    for path in paths:
        if chosen.names and path.stem not in chosen.names:
            continue
        instance = read_tsptw(path)
        problems = [tsptw(instance, *bias) for bias in BIASES]
        next(restarts(problems, 0, 1, level=1, n_iterations=1))  # compiles
        spent = [seconds_to_meet(problems, s, chosen.seconds, **parameters) for s in all_seeds]
        met = np.isfinite(spent).sum()
        n_met += met == chosen.seeds
        row = f"  {path.stem:9s} {len(instance.windows) - 1:6d} {met:9d} of {chosen.seeds:<4d}"
        print(f"{row} {np.median(spent):20.2f} {max(spent):8.2f}", flush=True)
    print(f"Tours on which every seed met all windows within {chosen.seconds:g} s: {n_met}")


if __name__ == "__main__":
    main()
