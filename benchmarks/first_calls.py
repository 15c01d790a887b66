"""What the first call of each front door costs, when numba compiles, and what later ones cost.

Run ``python -m benchmarks.first_calls``; the README prints its processor seconds. Each row begins
with an empty folder of compiled kernels; a second process then finds what the first has left there.
"""

import os
import subprocess
import sys
import tempfile

SCRIPT = """
import time
import numpy as np
{imports}
rng = np.random.default_rng(1)
{before}
started = time.process_time()
{call}
print(time.process_time() - started)
"""

HANABI = "from gameai_lib.hanabi import RuleAgent, belief_after, convention_would_act, play_game"
GAME = 'game = list(play_game([RuleAgent("Convention")] * 2, rng))[:3]'
NTBEA = "from gameai_lib.ntbea import SearchSpace, tune"
SPACE = """space = SearchSpace({"a": range(5), "b": range(5), "c": range(5)})
def play(point, rng): return point.sum() + rng.normal()"""
BTMM = "from gameai_lib.btmm import fit, from_teams, rate"
SEASON = "games = [(*rng.choice(20, 2, replace=False), rng.integers(2)) for _ in range(2000)]"
TEAMS = "data = from_teams([[[0, 2], [1]], [[1, 2], [0]], [[0], [1]]], [0, 0, 1])"
NRPA = "from dataclasses import replace\nfrom gameai_lib.nrpa import *"
OWN = "own = replace(leftmove(), rules=Rules(*(r.py_func for r in leftmove().rules)))"
TOUR = 'tour = bundled_tsptw("small")'

# What is called: imports, what it needs, the call.
CALLS = {
    "`belief_after`, V0": (HANABI, GAME, 'belief_after(game, kind="V0")'),
    "`belief_after`, V1": (HANABI, GAME, 'belief_after(game, kind="V1")'),
    "`belief_after`, exact": (HANABI, GAME, 'belief_after(game, kind="exact")'),
    "`belief_after`, exact with L": (HANABI, GAME, "belief_after(game, convention_would_act)"),
    "`tune`": (NTBEA, SPACE, "tune(play, space, 60, rng)"),
    "`tune` with NTBEA": (NTBEA, SPACE, 'tune(play, space, 60, rng, rule="ntbea")'),
    "`rate`": (BTMM, SEASON, "rate(games, prior=1.0)"),
    "`fit`": (BTMM, TEAMS, "fit(data, prior=1.0)"),
    "`NRPA`, Morpion Solitaire": (
        NRPA,
        'problem = morpion("5D")',
        "NRPA(problem, rng, level=2, n_iterations=2).run()",
    ),
    "`NRPA`, rules of your own": (NRPA, OWN, "NRPA(own, rng, level=2, n_iterations=2).run()"),
    "`best_tour`": (NRPA, TOUR, "best_tour(tour, rng, seconds=0.01)"),
}


def seconds(imports, before, call, folder):
    """Processor seconds of the call, in a process that keeps its kernels in `folder`."""
    environment = os.environ | {"NUMBA_CACHE_DIR": folder}
    script = SCRIPT.format(imports=imports, before=before, call=call)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment
    )
    if run.returncode:
        raise RuntimeError(run.stderr)
    return float(run.stdout.split()[-1])


def main():
    """Print a row for each call: the first after installing, and the first of a later process."""
    print("| call | first after installing | in every later process |\n|---|---|---|")
    for name, parts in CALLS.items():
        with tempfile.TemporaryDirectory() as folder:
            rows = [seconds(*parts, folder) for _ in range(2)]
        print(f"| {name} | {rows[0]:.1f} s | {rows[1]:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
