"""The library's own entrants of the NTBEA contest: what chooses the games, and what reads them.

A sampler takes a problem, a number of games and a generator, and returns points and results; a
reading takes a space, points, results and a generator, and returns the point it recommends.
"""

from itertools import islice

import numpy as np

from gameai_book.ntbea.contest import rivals
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.process import TupleProcess
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import Settings, search_steps
from gameai_lib.ntbea.search.tuning import tune


def quiet(n_done, n_total):
    """Show no progress of a single run."""


def tuned(problem, budget, rng):
    """What `tune` at its defaults recommends: one setting for every problem and budget."""
    return tune(problem.evaluate, problem.space, budget, rng, progress=quiet).point


def random(problem, n, rng):
    """Points of equal chances."""
    points = problem.space.random_points(n, rng)
    return points, np.array([problem.evaluate(point, rng) for point in points])


def ntbea(problem, n, rng):
    """The search of NTBEA at its defaults."""
    model = LandscapeModel(problem.space)
    for _ in islice(search_steps(problem.evaluate, model, rng), n):
        pass
    return model.points, model.fitness


def learned(space, points, fitness):
    """A model of these games."""
    model = LandscapeModel(space)
    for point, value in zip(points, fitness, strict=True):
        model.add(point, value)
    return model


def best_trial(space, points, fitness, rng):
    """The point of the largest single result, of equals the first."""
    return points[np.argmax(fitness)]


def by_mean(space, points, fitness, rng):
    """NTBEA's own reading: the evaluated point of the largest model mean."""
    return best_sampled(learned(space, points, fitness))


def by_process(space, points, fitness, rng):
    """What `tune` would recommend after these games."""
    return TupleProcess(space, points, fitness).best()


SAMPLERS = {"random": random, "NTBEA": ntbea}
READINGS = {
    "best trial": best_trial,
    "marginals": rivals.best_marginals,
    "model mean": by_mean,
    "regression": by_process,
}


def one_look(problem, budget, rng):
    """RMHC without resampling."""
    return rivals.hill_climb(problem.space, problem.evaluate, budget, rng, n_resamples=1)


def five_looks(problem, budget, rng):
    """RMHC that compares over five games."""
    return rivals.hill_climb(problem.space, problem.evaluate, budget, rng)


def published(sizes):
    """NTBEA as in Lucas et al. (2019): k = 1, epsilon = 0.5, best sampled."""

    def recommend(problem, budget, rng):
        model = LandscapeModel(problem.space, sizes, epsilon=0.5)
        for _ in islice(search_steps(problem.evaluate, model, rng, Settings(k=1.0)), budget):
            pass
        return best_sampled(model)

    return recommend


def read(sampler, reading):
    """An entrant of a sampler and a reading."""
    return lambda problem, budget, rng: reading(problem.space, *sampler(problem, budget, rng), rng)


# The methods of Lucas et al. (2019, table 2) that are ours to run, and what we add.
PUBLISHED = {
    "RMHC(1)": one_look,
    "RMHC(5)": five_looks,
    "NTBEA(1)": published((1,)),
    "NTBEA(1 2)": published((1, 2)),
    "NTBEA(1 2 5)": published((1, 2, 5)),
    "tune": tuned,
    "random, best trial": read(random, best_trial),
    "random, marginals": read(random, rivals.best_marginals),
}
