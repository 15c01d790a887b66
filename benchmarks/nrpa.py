"""Speed and strength of NRPA, per CPU-second of one core, beside plain Python.

Run ``python -m benchmarks.nrpa``; public instances are used where GAMEAI_DATA names them. With
``--peers NAME=COMMAND...`` only other programs are measured, which take turns with ours: each
COMMAND starts one search of Morpion 5D at level 2 with N = 300 and the seed ``{seed}``, and prints
``Best line:`` and its length. For anagorko's morpion-lpp, built by yourself as its CMakeLists.txt
says, that is ``nrpa -v 5D -l 2 -n 300 --standard true -s {seed}``, with ``--fastexp false`` or
without.
"""

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import time
from pathlib import Path

import numpy as np

from benchmarks import nrpa_plain
from gameai_book.nrpa.measure.tables import RESULTS
from gameai_book.nrpa.measure.tours import ROUNDED, UNSEEN
from gameai_book.nrpa.results import tables
from gameai_lib.base.files import write_whole
from gameai_lib.nrpa.game.files import read_board, read_tsptw
from gameai_lib.nrpa.game.instances import bundled_board, bundled_tsptw
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import LATE_COST, tsptw
from gameai_lib.nrpa.search.nrpa import NRPA

# Playouts per second asked for, and those of bnegreve's nrpa, in C++, on another machine; one core,
# same level and N. For Morpion see `peers_table`.
BAR = {"Morpion 5D": 90_000, "rc_201.1": 300_000, "rc_204.1": 60_000, "SameGame board 1": 15_000}
CPP = {
    "rc_201.1": "12,600-14,600",
    "rc_204.1": "5,600-6,000",
    "SameGame board 1": "4,800-5,200",
}


def problems():
    """(problem, level, n_iterations) of the speed table."""
    yield morpion("5D"), 2, 300
    yield morpion("5T"), 2, 100
    yield samegame(bundled_board(), "SameGame, bundled board"), 2, 60
    yield tsptw(bundled_tsptw("medium")), 2, 300
    if data := os.environ.get("GAMEAI_DATA"):
        yield samegame(read_board(Path(data, "samegame/board_01.txt")), "SameGame board 1"), 3, 20
        for name in ("rc_201.1", "rc_204.1"):
            yield tsptw(read_tsptw(Path(data, f"tsptw/SolomonPotvinBengio/{name}.txt"))), 3, 30
    else:
        print("GAMEAI_DATA is not set: public instances are left out")


def rate(search, seconds=5.0):
    """Playouts per CPU-second of a search, or without numba of its first seconds."""
    started, n_playouts = time.process_time(), 1
    while not search.finished and time.process_time() - started < seconds:
        search.advance(n_playouts)
        n_playouts *= 2
    return search.n_playouts / (time.process_time() - started)


def speed():
    """Print playouts per CPU-second, beside what was asked for, C++ and plain Python."""
    print("Playouts per CPU-second, best and worst of three; the rate asked for;")
    print("a C++ program, measured at another time on another machine:")
    print(f"  {'':37s}{'best':>9s} {'worst':>9s} {'asked':>9s}  C++")
    for problem, level, n in problems():
        NRPA(problem, np.random.default_rng(0), level=1, n_iterations=2).run()
        rates = [
            rate(NRPA(problem, np.random.default_rng(s), level=level, n_iterations=n))
            for s in (1, 2, 3)
        ]
        bar, beside = BAR.get(problem.name, ""), CPP.get(problem.name, "")
        size = f"{problem.name:28s} L{level} N={n:<4d}"
        print(f"  {size} {max(rates):>9,.0f} {min(rates):>9,.0f} {bar:>9}  {beside}".rstrip())
    print("\nMorpion 5D, level 2, N = 10, beside plain Python:")
    started = time.process_time()
    nrpa_plain.nrpa(nrpa_plain.Morpion5D, 2, 10, np.random.default_rng(1))
    plain = 100 / (time.process_time() - started)
    ours = rate(NRPA(morpion("5D"), np.random.default_rng(1), level=2, n_iterations=100))
    print(f"  plain {plain:,.0f}, ours {ours:,.0f}: {ours / plain:,.0f} times as many playouts")


