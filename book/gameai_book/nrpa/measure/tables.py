"""Long runs behind the tables of the NRPA chapter; each writes one small result file.

Run ``python -m gameai_book.nrpa.measure.tables [--only NAME ...]``; the tours stand in
`gameai_book.nrpa.measure.tours`. Public instances are read from the folder named by GAMEAI_DATA.
"""

import argparse
import itertools
import json
import os
from functools import partial
from pathlib import Path

import numpy as np

from gameai_book.nrpa.measure.codes import place_keyed, state_keyed
from gameai_book.nrpa.measure.instances import random_tsptw
from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.base.files import write_whole
from gameai_lib.nrpa.game.files import read_board, read_cells, read_tsptw, save_game
from gameai_lib.nrpa.game.instances import bundled_board, small_board
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from gameai_lib.nrpa.game.tsptw import tsptw
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA

RESULTS = Path(__file__).parents[1] / "data"
CHECKPOINTS = [10**k * m for k in range(1, 6) for m in (1, 2, 5)] + [10**6]

PROGRAMS = {  # each with its faults, and what makes the codes of moves others
    "none": (Faults(), lambda problem: problem),
    "list too short": (Faults(drop_last=True), lambda problem: problem),
    "codes by position": (Faults(), state_keyed),
    "codes by place": (Faults(), place_keyed),
    "shared policy": (Faults(shared_policy=True), lambda problem: problem),
    "strict comparison": (Faults(strict=True), lambda problem: problem),
    "last normaliser": (Faults(last_normaliser=True), lambda problem: problem),
    "four of them": (Faults(True, True, True, True), lambda problem: problem),
}


def write(name, table):
    """Write one result file and say so."""
    write_whole(RESULTS / f"{name}.json", json.dumps(table, indent=1) + "\n")
    (RESULTS / f"{name}.parts").unlink(missing_ok=True)
    print(name, "written", flush=True)


def in_parts(name, keys, run):
    """What `run` finds for each key; after an interrupt only what is missing is run."""
    path = RESULTS / f"{name}.parts"
    found = json.loads(path.read_text()) if path.exists() else {}
    for key in keys:
        if key not in found:
            found[key] = run(key)
            write_whole(path, json.dumps(found))
            print(name, key, flush=True)
    return found


def data(*parts):
    """Path of a public data file."""
    return Path(os.environ["GAMEAI_DATA"], *parts)


def rc_instance(name):
    """A Solomon-Potvin-Bengio instance."""
    return read_tsptw(data("tsptw", "SolomonPotvinBengio", f"{name}.txt"))


def search_whole(problem, seed, **parameters):
    """Best game of a whole NRPA search, accepted by the referee."""
    kind = FaultyNRPA if "faults" in parameters else NRPA
    best = kind(problem, np.random.default_rng(seed), **parameters).run()
    judge(problem, best)
    return best


def scores(problem, n_runs, **parameters):
    """Best scores of whole searches, of seed 1, 2 and so on."""
    return [search_whole(problem, seed, **parameters).score for seed in seeds(n_runs)]


def seeds(n_seeds):
    """Seeds 1 to n."""
    return range(1, n_seeds + 1)


def keep_best(variant, n_runs, **size):
    """Best scores of searches of a Morpion variant; the best game of all is saved."""
    problem = morpion(variant)
    games = {seed: search_whole(problem, seed, **size) for seed in seeds(n_runs)}
    seed = max(games, key=lambda s: games[s].score)
    about = {"seed": seed, **size, "alpha": 1.0}
    save_game(RESULTS / f"morpion_{variant}_best.json", problem, games[seed], **about)
    return [game.score for game in games.values()]


def hundred():
    """A hundred level-3 searches on Morpion 5D; the best game is kept."""
    size = {"level": 3, "n_iterations": 100}
    write("morpion_5D_level3", {"seeds": [1, 100], **size, "scores": keep_best("5D", 100, **size)})


def gallery():
    """Our games in the other variants: the best of three seeds of level 3, or of two of level 4.

    Those of 5T take 20 to 30 minutes each.
    """
    for variant in ("4T", "4D"):
        print(variant, keep_best(variant, 3, level=3, n_iterations=60), flush=True)
    print("5T", keep_best("5T", 2, level=4, n_iterations=100), flush=True)


def scores_of_program(name, n_runs, **size):
    """Best scores on Morpion 5D of a program with the faults of this name."""
    faults, recode = PROGRAMS[name]
    return scores(recode(morpion("5D")), n_runs, faults=faults, **size)


