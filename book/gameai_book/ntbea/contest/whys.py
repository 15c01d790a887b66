"""Why NTBEA is as it is: searches with one part left out, told in a few numbers.

The search of these experiments is the library's own; only what they change is named.
"""

from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.contest.runs import search_once
from gameai_lib.base.progress import Bar
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import search_steps


class Means(NamedTuple):
    """A mean over runs and its standard error."""

    mean: float
    error: float


def mean_of(values):
    """Return the `Means` of some numbers, at least two."""
    values = np.asarray(values, float)
    return Means(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))


def search_runs(problem, n_evaluations, n_runs, **options):
    """Return the models of `n_runs` searches; `options` are those of `search_once`.

    Run r draws from ``default_rng(r)``.
    """
    models = []
    with Bar("searches", n_runs, "runs") as bar:
        for run in range(n_runs):
            models.append(search_once(problem, n_evaluations, run, **options))
            bar(len(models))
    return models


def n_looked_at(models):
    """`Means` of how many different points each model has learned from."""
    return mean_of([len(np.unique(model.points, axis=0)) for model in models])


def worth_with_bonus(models, problem, k_scale):
    """`Means` of true values when the evaluated point of the largest bound is recommended.

    `k_scale` is the weight of the bonus in ranges of the results; with 0 the mean decides.
    """
    values = []
    for model in models:
        points = np.unique(model.points, axis=0)
        bounds = model.ucb(points, k_scale * model.fitness_range)
        values.append(problem.true_value(points[np.argmax(bounds)]))
    return mean_of(values)


def played_again(problem, n_evaluations, rng, n_games=1, sizes=(1, 2, "d")):
    """What a search recommends that plays every point `n_games` times at each visit.

    All these games are learned; together they are `n_evaluations` at most.
    """
    model = LandscapeModel(problem.space, sizes)

    def play(point, rng):
        for _ in range(n_games - 1):
            model.add(point, problem.evaluate(point, rng))
        return problem.evaluate(point, rng)

    for _ in islice(search_steps(play, model, rng), n_evaluations // n_games):
        pass
    return best_sampled(model)


def best_of_several(problem, n_evaluations, rng, n_runs):
    """What wins among the recommendations of `n_runs` searches, each from nothing.

    Four fifths of the games are searched with; the others are played by the recommendations, as
    many by each, and their mean alone decides.
    """
    n_fresh = n_evaluations // (5 * n_runs)
    n_each = n_evaluations // n_runs - n_fresh
    found = [played_again(problem, n_each, rng) for _ in range(n_runs)]
    fresh = [np.mean([problem.evaluate(p, rng) for _ in range(n_fresh)]) for p in found]
    return found[int(np.argmax(fresh))]


# {name: what recommends a point of a problem after some games with a generator}
PARTS = {
    "1": partial(played_again, sizes=(1,)),
    "1 2": partial(played_again, sizes=(1, 2)),
    "1 2 d": played_again,
    "2 looks": partial(played_again, n_games=2),
    "5 looks": partial(played_again, n_games=5),
    "4 runs": partial(best_of_several, n_runs=4),
}
