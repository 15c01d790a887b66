import numpy as np
import pytest

from gameai_lib.ntbea.problems import grid, one_max
from gameai_lib.ntbea.rivals import best_marginals, hill_climb, random_marginals, random_search

RIVALS = (random_search, random_marginals, hill_climb)


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("n_evaluations", [1, 9, 50])
def test_every_rival_spends_exactly_its_budget(rival, n_evaluations):
    problem, calls = one_max(sigma=1.0), []

    def evaluate(point, rng):
        calls.append(point)
        return problem.evaluate(point, rng)

    point = rival(problem.space, evaluate, n_evaluations, np.random.default_rng(1))
    assert len(calls) == n_evaluations
    problem.space.check(point)


@pytest.mark.parametrize("rival", RIVALS)
def test_a_rival_needs_a_budget(rival):
    with pytest.raises(ValueError, match="0"):
        rival(grid(2, 2), lambda p, r: 0.0, 0, np.random.default_rng(1))


def test_marginals_of_a_worked_case():
    points = np.array([[0, 0], [0, 1], [1, 0], [1, 0]])
    # Dimension 0: (1 + 3) / 2 = 2 against (0 + 5) / 2; dimension 1: 6 / 3 = 2 against 3.
    assert best_marginals(grid(2, 3), points, np.array([1.0, 3.0, 0.0, 5.0])).tolist() == [1, 1]


def test_the_hill_climber_climbs_without_noise():
    problem = one_max(sigma=0.0)
    point = hill_climb(
        problem.space, problem.evaluate, 400, np.random.default_rng(3), n_resamples=1
    )
    assert problem.true_value(point) == 10


def test_figures_of_the_specification():
    """Mean true values on OneMax with 100 games, 60 runs: 0.57 and 0.835."""
    problem = one_max()
    for rival, expected in ((random_search, 0.567), (random_marginals, 0.835)):
        values = [
            problem.true_value(
                rival(problem.space, problem.evaluate, 100, np.random.default_rng(seed))
            )
            for seed in range(60)
        ]
        error = np.std(values) / np.sqrt(60)
        assert abs(np.mean(values) - expected) < 4 * np.hypot(error, 0.02)