def faults():
    """What each fault costs on Morpion 5D, at level 2 and 3."""
    settings = [(2, 100, 30), (3, 60, 6)]

    def run(name):
        return [scores_of_program(name, k, level=level, n_iterations=n) for level, n, k in settings]

    write("faults", {"settings": settings, "scores": in_parts("faults", PROGRAMS, run)})


def alpha():
    """Step sizes on Morpion 5D at level 2."""

    def run(size):
        return scores(morpion("5D"), 30, level=2, alpha=float(size))

    table = in_parts("alpha", ("0.1", "0.25", "0.5", "1.0", "2.0", "4.0"), run)
    write("alpha", {"level": 2, "n_iterations": 100, "scores": table})


METHODS = {
    "flat": FlatMonteCarlo,
    "NMCS 1": partial(NMCS, level=1),
    "NMCS 2": partial(NMCS, level=2),
    "NMCS 3": partial(NMCS, level=3),
    "NRPA 1": partial(NRPA, level=1, n_iterations=10**4),
    "NRPA 2": partial(NRPA, level=2),
    "NRPA 3": partial(NRPA, level=3),
}


def curve(problem, method, seed, budget):
    """Best score at the checkpoints of one run; searches start again until the budget ends."""
    rng = np.random.default_rng(seed)
    search, used, best, found = METHODS[method](problem, rng), 0, -np.inf, []
    for point in [c for c in CHECKPOINTS if c <= budget]:
        while used < point:
            if search.finished:
                search = METHODS[method](problem, rng)
            before = search.n_playouts
            search.advance(point - used)
            used += search.n_playouts - before
            best = max(best, search.best.score)
        found.append(best)
    return found


def methods():
    """Flat, NMCS and NRPA at equal playouts, on Morpion 5D and rc_201.1.

    ``best`` has for each problem and method ``long``, the curves of seeds 1 to 3 up to a
    million playouts, and ``short``, those of seeds 4 to 10 up to ten thousand: together ten
    runs at each of the first ten checkpoints. A curve is the best score at each checkpoint.
    """
    table = {"Morpion 5D": morpion("5D"), "rc_201.1": tsptw(rc_instance("rc_201.1"))}

    def run(key):
        problem, method = key.split(", ")
        return {
            "long": [curve(table[problem], method, s, 10**6) for s in seeds(3)],
            "short": [curve(table[problem], method, s, 10**4) for s in range(4, 11)],
        }

    found = in_parts("methods", map(", ".join, itertools.product(table, METHODS)), run)
    best = {p: {m: found[f"{p}, {m}"] for m in METHODS} for p in table}
    write("methods", {"checkpoints": CHECKPOINTS, "best": best})


FAMILY = {
    "NRPA, N = 100": {"n_iterations": 100},
    "stabilised, P = 4, N = 50": {"n_iterations": 50, "n_playouts_per_adapt": 4},
    "limited repetitions, R = 3": {"n_iterations": 100, "max_repeats": 3},
    "weights within ±3": {"n_iterations": 100, "clip": 3.0},
}


def family():
    """Relatives of NRPA on Morpion 5D, 10 000 playouts each, 30 seeds."""

    def run(name):
        searches = [NRPA(morpion("5D"), s, level=2, **FAMILY[name]) for s in seeds(30)]
        found = [search.run().score for search in searches]
        return {"scores": found, "n_playouts": [search.n_playouts for search in searches]}

    write("family", {"level": 2, "runs": in_parts("family", FAMILY, run)})


EQUAL_BUDGETS = {
    "1000": [(1, 1000), (2, 32), (3, 10), (4, 6)],
    "10000": [(1, 10000), (2, 100), (3, 22), (4, 10)],
    "100000": [(1, 100000), (2, 316), (3, 46), (4, 18)],
}
PLAIN_GRID = {"levels": [1, 2, 3], "n_iterations": [10, 20, 50]}


def grid():
    """Level by N on Morpion 5D: at equal budgets, and every N at every level.

    ``runs`` has the scores of seeds 1 to 10 by level and N. ``equal`` lists the pairs of level
    and N whose N^level is near each budget, ``plain`` the axes of the full grid.
    """
    problem, n_runs, runs = morpion("5D"), 10, {}
    full = itertools.product(PLAIN_GRID["levels"], PLAIN_GRID["n_iterations"])
    for level, n in sorted({*itertools.chain(*EQUAL_BUDGETS.values()), *full}):
        found = scores(problem, n_runs, level=level, n_iterations=n)
        runs.setdefault(str(level), {})[str(n)] = {"n_playouts": n**level, "scores": found}
        print(level, n, np.mean(found), flush=True)
    table = {"problem": problem.name, "seeds": [1, n_runs], "equal": EQUAL_BUDGETS}
    write("grid", table | {"plain": PLAIN_GRID, "runs": runs})


