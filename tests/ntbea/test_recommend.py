"""Recommendations against enumeration and against regression on explicit features."""

import itertools

import numpy as np
import pytest

from gameai_lib.ntbea import LandscapeModel, TupleRegression, best_by_model, best_sampled
from gameai_lib.ntbea.game.problems import corner_trap, grid, max_m
from gameai_lib.ntbea.search import regression as regression_module


def sampled_model(problem, n, seed, sizes=(1, 2, "d")):
    rng = np.random.default_rng(seed)
    model = LandscapeModel(problem.space, sizes)
    for point in problem.space.random_points(n, rng):
        model.add(point, problem.evaluate(point, rng))
    return model


def test_the_best_sampled_has_the_largest_mean_and_the_best_by_model_may_be_another():
    model = LandscapeModel(grid(2, 2), (1, 2))
    for rule in (best_sampled, best_by_model, TupleRegression):
        with pytest.raises(ValueError, match="learned nothing"):
            rule(model)
    for point, fitness in (((0, 0), 0.0), ((0, 1), 2.0), ((1, 0), 1.9)):
        model.add(point, fitness)
    # 1-tuple means are 1 and 1.9, 0.95 and 2; the pair (1, 1) holds nothing and is left out.
    assert model.mean([1, 1]) == pytest.approx(1.95)
    assert best_sampled(model).tolist() == [0, 1]
    assert best_by_model(model).tolist() == [1, 1]


def test_the_trap_catches_the_rule_that_extrapolates():
    problem = corner_trap(3, 4, sigma=0.0)
    model = LandscapeModel(problem.space, (1, 2))
    for point in problem.space.all_points()[:-1]:  # all but the worthless corner
        model.add(point, problem.true_value(point))
    assert problem.true_value(best_sampled(model)) == 8
    assert problem.true_value(best_by_model(model)) == 0


# Weights of 1-, 2- and 3-tuples in steps of a third, the first one positive.
MIXES = [(a / 3, b / 3, (3 - a - b) / 3) for a in range(1, 4) for b in range(4 - a)]


def log_density(model, regression, mix, noise):
    """Log density of all evaluations at the best scale and centre, without a shortcut."""
    equal = (model.points[:, None] == model.points[None]).sum(axis=2)
    d = model.space.n_dims
    counts = np.array(
        [
            [len(list(itertools.combinations(range(e), s))) for e in range(d + 1)]
            for s in regression.orders
        ]
    )
    shares = counts[:, equal] / counts[:, -1][:, None, None]
    covariance = np.tensordot(mix, shares, 1) + noise * np.eye(len(equal))
    inverse = np.linalg.inv(covariance)
    ones = np.ones(len(equal))
    centre = ones @ inverse @ model.fitness / (ones @ inverse @ ones)
    residual = model.fitness - centre
    scale = residual @ inverse @ residual / len(equal)
    return -0.5 * (len(equal) * np.log(scale) + np.linalg.slogdet(covariance)[1]), scale, centre


@pytest.mark.parametrize("problem", [max_m(3, 3, sigma=3.0), corner_trap(3, 3, sigma=0.5)])
def test_weights_and_noise_have_the_largest_likelihood_of_the_grid(problem):
    model = sampled_model(problem, 30, 5)
    regression = TupleRegression(model)
    best = max(
        (*log_density(model, regression, mix, noise), mix, noise)
        for mix in MIXES
        for noise in (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
    )
    _, scale, centre, mix, noise = best
    np.testing.assert_allclose(regression.weights, scale * np.array(mix), atol=1e-9)
    assert regression.noise == pytest.approx(scale * noise)
    assert regression.centre == pytest.approx(centre)


def test_the_third_best_start_leads_to_the_top(monkeypatch):
    """(0, 0) and (1, 1) are tops one value away from nothing better; (1, 2) leads to (2, 2)."""
    mean = np.array([[5.0, 0, 0], [0, 4, 3], [0, 0, 9]])
    model = LandscapeModel(grid(2, 3))
    for point in ((1, 2), (0, 0), (1, 1)):
        model.add(point, 1.0)
    monkeypatch.setattr(TupleRegression, "mean", lambda self, points: mean[tuple(points.T)])
    regression = TupleRegression(model)
    assert regression.best().tolist() == [2, 2]
    monkeypatch.setattr(regression_module, "_N_STARTS", 2)
    assert regression.best().tolist() == [0, 0]


@pytest.mark.parametrize("factor", [2.0**-900, 2.0**-40, 2.0**60, 2.0**800])
def test_the_unit_of_the_fitness_does_not_matter(factor):
    """1e-271 to 1e240: squares of these would vanish or overflow."""
    one = sampled_model(max_m(4, 3, sigma=2.0), 60, 7)
    other = LandscapeModel(one.space)
    for point, fitness in zip(one.points, one.fitness, strict=True):
        other.add(point, factor * fitness)
    regressions = TupleRegression(one), TupleRegression(other)
    queries = one.space.all_points()
    for read in ("mean", "std"):
        first, second = (getattr(regression, read)(queries) for regression in regressions)
        np.testing.assert_allclose(second / factor, first, rtol=1e-9)
    np.testing.assert_array_equal(regressions[0].best(), regressions[1].best())
    np.testing.assert_array_equal(best_by_model(one), best_by_model(other))


def test_the_oldest_points_are_forgotten(monkeypatch):
    model = sampled_model(max_m(3, 4, sigma=1.0), 60, 2)
    monkeypatch.setattr(regression_module, "_MOST_LEARNED", 9)
    kept = TupleRegression(model)
    last = {tuple(point): n for n, point in enumerate(model.points.tolist())}
    assert {*map(tuple, kept.points.tolist())} == {*sorted(last, key=last.get)[-9:]}
    of_last = LandscapeModel(model.space)
    for point, fitness in zip(model.points, model.fitness, strict=True):
        if point.tolist() in kept.points.tolist():
            of_last.add(point, fitness)
    points = model.space.all_points()
    np.testing.assert_allclose(kept.mean(points), TupleRegression(of_last).mean(points))
