"""What parts of NTBEA add: the search with one part left out, or with its games spent otherwise."""

from functools import partial
from itertools import islice

import numpy as np

from gameai_book.ntbea.contest.whys import search_once
from gameai_book.ntbea.measure.ours import entrant
from gameai_lib.ntbea import LandscapeModel, best_sampled, search_steps


def played_again(problem, n_evaluations, rng, n_games):
    """What a search recommends that plays every point `n_games` times at each visit.

    All these games are learned; together they are `n_evaluations` at most.
    """
    model = LandscapeModel(problem.space)

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
    found = [best_sampled(search_once(problem, n_each, rng)) for _ in range(n_runs)]
    fresh = [np.mean([problem.evaluate(p, rng) for _ in range(n_fresh)]) for p in found]
    return found[int(np.argmax(fresh))]


def with_deviations(problem, n_evaluations, rng, share=0.2):
    """What a search recommends whose last games go to the points one step from its best.

    They are played in turn, in a random order, and learned like all others.
    """
    n_last = int(share * n_evaluations)
    model = search_once(problem, n_evaluations - n_last, rng)
    best, n_values = best_sampled(model), problem.space.n_values
    near = [
        np.where(np.arange(best.size) == dim, value, best)
        for dim in range(best.size)
        for value in range(n_values[dim])
        if value != best[dim]
    ]
    order = rng.permutation(len(near))
    for turn in range(n_last):
        point = near[order[turn % len(near)]]
        model.add(point, problem.evaluate(point, rng))
    return best_sampled(model)


# {name: what recommends a point of a problem after some games with a generator}
PARTS = {
    "1": entrant(sizes=(1,)),
    "1 2": entrant(sizes=(1, 2)),
    "1 2 d": entrant(),
    "2 looks": partial(played_again, n_games=2),
    "5 looks": partial(played_again, n_games=5),
    "4 runs": partial(best_of_several, n_runs=4),
    "deviations": with_deviations,
}
