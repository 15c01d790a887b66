"""Speed and strength of NRPA, per CPU-second of one core, beside plain Python.

Run ``python -m benchmarks.nrpa``; public instances are used where GAMEAI_DATA names them.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import nrpa_plain
from gameai_lib.nrpa.files import read_board, read_tsptw
from gameai_lib.nrpa.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.leftmove import leftmove
from gameai_lib.nrpa.morpion import morpion
from gameai_lib.nrpa.problem import Rules
from gameai_lib.nrpa.samegame import samegame
from gameai_lib.nrpa.search import NRPA
from gameai_lib.nrpa.tsptw import tsptw

START = """
import time
started = time.perf_counter()
import numpy as np
from gameai_lib.nrpa.morpion import morpion
from gameai_lib.nrpa.search import NRPA
problem = morpion("5D")
imported = time.perf_counter()
NRPA(problem, np.random.default_rng(1), level=2, n_iterations=2).run()
print(f"{imported - started:.2f} s import, {time.perf_counter() - imported:.2f} s first search")
"""


def problems():
    """(problem, level, n_iterations) of the speed table."""
    yield morpion("5D"), 2, 100
    yield morpion("5T"), 2, 100
    yield samegame(bundled_board(), "SameGame, bundled board"), 2, 60
    yield tsptw(bundled_tsptw("medium")), 2, 300
    if data := os.environ.get("GAMEAI_DATA"):
        yield samegame(read_board(Path(data, "samegame/board_01.txt")), "SameGame board 1"), 3, 20
        for name in ("rc_201.1", "rc_204.1"):
            yield tsptw(read_tsptw(Path(data, f"tsptw/SolomonPotvinBengio/{name}.txt"))), 3, 30
    else:
        print("GAMEAI_DATA is not set: public instances are left out")


def rate(search):
    """Playouts per CPU-second of a whole search."""
    started = time.process_time()
    search.run(every=10**9)
    return search.n_playouts / (time.process_time() - started)


def main():
    """Print the tables."""
    print("Start of a process on Morpion 5D (wall clock):")
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        for kind in ("first after installing", "every later one"):
            command = [sys.executable, "-c", START]
            run = subprocess.run(command, capture_output=True, text=True, env=environment)
            print(f"  {kind}: {run.stdout.strip() or run.stderr}")
    problem = leftmove(20)
    own = replace(problem, rules=Rules(*(rule.py_func for rule in problem.rules)))
    started = time.perf_counter()
    NRPA(own, np.random.default_rng(1), level=2, n_iterations=2).run()
    print(f"  rules of your own, in each process: {time.perf_counter() - started:.2f} s")
    print("\nPlayouts per CPU-second, best and worst of three:")
    for problem, level, n in problems():
        NRPA(problem, np.random.default_rng(0), level=1, n_iterations=2).run()
        rates = [
            rate(NRPA(problem, np.random.default_rng(s), level=level, n_iterations=n))
            for s in (1, 2, 3)
        ]
        print(f"  {problem.name:28s} L{level} N={n:<4d} {max(rates):>9,.0f} {min(rates):>9,.0f}")
    print("\nMorpion 5D, level 2, N = 10, beside plain Python:")
    started = time.process_time()
    nrpa_plain.nrpa(nrpa_plain.Morpion5D, 2, 10, np.random.default_rng(1))
    plain = 100 / (time.process_time() - started)
    ours = rate(NRPA(morpion("5D"), np.random.default_rng(1), level=2, n_iterations=100))
    print(f"  plain {plain:,.0f}, ours {ours:,.0f}: {ours / plain:,.0f} times as many playouts")


if __name__ == "__main__":
    main()
