"""The scripts that write the chapter's `data`, a row at a time.

A part of a table is a list of rows: the names of each, and a function that measures it. A script
is run as ``python -m gameai_book.hanabi.measure.SCRIPT PART [--only NAME] [--write]``.
"""

import argparse
import json

import numpy as np

from gameai_lib.base.files import write_whole


def run(parts, path):
    """Read the command line, measure rows, print each, and store them if asked to."""
    parser = argparse.ArgumentParser(description="Measure rows of one part of a stored table.")
    parser.add_argument("part", choices=parts)
    parser.add_argument("--only", help="only rows of this agent, belief or number")
    parser.add_argument("--write", action="store_true", help="store the rows with the package")
    arguments = parser.parse_args()
    rows, listed = [], list(parts[arguments.part]())
    for names, measure in listed:
        if arguments.only in (None, *map(str, names.values())):
            rows.append(names | measure())
            print(json.dumps(rows[-1]), flush=True)
    if arguments.write:
        store(path, arguments.part, rows, [names for names, _ in listed])


def store(path, part, rows, listed):
    """Put rows in the place of a part's own, whole or not at all; the others stay as they are.

    `listed` are the names of all rows of the part, in the order in which they are stored.
    """
    stored = json.loads(path.read_text("utf-8"))
    keys = dict.fromkeys(key for names in listed for key in names)
    by_names = {_name(row, keys): row for row in [*stored.get(part, []), *rows]}
    stored[part] = [by_names[key] for n in listed if (key := _name(n, keys)) in by_names]
    lines = [f'"seed": {stored.pop("seed")}'] + [
        f'"{name}": [\n' + ",\n".join(map(json.dumps, of)) + "\n]" for name, of in stored.items()
    ]
    write_whole(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _name(row, keys):
    """What tells a row of a part from the others."""
    return json.dumps([row.get(key) for key in keys])


def mean_and_error(values, digits=5):
    """Mean and standard error of one value a game, rounded."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return [round(float(values.mean()), digits), round(float(error), digits)]


def final_states(play, n_games, seed):
    """The last states of games 0, 1, ...; ``play(rng)`` yields the frames of one."""
    games = (play(np.random.default_rng([seed, i])) for i in range(n_games))
    return [list(game)[-1].next_state for game in games]
