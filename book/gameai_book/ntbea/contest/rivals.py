"""Rivals of NTBEA in the contest, small and honest.

Random search, random search read through its marginal means, and the random mutation
hill climber with resampling of Liu, Lucas and Perez-Liebana (2017). All spend
exactly `n_evaluations` calls of ``evaluate(point, rng)`` and return a point.
"""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.ntbea._checks import fitness_of
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.mutation import neighbours


def random_search(space, evaluate, n_evaluations, rng):
    """Return the point (n_dims,) of the largest single fitness among random points.

    With results that are only won or lost the first win decides: the rule is as weak
    as it looks, and it is what "best trial" means in many libraries.

    Raises
    ------
    ValueError
        If `n_evaluations` is below 1.
    """
    points, fitness = _sample(space, evaluate, n_evaluations, rng)
    return points[np.argmax(fitness)]


def random_marginals(space, evaluate, n_evaluations, rng):
    """Return the point (n_dims,) that `best_marginals` reads out of random points.

    Raises
    ------
    ValueError
        If `n_evaluations` is below 1.
    """
    return best_marginals(space, *_sample(space, evaluate, n_evaluations, rng), rng)


def best_marginals(space, points, fitness, rng):
    """Return the point made of each dimension's value with the largest mean fitness.

    Ties are broken at random: the first value would be the worst one of some problems
    and the best one of others.

    Parameters
    ----------
    space : SearchSpace
        The space of the points.
    points : (n_points, n_dims) int array
        Evaluated points.
    fitness : (n_points,) float array
        Their noisy fitness.
    rng : numpy.random.Generator
        Breaks ties.

    Raises
    ------
    ValueError, TypeError
        If a point lies outside the space, or there is no finite fitness for each.
    """
    checks.kind("space", space, SearchSpace)
    points, fitness = np.atleast_2d(space.check(points)), arrays.array("fitness", fitness, "biuf")
    if fitness.shape != points.shape[:1]:
        raise ValueError(f"need {len(points)} fitness values, got {short(fitness)}")
    if not np.isfinite(fitness).all():
        raise ValueError(f"fitness must be finite, got {short(fitness)}")
    rng = checks.generator(rng)
    best = np.empty(space.n_dims, np.int64)
    for dim, n_values in enumerate(space.n_values):
        n = np.bincount(points[:, dim], minlength=n_values)
        total = np.bincount(points[:, dim], weights=fitness, minlength=n_values)
        mean = np.where(n > 0, total / np.maximum(n, 1), -np.inf)
        best[dim] = rng.choice(np.flatnonzero(mean == mean.max()))
    return best


def hill_climb(space, evaluate, n_evaluations, rng, *, n_resamples=5):
    """Random mutation hill climber: keep the better of a point and one neighbour.

    Every round evaluates both `n_resamples` times and compares the neighbour's mean with
    that of all evaluations of the incumbent so far. What is left at the end
    of the budget makes a shorter round.

    Returns
    -------
    (n_dims,) int array
        The incumbent.

    Raises
    ------
    ValueError
        If `n_evaluations` or `n_resamples` is below 1.
    """
    n_resamples = checks.whole("n_resamples", n_resamples)
    n_evaluations = _checked(space, evaluate, n_evaluations, rng)
    point = space.random_points(1, rng)[0]
    left = n_evaluations
    total, n = 0.0, 0
    while left > 0:
        spend = min(n_resamples, left)
        total += sum(_play(evaluate, point, rng) for _ in range(spend))
        n += spend
        left -= spend
        spend = min(n_resamples, left)
        if spend == 0:
            break
        child = neighbours(space, point, 1, rng, mutation=0.0)[0]
        child_total = sum(_play(evaluate, child, rng) for _ in range(spend))
        left -= spend
        if child_total / spend >= total / n:
            point, total, n = child, child_total, spend
    return point


def _sample(space, evaluate, n_evaluations, rng):
    n_evaluations = _checked(space, evaluate, n_evaluations, rng)
    points = space.random_points(n_evaluations, rng)
    return points, np.array([_play(evaluate, point, rng) for point in points])


def _checked(space, evaluate, n_evaluations, rng):
    checks.kind("space", space, SearchSpace)
    checks.function("evaluate", evaluate)
    rng = checks.generator(rng)
    return checks.whole("n_evaluations", n_evaluations)


def _play(evaluate, point, rng):
    return fitness_of(evaluate(point.copy(), rng), f"evaluating {short(point.tolist())} returned")