def beside_peers(commands, rounds=25):
    """Let our search and other programs' take turns, seed by seed; write ``peers.json``."""
    options, problem = {"level": 2, "n_iterations": 300}, morpion("5D")
    NRPA(problem, np.random.default_rng(0), **options).advance(1)  # compiles
    peers = dict(command.split("=", 1) for command in commands)
    runs = {name: [] for name in ("ours", *peers)}
    for seed in range(1, rounds + 1):
        started = time.process_time()
        score = NRPA(problem, np.random.default_rng(seed), **options).run().score
        runs["ours"].append([int(score), time.process_time() - started])
        for name, command in peers.items():
            runs[name].append(_run(shlex.split(command.format(seed=seed))))
    table = {"problem": problem.name} | options | {"runs": runs}
    write_whole(RESULTS / "peers.json", json.dumps(table) + "\n")
    for name, row in peers_table().items():
        print(name, row)


def peers_table():
    """Columns of a table: our search and other programs' taking turns on Morpion 5D.

    The median of their playouts per CPU-second, the mean of their lines with its standard error,
    and the median, with both quartiles, of our rate over theirs, seed by seed.
    """
    stored = tables.read_table("peers")
    n_playouts = stored["n_iterations"] ** stored["level"]
    lines, seconds = np.moveaxis(np.array(list(stored["runs"].values())), 2, 0)
    ratios = np.percentile(seconds / seconds[0], [25, 50, 75], axis=1).T
    return {
        "program": list(stored["runs"]),
        "runs": [len(runs) for runs in stored["runs"].values()],
        "playouts/s": [f"{n_playouts / middle:,.0f}" for middle in np.median(seconds, 1)],
        "lines": [f"{m:.1f} ± {e:.1f}" for m, e in zip(*tables.mean_errors(lines), strict=True)],
        "ours / its": [f"{m:.2f} ({low:.2f}–{high:.2f})" for low, m, high in ratios],
    }


def _run(words):
    """Lines of another program's best game, and the CPU-seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [int(re.search(r"Best line: (\d+)", out)[1]), seconds]


def gaps(folder):
    """How far `best_tour` was above the best known cost in 10 CPU-seconds, by tour and seed.

    Per cent; infinite where a window is violated. Tours without a known cost are left out.
    """
    rows = [row for row in tables.read_table("tours")[folder].values() if row["known"]]
    return np.array([[_gap(row["known"], *run[:2]) for run in row["runs"]] for row in rows])


def _gap(known, cost, n_late):
    if n_late or cost >= LATE_COST:
        return np.inf
    return 100 * (cost / known - 1) if cost > known + ROUNDED else 0.0


def strength():
    """Print what the long runs of `nrpa_tables` found, from their result files."""
    table = tables.read_table("morpion_5D_level3")
    print(f"\nStored: Morpion 5D, level {table['level']}, N = {table['n_iterations']}, lines:")
    for seeds, scores in {"seeds 1 to 10": table["scores"][:10], "all": table["scores"]}.items():
        lines = np.array(scores)
        mean, spread = lines.mean(), lines.std(ddof=1)
        print(f"  {seeds:13s} mean {mean:.2f}, sd {spread:.2f}, best {lines.max():g}")
    found = gaps(UNSEEN)
    print("\nStored: tours of rc_ files in 10 CPU-seconds by one setting, 20 seeds each;")
    met = found[np.isfinite(found)]
    print(f"windows met in {met.size} of {found.size}; gaps to the best known cost:")
    print(f"  mean {met.mean():.2f} %, median {np.median(met):.2f} %, worst {met.max():.2f} %")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nrpa")
    parser.add_argument("--peers", metavar="NAME=COMMAND", nargs="+")
    chosen = parser.parse_args()
    if chosen.peers:
        beside_peers(chosen.peers)
        return
    speed()
    strength()


if __name__ == "__main__":
    main()
