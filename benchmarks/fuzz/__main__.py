"""Throw inputs at the rooms: ``python -m benchmarks.fuzz [room ...] [--inputs 50000]``.

``--target NAME`` keeps to targets whose names begin so, ``--seed 17`` runs one input of one
target in this process, with its traceback.
"""

import argparse
import importlib
import math
import sys

from benchmarks.fuzz import ROOMS
from benchmarks.fuzz.harness import input_of, run_target, short

COLUMNS = "{:28} {:>9} {:>9} {:>10} {:>7} {:>8}"


def targets_of(room, prefix=""):
    """The targets of a room whose names begin with `prefix`."""
    targets = importlib.import_module(f"benchmarks.fuzz.{room}").targets()
    return [target for target in targets if target.name.startswith(prefix)]


def shares(targets, n_inputs):
    """How many of `n_inputs` each target gets, at least one; never fewer in all."""
    total = sum(target.weight for target in targets)
    return [math.ceil(n_inputs * target.weight / total) for target in targets]


def run_room(room, n_inputs, prefix=""):
    """Run a room and print a line for each target; returns all results."""
    targets = targets_of(room, prefix)
    results = []
    for target, n in zip(targets, shares(targets, n_inputs), strict=True):
        results.append(run_target(target, range(n)))
        show(f"{room} {target.name}", [results[-1]])
    show(f"{room}: all", results)
    return results


def show(label, results):
    """Print a row of the table."""
    print(
        COLUMNS.format(
            label[:28],
            sum(r.n_inputs for r in results),
            sum(r.n_named for r in results),
            sum(r.n_accepted for r in results),
            sum(len(r.faults) for r in results),
            f"{sum(r.seconds for r in results):.0f} s",
        ),
        flush=True,
    )


def main():
    """Parse the command line, run, print the faults."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS, metavar="room", help=", ".join(ROOMS))
    parser.add_argument("--inputs", type=int, default=50_000, help="inputs a room")
    parser.add_argument("--target", default="")
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    if options.seed is not None:
        for room in options.rooms:
            for target in targets_of(room, options.target):
                thing = input_of(target, options.seed)
                print(target.name, short(thing, 2000), flush=True)
                target.run(thing)
        return
    print(COLUMNS.format("room", "inputs", "named", "accepted", "faults", "time"))
    found = []
    for room in options.rooms:
        results = run_room(room, options.inputs, options.target)
        found += [(room, r.target, *fault) for r in results for fault in r.faults]
    for room, target, seed, what in found[:200]:
        print(f"\n{room} --target {target!r} --seed {seed}\n  {what}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
