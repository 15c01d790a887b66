"""One pass over competitions, compiled: expected wins, chances and curvature.

The sums are those of R. Coulom (2007): C / E over the competitions, here times gamma, the wins that
the model expects of a feature.

`features` are unsigned indices; "no member" is the index ``n_features``, and `gamma` is one
longer, its last value 1, so that a product over the columns needs no test.
"""

from math import log
from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.base.types import Floats

ABSENT = -1


class Tally(NamedTuple):
    """Sums of one pass over the data at one gamma."""

    expected: Floats  #: (n_features,) float: wins to expect, 0 where the pass did not look
    log_total: float  #: sum of weight * ln E


def pad(gamma):
    """Return `gamma` with a 1 behind it, the strength of "no member here"."""
    return np.append(np.asarray(gamma, dtype=np.float64), 1.0)


def tally(parts, gamma, column=None):
    """Return the `Tally` of parts (offsets, features, weight), of one column's features or all."""
    expected, wide = np.zeros((2, len(gamma) + 1)), pad(gamma)
    log_total = 0.0
    for offsets, features, weight in parts:
        data = offsets, features, weight, wide, longest(offsets), expected
        if column is None:
            log_total += expected_wins(*data)
        else:
            log_total += expected_wins_of_group(*data, column)
    return Tally(expected.sum(axis=0)[:-1], log_total)


def longest(offsets):
    """Return room for the strengths of the largest competition's teams."""
    return np.empty(int(np.diff(offsets).max()))


@njit(inline="always")  # as a call it makes a pass 8 % slower
def fill_strengths(offsets, features, gamma, j, strength):
    """Fill the strengths of competition j's teams; return its first row, their number and sum."""
    first = offsets[j]
    n_teams = offsets[j + 1] - first
    total = 0.0
    for t in range(n_teams):
        product = 1.0
        for k in range(features.shape[1]):
            product *= gamma[features[first + t, k]]
        strength[t] = product
        total += product
    return first, n_teams, total


@njit(cache=True)
def expected_wins(offsets, features, weight, gamma, strength, expected):
    """Add every feature's expected wins to `expected`; return the sum of weight * ln E.

    `expected` is (2, n_features + 1): neighbouring moves often share a feature (an empty line), and
    a sum that waits for its own last addition is a quarter slower than two in turn.
    """
    n_groups = features.shape[1]
    log_total = 0.0
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        scale = weight[j] / total
        log_total += weight[j] * log(total)
        for t in range(n_teams):
            share = strength[t] * scale
            for k in range(n_groups):
                expected[t & 1, features[first + t, k]] += share
    return log_total


@njit(cache=True)
def expected_wins_of_group(offsets, features, weight, gamma, strength, expected, column):
    """Do as `expected_wins`, for the features of one column only."""
    # A kernel of its own: one for both, with a range of columns, makes a pass a third slower.
    log_total = 0.0
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        scale = weight[j] / total
        log_total += weight[j] * log(total)
        for t in range(n_teams):
            expected[t & 1, features[first + t, column]] += strength[t] * scale
    return log_total


@njit(cache=True)
def rank_winners(offsets, features, winner, gamma, strength, log_p, stronger, level):
    """Fill ln P(winner), how many teams are stronger, and how many are level, itself included."""
    for j in range(winner.size):
        _, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        own = strength[winner[j]]
        log_p[j] = log(own / total)
        stronger[j] = 0
        level[j] = 0
        for t in range(n_teams):
            # Equal teams have equal products, to the last bit: columns are multiplied in order.
            stronger[j] += strength[t] > own
            level[j] += strength[t] == own


@njit(cache=True)
def team_probabilities(offsets, features, gamma, probability):
    """Fill `probability`, one value a team, summing to 1 in each competition."""
    for j in range(offsets.size - 1):
        strength = probability[offsets[j] : offsets[j + 1]]
        _, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        for t in range(n_teams):
            strength[t] /= total


@njit(cache=True)
def squared_shares(offsets, features, weight, gamma, strength, share, squares):
    """Add weight * q * q to `squares`, q being the chance that a holder of the feature wins.

    Expected wins less these squares are the diagonal of the information matrix. `share` is
    scratch, all zero.
    """
    n_groups = features.shape[1]
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        for t in range(n_teams):
            for k in range(n_groups):
                share[features[first + t, k]] += strength[t] / total
        for t in range(n_teams):
            for k in range(n_groups):
                # Emptied at the first visit, so that each feature counts once.
                f = features[first + t, k]
                squares[f] += weight[j] * share[f] * share[f]
                share[f] = 0.0


@njit(cache=True)
def add_information(offsets, features, weight, gamma, strength, share, members, matrix):
    """Add minus the Hessian of ln L in ln gamma to `matrix`, (n_features + 1,) squared.

    Each competition adds the covariance of the teams' memberships under P(team). `share` is
    scratch, all zero, `members` scratch, both of the size of `gamma`.
    """
    n_groups = features.shape[1]
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        n = 0
        for t in range(n_teams):
            p = strength[t] / total
            if p == 0.0:
                continue  # below the smallest float; `share` would not tell it was here
            for k in range(n_groups):
                f = features[first + t, k]
                if share[f] == 0.0:
                    members[n] = f
                    n += 1
                share[f] += p
                for other in range(n_groups):
                    matrix[f, features[first + t, other]] += weight[j] * p
        for a in range(n):
            scaled = weight[j] * share[members[a]]
            for b in range(n):
                matrix[members[a], members[b]] -= scaled * share[members[b]]
        for a in range(n):
            share[members[a]] = 0.0


@njit(cache=True)
def information_product(offsets, features, weight, gamma, vector, strength, change, product):
    """Add to `product` what `add_information` would add, times `vector`; no matrix is made."""
    n_groups = features.shape[1]
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        mean = 0.0
        for t in range(n_teams):
            change[t] = 0.0
            for k in range(n_groups):
                change[t] += vector[features[first + t, k]]
            mean += strength[t] / total * change[t]
        for t in range(n_teams):
            share = weight[j] * strength[t] / total * (change[t] - mean)
            for k in range(n_groups):
                product[features[first + t, k]] += share


@njit(cache=True)
def fill_edges(offsets, features, winner, weight, column, n_features, edges):
    """Fill (2, n) `edges` with winner's and other's member of a column; return how many.

    Nodes are the features and, behind them, a "nobody" for each column.
    """
    n = 0
    for j in range(weight.size):
        won = np.int64(features[offsets[j] + winner[j], column])
        for t in range(offsets[j], offsets[j + 1]):
            met = np.int64(features[t, column])
            if met != won and weight[j] > 0:
                edges[0, n] = won + column if won == n_features else won
                edges[1, n] = met + column if met == n_features else met
                n += 1
    return n


@njit(cache=True)
def first_misplaced(features, group):
    """Return (row, column) of the first feature outside its column's group, or (-1, -1)."""
    for t in range(features.shape[0]):
        for k in range(features.shape[1]):
            f = features[t, k]
            if f != ABSENT and not (0 <= f < group.size and group[f] == k):
                return t, k
    return -1, -1
