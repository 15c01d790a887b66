"""Rivals of NTBEA in the contest: random points read by marginal means, and a hill climber.

The climber is the random mutation hill climber with resampling of Liu, Lucas and Perez-Liebana
(2017). Each calls ``evaluate(point, rng)`` exactly `n_evaluations` times.
"""

import numpy as np

from gameai_lib.ntbea.search.mutation import neighbours


def random_games(space, evaluate, n_evaluations, rng):
    """Return random points, (n_evaluations, n_dims) int, and the fitness of each."""
    points = space.random_points(n_evaluations, rng)
    return points, np.array([evaluate(point, rng) for point in points])


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


def hill_climb(space, evaluate, n_evaluations, rng, *, n_resamples=5):
    """Return the point that a random mutation hill climber holds at the end, (n_dims,) int.

    Every round plays the point and one neighbour `n_resamples` times each, and keeps the
    neighbour if its mean is not below that of all games of the point so far. What is left at the
    end of the budget makes a shorter round.
    """
    point, left = space.random_points(1, rng)[0], n_evaluations
    total, n = 0.0, 0
    while left:
        n_more = min(n_resamples, left)
        total += sum(evaluate(point, rng) for _ in range(n_more))
        n, left = n + n_more, left - n_more
        n_more = min(n_resamples, left)
        if not n_more:
            break
        child = neighbours(space, point, 1, rng, mutation=0.0)[0]
        child_total = sum(evaluate(child, rng) for _ in range(n_more))
        left -= n_more
        if child_total / n_more >= total / n:
            point, total, n = child, child_total, n_more
    return point
