"""Long runs behind the tables of the NRPA chapter; each writes one small result file.

Run ``python -m gameai_book.nrpa.measure.tables NAME`` with NAME one of the experiments below. Files
that need a public instance read it from the folder named by GAMEAI_DATA.
"""

import itertools
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from gameai_book.nrpa.printed.codes import place_keyed, state_keyed
from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.base.files import write_whole
from gameai_lib.nrpa.game.files import read_board, read_cells, read_tsptw, save_game
from gameai_lib.nrpa.game.instances import bundled_board, small_board
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from gameai_lib.nrpa.game.tsptw import LATE_COST, tour_of, tsptw
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA

RESULTS = Path(__file__).parents[1] / "data"
SEED = 1  # of experiments with a single run
CHECKPOINTS = [10**k * m for k in range(1, 6) for m in (1, 2, 5)] + [10**6]

FAULTS = {
    "Rosin's algorithm": Faults(),
    "1 shared policy": Faults(shared_policy=True),
    "2 last normaliser": Faults(last_normaliser=True),
    "4 last move never played": Faults(drop_last=True),
    "6 strict comparison": Faults(strict=True),
    "1, 2, 4 and 6 together": Faults(True, True, True, True),
}


def write(name, table):
    """Write one result file and say so."""
    write_whole(RESULTS / f"{name}.json", json.dumps(table, indent=1) + "\n")
    print(name, "written", flush=True)


def data(*parts):
    """Path of a public data file."""
    return Path(os.environ["GAMEAI_DATA"], *parts)


def rc(name):
    """A Solomon-Potvin-Bengio instance as a problem."""
    return tsptw(read_tsptw(data("tsptw", "SolomonPotvinBengio", f"{name}.txt")))


def finished(problem, seed, **parameters):
    """Best game of a whole NRPA search, accepted by the referee."""
    kind = FaultyNRPA if "faults" in parameters else NRPA
    best = kind(problem, np.random.default_rng(seed), **parameters).run()
    judge(problem, best)
    return best


def hundred():
    """A hundred level-3 searches on Morpion 5D; the best game is kept."""
    problem, scores, best = morpion("5D"), [], None
    for seed in seeds(100):
        started = time.process_time()
        game = finished(problem, seed, level=3)
        scores.append(game.score)
        print(seed, game.score, round(time.process_time() - started, 1), flush=True)
        if best is None or game.score > best.score:
            best = game
            about = {"seed": seed, "level": 3, "n_iterations": 100, "alpha": 1.0}
            save_game(RESULTS / "morpion_5D_best.json", problem, best, **about)
    write(
        "morpion_5D_level3", {"seeds": [1, 100], "level": 3, "n_iterations": 100, "scores": scores}
    )


def faults():
    """What each fault costs on Morpion 5D, at level 2 and 3."""
    problem = morpion("5D")
    settings = [(2, 100, 30), (3, 60, 6)]
    table = {}
    for name, fault in FAULTS.items():
        table[name] = [
            [finished(problem, s, level=lv, n_iterations=n, faults=fault).score for s in seeds(k)]
            for lv, n, k in settings
        ]
        print(name, [np.mean(scores) for scores in table[name]], flush=True)
    recoded = {
        "8 state-keyed codes": state_keyed(problem),
        "9 place-keyed codes": place_keyed(problem),
    }
    for name, other in recoded.items():
        table[name] = [
            [
                NRPA(other, np.random.default_rng(s), level=lv, n_iterations=n).run().score
                for s in seeds(k)
            ]
            for lv, n, k in settings
        ]
        print(name, [np.mean(scores) for scores in table[name]], flush=True)
    write("faults", {"settings": settings, "scores": table})


def faults_tour():
    """What each fault costs on rc_201.1, at level 2; below -10^6 a window is violated."""
    problem, size = rc("rc_201.1"), {"level": 2, "n_iterations": 100}
    table = {}
    for name, fault in FAULTS.items():
        table[name] = [finished(problem, s, faults=fault, **size).score for s in seeds(30)]
        print(name, feasible(table[name]), flush=True)
    write("faults_tour", {"instance": problem.name, **size, "scores": table})


