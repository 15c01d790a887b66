"""Compiled passes over competitions: expected wins, wins, ranks and curvature.

The quantities are those of the generalised Bradley-Terry model of R. Coulom,
"Computing Elo ratings of move patterns in the game of Go" (2007): C over E
summed over competitions, here multiplied by gamma, so that the sum reads as the
number of wins the model expects of a feature.

Every kernel takes ``features`` as unsigned indices in which "no member" is the
index ``n_features``, and a ``gamma`` one longer than the number of features
whose last value is 1. A product over the columns then needs no test.
"""

from math import log

import numpy as np

from gameai_lib.base.jit import njit

ABSENT = -1


def padded(gamma):
    """Return `gamma` with a 1 behind it, the strength of "no member here"."""
    return np.append(np.asarray(gamma, dtype=np.float64), 1.0)


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

    Parameters
    ----------
    offsets : (n_competitions + 1,) int64 array
    features : (n_teams, n_groups) uint32 array
    weight : (n_competitions,) float array
    gamma : (n_features + 1,) float array
    strength : float array, room for the teams of the largest competition
    expected : (2, n_features + 1) float array, changed in place
        Two sums to be added: neighbouring moves often share a feature (an empty
        line), and a sum that waits for its own last addition is a quarter slower.
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
def count_wins(offsets, features, winner, weight, wins):
    """Add each competition's weight to `wins` of the winner's members."""
    for j in range(weight.size):
        row = offsets[j] + winner[j]
        for k in range(features.shape[1]):
            wins[features[row, k]] += weight[j]


@njit(cache=True)
def rank_winners(offsets, features, winner, gamma, log_p, stronger, level):
    """Fill, for each competition, what the model says of its winner.

    ``log_p`` gets ln P(winner), ``stronger`` the number of teams with a greater
    strength, ``level`` the number with the same strength, the winner included.
    """
    n_groups = features.shape[1]
    for j in range(winner.size):
        own = 1.0
        for k in range(n_groups):
            own *= gamma[features[offsets[j] + winner[j], k]]
        total = 0.0
        n_stronger = 0
        n_level = 0
        for t in range(offsets[j], offsets[j + 1]):
            product = 1.0
            for k in range(n_groups):
                product *= gamma[features[t, k]]
            total += product
            # The products of equal teams are equal to the last bit: the columns
            # are multiplied in one order.
            if product > own:
                n_stronger += 1
            elif product == own:
                n_level += 1
        log_p[j] = log(own / total)
        stronger[j] = n_stronger
        level[j] = n_level


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

    Expected wins less these squares are the diagonal of the information matrix
    in ln gamma. ``share`` is scratch of the size of `squares`, all zero.
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

    Each competition adds the covariance of the teams' memberships under P(team).
    ``share`` is scratch, all zero, ``members`` scratch, both of the size of `gamma`.
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
    """Add to `product` what `add_information` would add, times `vector`; no matrix is made.

    ``change``, like ``strength``, is room for the teams of the largest competition.
    """
    n_groups = features.shape[1]
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        mean = _changes(features, vector, first, n_teams, strength, total, change)
        for t in range(n_teams):
            share = weight[j] * strength[t] / total * (change[t] - mean)
            for k in range(n_groups):
                product[features[first + t, k]] += share


@njit(cache=True)
def smallest_share(offsets, features, winner, weight, gamma, vector, strength, change):
    """Return the least weight * P(team) * (1 + change - mean change) of the losing teams."""
    least = np.inf
    for j in range(weight.size):
        first, n_teams, total = fill_strengths(offsets, features, gamma, j, strength)
        mean = _changes(features, vector, first, n_teams, strength, total, change)
        for t in range(n_teams):
            if t != winner[j] and weight[j] > 0:
                least = min(least, weight[j] * strength[t] / total * (1 + change[t] - mean))
    return least


@njit(inline="always")
def _changes(features, vector, first, n_teams, strength, total, change):
    # The sum of `vector` over the members of each team, and its mean under P(team).
    mean = 0.0
    for t in range(n_teams):
        change[t] = 0.0
        for k in range(features.shape[1]):
            change[t] += vector[features[first + t, k]]
        mean += strength[t] / total * change[t]
    return mean


@njit(cache=True)
def fill_edges(offsets, features, winner, weight, column, pairs):
    """Fill `pairs` with (winner's member, another team's member) of a column; return how many.

    ``column`` is (its number, n_features): "nobody" becomes the sum of both.
    """
    k, nobody = column
    n = 0
    for j in range(weight.size):
        won = np.int64(features[offsets[j] + winner[j], k])
        for t in range(offsets[j], offsets[j + 1]):
            met = np.int64(features[t, k])
            if met != won and weight[j] > 0:
                pairs[n, 0] = won + k if won == nobody else won
                pairs[n, 1] = met + k if met == nobody else met
                n += 1
    return n


@njit(cache=True)
def first_misplaced(features, group):
    """Return (row, column) of the first feature outside its column's group, or (-1, -1)."""
    for t in range(features.shape[0]):
        for k in range(features.shape[1]):
            f = features[t, k]
            if f != ABSENT and (f >= group.size or group[f] != k):
                return t, k
    return -1, -1
