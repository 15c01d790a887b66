"""Speed of one NTBEA iteration and the contest's table.

``python -m benchmarks.ntbea`` measures CPU time beside PyPI's `ntbea` (where installed)
and prints the contest from its result files, which `benchmarks.ntbea_contest` makes.
"""

import importlib.util
import time
from itertools import islice

import numpy as np

from gameai_lib.ntbea.contest import BUDGETS, contest_problems, is_close_to_best, load_contest
from gameai_lib.ntbea.landscape import LandscapeModel
from gameai_lib.ntbea.problems import max_m
from gameai_lib.ntbea.search import search


def our_milliseconds(problem, n_iterations, n_repeats=7):
    """Smallest CPU time per iteration over repeats, in ms; the problem's own time included."""
    best = np.inf
    for seed in range(n_repeats):
        model = LandscapeModel(problem.space, (1, 2))
        steps = search(problem.evaluate, model, np.random.default_rng(seed))
        next(steps)
        start = time.process_time()
        list(islice(steps, n_iterations))
        best = min(best, 1e3 * (time.process_time() - start) / n_iterations)
    return best


def peer_milliseconds(problem, n_iterations):
    """CPU time per iteration of PyPI's `ntbea`, in ms."""
    from ntbea import ntbea as peer

    from benchmarks.ntbea_peers import pypi_search

    search, _ = pypi_search(peer, problem, np.random.default_rng(1), (1, 2))
    start = time.process_time()
    search.run(n_iterations)
    return 1e3 * (time.process_time() - start) / n_iterations


def speed():
    """Print CPU time per iteration for 5, 10 and 20 dimensions of 5 values."""
    print("CPU ms an iteration, 5 values, 50 neighbours, 1- and 2-tuples")
    has_peer = importlib.util.find_spec("ntbea") is not None
    if not has_peer:
        print("(PyPI ntbea is not installed here)")
    for n_dims in (5, 10, 20):
        problem = max_m(n_dims, 5, sigma=1.0)
        our_milliseconds(problem, 20, 1)  # compile
        ours = our_milliseconds(problem, 500)
        line = f"  d = {n_dims:2}: gameai_lib {ours:.3f}"
        if has_peer:
            theirs = peer_milliseconds(problem, 40)
            line += f", PyPI ntbea {theirs:.1f}, ratio {theirs / ours:.0f}"
        print(line)


def table():
    """Print every cell of the contest, best first, and how often `tune` is close to best."""
    cells = load_contest("ours", "peers")
    close = []
    for problem in contest_problems():
        for budget in BUDGETS:
            here = {e: c for (p, b, e), c in cells.items() if (p, b) == (problem.name, budget)}
            if "tune" not in here:
                continue
            close.append(is_close_to_best(cells, problem.name, budget, "tune"))
            print(f"\n{problem.name}, {budget} evaluations (best {problem.best:.3g})")
            for entrant, cell in sorted(here.items(), key=lambda item: -item[1].mean):
                crashed = f", {cell.crashes} crashed" if cell.crashes else ""
                error = f"{cell.mean:8.3f} ± {cell.standard_error:.3f}"
                print(f"  {error}  {entrant} ({cell.runs} runs{crashed})")
    print(f"\ntune is best or within its standard error in {sum(close)} of {len(close)} cells")


if __name__ == "__main__":
    speed()
    table()
