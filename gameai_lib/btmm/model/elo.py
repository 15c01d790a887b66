"""Strength gamma, Elo rating and the chance to win: Bradley and Terry's one formula.

P(i beats j) = gamma_i / (gamma_i + gamma_j), the source's equation (1), and
Elo = 400 log10 gamma.
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm._checks import SMALLEST, array, whole_array

ELO_PER_NAT = 400.0 / np.log(10.0)  # 173.7178: one unit of ln gamma on the Elo scale


def elo_from_gamma(gamma):
    """Return 400 log10(gamma), the Elo rating with gamma 1 at 0.

    Raises
    ------
    ValueError
        If a gamma is not positive.
    """
    gamma = array("gamma", gamma).astype(float)
    if not (gamma > 0).all():
        raise ValueError(f"gamma must be positive, got {gamma[~(gamma > 0)].item(0)}")
    return 400.0 * np.log10(gamma)


def gamma_from_elo(elo):
    """Return 10 ** (elo / 400), the inverse of `elo_from_gamma`."""
    elo = array("elo", elo).astype(float)
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
    opponents = np.atleast_1d(array("opponents", opponents).astype(float))
    if not ((opponents > 0) & (opponents <= 1e300)).all():
        raise ValueError(f"strengths must be positive, got {short(opponents)}")
    return float(1 / (1 + (opponents / gamma).sum()))


def team_win_probability(teams, gamma, winner=0):
    """Return the chance of team `winner`, teams being products of their members.

    This is the source's equation (3); `teams` lists indices into `gamma`.
    """
    gamma = array("gamma", gamma, 1).astype(float)
    if not ((gamma > 0) & np.isfinite(gamma)).all():
        raise ValueError(f"gamma must be positive, got {short(gamma)}")
    strengths = []
    for team in teams if hasattr(teams, "__iter__") else [teams]:
        members = whole_array("team", team, np.int64)
        odd = members[(members < 0) | (members >= gamma.size)]
        if odd.size:
            raise ValueError(f"there are {gamma.size} strengths, no number {odd[0]}")
        strengths.append(np.log(gamma[members]).sum())
    winner = checks.whole("winner", winner, 0, len(strengths) - 1)
    return float(1 / np.exp(np.array(strengths) - strengths[winner]).sum())
