"""Where NRPA wins and where it does not: NMCS and NRPA on eight tours, in some minutes.

Run ``python -m gameai_book.nrpa.measure.limits``; the public instances are read from the folder
named by GAMEAI_DATA. The result stands in ``book/gameai_book/nrpa/data/tour_methods.json``.
"""

import numpy as np

from gameai_book.nrpa.measure.tables import again_and_again, feasible, finished, rc, seeds, write
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.problem.walk import replay
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import repeat_nmcs

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


def score(problem, method, seed, budget=BUDGET):
    """Best score of one run; NMCS begins again until the budget ends, NRPA runs once or again."""
    kind, parameters = METHODS[method]
    if kind == "again":
        return max(found for found, _ in again_and_again(problem, seed, budget, **parameters))
    if kind == "NRPA":
        return finished(problem, seed, **parameters).score
    best, _ = repeat_nmcs(problem, np.random.default_rng(seed), budget, **parameters)
    judge(problem, best)
    return best.score


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
        problem = rc(f"rc_{name}")
        n_cities[name], moves[name] = problem.max_plies, n_legal(problem)
        scores[name] = {m: [score(problem, m, s) for s in seeds(N_SEEDS)] for m in METHODS}
        print(name, moves[name], {m: feasible(s) for m, s in scores[name].items()}, flush=True)
    about = {"n_playouts": BUDGET, "seeds": [1, N_SEEDS], "n_cities": n_cities, "n_legal": moves}
    write("tour_methods", about | {"scores": scores})


if __name__ == "__main__":
    tour_methods()
