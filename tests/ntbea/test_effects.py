"""Marginals and effects against a Gaussian process written out point by point."""

import itertools

import numpy as np
import pytest

from gameai_lib.ntbea import LandscapeModel, SearchSpace, TupleRegression, importance, marginal
from gameai_lib.ntbea.search import regression as regression_module

SPACE = SearchSpace({"a": (1, 2, 3), "b": (False, True), "c": ("x", "y")})


@pytest.fixture(scope="module")
def model():
    model, rng = LandscapeModel(SPACE, (1, 2, "d")), np.random.default_rng(3)
    for point in SPACE.random_points(25, rng):
        a, b, c = point
        model.add(point, 500 + 30 * a - 40 * b * (c == 1) + rng.normal(scale=5))
    return model


@pytest.fixture(scope="module")
def regression(model):
    return TupleRegression(model)


def kernel(regression, xs, ys):
    """Prior covariance of points, by the definition alone."""

    def one(x, y):
        total = 0.0
        for size, weight in zip((1, 2, 3), regression.weights, strict=True):
            tuples = list(itertools.combinations(range(3), size))
            total += weight * np.mean([all(x[d] == y[d] for d in dims) for dims in tuples])
        return total

    return np.array([[one(x, y) for y in ys] for x in xs])


def posterior(model, regression):
    """Mean and covariance of the expected fitness of all points, by the definition alone."""
    points, seen = SPACE.all_points(), model.points
    noisy = kernel(regression, seen, seen) + regression.noise * np.eye(len(seen))
    gain = kernel(regression, points, seen) @ np.linalg.inv(noisy)
    mean = regression.centre + gain @ (model.fitness - regression.centre)
    covariance = kernel(regression, points, points) - gain @ kernel(regression, seen, points)
    return points, mean, covariance


def averages(points, dims):
    """Matrix that takes the mean over all points of one cell of `dims`."""
    cells = np.ravel_multi_index(points[:, dims].T, SPACE.n_values[dims])
    rows = np.equal.outer(np.arange(cells.max() + 1), cells).astype(float)
    return rows / rows.sum(axis=1, keepdims=True)


def test_what_is_expected_is_the_posterior_of_every_single_result(monkeypatch, model, regression):
    monkeypatch.setattr(regression_module, "_CHUNK", 100)  # points are predicted in parts
    points, mean, covariance = posterior(model, regression)
    assert regression.mean(points) == pytest.approx(mean)
    assert regression.std(points) == pytest.approx(np.sqrt(np.diag(covariance)))


@pytest.mark.parametrize("names", ["a", ["b"], [2, 0], ("a", "b", "c")])
def test_marginals_are_means_over_all_points(model, regression, names):
    points, mean, covariance = posterior(model, regression)
    known = marginal(regression, names)
    average = averages(points, [SPACE.names.index(name) for name in known.names])
    assert known.mean.ravel() == pytest.approx(average @ mean)
    assert known.covariance == pytest.approx(average @ covariance @ average.T, abs=1e-5)
    assert known.std.ravel() == pytest.approx(np.sqrt(np.diag(known.covariance)))
    assert known.mean.shape == tuple(SPACE.n_values[SPACE.dims_of(names)])


def test_effects_are_those_of_functions_drawn_from_the_regressions(model, regression):
    expected = posterior(model, regression)[1]
    parts, rng = [], np.random.default_rng(4)
    for chance, likely in regression.plausible():
        points, mean, covariance = posterior(model, likely)
        root = np.linalg.cholesky(covariance + 1e-6 * np.eye(len(mean)))
        parts.append(mean + rng.standard_normal((round(30_000 * chance), len(mean))) @ root.T)
    drawn = np.concatenate([expected[None], *parts])  # in the first row
    on_points = {}  # of each set of parameters, the part of a function that it alone moves
    for dims in [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]:
        average = averages(points, list(dims)) if dims else np.full((1, len(mean)), 1 / len(mean))
        cells = np.ravel_multi_index(points[:, dims].T, SPACE.n_values[list(dims)]) if dims else 0
        part = (drawn @ average.T)[:, cells] if dims else drawn @ average.T
        smaller = [d for d in on_points if set(d) < set(dims)]
        on_points[dims] = part - sum(on_points[d] for d in smaller)
    effects = importance(regression)
    assert len(effects) == 6
    for effect in effects:
        dims = tuple(SPACE.dims_of(effect.names))
        learned, *variances = (on_points[dims] ** 2).mean(axis=1)
        assert effect.variance == pytest.approx(learned), effect
        error = np.sqrt(((np.array(variances) - learned) ** 2).mean())
        assert effect.error == pytest.approx(error, rel=0.05), effect
    assert sum(effect.share for effect in effects) == pytest.approx(1)
    assert effects == sorted(effects, key=lambda effect: -effect.variance)
    a, *others = effects[:4]
    assert [a.names, *sorted(e.names for e in others)] == [("a",), ("b",), ("b", "c"), ("c",)]
    # By hand: of 30 a over 0, 1, 2, and of 40 times b c, of which a quarter is in each part.
    assert a.variance == pytest.approx(30**2 * 2 / 3, rel=0.1)
    assert [e.variance for e in others] == pytest.approx([100] * 3, rel=0.5)
    assert len(importance(regression, pairs=False)) == 3


def test_the_chances_of_weights_are_those_of_the_evaluations(model, regression):
    chances, densities = [], []
    for chance, likely in regression.plausible():
        covariance = kernel(likely, model.points, model.points)
        covariance[np.diag_indices(25)] += likely.noise
        off = model.fitness - likely.centre
        _, size = np.linalg.slogdet(covariance)
        densities.append(np.exp(-0.5 * (size + off @ np.linalg.solve(covariance, off))))
        chances.append(chance)
    assert len(chances) > 3
    assert chances == pytest.approx(densities / np.sum(densities))