def feasible(scores):
    """Number of tours without a violated window."""
    return sum(score > -LATE_COST for score in scores)


def seeds(n_seeds):
    """Seeds 1 to n."""
    return range(1, n_seeds + 1)


def alpha():
    """Step sizes on Morpion 5D at level 2."""
    problem = morpion("5D")
    table = {
        str(a): [finished(problem, s, level=2, alpha=a).score for s in seeds(30)]
        for a in (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
    }
    write("alpha", {"level": 2, "n_iterations": 100, "scores": table})


def curve(problem, method, seed, budget):
    """Best score at the checkpoints of one run; searches start again until the budget ends."""
    rng = np.random.default_rng(seed)
    kind, level = method
    best, curve, used, search = -np.inf, [], 0, None
    for point in [c for c in CHECKPOINTS if c <= budget]:
        while used < point:
            if kind == "flat":
                best = max(best, flat_monte_carlo(problem, rng, point - used)[0].score)
                used = point
                continue
            if search is None or search.finished:
                n = {1: 10**4, 2: 100, 3: 100}.get(level)
                search = (
                    NRPA(problem, rng, level=level, n_iterations=n)
                    if kind == "NRPA"
                    else NMCS(problem, rng, level=level)
                )
            before = search.n_playouts
            search.advance(point - used)
            used += search.n_playouts - before
            best = max(best, search.best.score)
        curve.append(best)
    return curve


def methods():
    """Flat, NMCS and NRPA at equal playouts, on Morpion 5D and rc_201.1.

    ``best`` has for each problem and method ``long``, the curves of seeds 1 to 3 up to a
    million playouts, and ``short``, those of seeds 4 to 10 up to ten thousand: together ten
    runs at each of the first ten checkpoints. A curve is the best score at each checkpoint.
    """
    table = {}
    kinds = [("flat", 0)] + [("NMCS", n) for n in (1, 2, 3)] + [("NRPA", n) for n in (1, 2, 3)]
    for name, problem in (("Morpion 5D", morpion("5D")), ("rc_201.1", rc("rc_201.1"))):
        table[name] = {}
        for kind, level in kinds:
            runs = [curve(problem, (kind, level), s, 10**6) for s in seeds(3)]
            short = [curve(problem, (kind, level), s, 10**4) for s in range(4, 11)]
            table[name][f"{kind} {level}".replace("flat 0", "flat")] = {
                "long": runs,
                "short": short,
            }
            print(name, kind, level, np.mean(runs, axis=0)[-1], flush=True)
    write("methods", {"checkpoints": CHECKPOINTS, "best": table})


def best_known():
    """Best published cost of every rc_ instance."""
    text = data("tsptw", "SolomonPotvinBengio", "best_known_travel.txt").read_text()
    return {w[0][:-4]: float(w[1]) for w in map(str.split, text.splitlines()) if w[0] != "#"}


def again(instance, biases, rng, every=2000):
    """Yield (n_playouts, best game) now and then, without end; a search that ends begins again.

    A game depends on the rng alone, so the number of playouts at which it came names it.
    """
    used, best, problem = 0, None, tsptw(instance, *biases)
    while True:
        search, finished = NRPA(problem, rng, level=3), False
        before = used
        while not finished:
            finished = search.advance(every)
            used = before + search.n_playouts
            if best is None or search.best.score > best.score:
                best = search.best
            yield used, best


def _best_tour(instance, biases, seconds):
    """Best game in some CPU-seconds, as cost, tour and the playouts after which it was known."""
    best, found_after, started = None, 0, time.process_time()
    for used, game in again(instance, biases, np.random.default_rng(SEED)):
        if game is not best:
            best, found_after = game, used
        if time.process_time() - started >= seconds:
            break
    judge(tsptw(instance), best)
    tour = tour_of(best.codes, len(instance.windows))
    return round(-best.score, 4), tour.tolist(), found_after


BIASES = {"plain": (0, 0), "bias 20, 10": (20, 10)}


def tours(seconds=10.0):
    """TSPTW: ten CPU-seconds on every rc_ file at hand, plain and with one bias.

    ``cost`` has the best known cost, then one for each setting; a violated window counts 10^6.
    ``tour`` and ``found_after`` have one entry for each setting: the cities in order, and the
    playouts from ``seed`` on after which the tour was known.
    """
    known, cost, tour, found_after = best_known(), {}, {}, {}
    for path in sorted(data("tsptw", "SolomonPotvinBengio").glob("rc_*.txt")):
        instance = read_tsptw(path)
        # Compiled before the clock starts.
        finished(tsptw(instance), SEED, level=1, n_iterations=1)
        found = [_best_tour(instance, biases, seconds) for biases in BIASES.values()]
        costs, tour[path.stem], found_after[path.stem] = map(list, zip(*found, strict=True))
        cost[path.stem] = [known[path.stem], *costs]
        print(path.stem, cost[path.stem], found_after[path.stem], flush=True)
    table = {"cpu_seconds": seconds, "seed": SEED, "columns": ["best known", *BIASES]}
    write("tsptw", table | {"cost": cost, "tour": tour, "found_after": found_after})


FAMILY = {
    "NRPA, N = 100": {"n_iterations": 100},
    "stabilised, P = 4, N = 50": {"n_iterations": 50, "n_playouts_per_adapt": 4},
    "limited repetitions, R = 3": {"n_iterations": 100, "max_repeats": 3},
    "weights within ±3": {"n_iterations": 100, "clip": 3.0},
}


def family():
    """Relatives of NRPA on Morpion 5D, 10 000 playouts each, 30 seeds."""
    problem, table = morpion("5D"), {}
    for name, parameters in FAMILY.items():
        scores, used = [], []
        for seed in seeds(30):
            search = NRPA(problem, np.random.default_rng(seed), level=2, **parameters)
            scores.append(search.run().score)
            used.append(search.n_playouts)
        table[name] = {"scores": scores, "n_playouts": used}
    write("family", {"level": 2, "runs": table})


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
    problem, n_seeds, runs = morpion("5D"), 10, {}
    full = itertools.product(PLAIN_GRID["levels"], PLAIN_GRID["n_iterations"])
    for level, n in sorted({*itertools.chain(*EQUAL_BUDGETS.values()), *full}):
        games = [finished(problem, s, level=level, n_iterations=n) for s in seeds(n_seeds)]
        scores = [game.score for game in games]
        runs.setdefault(str(level), {})[str(n)] = {"n_playouts": n**level, "scores": scores}
        print(level, n, np.mean(scores), flush=True)
    table = {"problem": problem.name, "seeds": [1, n_seeds], "equal": EQUAL_BUDGETS}
    write("grid", table | {"plain": PLAIN_GRID, "runs": runs})


def again_and_again(problem, seed, budget, **parameters):
    """Yield (score, n_playouts) of searches that use up a budget; the last may be cut short."""
    rng = np.random.default_rng(seed)
    while budget > 0:
        search = NRPA(problem, rng, **parameters)
        best = search.run(budget)
        judge(problem, best)
        yield best.score, search.n_playouts
        budget -= search.n_playouts


def repeats():
    """Limited repetitions R on an easy and a hard tour, level 3, ten seeds.

    ``runs`` by instance, N and R: ``scores`` and ``n_playouts`` of single searches; ``best`` of
    ``n_searches`` started again until the N^3 playouts of R = 0 are used up. ``shorter`` is the
    same with R = 0 and a smaller N, near the playouts of R = 3: does stopping early do more
    than short searches would?
    """
    runs = {}
    for (name, shorter), n in itertools.product({"rc_201.1": 12, "rc_204.1": 32}.items(), (30, 60)):
        problem = rc(name)
        settings = {str(r): {"n_iterations": n, "max_repeats": r} for r in (0, 2, 3, 5)}
        settings["shorter"] = {"n_iterations": min(shorter, n - 3)}
        table = runs.setdefault(name, {}).setdefault(str(n), {})
        for row, parameters in settings.items():
            searches = [
                list(again_and_again(problem, s, n**3, level=3, **parameters)) for s in seeds(10)
            ]
            scores, n_playouts = map(list, zip(*(found[0] for found in searches), strict=True))
            table[row] = parameters | {
                "scores": scores,
                "n_playouts": n_playouts,
                "best": [max(found)[0] for found in searches],
                "n_searches": [len(found) for found in searches],
            }
            print(name, n, row, np.mean(n_playouts), feasible(table[row]["best"]), flush=True)
    write("repeats", {"level": 3, "seeds": [1, 10], "runs": runs})


def gallery():
    """Our games in the other three variants: level 3, N = 60, the best of three seeds."""
    for variant in ("5T", "4T", "4D"):
        problem = morpion(variant)
        games = {s: finished(problem, s, level=3, n_iterations=60) for s in seeds(3)}
        seed = max(games, key=lambda s: games[s].score)
        about = {"seed": seed, "level": 3, "n_iterations": 60, "alpha": 1.0}
        save_game(RESULTS / f"morpion_{variant}_best.json", problem, games[seed], **about)
        print(variant, [game.score for game in games.values()], flush=True)


def _players(board, name, level, n_iterations):
    """Scores of flat and of NRPA on a board, with all moves and with a tabu colour."""
    row = {}
    for rule in ("all moves", "tabu colour"):
        problem = samegame(board, name, tabu=rule == "tabu colour")
        flat, _ = flat_monte_carlo(problem, np.random.default_rng(1), n_iterations**level)
        row[f"flat, {rule}"] = flat.score
        row[f"NRPA, {rule}"] = finished(problem, 1, level=level, n_iterations=n_iterations).score
    return row


def boards():
    """SameGame boards at hand and our own, 125,000 playouts each; published games beside them."""
    size = {"level": 3, "n_iterations": 50}
    bundled = _players(bundled_board(), "bundled", **size)
    print("bundled", bundled, flush=True)
    scores = {}
    for path in sorted(data("samegame").glob("board_*.txt")):
        number = path.stem.removeprefix("board_")
        board = read_board(path)
        published = read_cells(path.with_name(f"solution_nan0S_{number}.txt"))
        scores[number] = _players(board, path.stem, **size)
        scores[number]["published"] = judge_samegame(board, published).score
        print(number, scores[number], flush=True)
    write("samegame", size | {"bundled": bundled, "scores": scores})


def _yardstick(problems, n_iterations, n_runs):
    """Scores of 1000 random games, and of whole searches at each level; problems take turns."""
    n_each = 1000 // len(problems)
    flat = [flat_monte_carlo(p, np.random.default_rng(0), n_each)[1] for p in problems]
    row = {"random": sorted(np.concatenate(flat).tolist()), "n_iterations": n_iterations}
    for level, n in enumerate(n_runs, 1):
        row[f"level {level}"] = [
            finished(problems[s % len(problems)], s, level=level, n_iterations=n_iterations).score
            for s in seeds(n)
        ]
        print(problems[0].name, level, np.mean(row[f"level {level}"]), flush=True)
    return row


def yardsticks():
    """What a reader's own game is measured by: random games, and NRPA of levels 1 to 3.

    ``bundled`` is the bundled board of SameGame, ``lesson`` the small one of the lesson.
    """
    table = {v: _yardstick([morpion(v)], 100, (30, 30, 3)) for v in ("5T", "4D", "4T")}
    hundred = json.loads((RESULTS / "morpion_5D_level3.json").read_text())["scores"]
    table["5D"] = _yardstick([morpion("5D")], 100, (30, 30)) | {"level 3": hundred}
    table["bundled"] = _yardstick([samegame(bundled_board(), "bundled")], 50, (30, 30, 3))
    table["lesson"] = _yardstick([samegame(small_board(), "lesson")], 30, (40, 40, 40))
    write("yardsticks", table)


EXPERIMENTS = {
    run.__name__: run
    for run in (
        hundred,
        faults,
        faults_tour,
        alpha,
        methods,
        boards,
        tours,
        family,
        repeats,
        grid,
        gallery,
        yardsticks,
    )
}

if __name__ == "__main__":
    for experiment in sys.argv[1:] or EXPERIMENTS:
        EXPERIMENTS[experiment]()
