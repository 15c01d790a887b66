"""Searches whose results count: conjectures, sums and large tours; each writes one result file.

Run ``python -m gameai_book.nrpa.measure.counts [--only NAME ...]``. Seconds are of the processor.
The large tours are read from the folder named by GAMEAI_DATA, as `LARGE` says.
"""

import itertools
import time

import numpy as np

from gameai_book.nrpa.measure.tables import data, in_parts, run_only, seeds, write
from gameai_book.nrpa.measure.tours import best_known, by_one_setting, instance
from gameai_book.nrpa.printed.conjectures import ENOUGH, conjecture
from gameai_book.nrpa.printed.sum_free import weak_schur
from gameai_book.nrpa.printed.trees import parents_of
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.tours import best_tour

SHORT = 50  # playouts of each of the searches that follow each other
VERTICES = {"matching": 18, "second": 35, "randic": 11}


def refute(name, seed):
    """The first counterexample of short searches: its playouts, seconds, and parents."""
    problem, rng = conjecture(name, VERTICES[name]), np.random.default_rng(seed)
    started, n_playouts = time.process_time(), 0
    while True:
        search = NRPA(problem, rng, level=1, n_iterations=SHORT)
        best = search.run(target=ENOUGH)
        n_playouts += search.n_playouts
        if best.score > ENOUGH:
            seconds = round(time.process_time() - started, 4)
            return n_playouts, seconds, parents_of(problem, best.choices)


def conjectures(n_runs=100):
    """The first counterexample to each conjecture, by seeds 1, 2 and so on.

    By conjecture: ``n``, vertices of a tree; ``playouts``, ``seconds`` and ``parents`` of each run.
    """

    def run(name):
        refute(name, 0)  # compiled before the clock starts
        columns = zip(*(refute(name, seed) for seed in seeds(n_runs)), strict=True)
        return {
            "n": VERTICES[name],
            **dict(zip(("playouts", "seconds", "parents"), columns, strict=True)),
        }

    write("conjectures", in_parts("conjectures", VERTICES, run))


# Parts: the number at which a game ends, level, N, and runs.
SUMS = {3: (30, 2, 100, 20), 4: (80, 3, 46, 20), 5: (240, 3, 100, 3), 6: (700, 3, 60, 3)}


def sums():
    """How far 1, 2, 3, … go into k parts, by seeds 1, 2 and so on.

    By k: ``level``, ``n_iterations``, ``scores``, ``seconds`` of each run, and ``parts``, the part
    of each number in the best game.
    """

    def run(k):
        most, level, n, n_runs = SUMS[int(k)]
        problem, games, seconds = weak_schur(int(k), most), [], []
        NRPA(problem, 0, level=level, n_iterations=n).run(1)  # compiled before the clock starts
        for seed in seeds(n_runs):
            started = time.process_time()
            games.append(
                NRPA(problem, np.random.default_rng(seed), level=level, n_iterations=n).run()
            )
            seconds.append(round(time.process_time() - started, 2))
        best = max(games, key=lambda game: game.score)
        return {
            "level": level,
            "n_iterations": n,
            "scores": [int(game.score) for game in games],
            "seconds": seconds,
            "parts": "".join(str(code % int(k)) for code in best.codes.tolist()),
        }

    write("sums", in_parts("sums", map(str, SUMS), run))


# By folder of instances the names that are measured: those of Ascheuer with 125 to 232 cities, of
# Dumas et al., and of Ohlmann and Thomas with 200. Their files, and the best known tours, which lie
# beside them as best_known_travel.txt, are those of github.com/augustindelecluse/tsptw-init.
LARGE = {
    "AFG": "rbg[12][0-9][0-9]*.tw",
    "Dumas": "n200w40.*.txt",
    "OhlmannThomas": "n200w140.*.txt",
}


def large():
    """Large tours by `best_tour`, seed 1, beside the best known costs.

    By set and instance: ``n`` cities with the depot, ``known`` cost, ``cost`` and windows
    ``missed``, and the playouts and seconds after which the tour was known.
    """

    def run(key):
        folder, name = key.split("/")
        toured, known = instance(folder, name), best_known(folder)[name]
        next(best_tour.tours(toured, 0))  # compiled before the clock starts
        tour, (n_playouts, seconds) = by_one_setting(toured, 1, known)
        return {
            "n": len(toured.windows),
            "known": known,
            "cost": tour.cost,
            "missed": tour.violations,
            "playouts": n_playouts,
            "seconds": seconds,
        }

    paths = [(f, path.stem) for f, names in LARGE.items() for path in data("tsptw", f).glob(names)]
    found = in_parts("large_tours", sorted(map("/".join, paths)), run)
    groups = itertools.groupby(found.items(), key=lambda item: item[0].split("/")[0])
    write("large_tours", {f: {k.split("/")[1]: row for k, row in rows} for f, rows in groups})


if __name__ == "__main__":
    run_only([conjectures, sums, large])
