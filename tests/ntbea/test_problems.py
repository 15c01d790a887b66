import math
import pickle

import numpy as np
import pytest

from gameai_book.ntbea.measure.families import ships_table
from gameai_book.ntbea.results.tables import planet_wars_table
from gameai_lib.ntbea.game.problems import corner_trap, hartmann, max_m, one_max

PROBLEMS = [
    one_max(),
    one_max(sigma=1.0),
    max_m(),
    max_m(5, 11, sigma=5.0),
    corner_trap(),
    hartmann(),
    planet_wars_table(),
    ships_table(),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.name)
def test_mean_of_many_evaluations_is_the_true_value(problem):
    rng = np.random.default_rng(1)
    point = problem.space.random_points(1, rng)[0]
    copy = pickle.loads(pickle.dumps(problem))  # as it is sent to another process
    values = np.array([copy.evaluate(point, rng) for _ in range(2000)])
    error = max(values.std(), 0.01) / math.sqrt(2000)
    assert abs(values.mean() - problem.true_value(point)) < 4.5 * error
    if problem.outcomes:
        assert set(values) <= set(problem.outcomes)
    else:
        assert values.std() == pytest.approx(problem.sigma, rel=0.1)
    for ask in (problem.true_value, lambda point: problem.evaluate(point, rng)):
        with pytest.raises(ValueError, match="outside"):
            ask(problem.space.n_values)


@pytest.mark.parametrize(
    ("problem", "best"),
    [*zip(PROBLEMS[:6], (1, 10, 1, 50, 14, 0.7948970745563096), strict=True)],
    ids=lambda x: getattr(x, "name", str(x)),
)
def test_best_value_by_enumeration(problem, best):
    chunks = np.array_split(problem.space.all_points(), 50)
    found = max(problem.true_values(chunk).max() for chunk in chunks if len(chunk))
    assert problem.best == pytest.approx(best, abs=1e-12) == pytest.approx(found, abs=1e-12)


def test_hartmann_near_its_published_optimum():
    """The minimiser known from the literature, rounded to a grid of step 0.0005."""
    minimiser = np.array([0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573])
    values = hartmann(2001).true_values(np.round(minimiser * 2000).astype(int)[None])
    assert 4 * values[0] == pytest.approx(3.32237, abs=1e-4)


def test_the_trap_at_its_corner():
    trap = corner_trap()
    assert trap.true_value([3] * 5) == 0
    assert trap.true_value([3, 3, 3, 3, 2]) == 14
