"""Rivals of NTBEA in the contest: random points read by marginal means, and a hill climber.

The climber is the random mutation hill climber with resampling of Liu, Lucas and Perez-Liebana
(2017). Each evaluates the problem exactly `n` times.
"""

import numpy as np

from gameai_lib.ntbea.search.mutation import neighbours


def random_games(problem, n, rng):
    """Return random points, (n, n_dims) int, and the fitness of each."""
    points = problem.space.random_points(n, rng)
    return points, np.array([problem.evaluate(point, rng) for point in points])


def best_marginals(space, points, fitness, rng):
    """Return the point (n_dims,) of each parameter's value with the largest mean `fitness`.

    Equal values are drawn from: the first one would be the best of some problems and the worst
    of others.
    """
    best = np.empty(space.n_dims, np.int64)
    for dim, n_values in enumerate(space.n_values):
        n = np.bincount(points[:, dim], minlength=n_values)
        total = np.bincount(points[:, dim], weights=fitness, minlength=n_values)
        mean = np.where(n > 0, total / np.maximum(n, 1), -np.inf)
        best[dim] = rng.choice(np.flatnonzero(mean == mean.max()))
    return best


def hill_climb(problem, n, rng, *, n_resamples=5):
    """Return the point that a random mutation hill climber holds at the end, (n_dims,) int.

    Every round plays the point and one neighbour `n_resamples` times each, and keeps the
    neighbour if its mean is not below that of all games of the point so far. What is left at the
    end of the budget makes a shorter round.
    """
    point, results = problem.space.random_points(1, rng)[0], []
    while n:
        results += [problem.evaluate(point, rng) for _ in range(min(n_resamples, n))]
        n -= min(n_resamples, n)
        if not n:
            break
        child = neighbours(problem.space, point, 1, rng, mutation=0.0)[0]
        others = [problem.evaluate(child, rng) for _ in range(min(n_resamples, n))]
        n -= len(others)
        if sum(others) / len(others) >= sum(results) / len(results):
            point, results = child, others
    return point