def _players(board, level, n_iterations):
    """Scores of flat and of NRPA on a board, with all moves and with a tabu colour."""
    row = {}
    for rule in ("all moves", "tabu colour"):
        problem = samegame(board, tabu=rule == "tabu colour")
        row[f"flat, {rule}"] = flat_monte_carlo(problem, 1, n_iterations**level)[0].score
        (row[f"NRPA, {rule}"],) = scores(problem, 1, level=level, n_iterations=n_iterations)
    return row


def boards():
    """SameGame boards at hand and our own, 125,000 playouts each; published games beside them."""
    size, folder = {"level": 3, "n_iterations": 50}, data("samegame")

    def run(number):
        board = read_board(folder / f"board_{number}.txt")
        published = read_cells(folder / f"solution_nan0S_{number}.txt")
        return _players(board, **size) | {"published": judge_samegame(board, published).score}

    numbers = sorted(path.stem.removeprefix("board_") for path in folder.glob("board_*.txt"))
    rows = in_parts("samegame", numbers, run)
    write("samegame", size | {"bundled": _players(bundled_board(), **size), "scores": rows})


def _yardstick(problem, n_iterations, n_runs):
    """Scores of 1000 random games, and of whole searches at each level."""
    _, flat = flat_monte_carlo(problem, np.random.default_rng(0), 1000)
    row = {"random": sorted(flat.tolist()), "n_iterations": n_iterations}
    for level, n in enumerate(n_runs, 1):
        row[f"level {level}"] = scores(problem, n, level=level, n_iterations=n_iterations)
        print(problem.name, level, np.mean(row[f"level {level}"]), flush=True)
    return row


def yardsticks():
    """What a reader's own game is measured by: random games, and NRPA of levels 1 to 3.

    ``lesson`` is the lesson's board of SameGame.
    """
    table = {v: _yardstick(morpion(v), 100, (30, 30, 3)) for v in ("5T", "4D", "4T")}
    hundred = json.loads((RESULTS / "morpion_5D_level3.json").read_text())["scores"]
    table["5D"] = _yardstick(morpion("5D"), 100, (30, 30)) | {"level 3": hundred}
    table["lesson"] = _yardstick(samegame(small_board(), "lesson"), 30, (40, 40, 40))
    write("yardsticks", table)


# Problems with thousands of playouts in a tenth of a second; with the look-ahead no tour is late.
PROBLEMS = {
    "LeftMove 60": lambda: leftmove(60),
    "Morpion 5D": lambda: morpion("5D"),
    "SameGame 9 × 9": lambda: samegame(small_board(), "lesson"),
    "tour of 39 cities": lambda: tsptw(
        random_tsptw(np.random.default_rng(1), 40, 400.0)[0], look_ahead=True
    ),
    "rc_201.1, 19 cities": lambda: tsptw(rc_instance("rc_201.1"), look_ahead=True),
}
SPLITS = {"1": 1, "4": 2, "16": 4}  # searches, and what divides N of the single one
SIZES = (48, 96)  # N of the single search of level 2: 2,304 and 9,216 playouts


def best_of(problem, seed, n_searches, n_iterations):
    """Best score of some searches of level 2."""
    rng = np.random.default_rng(seed)
    games = [
        NRPA(problem, rng, level=2, n_iterations=n_iterations).run() for _ in range(n_searches)
    ]
    return max(game.score for game in games)


def long_or_many():
    """One search of level 2, or 4 or 16 shorter ones with as many playouts together.

    By problem and N of the single search: the scores of seeds 1 to 100, by the number of searches.
    """

    def run(key):
        name, size = key.rsplit(", ", 1)
        problem = PROBLEMS[name]()
        return {
            k: [round(best_of(problem, s, int(k), int(size) // by), 4) for s in seeds(100)]
            for k, by in SPLITS.items()
        }

    found = in_parts("long_or_many", [f"{n}, {size}" for n in PROBLEMS for size in SIZES], run)
    table = {name: {str(size): found[f"{name}, {size}"] for size in SIZES} for name in PROBLEMS}
    write("long_or_many", table)


def run_only(experiments):
    """Run what ``--only`` names of some functions, or all."""
    named = {run.__name__: run for run in experiments}
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=named, nargs="+", default=named)
    for name in parser.parse_args().only:
        named[name]()


if __name__ == "__main__":
    run_only([hundred, gallery, faults, alpha, methods, boards, family, grid, yardsticks,
              long_or_many])  # fmt: skip
