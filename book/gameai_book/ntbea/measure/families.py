"""Families of noisy problems: each draw is another landscape of one kind, its true values known.

Every landscape is a sum of tables over groups of dials that have no dial in common, so that its
best, worst and mean values are exact also where the space cannot be listed. Values run from 0 at
the worst point to 1 at the best; a game is won with a chance from 0.1 to 0.9, or the noise is
Gaussian. The traps are those of Goldberg (1987).
"""

import itertools
from functools import partial
from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.results.tables import DATA, load_games, planet_wars_table, problem_of
from gameai_lib.ntbea import Problem
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space_battle import FEW_RULES


class Instance(NamedTuple):
    """One problem and what a random point of it is worth."""

    problem: Problem
    mean: float  #: true value of all points on average

    def share(self, point):
        """How far a point is on the way from the mean of the space, 0, to its best point, 1."""
        return (self.problem.true_value(point) - self.mean) / (self.problem.best - self.mean)


def switches(rng):
    """Ten switches, each adding its own part to the chance to win."""
    parts = rng.exponential(size=10)
    right = rng.integers(2, size=10)
    tables = [part * (np.arange(2) == on) for part, on in zip(parts, right, strict=True)]
    return _instance("Switches", 2, _singles(tables), None)


def dials(rng):
    """Twenty dials of five values, each value adding its own part; Gaussian noise."""
    return _instance("Dials", 5, _singles(rng.normal(size=(20, 5))), 0.1)


def few_dials(rng):
    """Twenty dials of five values of which four matter, two of them as a pair; won or lost."""
    a, b, c, d = rng.permutation(20)[:4].tolist()
    terms = [((a,), rng.normal(size=5)), ((b,), rng.normal(size=5))]
    pair = rng.normal(size=5)[:, None] + rng.normal(size=5) + rng.normal(size=(5, 5))
    rest = [((dim,), np.zeros(5)) for dim in range(20) if dim not in (a, b, c, d)]
    return _instance("Few dials", 5, [*terms, ((c, d), pair), *rest], None)


def _hill(rng):
    """Three hills over five dials of eight values, of which the first is the highest."""
    level, table = np.linspace(0, 1, 8), 0.0
    for height in (1.0, 0.7, 0.5):
        centre, width = rng.random(5), rng.uniform(0.3, 0.9, 5)
        sides = [np.exp(-(((level - c) / w) ** 2)) for c, w in zip(centre, width, strict=True)]
        hill = height
        for side in sides:
            hill = np.multiply.outer(hill, side)
        table = table + hill
    return [(tuple(range(5)), table)]


def hill(rng):
    """Three smooth hills; won or lost."""
    return _instance("Hills won or lost", 8, _hill(rng), None)


def hill_gaussian(rng):
    """The same with Gaussian noise."""
    return _instance("Hills with noise", 8, _hill(rng), 0.2)


def pairs(rng):
    """Six dials of four values of which five pairs interact and nothing else; won or lost."""
    every = list(itertools.combinations(range(6), 2))
    chosen = [every[i] for i in rng.permutation(15)[:5]]
    return _instance("Pairs", 4, _join([(p, rng.normal(size=(4, 4))) for p in chosen], 6), None)


def triples(rng):
    """Two triples of dials of four values, any combination of which may be good; Gaussian noise."""
    dims = rng.permutation(6).tolist()
    groups = tuple(sorted(dims[:3])), tuple(sorted(dims[3:]))
    return _instance("Triples", 4, [(g, rng.normal(size=(4, 4, 4))) for g in groups], 0.2)


def chain(rng):
    """Each of six dials but the first pays at one value for each of the dial before it."""
    terms = [((i, i + 1), np.eye(4)[rng.permutation(4)]) for i in range(5)]
    return _instance("Chain", 4, _join(terms, 6), None)


