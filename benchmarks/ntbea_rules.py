"""`tune` with its two rules, the upper confidence bound and Thompson sampling.

``python -m benchmarks.ntbea_rules 30`` prints true values of what 30 runs recommend, and CPU
time, on two problems of the contest and on one with 20 parameters.
"""

import argparse
import time

import numpy as np

from benchmarks.ntbea_ours import quiet
from gameai_lib.ntbea.contest.runs import EMPTY
from gameai_lib.ntbea.game.problems import five_bit_traps, max_m, one_max
from gameai_lib.ntbea.search.tuner import RULES
from gameai_lib.ntbea.search.tuning import tune

BUDGETS = (50, 500)


def measure(problem, budget, rule, n_runs):
    """Return the `Cell` of `n_runs` runs and CPU seconds a run; run r has seed [r, budget]."""
    cell, start = EMPTY, time.process_time()
    for run in range(n_runs):
        rng = np.random.default_rng([run, budget])
        tuned = tune(problem.evaluate, problem.space, budget, rng, rule=rule, progress=quiet)
        cell = cell.with_run(problem.true_value(tuned.point))
    return cell, (time.process_time() - start) / n_runs


def main():
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n_runs", type=int)
    n_runs = parser.parse_args().n_runs
    for problem in (max_m(), five_bit_traps(), one_max(20)):
        for budget in BUDGETS:
            print(f"{problem.name}, {problem.space.n_dims} parameters, {budget} evaluations")
            for rule in RULES:
                cell, seconds = measure(problem, budget, rule, n_runs)
                value = f"{cell.mean:.3f} ± {cell.standard_error:.3f}"
                print(f"  {value}  {rule}, {seconds:.2f} s a run", flush=True)


if __name__ == "__main__":
    main()
