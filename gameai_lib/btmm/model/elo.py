"""Strength gamma, Elo rating and the chance to win: Bradley and Terry's one formula.

P(i beats j) = gamma_i / (gamma_i + gamma_j), the source's equation (1), and Elo = 400 log10 gamma.
"""

from statistics import NormalDist

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short

SMALLEST = 1e-300  # of strengths and what divides: of less, the inverse overflows
ELO_PER_NAT = 400.0 / np.log(10.0)  # 173.7178: one unit of ln gamma on the Elo scale


def positive(name, values, ndim=None):
    """Return `values` as new floats from `SMALLEST` to its inverse, or raise."""
    found = arrays.floats(name, values, ndim)
    odd = found[~((found >= SMALLEST) & (found <= 1 / SMALLEST))]
    if odd.size:
        raise ValueError(f"{name} must be positive, got {odd[0]}")
    return found


def elo_from_gamma(gamma):
    """Return 400 log10(gamma), the Elo rating with gamma 1 at 0; gamma must be positive."""
    return 400.0 * np.log10(positive("gamma", gamma))


def gamma_from_elo(elo):
    """Return 10 ** (elo / 400), the inverse of `elo_from_gamma`."""
    return 10.0 ** (arrays.finite("elo", elo, None, 120_000) / 400.0)


def win_probability(gamma, opponents):
    """Return the chance of `gamma` against all `opponents` at once.

    One is the source's equation (1), an array of several equation (2); strengths are positive.
    """
    gamma = checks.number("gamma", gamma, SMALLEST)
    return float(1 / (1 + (positive("strengths", opponents) / gamma).sum()))


def team_win_probability(teams, gamma, winner=0):
    """Return the chance of team `winner`, teams being products of their members.

    This is the source's equation (3); `teams` lists indices into `gamma`.
    """
    theta = np.log(positive("gamma", gamma, 1))
    teams = arrays.as_list("teams", teams)
    strengths = [theta[arrays.whole("team", team, 0, theta.size - 1)].sum() for team in teams]
    winner = checks.whole("winner", winner, 0, len(strengths) - 1)
    return float(1 / np.exp(np.array(strengths) - strengths[winner]).sum())


def quantile(level: float) -> float:
    """Return how many standard errors an interval of that level reaches to either side."""
    if not 0 < checks.number("level", level) < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, got {short(level)}")
    return NormalDist().inv_cdf(0.5 + level / 2)
