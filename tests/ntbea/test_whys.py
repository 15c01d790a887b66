"""What parts of the search are for: few runs agree with what the chapter says, and hand counts."""

from types import SimpleNamespace

import numpy as np
import pytest

from gameai_book.ntbea.contest.rivals import best_marginals
from gameai_book.ntbea.contest.whys import n_looked_at, search_runs, worth_with_bonus
from gameai_book.ntbea.measure.ours import hill_climb
from gameai_book.ntbea.results.tables import planet_wars_table
from gameai_lib.ntbea import LandscapeModel, Problem
from gameai_lib.ntbea.game.problems import grid


def test_without_epsilon_the_d_tuple_makes_the_search_exhaustive():
    agents = planet_wars_table()
    n = {
        (epsilon, sizes): n_looked_at(search_runs(agents, 60, 3, epsilon=epsilon, sizes=sizes)).mean
        for epsilon in (1e-6, 0.5)
        for sizes in ((1, 2), (1, 2, "d"))
    }
    assert n[1e-6, (1, 2, "d")] >= 59
    assert n[0.5, (1, 2, "d")] < 45
    assert n[1e-6, (1, 2)] < 45


def test_a_bonus_at_the_end_recommends_what_is_hardly_known():
    problem = Problem("line", grid(1, 3), lambda x: x[:, 0].astype(float), sigma=0.0)
    model = LandscapeModel(problem.space, (1,))
    for point in ((2,), (2,), (2,), (2,), (1,)):
        model.add(point, 10 * problem.true_value(np.array(point)))
    # Means 20 and 10, range 10; widths sqrt(ln 6 / 4.5) = 0.631 and sqrt(ln 6 / 1.5) = 1.093.
    assert worth_with_bonus([model, model], problem, 0).mean == 2
    assert worth_with_bonus([model, model], problem, 2.0).mean == 2
    assert worth_with_bonus([model, model], problem, 2.3).mean == 1


def test_the_arms_of_the_chapter_change_where_its_answer_says():
    n, won = np.array([2, 5, 13]), np.array([0, 2, 7])
    bonus = np.sqrt(np.log(1 + n.sum()) / (n + 0.5))
    at = {k: "ABC"[(won / n + k * bonus).argmax()] for k in (0.3, 0.51, 0.52, 1.11, 1.12)}
    assert "".join(at.values()) == "CCBBA"


# Rivals


def test_the_hill_climber_spends_exactly_its_budget():
    played = []
    problem = SimpleNamespace(space=grid(3, 4), evaluate=lambda *_: played.append(1) or 0.0)
    for budget in (1, 9):
        hill_climb(problem, budget, np.random.default_rng(1))
    assert len(played) == 1 + 9


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


@pytest.mark.parametrize(("fourth", "moves_back"), [(4.0, False), (5.0, True)])
def test_the_hill_climber_keeps_the_evaluations_of_the_child_it_accepts(fourth, moves_back):
    """0 against 10: it moves. Then (10 + 0) / 2 against 4: it stays; against 5 it would not."""
    seen, results = [], iter([0.0, 10.0, 0.0, fourth])

    def evaluate(point, rng):
        seen.append(point.tolist())
        return next(results)

    problem = SimpleNamespace(space=grid(1, 2), evaluate=evaluate)
    point = hill_climb(problem, 4, np.random.default_rng(1), n_resamples=1)
    assert seen[0] == seen[3] != seen[1] == seen[2]
    assert point.tolist() == seen[3 if moves_back else 1]
