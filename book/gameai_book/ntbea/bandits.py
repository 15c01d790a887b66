"""One bandit at a time: what noise does to a choice, and UCB on a few arms.

UCB1 of Auer, Cesa-Bianchi and Fischer (2002), with the weight k in place of sqrt(2) and the small
epsilon that the n-tuple model uses.
"""

import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks

EPSILON = 0.5  # keeps the bonus of an arm without pulls finite


class Pull(NamedTuple):
    """The state of a bandit before one pull, and the pull."""

    n: np.ndarray  #: (n_arms,) int, pulls of each arm so far
    mean: np.ndarray  #: (n_arms,) float, mean result, 0 for an arm without pulls
    bonus: np.ndarray  #: (n_arms,) float, k * sqrt(ln(1 + N) / (n + EPSILON))
    arm: int  #: the arm pulled now
    result: float


def pull_arms(play, n_arms, k, rng):
    """Yield a `Pull` for each pull of the arm with the highest upper confidence bound.

    ``play(arm, rng)`` returns one noisy result; `rng`, a generator, breaks ties, too. `k` is as for
    `mean_and_bonus`.
    """
    n, total = np.zeros(n_arms, np.int64), np.zeros(n_arms)
    while True:
        mean, bonus = mean_and_bonus(n, total, k)
        arm = int(np.argmax(mean + bonus + 1e-6 * rng.random(n_arms)))
        result = float(play(arm, rng))
        yield Pull(n.copy(), mean, bonus, arm, result)
        n[arm] += 1
        total[arm] += result


def mean_and_bonus(n, total, k):
    """Return mean and bonus, as in a `Pull`, of arms with `n` pulls, whose results sum to `total`.

    All are (n_arms,) arrays; `k` weighs exploration.
    """
    mean = total / np.maximum(n, 1)
    return mean, k * np.sqrt(math.log(1 + n.sum()) / (n + EPSILON))


def chance_to_pick_better(better, worse, n_games):
    """Chance that the better of two win rates has more wins after `n_games` games each.

    Equal numbers of wins count half. Exact, by summing both binomial distributions.
    """
    better = checks.number("better", better, 0.0, 1.0)
    worse = checks.number("worse", worse, 0.0, better)
    n_games = checks.whole("n_games", n_games, 1, 10_000_000)
    first, second = (_binomial(n_games, p) for p in (better, worse))
    ahead = np.cumsum(second) - second
    return float((first * (ahead + 0.5 * second)).sum())


def _binomial(n, p):
    """Return the chance of 0, 1 ... n wins, (n + 1,) float."""
    # By ratios of neighbours, outwards from the likeliest: nothing overflows.
    mode = min(n, int((n + 1) * p))
    up, down = np.arange(mode, n), np.arange(mode, 0, -1)
    above = np.cumprod((n - up) * p / ((up + 1) * (1 - p)))
    below = np.cumprod(down * (1 - p) / ((n - down + 1) * p))
    weights = np.concatenate([below[::-1], [1.0], above])
    return weights / weights.sum()
