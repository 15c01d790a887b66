"""The process beside the same Gaussian process written out point by point."""

import math

import numpy as np
import pytest

from gameai_lib.ntbea import SearchSpace
from gameai_lib.ntbea.search import process as process_module
from gameai_lib.ntbea.search.process import TupleProcess

SPACE = SearchSpace({"a": range(4), "b": (False, True), "c": range(3)})


def data(n=40, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    points = SPACE.random_points(n, rng)
    worth = points @ [1.0, 2.0, 0.0] + (points[:, 0] == points[:, 2])
    return points, scale * (worth + rng.normal(size=n))


def covariance(process, points, others):
    """As in the docstring of the class, pair by pair."""
    relevance, pairs, own, _, order = process._hyperparameters()
    found = np.empty((len(points), len(others)))
    for row, x in enumerate(points):
        for column, y in enumerate(others):
            z = []
            for r, n, u, v in zip(relevance, SPACE.n_values, x, y, strict=True):
                near = math.exp(-(((u - v) / (n - 1) / 0.35) ** 2) / 2) if n > 2 else u == v
                z.append(r * ((1 - order) * (u == v) + order * near))
            double = sum(z[i] * z[j] for j in range(3) for i in range(j))
            found[row, column] = 0.3 + sum(z) + pairs * double + own * (x == y).all()
    return found


def posterior(process, points, fitness):
    """Mean and covariance of all points of the space, in the unit of the process."""
    every = SPACE.all_points()
    scaled = (fitness - fitness.mean()) / fitness.std()
    noise = process._hyperparameters()[3]
    within = covariance(process, points, points) + noise * np.eye(len(points))
    cross = covariance(process, every, points)
    gain = cross @ np.linalg.inv(within)
    return gain @ scaled, covariance(process, every, every) - gain @ cross.T


def test_what_it_expects_is_the_posterior_of_every_single_result():
    points, fitness = data()
    process = TupleProcess(SPACE, points, fitness)
    mean, spread = posterior(process, points, fitness)
    expected = np.array([process.expected(x) for x in SPACE.all_points()])
    np.testing.assert_allclose(expected[:, 0], fitness.mean() + fitness.std() * mean)
    np.testing.assert_allclose(expected[:, 1], fitness.std() * np.sqrt(np.diag(spread)))
    assert process.best().tolist() == SPACE.all_points()[mean.argmax()].tolist()


def test_a_draw_has_the_mean_and_the_covariance_of_the_posterior():
    points, fitness = data(30)
    process = TupleProcess(SPACE, points, fitness)
    mean, spread = posterior(process, points, fitness)
    which = [SPACE.all_points().tolist().index(x) for x in process._points.tolist()]
    mean, spread, rng = mean[which], spread[np.ix_(which, which)], np.random.default_rng(1)
    drawn = []
    for _ in range(4000):
        values, couples, known = process._tables(rng, 1.0)
        drawn.append(process._sums(values, couples) + known)
    # All but the constant, which every point shares, and whose posterior they all carry.
    drawn = np.array(drawn) - np.mean(drawn, axis=1, keepdims=True)
    centre = np.eye(len(which)) - 1 / len(which)
    scale = spread.diagonal().max()
    np.testing.assert_allclose(drawn.mean(axis=0), centre @ mean, atol=4 * (scale / 4000) ** 0.5)
    np.testing.assert_allclose(np.cov(drawn.T), centre @ spread @ centre, atol=0.1 * scale)


def test_the_gradient_is_that_of_the_marginal_likelihood():
    process = TupleProcess(SPACE, *data())

    def likelihood(log):
        process._log = log
        matrix, means, n = process._covariance()[0], process._means, process._n
        noise = process._hyperparameters()[3]
        apart = process._within / noise + (n.sum() - len(n)) * math.log(noise)
        return -0.5 * (
            means @ np.linalg.solve(matrix, means) + np.linalg.slogdet(matrix)[1] + apart
        )

    log, numbers = process._log, []
    gradient = process._gradient()
    for step in 1e-5 * np.eye(len(log)):
        numbers.append((likelihood(log + step) - likelihood(log - step)) / 2e-5)
    np.testing.assert_allclose(gradient, numbers, rtol=1e-4, atol=1e-6)


def test_a_climb_without_rests_ends_at_the_best_point():
    """Of 24 points, from the three best known: in nine of ten draws none is higher."""
    process = TupleProcess(SPACE, *data(15, 2))
    every, best = SPACE.all_points(), 0
    for seed in range(50):
        values, couples, own = process._tables(np.random.default_rng(seed), 0.5)
        known = dict(zip(map(tuple, process._points.tolist()), own, strict=True))
        heights = []
        for columns in every + process._starts:
            plain = values[columns].sum() + couples[np.ix_(columns, columns)].sum() / 2
            heights.append(plain + known.get(tuple(columns - process._starts), 0.0))
        found = process.best(np.random.default_rng(seed))
        best += found.tolist() == every[np.argmax(heights)].tolist()
        tables = values, couples, own
        end, height = process._climb(every[seed % 24], known, tables, lambda point: True)
        around = np.array(heights)[(every != end).sum(axis=1) <= 1]
        assert height == pytest.approx(around.max())
        assert height == pytest.approx(heights[every.tolist().index(end.tolist())])
    assert best >= 45


def test_it_learns_which_parameters_matter_and_whether_their_order_does():
    space, rng = SearchSpace({f"x{i}": range(9) for i in range(8)}), np.random.default_rng(4)
    points, order = space.random_points(150, rng), []
    for level in (np.arange(9), rng.permutation(9)):
        worth = -((level[points[:, [4, 7]]] / 8 - 0.5) ** 2).sum(axis=1)
        process = TupleProcess(space, points, worth + 0.05 * rng.normal(size=150))
        relevance, *_, share = process._hyperparameters()
        assert set(np.argsort(-relevance)[:2]) == {4, 7}
        assert relevance[[4, 7]].min() > 3 * np.median(relevance)
        order.append(share)
    assert order[0] > 0.8 > 0.5 > order[1]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_or_equal_results_are_enough(n):
    points, _ = data(n)
    process = TupleProcess(SPACE, points, np.ones(n))
    SPACE.check_point(process.best(np.random.default_rng(1)))
    mean, spread = process.expected(process.best())
    assert mean == pytest.approx(1)
    assert math.isfinite(spread)


def test_the_oldest_points_are_forgotten(monkeypatch):
    monkeypatch.setattr(process_module, "_MOST_LEARNED", 5)
    monkeypatch.setattr(process_module, "_MOST_FITTED", 4)
    points = SPACE.all_points()[[0, 1, 2, 3, 4, 5, 6, 0]]
    kept, process = {tuple(x) for x in points[[3, 4, 5, 6, 7]].tolist()}, None
    for _ in range(2):  # the second has the hyperparameters of the first
        process = TupleProcess(SPACE, points, np.arange(8.0), process)
        assert {tuple(x) for x in process._points.tolist()} == kept
        assert process._n.sum() == 6
