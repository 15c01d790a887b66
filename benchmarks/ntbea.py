"""Speed of NTBEA's search and of `tune`, and the contest's table.

``python -m benchmarks.ntbea`` measures CPU time beside PyPI's `ntbea` and prints the contest
from its result files, which `gameai_book.ntbea.measure.contest` makes. The comparison is of
`search_steps` alone; the second table says what whole tunings take.
"""

import importlib.metadata
import importlib.util
import time
from itertools import islice

import numpy as np

from gameai_book.ntbea.measure.verdicts import RIVALS, ahead, n_close
from gameai_book.ntbea.results.contest import CASES, load_contest
from gameai_lib.ntbea.game.problems import max_m
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.steps import search_steps
from gameai_lib.ntbea.search.tuning import tune

N_ITERATIONS, N_REPEATS = 40, 5


def our_search(problem, n_iterations, rng):
    """Return a search of this library, ready to run."""
    steps = search_steps(problem.evaluate, LandscapeModel(problem.space, (1, 2)), rng)
    return lambda: list(islice(steps, n_iterations))


def our_tune(problem, n_iterations, rng):
    """Return a whole tuning, ready to run."""
    return lambda: tune(
        problem.evaluate, problem.space, n_iterations, rng, progress=lambda *_: None
    )


def peer_search(problem, n_iterations, rng):
    """Return a search of PyPI's `ntbea`, ready to run; every tenth step evaluates twice."""
    from ntbea import ntbea as peer

    from gameai_book.ntbea.measure.peers import pypi_search

    steps, _ = pypi_search(peer, problem, rng, (1, 2))
    return lambda: steps.run(n_iterations)


def milliseconds(make, problem, n_iterations, n_repeats=N_REPEATS):
    """Smallest CPU time per iteration over repeats, in ms; the problem's own time included."""
    best = np.inf
    for seed in range(n_repeats):
        run = make(problem, n_iterations, np.random.default_rng(seed))
        start = time.process_time()
        run()
        best = min(best, 1e3 * (time.process_time() - start) / n_iterations)
    return best


def peers():
    """Print which peers are installed, with their versions, and how to install the others."""
    for name in ("nevergrad", "ntbea", "optuna"):
        if importlib.util.find_spec(name) is None:
            print(f"{name} is missing: pip install '.[benchmarks]'")
            continue
        try:
            print(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            print(name, "of unknown version")


def speed():
    """Print CPU time per iteration for 5, 10 and 20 dimensions of 5 values."""
    print("CPU ms an iteration of the search, 5 values, 50 neighbours, 1- and 2-tuples,")
    print(f"smallest of {N_REPEATS} runs of {N_ITERATIONS} iterations")
    has_peer = importlib.util.find_spec("ntbea") is not None
    for n_dims in (5, 10, 20):
        problem = max_m(n_dims, 5, sigma=1.0)
        milliseconds(our_search, problem, 20, 1)  # compile
        ours = milliseconds(our_search, problem, N_ITERATIONS)
        line = f"  d = {n_dims:2}: gameai_lib {ours:.3f}"
        if has_peer:
            theirs = milliseconds(peer_search, problem, N_ITERATIONS)
            line += f", PyPI ntbea {theirs:.1f}, ratio {theirs / ours:.0f}"
        print(line)


def tuning_growth():
    """Print CPU time and memory of `tune` as its budget grows, most of it that of its draws.

    One run each. On a busy machine set OPENBLAS_NUM_THREADS=1: threads that wait count.
    """
    print("CPU seconds and MB of tune, d = 20, 5 values")
    problem = max_m(20, 5, sigma=3.0)
    milliseconds(our_tune, problem, 20, 1)  # compile
    before = peak()
    for budget in (250, 500, 1000, 2000):
        seconds = milliseconds(our_tune, problem, budget, 1) * budget / 1000
        print(f"  {budget:4} evaluations: {seconds:.1f} s, {peak() - before:.0f} MB", flush=True)


def peak():
    """Most memory that this process has had so far, in MB."""
    import resource  # which Windows lacks

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def table():
    """Print of every case of the contest the best rival, and how often `tune` is close to it."""
    cells = load_contest("families")
    for family, budget in CASES:
        name, more = ahead(cells, family, budget, RIVALS)
        said = f"{more.mean:+.3f} ± {more.standard_error:.3f} {name}"
        reached = cells[family, budget, "tune"].mean
        print(f"{family:18} {budget:4}: tune {reached:.3f}, {said} ({more.runs} runs)")
    close = f"{n_close(cells)} of {len(CASES)}"
    print(f"tune is best or within an error of the difference in {close}")


if __name__ == "__main__":
    peers()
    speed()
    tuning_growth()
    table()
