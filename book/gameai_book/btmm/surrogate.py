"""Minorize and majorize on one number: the pictures behind the method.

The median is the source's example (its section II), with the direction put right: the sum of
distances is majorised and minimised. The strength of one player is the same idea upside down
(Hunter 2004, equation (10)).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.btmm.model.build import from_teams
from gameai_lib.btmm.model.elo import SMALLEST, positive


class Touch(NamedTuple):
    """One iterate with the surrogate that touches the function there."""

    at: float
    value: float  #: of function and surrogate
    best: float  #: where the surrogate is best
    surrogate: Callable[..., Any]  #: maps an array to an array


def sum_of_distances(x, theta):
    """Return ``sum(abs(x_i - theta))`` for every theta."""
    return np.abs(np.asarray(x)[:, None] - np.atleast_1d(theta)).sum(axis=0)


def median_steps(x, theta):
    """Yield a `Touch` per iterate of the median by majorize-minimize.

    Each distance ``abs(r)`` is majorised at ``s`` by the parabola ``(r**2 / abs(s) + abs(s)) / 2``.
    A `ValueError` if an iterate meets a data point, where no parabola touches from above.
    """
    x, theta = arrays.finite("x", x, 1, 1e150), float(theta)
    while True:
        distance = np.abs(x - theta)
        if not (distance >= SMALLEST).all():
            raise ValueError(f"the iterate {theta} is a data point: start elsewhere")
        best = float(np.sum(x / distance) / np.sum(1 / distance))
        yield Touch(theta, float(distance.sum()), best, _parabola(x, distance))
        theta = best


def _parabola(x, distance):
    def surrogate(theta):
        r = x[:, None] - np.atleast_1d(theta)
        return ((r**2 / distance[:, None] + distance[:, None]) / 2).sum(axis=0)

    return surrogate


def duel_log_likelihood(n_won, n_lost, gamma):
    """Return ln L of `gamma` against an opponent of strength 1 (the source's equation (4))."""
    gamma = positive("gamma", gamma)
    return n_won * np.log(gamma) - (n_won + n_lost) * np.log1p(gamma)


def pairs_log_likelihood(wins, gamma):
    """Return ln L (...,) of duels at strengths gamma (..., n) (Hunter 2004).

    `wins` (n, n) counts how often the row beat the column.
    """
    row = np.log(gamma)[..., :, None]
    return (wins * (row - np.logaddexp(row, np.log(gamma)[..., None, :]))).sum(axis=(-2, -1))


def duel_steps(n_won, n_lost, gamma):
    """Yield a `Touch` per MM iterate of one player's strength against strength 1.

    The bound is ln(1 + g) <= ln(1 + g_k) + (1 + g) / (1 + g_k) - 1.
    """
    n, gamma = checks.number("the number of games", n_won + n_lost, SMALLEST), float(gamma)
    while True:
        value = float(duel_log_likelihood(n_won, n_lost, gamma))
        best = n_won * (1 + gamma) / n
        yield Touch(gamma, value, best, _minorizer(n_won, n, gamma))
        gamma = best


def _minorizer(n_won, n, at):
    def surrogate(gamma):
        tangent = np.log1p(at) + (1 + np.asarray(gamma)) / (1 + at) - 1
        return n_won * np.log(gamma) - n * tangent

    return surrogate


def one_team(n_members, n_games=10, n_won=1):
    """Return `Competitions` of one team of several members against a strength of 1.

    The smallest case in which the all-at-once update goes wrong. The opponent has no members: the
    empty product is 1.
    """
    return from_teams([[range(n_members), []]] * 2, [0, 1], [n_won, n_games - n_won])
