"""Long runs behind what the NRPA chapter says of tours; each writes one small result file.

Run ``python -m gameai_book.nrpa.measure.tours [--only NAME ...]``; the public instances are read
from the folder named by GAMEAI_DATA.
"""

import time

import numpy as np

from gameai_book.nrpa.measure.tables import data, in_parts, run_only, search_whole, seeds, write
from gameai_lib.nrpa.game.files import read_tsptw
from gameai_lib.nrpa.game.tsptw import evaluate, tour_of, tsptw
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.tours import best_tour

SECONDS = 10.0  # of the processor, for each tour
CHOSEN_ON, UNSEEN = ("AFG", "Dumas"), "SolomonPotvinBengio"
ROUNDED = 0.0051  # the best known costs are published with two digits


def instance(folder, name):
    """The instance of this name in a folder of the public ones."""
    return read_tsptw(next(data("tsptw", folder).glob(f"{name}.t*")))


def best_known(folder):
    """Best published cost of each instance of a folder."""
    lines = data("tsptw", folder, "best_known_travel.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line and line[0] != "#"]
    return {row[0].rsplit(".", 1)[0]: float(row[1]) for row in rows}


def optima(folder):
    """Proven optima by instance; None where there is none."""
    lines = data("tsptw", folder, "optima.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {n.rsplit(".", 1)[0]: None if cost == "-" else float(cost) for n, _, cost in rows}


def in_time(instance, found, enough=-np.inf):
    """Best game of a search without end in `SECONDS`, or until a tour costs `enough`.

    `found` yields (n_playouts, game). Returns the game, and the playouts and CPU-seconds after
    which it was known.
    """
    started, best = time.process_time(), None
    for n_playouts, game in found:
        spent = time.process_time() - started
        if game is not best:
            best, known_after = game, (n_playouts, round(spent, 2))
        if spent >= SECONDS or -best.score <= enough:
            break
    judge(tsptw(instance), best)
    return best, known_after


def again(instance, biases, rng, every=2000):
    """Yield (n_playouts, best game) now and then, without end; a search that ends begins again.

    A game depends on the rng alone, so the number of playouts at which it came names it.
    """
    before, best, problem = 0, None, tsptw(instance, *biases)
    while True:
        search = NRPA(problem, rng, level=3)
        while not search.finished:
            search.advance(every)
            if best is None or search.best.score > best.score:
                best = search.best
            yield before + search.n_playouts, best
        before += search.n_playouts


def by_one_setting(instance, seed, enough):
    """The tour of `best_tour`, and the playouts and CPU-seconds after which it was known."""
    found = best_tour.tours(instance, np.random.default_rng(seed))
    best, known_after = in_time(instance, found, enough)
    return evaluate(instance, tour_of(best.codes, len(instance.windows))), known_after


BIASES = {"plain": (0, 0), "bias 20, 10": (20, 10)}


def plain():
    """Every rc_ file at hand, by NRPA without and with a bias.

    ``cost`` has the best known cost, then one for each setting; a violated window counts 10^6.
    ``tour`` and ``found_after`` have one entry for each setting: the cities in order, and the
    playouts from ``seed`` on after which the tour was known.
    """
    known, seed = best_known(UNSEEN), 1

    def run(name):
        toured = instance(UNSEEN, name)
        search_whole(tsptw(toured), seed, level=1, n_iterations=1)  # compiled before the clock
        row = {"cost": [known[name]], "tour": [], "found_after": []}
        for biases in BIASES.values():
            found = again(toured, biases, np.random.default_rng(seed))
            best, (n_playouts, _) = in_time(toured, found)
            row["cost"].append(round(-best.score, 4))
            row["tour"].append(tour_of(best.codes, len(toured.windows)).tolist())
            row["found_after"].append(n_playouts)
        return row

    names = sorted(path.stem for path in data("tsptw", UNSEEN).glob("rc_*.txt"))
    rows = in_parts("tsptw", names, run)
    table = {"cpu_seconds": SECONDS, "seed": seed, "columns": ["best known", *BIASES]}
    columns = ("cost", "tour", "found_after")
    write("tsptw", table | {c: {name: rows[name][c] for name in names} for c in columns})


def tours():
    """All sets by `best_tour`, that of no choice by twenty seeds, the others by one.

    By set and instance: ``known``, the proven optimum, or else the best published cost, or null;
    ``runs``, cost, windows missed, and the playouts and CPU-seconds after which the tour was known,
    of seed 1, 2 and so on.
    """
    published = best_known(UNSEEN)
    sets = {folder: optima(folder) for folder in (UNSEEN, *CHOSEN_ON)}

    def run(key):
        folder, name = key.split("/")
        toured, known = instance(folder, name), sets[folder][name] or published.get(name)
        next(best_tour.tours(toured, 0))  # compiled before the clock starts
        runs = []
        for seed in seeds(20 if folder == UNSEEN else 1):
            tour, known_after = by_one_setting(toured, seed, (known or 0) + ROUNDED)
            runs.append([round(tour.cost, 4), tour.violations, *known_after])
        return {"known": known, "runs": runs}

    found = in_parts("tours", [f"{f}/{name}" for f, names in sets.items() for name in names], run)
    write("tours", {f: {name: found[f"{f}/{name}"] for name in names} for f, names in sets.items()})


if __name__ == "__main__":
    run_only([plain, tours])
