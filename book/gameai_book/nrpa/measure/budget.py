"""What a fixed budget finds: tours by one setting, SameGame, Morpion 5T; one long search or many.

Run ``python -m gameai_book.nrpa.measure.budget tours|boards|lines|million|long_or_many [--runs
20]``. Each writes one file in ``book/gameai_book/nrpa/data`` whenever a run has ended, and the next
call does only what is missing there. Public instances are read from the folder named by
GAMEAI_DATA.
"""

import argparse
import json
import time

import numpy as np

from gameai_book.nrpa.measure.tables import RESULTS, best_known, data
from gameai_book.nrpa.results import tables
from gameai_lib.base.files import write_whole
from gameai_lib.nrpa.game.files import read_board, read_cells, read_tsptw, save_game
from gameai_lib.nrpa.game.instances import random_tsptw, small_board
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from gameai_lib.nrpa.game.tsptw import evaluate, tour_of, tsptw
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.tours.best_tour import tours as found_tours

TOUR_SECONDS = 10.0
CHOSEN_ON, UNSEEN = ("AFG", "Dumas"), "SolomonPotvinBengio"
ROUNDED = 0.0051  # the best known costs are published with two digits


def stored(name):
    """What a file holds so far."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def store(name, table):
    """Write a file: a line for each row of each part."""
    parts = (
        f' "{part}": {{\n'
        + ",\n".join(f'  "{key}": {json.dumps(row)}' for key, row in rows.items())
        + "\n }"
        for part, rows in table.items()
    )
    write_whole(RESULTS / f"{name}.json", "{\n" + ",\n".join(parts) + "\n}\n")


def optima(folder):
    """Proven optima by instance; None where there is none."""
    lines = data("tsptw", folder, "optima.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {n.rsplit(".", 1)[0]: None if cost == "-" else float(cost) for n, _, cost in rows}


def tour_in_time(instance, seed, enough, seconds=TOUR_SECONDS):
    """Best tour in so many CPU-seconds, or until one costs `enough`.

    Returns cost, windows missed, and the playouts and CPU-seconds after which it was known.
    """
    next(found_tours(instance, 0))  # compiled before the clock starts
    started, best = time.process_time(), None
    for n_playouts, game in found_tours(instance, np.random.default_rng(seed)):
        spent = time.process_time() - started
        if game is not best:
            best, known_after = game, (n_playouts, round(spent, 2))
        if spent >= seconds or -best.score <= enough:
            break
    judge(tsptw(instance), best)
    tour = evaluate(instance, tour_of(best.codes, len(instance.windows)))
    return [round(tour.cost, 4), tour.violations, *known_after]


def tours(n_runs):
    """Ten CPU-seconds a tour: all sets by seed 1, that of no choice by `n_runs` seeds.

    By set and instance: ``known``, the proven optimum, or else the best published cost, or null;
    ``runs``, what `tour_in_time` found with seed 1, 2 and so on.
    """
    published, table = best_known(), stored("tours")
    for seed in range(1, n_runs + 1):
        for folder in (UNSEEN, *CHOSEN_ON) if seed == 1 else (UNSEEN,):
            rows = table.setdefault(folder, {})
            for name, optimum in optima(folder).items():
                known = optimum or published.get(name)
                row = rows.setdefault(name, {"known": known, "runs": []})
                if len(row["runs"]) < seed:
                    path = next(data("tsptw", folder).glob(f"{name}.t*"))
                    row["runs"].append(tour_in_time(read_tsptw(path), seed, (known or 0) + ROUNDED))
                    store("tours", table)
                    print(name, seed, known, row["runs"][-1], flush=True)


BOARD_SECONDS = 20.0  # what the author of the published games reports for a board
EARLY = 10_000  # playouts; a test plays so many again


def board_in_time(problem, seed, seconds=BOARD_SECONDS):
    """Score after so many CPU-seconds, the playouts by then, and the score after EARLY of them."""
    search = NRPA(problem, np.random.default_rng(seed))
    search.advance(1)  # compiled before the clock starts
    started = time.process_time()
    search.advance(EARLY - 1)
    early = search.best.score
    while not search.finished and time.process_time() - started < seconds:
        search.advance(500)
    judge(problem, search.best)
    return [search.best.score, search.n_playouts, early]


def boards(n_runs):
    """Twenty CPU-seconds a board of SameGame: tabu colour, level 3, N = 100, cut short.

    By board: ``published``, the score of the published game; ``runs``, what `board_in_time` found
    with seed 1, 2 and so on.
    """
    table = stored("boards")
    rows = table.setdefault("boards", {})
    for seed in range(1, n_runs + 1):
        for path in sorted(data("samegame").glob("board_*.txt")):
            number = path.stem.removeprefix("board_")
            cells = read_cells(path.with_name(f"solution_nan0S_{number}.txt"))
            published = judge_samegame(read_board(path), cells).score
            row = rows.setdefault(number, {"published": published, "runs": []})
            if len(row["runs"]) < seed:
                problem = samegame(read_board(path), path.stem, tabu=True)
                row["runs"].append(board_in_time(problem, seed))
                store("boards", table)
                print(number, seed, row, flush=True)


LINES = {"level": 4, "n_iterations": 100}


def lines(n_runs):
    """Morpion 5T at level 4 with N = 100, 20 to 30 minutes a run; a new best game is kept."""
    problem, table = morpion("5T"), stored("lines")
    rows = table.setdefault("5T", {})
    for seed in range(1, n_runs + 1):
        if str(seed) in rows:
            continue
        started = time.process_time()
        search = NRPA(problem, np.random.default_rng(seed), **LINES)
        search.advance(EARLY)
        early, best = search.best.score, search.run()
        judge(problem, best)
        spent = round(time.process_time() - started)
        rows[str(seed)] = {"lines": best.score, "early": early, "cpu_seconds": spent}
        if best.score > tables.best_morpion_game("5T")[0].score:
            about = {"seed": seed, "alpha": 1.0} | LINES
            save_game(RESULTS / "morpion_5T_best.json", problem, best, **about)
        store("lines", table)
        print(seed, rows[str(seed)], flush=True)


MILLION = {
    "level 3, N = 100": {"level": 3, "n_iterations": 100},
    "level 2, N = 1,000": {"level": 2, "n_iterations": 1000},
    "level 4, N = 32": {"level": 4, "n_iterations": 32},
    "level 3, N = 100, α = 0.5": {"level": 3, "n_iterations": 100, "alpha": 0.5},
    "level 3, N = 80, P = 2": {"level": 3, "n_iterations": 80, "n_playouts_per_adapt": 2},
    "level 3, N = 63, P = 4": {"level": 3, "n_iterations": 63, "n_playouts_per_adapt": 4},
    "level 2, N = 500, P = 4": {"level": 2, "n_iterations": 500, "n_playouts_per_adapt": 4},
}


def million(n_runs):
    """Morpion 5T: a million playouts, spent in one way or another, 11 CPU-seconds a run.

    Under ``a million`` in the file of `lines`, by the words for a setting: best score, and best
    score after EARLY playouts, of seed 1, 2 and so on.
    """
    problem, table = morpion("5T"), stored("lines")
    for name, settings in MILLION.items():
        rows = table.setdefault("a million", {}).setdefault(name, [])
        for seed in range(len(rows) + 1, n_runs + 1):
            search = NRPA(problem, np.random.default_rng(seed), **settings)
            search.advance(EARLY)
            early, best = search.best.score, search.run()
            judge(problem, best)
            rows.append([best.score, early])
        store("lines", table)
        scores = [score for score, _ in rows]
        print(f"{name}: {np.mean(scores):.1f}, {min(scores):g} to {max(scores):g}", flush=True)


def rc_instance(name):
    """A public instance that the setting was not chosen on."""
    return read_tsptw(data("tsptw", UNSEEN, f"{name}.txt"))


# Problems with thousands of playouts in a tenth of a second; with the look-ahead no tour is late.
PROBLEMS = {
    "LeftMove 60": lambda: leftmove(60),
    "Morpion 5D": lambda: morpion("5D"),
    "SameGame 9 × 9": lambda: samegame(small_board(), "lesson"),
    "rc_201.1, 19 cities": lambda: tsptw(rc_instance("rc_201.1"), look_ahead=True),
    "tour of 39 cities": lambda: tsptw(random_tsptw(1, 40, 400.0)[0], look_ahead=True),
}
SPLITS = {"1": 1, "4": 2, "16": 4}  # searches, and what divides N of the single one
SIZES = (48, 96)  # N of the single search of level 2: 2,304 and 9,216 playouts


def best_of(problem, seed, n_searches, n_iterations):
    """Best score of some searches of level 2."""
    rng = np.random.default_rng(seed)
    return max(
        NRPA(problem, rng, level=2, n_iterations=n_iterations).run().score
        for _ in range(n_searches)
    )


def long_or_many(n_runs):
    """One search of level 2, or 4 or 16 shorter ones with as many playouts together.

    By problem and N of the single search: the scores of seeds 1, 2 and so on, by the number of
    searches.
    """
    table = stored("long_or_many")
    for (name, make), size in [(p, n) for n in SIZES for p in PROBLEMS.items()]:
        problem, rows = make(), table.setdefault(name, {})
        for k, divisor in SPLITS.items():
            scores = rows.setdefault(str(size), {}).setdefault(k, [])
            for seed in range(len(scores) + 1, n_runs + 1):
                scores.append(round(best_of(problem, seed, int(k), size // divisor), 4))
            store("long_or_many", table)
            mean, error = np.mean(scores), np.std(scores, ddof=1) / len(scores) ** 0.5
            print(f"{name}, N = {size}: {k:>2s} searches {mean:.2f} ± {error:.2f}", flush=True)


RUNS = {tours: 20, boards: 3, lines: 2, million: 12, long_or_many: 100}


def main():
    """Do what is missing of one experiment."""
    parser = argparse.ArgumentParser(prog="python -m gameai_book.nrpa.measure.budget")
    experiments = {run.__name__: run for run in RUNS}
    parser.add_argument("experiment", choices=experiments)
    parser.add_argument("--runs", type=int)
    chosen = parser.parse_args()
    run = experiments[chosen.experiment]
    run(chosen.runs or RUNS[run])


if __name__ == "__main__":
    main()
