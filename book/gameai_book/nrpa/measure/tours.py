"""Long runs behind what the NRPA chapter says of tours; each writes one small result file.

Run ``python -m gameai_book.nrpa.measure.tours [--only NAME ...]``; the public instances are read
from the folder named by GAMEAI_DATA.
"""

import time

import numpy as np

from gameai_book.nrpa.measure.tables import data, finished, rc_instance, run_only, seeds, write
from gameai_lib.nrpa.game.files import read_tsptw
from gameai_lib.nrpa.game.tsptw import LATE_COST, evaluate, tour_of, tsptw
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.problem.walk import replay
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import repeat_nmcs
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.tours import best_tour

SECONDS = 10.0  # of the processor, for each tour
CHOSEN_ON, UNSEEN = ("AFG", "Dumas"), "SolomonPotvinBengio"
ROUNDED = 0.0051  # the best known costs are published with two digits


def best_known():
    """Best published cost of every rc_ instance."""
    text = data("tsptw", UNSEEN, "best_known_travel.txt").read_text()
    return {w[0][:-4]: float(w[1]) for w in map(str.split, text.splitlines()) if w[0] != "#"}


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


BIASES = {"plain": (0, 0), "bias 20, 10": (20, 10)}


def plain():
    """Every rc_ file at hand, by NRPA without and with a bias.

    ``cost`` has the best known cost, then one for each setting; a violated window counts 10^6.
    ``tour`` and ``found_after`` have one entry for each setting: the cities in order, and the
    playouts from ``seed`` on after which the tour was known.
    """
    known, cost, tour, found_after, seed = best_known(), {}, {}, {}, 1
    for path in sorted(data("tsptw", UNSEEN).glob("rc_*.txt")):
        instance, name = read_tsptw(path), path.stem
        # Compiled before the clock starts.
        finished(tsptw(instance), seed, level=1, n_iterations=1)
        cost[name], tour[name], found_after[name] = [known[name]], [], []
        for biases in BIASES.values():
            found = again(instance, biases, np.random.default_rng(seed))
            best, (n_playouts, _) = in_time(instance, found)
            cost[name].append(round(-best.score, 4))
            tour[name].append(tour_of(best.codes, len(instance.windows)).tolist())
            found_after[name].append(n_playouts)
        print(name, cost[name], found_after[name], flush=True)
    table = {"cpu_seconds": SECONDS, "seed": seed, "columns": ["best known", *BIASES]}
    write("tsptw", table | {"cost": cost, "tour": tour, "found_after": found_after})


def tours():
    """All sets by `best_tour`, that of no choice by twenty seeds, the others by one.

    By set and instance: ``known``, the proven optimum, or else the best published cost, or null;
    ``runs``, cost, windows missed, and the playouts and CPU-seconds after which the tour was known,
    of seed 1, 2 and so on.
    """
    published, table = best_known(), {}
    for folder in (UNSEEN, *CHOSEN_ON):
        table[folder] = {}
        for name, optimum in optima(folder).items():
            instance = read_tsptw(next(data("tsptw", folder).glob(f"{name}.t*")))
            known = optimum or published.get(name)
            next(best_tour.tours(instance, 0))  # compiled before the clock starts
            runs = []
            for seed in seeds(20 if folder == UNSEEN else 1):
                found = best_tour.tours(instance, np.random.default_rng(seed))
                best, known_after = in_time(instance, found, (known or 0) + ROUNDED)
                tour = evaluate(instance, tour_of(best.codes, len(instance.windows)))
                runs.append([round(tour.cost, 4), tour.violations, *known_after])
            table[folder][name] = {"known": known, "runs": runs}
            print(name, known, runs[0], flush=True)
    write("tours", table)


# Of each of the eight families the first instance at hand with more than ten cities.
TOURS = ("201.1", "202.2", "203.1", "204.1", "205.1", "206.2", "207.2", "208.1")
BUDGET, N_SEEDS = 50_000, 10
METHODS = {
    "NMCS 1": ("NMCS", {"level": 1}),
    "NMCS 2": ("NMCS", {"level": 2}),
    "NMCS 3": ("NMCS", {"level": 3}),
    "NRPA 2": ("NRPA", {"level": 2, "n_iterations": 223}),
    "NRPA 3": ("NRPA", {"level": 3, "n_iterations": 36}),
    "NRPA 3 again": ("again", {"level": 3, "n_iterations": 12}),  # 28 searches and a part
}


def score(problem, method, seed):
    """Best score of one run; NMCS begins again until the budget ends, NRPA runs once or again."""
    kind, parameters = METHODS[method]
    if kind == "again":
        return max(again_and_again(problem, seed, **parameters))
    if kind == "NRPA":
        return finished(problem, seed, **parameters).score
    best, _ = repeat_nmcs(problem, np.random.default_rng(seed), BUDGET, **parameters)
    judge(problem, best)
    return best.score


def again_and_again(problem, seed, **parameters):
    """Yield the scores of searches that use up the budget; the last may be cut short."""
    rng, left = np.random.default_rng(seed), BUDGET
    while left > 0:
        search = NRPA(problem, rng, **parameters)
        best = search.run(left)
        judge(problem, best)
        yield best.score
        left -= search.n_playouts


def n_legal(problem, n_games=30):
    """Legal moves before a move of a random game, on average."""
    games = [flat_monte_carlo(problem, np.random.default_rng(s), 1)[0] for s in range(n_games)]
    plies = [p for g in games for p in replay(problem, g.choices) if p.choice >= 0]
    return round(float(np.mean([p.legal.size for p in plies])), 2)


def tour_methods():
    """NMCS and NRPA on eight tours at 50,000 playouts, ten seeds each.

    ``scores`` by tour and method has a score for each seed, below -10^6 where a window is
    violated; ``n_cities`` and ``n_legal`` (moves, on average) by tour.
    """
    scores, n_cities, moves = {}, {}, {}
    for name in TOURS:
        problem = tsptw(rc_instance(f"rc_{name}"))
        n_cities[name], moves[name] = problem.max_plies, n_legal(problem)
        scores[name] = {m: [score(problem, m, s) for s in seeds(N_SEEDS)] for m in METHODS}
        met = {m: sum(s > -LATE_COST for s in found) for m, found in scores[name].items()}
        print(name, moves[name], met, flush=True)
    about = {"n_playouts": BUDGET, "seeds": [1, N_SEEDS], "n_cities": n_cities, "n_legal": moves}
    write("tour_methods", about | {"scores": scores})


if __name__ == "__main__":
    run_only([plain, tours, tour_methods])
