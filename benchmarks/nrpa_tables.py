"""Long runs behind the tables of the NRPA chapter; each writes one small result file.

Run ``python -m benchmarks.nrpa_tables NAME`` with NAME one of the experiments below. Files
that need a public instance read it from the folder named by GAMEAI_DATA.
"""

import itertools
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

import gameai_lib.nrpa
from gameai_lib._files import write_whole
from gameai_lib.nrpa.files import read_board, read_cells, read_tsptw, save_game
from gameai_lib.nrpa.instances import bundled_board
from gameai_lib.nrpa.morpion import morpion
from gameai_lib.nrpa.nmcs import NMCS
from gameai_lib.nrpa.referee import judge, judge_samegame
from gameai_lib.nrpa.samegame import samegame
from gameai_lib.nrpa.search import NRPA, Faults, flat_monte_carlo
from gameai_lib.nrpa.transform import place_keyed, state_keyed
from gameai_lib.nrpa.tsptw import tsptw

RESULTS = Path(gameai_lib.nrpa.__file__).parent / "data"
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
    best = NRPA(problem, np.random.default_rng(seed), **parameters).run()
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


def _curve(problem, method, seed, budget):
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
    """Flat, NMCS and NRPA at equal playouts, on Morpion 5D and rc_201.1."""
    table = {}
    kinds = [("flat", 0)] + [("NMCS", n) for n in (1, 2, 3)] + [("NRPA", n) for n in (1, 2, 3)]
    for name, problem in (("Morpion 5D", morpion("5D")), ("rc_201.1", rc("rc_201.1"))):
        table[name] = {}
        for kind, level in kinds:
            runs = [_curve(problem, (kind, level), s, 10**6) for s in seeds(3)]
            short = [_curve(problem, (kind, level), s, 10**4) for s in range(4, 11)]
            table[name][f"{kind} {level}".replace("flat 0", "flat")] = {
                "long": runs,
                "short": short,
            }
            print(name, kind, level, np.mean(runs, axis=0)[-1], flush=True)
    write("methods", {"checkpoints": CHECKPOINTS, "best": table})


def _best_known():
    text = data("tsptw", "SolomonPotvinBengio", "best_known_travel.txt").read_text()
    return {w[0][:-4]: float(w[1]) for w in map(str.split, text.splitlines()) if w[0] != "#"}


def _tour_cost(instance, biases, n_iterations, seconds):
    """Score of the best tour in some CPU-seconds, searches taking turns through `biases`."""
    rng, started, best = np.random.default_rng(1), time.process_time(), -np.inf
    for bias in itertools.cycle(biases):
        if time.process_time() - started >= seconds:
            return round(-best, 4)
        search = NRPA(tsptw(instance, *bias), rng, level=3, n_iterations=n_iterations)
        while time.process_time() - started < seconds and not search.advance(2000):
            pass
        if search.n_playouts:
            judge(search.problem, search.best)
            best = max(best, search.best.score)


def _tours(name, settings, seconds=10.0):
    known, table = _best_known(), {}
    for path in sorted(data("tsptw", "SolomonPotvinBengio").glob("rc_*.txt")):
        instance = read_tsptw(path)
        costs = [_tour_cost(instance, *setting, seconds) for setting in settings.values()]
        table[path.stem] = [known[path.stem], *costs]
        print(path.stem, table[path.stem], flush=True)
    write(name, {"cpu_seconds": seconds, "columns": ["best known", *settings], "cost": table})


def tours():
    """TSPTW: ten CPU-seconds on every rc_ file at hand, plain and with one bias."""
    _tours("tsptw", {"plain": ([(0, 0)], 100), "bias 20, 10": ([(20, 10)], 100)})


def portfolio():
    """The same with shorter searches that take turns through three biases."""
    _tours("tsptw_portfolio", {"three biases": ([(20, 10), (10, 10), (10, 0)], 60)})


def family():
    """Relatives of NRPA on Morpion 5D, 10 000 playouts each, 30 seeds."""
    settings = {
        "NRPA, N = 100": {"n_iterations": 100},
        "stabilised, P = 4, N = 50": {"n_iterations": 50, "n_playouts_per_adapt": 4},
        "limited repetitions, R = 3": {"n_iterations": 100, "max_repeats": 3},
        "weights within ±3": {"n_iterations": 100, "clip": 3.0},
    }
    problem, table = morpion("5D"), {}
    for name, parameters in settings.items():
        scores, used = [], []
        for seed in seeds(30):
            search = NRPA(problem, np.random.default_rng(seed), level=2, **parameters)
            scores.append(search.run().score)
            used.append(search.n_playouts)
        table[name] = {"scores": scores, "n_playouts": used}
    write("family", {"level": 2, "runs": table})


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


EXPERIMENTS = {
    run.__name__: run
    for run in (hundred, faults, alpha, methods, boards, tours, portfolio, family, gallery)
}

if __name__ == "__main__":
    for experiment in sys.argv[1:] or EXPERIMENTS:
        EXPERIMENTS[experiment]()
