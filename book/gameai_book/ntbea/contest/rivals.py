"""A rival of NTBEA: random points, read by marginal means."""

import numpy as np


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
