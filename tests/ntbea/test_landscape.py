"""The model against the worked cases of the specification, and plain-Python counting."""

import math

import numpy as np
import pytest

from gameai_lib.ntbea import LandscapeModel, SearchSpace
from gameai_lib.ntbea.game.problems import grid


def model_of(n_dims, n_values, sizes, epsilon, data):
    model = LandscapeModel(grid(n_dims, n_values), sizes, epsilon)
    for point, fitness in data:
        model.add(point, fitness)
    return model


# Worked example of Lucas, Liu and Perez-Liebana (2018, section II-C): its stated means
# give back the points.
W1 = (
    (5, 5, (1, "d"), 0.5),
    1.0,
    [((1, 2, 3, 4, 0), 1), ((1, 2, 3, 4, 0), 0), ((1, 1, 1, 1, 1), 1), ((0, 0, 1, 1, 0), 1)],
    [
        ((1, 2, 3, 4, 0), 0.555556, 0.760942, 1.316498),
        ((1, 1, 1, 1, 1), 0.944444, 0.898390, 1.842834),
        ((0, 2, 1, 4, 1), 0.800000, 1.045477, 1.845477),
    ],
)
W2 = (
    (2, 2, (1, 2), 0.5),
    1.0,
    [((0, 0), 1), ((0, 1), 3), ((1, 0), 2)],
    [
        ((0, 0), 1.5, 0.816890, 2.316890),
        ((0, 1), 8 / 3, 0.889121, 3.555787),
        ((1, 0), 11 / 6, 0.889121, 2.722454),
        ((1, 1), 2.5, 1.195937, 3.695937),
    ],
)


@pytest.mark.parametrize(("shape", "k", "data", "expected"), [W1, W2])
def test_worked_cases(shape, k, data, expected):
    model = model_of(*shape, data)
    for point, *numbers in expected:
        found = model.mean(point), model.explore(point), model.ucb(point, k)
        assert found == pytest.approx(numbers, abs=1e-6)


def test_tables_and_arms_of_worked_cases():
    model = model_of(*W1[0], W1[2])
    first = model.arms((0,))
    assert first.n.tolist() == [1, 3, 0, 0, 0]
    assert first.mean == pytest.approx([1, 2 / 3, *[math.nan] * 3], nan_ok=True)
    fifth = model.arms(range(5))
    assert (fifth.n[1, 2, 3, 4, 0], fifth.mean[1, 2, 3, 4, 0]) == (2, 0.5)


def counted(data, point, tuples, epsilon):
    """The contract by plain counting."""
    means, widths = [], []
    for dims in tuples:
        fitness = [f for p, f in data if all(p[d] == point[d] for d in dims)]
        if fitness:
            means.append(sum(fitness) / len(fitness))
        widths.append(math.sqrt(math.log(1 + len(data)) / (len(fitness) + epsilon)))
    return sum(means) / len(means) if means else 0.0, sum(widths) / len(widths)


@pytest.mark.parametrize(
    ("space", "sizes"),
    [
        (SearchSpace({"a": range(4), "b": (0,), "c": range(3), "d": range(2)}), (1, 2, 3)),
        (grid(6, 12), ("d",)),  # 4-tuples have 20 736 arms, the 6-tuple three million
        (grid(6, 12), (1, "d")),
        (grid(6, 12), (4, 6)),
        (grid(40, 10), ("d",)),  # beyond 64 bits
    ],
)
def test_scores_are_those_of_plain_counting_also_of_large_tuples(space, sizes):
    model, rng = LandscapeModel(space, sizes, epsilon=0.3), np.random.default_rng(3)
    pool = space.random_points(100, rng)
    data = [(pool[rng.integers(0, 100)], float(rng.normal())) for _ in range(400)]
    for point, fitness in data:
        model.add(point, fitness)
    queries = np.concatenate([pool[::20], space.random_points(4, rng)])
    expected = [counted(data, query, model.tuples, 0.3) for query in queries]
    np.testing.assert_allclose(np.transpose(model.mean_and_explore(queries)), expected, atol=1e-9)


def test_slots_of_all_small_tuples_together_have_a_limit(monkeypatch):
    data = [(p, float(i)) for i, p in enumerate(grid(4, 3).all_points()[::5])]
    dense = model_of(4, 3, (1, 2), 0.5, data)
    monkeypatch.setattr("gameai_lib.ntbea.search.tuples._MAX_DENSE_SLOTS", 30)
    model = model_of(4, 3, (1, 2), 0.5, data)
    assert len(model._counts.large) > len(dense._counts.large) == 0
    points = model.space.all_points()
    np.testing.assert_array_equal(model.ucb(points, 1.0), dense.ucb(points, 1.0))
