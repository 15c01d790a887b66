"""The library's own entrants of the NTBEA contest: what chooses the games, and what reads them.

A sampler takes a problem, a number of games and a generator, and returns points and results; a
reading takes a space, points, results and a generator, and returns the point it recommends. The
climber is the random mutation hill climber with resampling of Liu, Lucas and Perez-Liebana (2017).
"""

from functools import partial

import numpy as np

from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_book.ntbea.contest.whys import search_once
from gameai_lib.ntbea import LandscapeModel, Settings, best_sampled, neighbours, tune
from gameai_lib.ntbea.search.process import TupleProcess


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


def tune_once(problem, budget, rng):
    """What `tune` at its defaults recommends: one setting for every problem and budget."""
    return tune(problem.evaluate, problem.space, budget, rng, progress=lambda *_: None).point


def ntbea(problem, n, rng):
    """The search of NTBEA at its defaults."""
    model = search_once(problem, n, rng)
    return model.points, model.fitness


def best_trial(space, points, fitness, rng):
    """The point of the largest single result, of equals the first."""
    return points[np.argmax(fitness)]


def by_mean(space, points, fitness, rng):
    """NTBEA's own reading: the evaluated point of the largest model mean."""
    model = LandscapeModel(space)
    for point, value in zip(points, fitness, strict=True):
        model.add(point, value)
    return best_sampled(model)


def by_process(space, points, fitness, rng):
    """What `tune` would recommend after these games."""
    return TupleProcess(space, points, fitness).best()


READINGS = {
    "best trial": best_trial,
    "marginals": best_marginals,
    "model mean": by_mean,
    "regression": by_process,
}


def entrant(**options):
    """NTBEA with options of `search_once`, as an entrant; it recommends the best sampled point."""
    return lambda problem, budget, rng: best_sampled(search_once(problem, budget, rng, **options))


def _read_random(reading):
    """An entrant that plays at random and is read in some way."""
    return lambda problem, n, rng: reading(problem.space, *random_games(problem, n, rng), rng)


_AS_PUBLISHED = partial(entrant, settings=Settings(k=1.0), epsilon=0.5)

# The methods of Lucas et al. (2019, table 2) that are ours to run, and what we add.
PUBLISHED = {
    "RMHC(1)": partial(hill_climb, n_resamples=1),
    "RMHC(5)": hill_climb,
    "NTBEA(1)": _AS_PUBLISHED(sizes=(1,)),
    "NTBEA(1 2)": _AS_PUBLISHED(sizes=(1, 2)),
    "NTBEA(1 2 5)": _AS_PUBLISHED(sizes=(1, 2, 5)),
    "tune": tune_once,
    "random, best trial": _read_random(best_trial),
    "random, marginals": _read_random(best_marginals),
}
