"""Strength gamma, Elo rating and the chance to win: Bradley and Terry's one formula.

P(i beats j) = gamma_i / (gamma_i + gamma_j), the source's equation (1), and
Elo = 400 log10 gamma.
"""

from statistics import NormalDist

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short

SMALLEST = 1e-300  # of strengths and what divides: of less, the inverse overflows
ELO_PER_NAT = 400.0 / np.log(10.0)  # 173.7178: one unit of ln gamma on the Elo scale


def elo_from_gamma(gamma):
    """Return 400 log10(gamma), the Elo rating with gamma 1 at 0.

    Raises
    ------
    ValueError
        If a gamma is not positive.
    """
    gamma = arrays.floats("gamma", gamma)
    if not (gamma > 0).all():
        raise ValueError(f"gamma must be positive, got {gamma[~(gamma > 0)].item(0)}")
    return 400.0 * np.log10(gamma)


def gamma_from_elo(elo):
    """Return 10 ** (elo / 400), the inverse of `elo_from_gamma`."""
    elo = arrays.floats("elo", elo)
    if not (np.abs(elo) <= 120_000).all():
        raise ValueError(f"no strength has an Elo of {elo[~(np.abs(elo) <= 120_000)].item(0)}")
    return 10.0 ** (elo / 400.0)


def win_probability(gamma, opponents):
    """Return the chance of `gamma` against all `opponents` at once.

    Parameters
    ----------
    gamma : float
    opponents : float or (n_opponents,) float array
        One opponent is the source's equation (1), several are equation (2).

    Raises
    ------
    ValueError
        If a strength is not positive.
    """
    gamma = checks.number("gamma", gamma, SMALLEST)
    opponents = np.atleast_1d(arrays.floats("opponents", opponents))
    if not ((opponents > 0) & (opponents <= 1e300)).all():
        raise ValueError(f"strengths must be positive, got {short(opponents)}")
    return float(1 / (1 + (opponents / gamma).sum()))


def team_win_probability(teams, gamma, winner=0):
    """Return the chance of team `winner`, teams being products of their members.

    This is the source's equation (3); `teams` lists indices into `gamma`.
    """
    gamma = arrays.floats("gamma", gamma, 1)
    if not ((gamma > 0) & np.isfinite(gamma)).all():
        raise ValueError(f"gamma must be positive, got {short(gamma)}")
    strengths = []
    for team in teams if hasattr(teams, "__iter__") else [teams]:
        members = arrays.whole("team", team, 0, gamma.size - 1)
        strengths.append(np.log(gamma[members]).sum())
    winner = checks.whole("winner", winner, 0, len(strengths) - 1)
    return float(1 / np.exp(np.array(strengths) - strengths[winner]).sum())


def quantile(level: float) -> float:
    """Return how many standard errors an interval of that level reaches to either side.

    Raises
    ------
    ValueError
        If `level` is not between 0 and 1.
    """
    if not 0 < checks.number("level", level) < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, got {short(level)}")
    return NormalDist().inv_cdf(0.5 + level / 2)
