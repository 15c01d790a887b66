"""Seven rules to be put in order: NRPA, whose scores are noisy here, beside NTBEA (four minutes).

- methods: what the best list seems worth to each, and is worth; runs 0 to 19, of as many games.

Run r draws from ``numpy.random.default_rng([1, r])``; all of them play in the same world, whose
decks are drawn by seed 1. NTBEA gives each rule a place, and rules of one place keep the order of
`ORDERED`; it evaluates 400 times in 2,000 games and 500 times in 20,000, as ``measure.tuning``.
"""

from functools import partial

import numpy as np

from gameai_book.hanabi.measure import mean_and_error, run
from gameai_book.together.measure.rule_orders import (
    N_DECKS,
    N_RULES,
    number_of_list,
    order_problem,
    score_lists,
)
from gameai_book.together.results.stored import path_of
from gameai_lib.base.jit import stop_plain
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.tuning import tune

SEED, N_RUNS = 1, 20
EVALUATIONS = {2_000: 400, 20_000: 500}  # of NTBEA, in so many games
PLACES = SearchSpace({f"place of rule {k}": tuple(range(N_RULES)) for k in range(N_RULES)})


def by_nrpa(level, n_games, budget, number):
    """The list of the best playout, by number, and its score."""
    n_iterations = round((budget // n_games) ** (1 / level))
    problem = order_problem(score_lists(SEED), n_games, first=number * N_DECKS // N_RUNS)
    rng = np.random.default_rng([SEED, number])
    best = NRPA(problem, rng, level=level, n_iterations=n_iterations).run()
    left = list(range(N_RULES))
    return number_of_list([left.pop(k) for k in best.choices[:N_RULES]]), best.score


def by_ntbea(budget, number):
    """The list that is recommended, and what the model takes it to be worth."""
    n = EVALUATIONS[budget]

    def evaluate(point, rng):
        scores = score_lists(SEED)[_list_at(point)]
        return scores[rng.integers(N_DECKS, size=budget // n)].mean()

    tuned = tune(evaluate, PLACES, n, np.random.default_rng([SEED, number]), rule="ntbea")
    return _list_at(tuned.point), tuned.model.mean(tuned.point[None])[0]


def _list_at(point):
    return number_of_list(np.argsort(point, kind="stable").tolist())


def measure(search, n_runs=N_RUNS):
    """What the lists seem and are worth, with standard errors."""
    numbers, seems = zip(*map(search, range(n_runs)), strict=True)
    worth = score_lists(SEED).mean(axis=1)[list(numbers)]
    found = mean_and_error(np.array(seems), 4) + mean_and_error(worth, 4)
    names = "seems", "seems_standard_error", "worth", "worth_standard_error"
    best = round(float(score_lists(SEED).mean(axis=1).max()), 4)
    return {"n_runs": n_runs, "best": best} | dict(zip(names, found, strict=True))


def methods():
    """Yield the names of each row and the function that measures it."""
    for budget in EVALUATIONS:
        for level in (1, 2):
            for n_games in (1, 10, 100):
                names = {"method": f"NRPA, level {level}", "n_games": n_games, "budget": budget}
                yield names, partial(measure, partial(by_nrpa, level, n_games, budget))
        names = {"method": "NTBEA", "n_games": budget // EVALUATIONS[budget], "budget": budget}
        yield names, partial(measure, partial(by_ntbea, budget))


PARTS = {"methods": methods}

if __name__ == "__main__":
    stop_plain()
    run(PARTS, path_of("ordering"))
