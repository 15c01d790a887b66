"""What the checks of a reader's own rules cost, in CPU-seconds of NRPA for the same games.

Run ``python -m benchmarks.nrpa_rules [--rounds 15]``. The games of this package are played by
their rules as they are, which are not checked; by the same source as a reader's own rules, which
are; and by the same source without checks, but inlined as a reader's rules are. The last tells
what the checks alone cost, the first what a reader loses to this package.
"""

import argparse
import time
from dataclasses import replace

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import tsptw
from gameai_lib.nrpa.problem.problem import seal
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.nrpa.search.nrpa import NRPA

SECONDS = 0.2  # of one search: short, so that the machine is the same for all of a round
OPTIONS = {"level": 2, "n_iterations": 300}


def plain(problem):
    """The rules of a problem as a reader writes them."""
    return [getattr(rule, "py_func", rule) for rule in problem.rules]


def own(problem):
    """The problem with the same rules as a reader's own: checked."""
    return replace(problem, rules=Rules(*plain(problem)))


def inlined(problem):
    """The problem with the same rules unchecked, but inlined as a reader's are."""
    rules = Rules(*(njit(forceinline=True)(rule) for rule in plain(problem)))
    sizes = problem.n_codes, problem.max_plies, problem.max_legal
    return seal(problem.name, rules, problem.ints, problem.floats, *sizes)


def seconds_of(problem, n_playouts, seed):
    """CPU-seconds of so many playouts, and the best score."""
    search = NRPA(problem, np.random.default_rng(seed), **OPTIONS)
    started = time.process_time()
    search.advance(n_playouts)
    return time.process_time() - started, search.best.score


def costs(problem, rounds):
    """CPU-seconds (rounds, 3): as it is, own, inlined; in turn, forwards and backwards."""
    kinds = problem, own(problem), inlined(problem)
    for kind in kinds:
        seconds_of(kind, 10, 0)  # compiles
    n_playouts, most = 100, OPTIONS["n_iterations"] ** OPTIONS["level"]
    while n_playouts < most and seconds_of(problem, n_playouts, 0)[0] < SECONDS:
        n_playouts = min(2 * n_playouts, most)
    seconds = np.empty((rounds, len(kinds)))
    for i in range(rounds):
        scores = set()
        for k in range(len(kinds))[:: 1 if i % 2 else -1]:
            seconds[i, k], score = seconds_of(kinds[k], n_playouts, i)
            scores.add(score)
        assert len(scores) == 1, f"{problem.name}: not the same games"
    return seconds


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nrpa_rules", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print(f"Cost of own rules, median of {rounds} pairs and their quartiles, beside")
    print(f"  {'':14s}{'rules of this package':>24s} {'the same, inlined':>24s}")
    for problem in (
        leftmove(60), morpion("5D"), samegame(bundled_board()), tsptw(bundled_tsptw("medium")),
    ):  # fmt: skip
        as_it_is, checked, without = costs(problem, rounds).T
        cells = []
        for other in (as_it_is, without):
            low, median, high = np.percentile(100 * (checked / other - 1), [25, 50, 75])
            cells.append(f"{median:+6.1f} % ({low:+.1f} to {high:+.1f})")
        print(f"  {problem.name:14s}" + " ".join(f"{cell:>24s}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
