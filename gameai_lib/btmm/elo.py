"""Strength gamma, Elo rating and the chance to win: Bradley and Terry's one formula.

P(i beats j) = gamma_i / (gamma_i + gamma_j), the source's equation (1), and
Elo = 400 log10 gamma.
"""

import numpy as np

ELO_PER_NAT = 400.0 / np.log(10.0)  # 173.7178: one unit of ln gamma on the Elo scale


def elo_from_gamma(gamma):
    """Return 400 log10(gamma), the Elo rating with gamma 1 at 0.

    Raises
    ------
    ValueError
        If a gamma is not positive.
    """
    gamma = np.asarray(gamma, dtype=float)
    if not (gamma > 0).all():
        raise ValueError(f"gamma must be positive, got {gamma.min()}")
    return 400.0 * np.log10(gamma)


def gamma_from_elo(elo):
    """Return 10 ** (elo / 400), the inverse of `elo_from_gamma`."""
    return 10.0 ** (np.asarray(elo, dtype=float) / 400.0)


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
    opponents = np.atleast_1d(np.asarray(opponents, dtype=float))
    if gamma <= 0 or not (opponents > 0).all():
        raise ValueError(f"strengths must be positive, got {gamma} and {opponents}")
    return float(gamma / (gamma + opponents.sum()))


def team_win_probability(teams, gamma, winner=0):
    """Return the chance of team `winner`, teams being products of their members.

    This is the source's equation (3); `teams` lists indices into `gamma`.
    """
    gamma = np.asarray(gamma, dtype=float)
    strengths = [float(np.prod(gamma[list(team)])) for team in teams]
    return strengths[winner] / sum(strengths)
