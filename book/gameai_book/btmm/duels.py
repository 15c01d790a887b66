"""Duels, one player at a time: the old iteration beside Newman's.

At the likeliest strengths a player has won as often as expected. Zermelo (1929), and MM after him,
solve that for the player's strength in one way. Newman (JMLR 24:238, 2023, his equations (12) and,
with a prior, (26)) leaves the player's own strength out of the wins: with w_ij wins of i over j

    gamma_i = sum_j w_ij gamma_j / (gamma_i + gamma_j)  /  sum_j w_ji / (gamma_i + gamma_j).

Both are done player by player, each with the newest strengths of the others. All at once Newman's
would not do: of two players with three wins and one the ratio would jump from 1 to 9 and back.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import njit


class Duels(NamedTuple):
    """Who met whom, from each player's side: rivals of i are ``rival[first[i]:first[i + 1]]``."""

    first: np.ndarray  #: (n_players + 1,) int
    rival: np.ndarray  #: (n_pairs * 2,) int
    won: np.ndarray  #: (n_pairs * 2,) float: wins of the player against this rival
    lost: np.ndarray  #: (n_pairs * 2,) float


def duels_of(winners, losers, n):
    """Return the `Duels` of n players: (n_games,) int winners and losers."""
    one, other = np.append(winners, losers), np.append(losers, winners)
    codes, at = np.unique(one * n + other, return_inverse=True)
    won = np.bincount(at[: len(winners)], minlength=codes.size).astype(float)
    lost = np.bincount(at[len(winners) :], minlength=codes.size).astype(float)
    first = np.searchsorted(codes // n, np.arange(n + 1))
    return Duels(first, codes % n, won, lost)


def passes(one_pass, duels, prior):
    """Yield equal strengths (n_players,), then those after each pass of `zermelo` or `newman`.

    `prior` is the number of virtual wins, and of losses, of each player against a strength of 1.
    """
    gamma = np.ones(duels.first.size - 1)
    while True:
        yield gamma.copy()
        one_pass(gamma, duels.first, duels.rival, duels.won, duels.lost, prior)


@njit(cache=True)
def zermelo(gamma, first, rival, won, lost, prior):
    """Give each player the strength at which the wins would be those expected, his own fixed."""
    for i in range(gamma.size):
        wins, games = prior, 2 * prior / (gamma[i] + 1)
        for k in range(first[i], first[i + 1]):
            wins += won[k]
            games += (won[k] + lost[k]) / (gamma[i] + gamma[rival[k]])
        gamma[i] = wins / games


@njit(cache=True)
def newman(gamma, first, rival, won, lost, prior):
    """Give each player the strength of Newman's (26)."""
    for i in range(gamma.size):
        above = below = prior / (gamma[i] + 1)
        for k in range(first[i], first[i + 1]):
            both = gamma[i] + gamma[rival[k]]
            above += won[k] * gamma[rival[k]] / both
            below += lost[k] / both
        gamma[i] = above / below