def traps(rng):
    """Two traps of five switches: all right pays 1, else the more are wrong the more it pays."""
    dims, right = rng.permutation(10), rng.integers(2, size=10)
    wrong_pays = rng.uniform(0.5, 0.8)
    terms = []
    for block in (sorted(dims[:5].tolist()), sorted(dims[5:].tolist())):
        bits = np.indices((2,) * 5).reshape(5, -1).T
        n_right = (bits == right[block]).sum(axis=1)
        table = np.where(n_right == 5, 1.0, wrong_pays * (4 - n_right) / 4)
        terms.append((tuple(block), table.reshape((2,) * 5)))
    return _instance("Traps", 2, terms, None)


def corner(rng):
    """Five dials of four values, the higher the better, but all at their best are worth nothing."""
    rises = rng.exponential(size=(5, 3)).cumsum(axis=1)
    tables = [rng.permutation(np.append(0.0, rise)) for rise in rises]
    ((_, table),) = _join(_singles(tables), 5)
    table.flat[table.argmax()] = 0.0
    return _instance("Corner", 4, [(tuple(range(5)), table)], 0.1)


DRAWN = {
    "Switches": switches,
    "Dials": dials,
    "Few dials": few_dials,
    "Hills won or lost": hill,
    "Hills with noise": hill_gaussian,
    "Pairs": pairs,
    "Triples": triples,
    "Chain": chain,
    "Traps": traps,
    "Corner": corner,
}


def three_of_six(rng):
    """Six dials of five values of which three matter, any combination of which may be good.

    The noise is as large as the spread of the true values.
    """
    table = rng.normal(size=(5, 5, 5))
    dims = rng.permutation(6).tolist()
    rest = [((dim,), np.zeros(5)) for dim in dims[3:]]
    sigma = float(table.std() / np.ptp(table))
    return _instance("Three of six", 5, [(tuple(sorted(dims[:3])), table), *rest], sigma)


def _of_a_table(problem):
    """One and the same problem for every run: only its noise is drawn anew."""
    mean = float(problem.true_values(problem.space.all_points()).mean())
    return lambda rng: Instance(problem, mean)


def ships_table():
    """The 32 sets of rules of the ships, `FEW_RULES`, from their stored games: -1 or 1.

    A draw counts as half a win and half a loss.
    """
    return problem_of(
        "Ships", FEW_RULES, load_games(DATA / "space_battle.csv", FEW_RULES).mean(axis=1)
    )


# {name: a function of a generator that draws an `Instance`}
FAMILIES = DRAWN | {
    "Planet Wars": _of_a_table(planet_wars_table()),
    "Ships": _of_a_table(ships_table()),
}

ASIDE = {"Three of six": three_of_six}  # played by some, in a group of its own


def _singles(tables):
    return [((dim,), np.asarray(table, float)) for dim, table in enumerate(tables)]


def _join(terms, n_dims):
    """The sum of tables that may have dials in common, as one table of all `n_dims` dials."""
    total = 0.0
    for dims, table in terms:
        total = total + table.reshape([table.shape[0] if d in dims else 1 for d in range(n_dims)])
    n_values = terms[0][1].shape[0]
    return [(tuple(range(n_dims)), np.broadcast_to(total, (n_values,) * n_dims).copy())]


def _instance(name, n_values, terms, sigma):
    """The `Instance` of terms scaled so that the worst point has 0 and the best 1."""
    n_dims = sum(len(dims) for dims, _ in terms)
    low, high, mean = (
        sum(float(read(table)) for _, table in terms) for read in (np.min, np.max, np.mean)
    )
    # The last term of the sum also carries what makes the worst point 0.
    scaled = [(dims, table / (high - low)) for dims, table in terms]
    floor, factor = low / (high - low), 1.0
    if sigma is None:
        floor, factor = floor - 0.125, 0.8
    values = partial(_sum, scaled, floor, factor)
    mean = factor * (mean / (high - low) - floor)
    best = float(factor * (high / (high - low) - floor))
    noise = {"outcomes": (0.0, 1.0)} if sigma is None else {"sigma": sigma}
    return Instance(Problem(name, grid(n_dims, n_values), values, best=best, **noise), mean)


def _sum(terms, floor, factor, points):
    total = sum(table[tuple(points[:, dims].T)] for dims, table in terms)
    return factor * (total - floor)
