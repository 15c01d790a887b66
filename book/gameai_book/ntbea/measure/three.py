"""What might help where three dials of six matter, and only together: a rival of `tune` each."""

import numpy as np

from gameai_book.ntbea.measure.ours import entrant
from gameai_lib.ntbea import tune
from gameai_lib.ntbea.game.space import SearchSpace


def told_which(problem, budget, rng):
    """What `tune` recommends if it is told which dials matter, and turns only these."""
    space = problem.space
    dims = dials_that_matter(problem)
    shown = SearchSpace({space.names[dim]: space.values[dim] for dim in dims})

    def whole(point):
        every = np.zeros(space.n_dims, np.int64)
        every[dims] = point
        return every

    def play(point, rng):
        return problem.evaluate(whole(point), rng)

    return whole(tune(play, shown, budget, rng, progress=lambda *_: None).point)


def dials_that_matter(problem):
    """The dims of a problem along which any true value changes, a list."""
    values = problem.true_values(problem.space.all_points()).reshape(problem.space.n_values)
    return [dim for dim in range(values.ndim) if np.ptp(values, axis=dim).max() > 1e-12]


def halving(problem, budget, rng):
    """Play random points once, the better ones again, and recommend the best mean.

    Seven tenths of the games are first looks. The best fifth of the points plays once more, and
    the best five share the games that are left.
    """
    n = 7 * budget // 10
    points, total, games = problem.space.random_points(n, rng), np.zeros(n), np.zeros(n)
    for alive, n_games in ((n, n), (n // 5, n // 5), (5, budget - n - n // 5)):
        best = np.argsort(-total / np.maximum(games, 1), kind="stable")[:alive]
        for turn in range(n_games):
            at = best[turn % len(best)]
            total[at] += problem.evaluate(points[at], rng)
            games[at] += 1
    return points[best[np.argmax(total[best] / games[best])]]


# {name: what recommends a point of a problem after some games with a generator}
THREE = {
    "told which": told_which,
    "halving": halving,
    "NTBEA(1 2 3 d)": entrant(sizes=(1, 2, 3, "d")),
}
