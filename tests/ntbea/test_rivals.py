from types import SimpleNamespace

import numpy as np
import pytest

from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_book.ntbea.measure.ours import hill_climb
from gameai_lib.ntbea.game.problems import grid, one_max


def random_marginals(problem, n, rng):
    return best_marginals(problem.space, *random_games(problem, n, rng), rng)


def random_search(problem, n, rng):
    points, fitness = random_games(problem, n, rng)
    return points[np.argmax(fitness)]


RIVALS = (random_search, random_marginals, hill_climb)


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("n_evaluations", [1, 9, 50])
def test_every_rival_spends_exactly_its_budget(rival, n_evaluations):
    problem, calls = one_max(sigma=1.0), []

    def evaluate(point, rng):
        calls.append(point)
        return problem.evaluate(point, rng)

    rng = np.random.default_rng(1)
    point = rival(SimpleNamespace(space=problem.space, evaluate=evaluate), n_evaluations, rng)
    assert len(calls) == n_evaluations
    problem.space.check(point)


def test_marginals_of_worked_cases():
    points, rng = np.array([[0, 0], [0, 1], [1, 0], [1, 0]]), np.random.default_rng(1)
    # Dimension 0: (1 + 3) / 2 = 2 against (0 + 5) / 2; dimension 1: 6 / 3 = 2 against 3.
    fitness = np.array([1.0, 3.0, 0.0, 5.0])
    assert best_marginals(grid(2, 3), points, fitness, rng).tolist() == [1, 1]
    points, fitness = np.arange(4)[:, None], np.array([2.0, 1.0, 2.0, 2.0])
    best = [best_marginals(grid(1, 5), points, fitness, rng)[0] for _ in range(300)]
    counts = np.bincount(best, minlength=5)
    assert counts[[1, 4]].tolist() == [0, 0]
    assert abs(counts[[0, 2, 3]] - 100).max() < 5 * np.sqrt(100)  # ties are broken at random


def test_the_hill_climber_keeps_the_evaluations_of_the_child_it_accepts():
    """0 against 10: it moves. Then (10 + 0) / 2 against 4: it stays."""
    seen, results = [], iter([0.0, 10.0, 0.0, 4.0])

    def evaluate(point, rng):
        seen.append(point.tolist())
        return next(results)

    problem = SimpleNamespace(space=grid(1, 2), evaluate=evaluate)
    point = hill_climb(problem, 4, np.random.default_rng(1), n_resamples=1)
    assert seen[0] == seen[3] != seen[1] == seen[2]
    assert point.tolist() == seen[1]


def test_figures_of_the_specification():
    """Mean true values on OneMax with 100 games, 60 runs: 0.57 and 0.835."""
    problem = one_max()
    for rival, expected in ((random_search, 0.567), (random_marginals, 0.835)):
        values = [
            problem.true_value(rival(problem, 100, np.random.default_rng(seed)))
            for seed in range(60)
        ]
        error = np.std(values) / np.sqrt(60)
        assert abs(np.mean(values) - expected) < 4 * np.hypot(error, 0.02)
