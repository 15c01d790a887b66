"""Does A beat B, B beat C and C beat A more than games of single strengths do by chance?

At the likeliest strengths everybody has as many points as expected. So what is left of the pairs,
their points less those expected, flows in circles: of three players each has the same number left
against the next. (Kendall and Babington Smith, 1940, count circular triads of a round robin; that
number follows from the scores, and says nothing that strengths would not.)
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Floats, Seed
from gameai_lib.btmm.model.players.newton import slopes_of
from gameai_lib.btmm.model.players.rating import Name, Rating
from gameai_lib.btmm.model.players.refit import play_again, refit

N_SHOWN = 10  # triangles


class Triangle(NamedTuple):
    """Three players who won more, each against the next, than their strengths say."""

    players: tuple[Name, Name, Name]
    excess: float  #: points more than expected, of the three pairs together
    z: float  #: the same, in standard deviations of as many games of given strengths


class Cycles(NamedTuple):
    """How far pairs are from what strengths say, and how far they are by chance."""

    statistic: float  #: what is left of each pair, squared, over its variance; the sum
    p_value: float  #: share of seasons by the model, and this one, that are as far
    simulated: Floats  #: (n,) float: the statistics of those seasons
    triangles: list[Triangle]  #: the `N_SHOWN` of the largest z


def find_cycles(rating: Rating, n: int, rng: Seed) -> Cycles:
    """Return how far results of single players go in circles, beside n seasons by the model.

    Each of these is rated anew, so a `NoMaximumError` says that one has no likeliest strengths; a
    prior helps, but it pulls strengths together, and that is left of the pairs as well. A
    `ValueError` for teams, or for weights that are not whole.

    >>> beats = [("rock", "scissors", 1), ("scissors", "paper", 1), ("paper", "rock", 1)]
    >>> found = find_cycles(rate(beats * 9, prior=1), 99, 7)  # 9 points, 4.5 are expected
    >>> found.statistic, found.p_value, found.triangles[0].players  # 3 * 4.5 ** 2 / (9 / 4)
    (27.0, 0.01, ('rock', 'scissors', 'paper'))
    """
    games, n, rng = rating.games, checks.whole("n", n), checks.generator(rng)
    if ((games.members < games.n).sum(axis=1) != 2).any():
        raise ValueError("cycles are looked for in games of one against one, not of teams")
    if (games.times % 1).any():
        raise ValueError(f"games must count whole times, one counts {(games.times % 1).max()}")
    pairs, simulated = _rest(rating), np.empty(n)
    with Bar("cycles", total=n, unit="seasons") as bar:
        for k in range(n):
            simulated[k] = _size(_rest(refit(rating, play_again(rating, rng))))
            bar(k + 1)
    far = simulated >= _size(pairs) * (1 - 1e-9)
    found = _triangles(rating.names, *pairs)
    return Cycles(_size(pairs), float(1 + far.sum()) / (n + 1), simulated, found)


def _rest(rating):
    """Return i < j of each pair that met, the points of i more than expected, their variance."""
    games = rating.games
    rest = games.times * slopes_of(games, rating.ties, rating.beta, games.outcome)[1]
    low, high = np.sort(games.members[:, :2], axis=1).T
    codes, at = np.unique(low * games.n + high, return_inverse=True)
    rest = np.bincount(at.ravel(), np.where(low == games.members[:, 0], rest, -rest))
    return codes // games.n, codes % games.n, rest, np.bincount(at.ravel(), rating.curvature.dd)


def _size(pairs):
    *_, rest, variance = pairs
    return float((rest**2 / np.maximum(variance, 1e-300)).sum())


def _triangles(names, i, j, rest, variance):
    """Return the triangles of the largest z, each from the player who was rated first."""
    left, spread = np.full((2, len(names), len(names)), np.nan)
    left[i, j], left[j, i], spread[i, j], spread[j, i] = rest, -rest, variance, variance
    found = []
    for a in range(len(names)):
        excess = left[a, :, None] + left + left[:, a]
        z = excess / np.sqrt(spread[a, :, None] + spread + spread[:, a])
        z[:a], z[:, :a] = np.nan, np.nan  # begun by another
        best = np.argsort(-np.nan_to_num(z), axis=None)[:N_SHOWN]
        for b, c in zip(*np.unravel_index(best, z.shape), strict=True):
            if z[b, c] > 0:
                players = names[a], names[b], names[c]
                found.append(Triangle(players, float(excess[b, c]), float(z[b, c])))
    return sorted(found, key=lambda triangle: -triangle.z)[:N_SHOWN]
