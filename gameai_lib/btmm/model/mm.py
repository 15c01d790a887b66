"""Minorize-maximize for Bradley-Terry models: three update rules, prior and scale.

The source is Nguyen Quoc Huy and Dang Cong Quoc (2019), equations (5) and (6), after Hunter (2004)
and Coulom (2007). The ratio of wins to expected wins is the whole of the method; the rules differ
in which gammas move and how far.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.model.competitions import passable, strengths

# Without a prior a feature that never won goes to 0, and one that never lost to
# infinity; both stop where a product of all members still fits into a float.
LIMIT = 1e12


class Step(NamedTuple):
    """One pass over the data: where it looked and what it saw, in nats."""

    gamma: np.ndarray  #: (n_features,) float
    objective: float  #: log-likelihood with the prior
    log_likelihood: float
    gain: float  #: what the next update adds to the objective, to first order


class Prior(NamedTuple):
    """`victories` wins and as many losses of every feature against a gamma of 1."""

    victories: float = 1.0

    def log_density(self, gamma):
        """Return the sum over features of v (ln gamma - 2 ln(1 + gamma)), in nats."""
        if self.victories == 0:
            return 0.0
        return self.victories * float(np.sum(np.log(gamma) - 2 * np.log1p(gamma)))

    def expected(self, gamma):
        """Return (n_features,) float: wins in the virtual games that the model expects."""
        return 2 * self.victories * gamma / (1 + gamma)

    def information(self, gamma):
        """Return (n_features,) float: minus the second derivative of the density in ln gamma."""
        return 2 * self.victories * gamma / (1 + gamma) ** 2


class Pass(NamedTuple):
    """The counts an update needs, prior included; `expected` is 0 where the pass did not look."""

    wins: np.ndarray
    expected: np.ndarray
    step: Step


def cyclic(data, prior, gamma, rescale=False):
    """Yield one `Step` a pass, moving one group of exclusive features at a time.

    Never lowers the objective: in one group the total strength is linear, so the minorizer
    separates (Coulom 2007).
    """
    return _rounds(data, prior, gamma, rescale, range(data.n_groups), 1.0)


def update(gamma, measured, exponent=1.0, limit=LIMIT):
    """Return gamma * (wins / expected) ** exponent: equation (6), `eq-mm` of the lesson."""
    ratio = np.ones_like(gamma)
    seen = measured.expected > 0
    ratio[seen] = measured.wins[seen] / measured.expected[seen]
    return np.clip(gamma * ratio**exponent, 1 / limit, limit)


def measure(data, wins, gamma, prior, column=None):
    """Make one pass over `data` at `gamma`, of one group's features or all; return the `Pass`."""
    tally = data.tally(gamma, column)
    won = wins > 0
    log_likelihood = dot(wins[won], np.log(gamma[won])) - tally.log_total
    if not np.isfinite(log_likelihood):
        raise ValueError(f"log-likelihood {log_likelihood}: the data hold no finite strengths")
    here = np.ones(gamma.size, bool) if column is None else data.group == column
    target = wins + prior.victories
    expected = np.where(here, tally.expected + prior.expected(gamma), 0.0)
    seen = expected > 0
    gain = float(np.sum((target - expected)[seen] ** 2 / expected[seen]) / 2)
    gamma = gamma.view()
    gamma.flags.writeable = False  # who watches changes nothing
    step = Step(gamma, log_likelihood + prior.log_density(gamma), log_likelihood, gain)
    return Pass(target, expected, step)


def batch(data, prior, gamma, rescale=False):
    """Yield one `Step` a pass, moving every gamma at once.

    This is what the source's equation (6) invites. It is monotone for teams of one member; from
    two on it can fall, from three on it can diverge.
    """
    return _rounds(data, prior, gamma, rescale, [None], 1.0)


def damped(data, prior, gamma, rescale=False):
    """Yield one `Step` a pass, moving every gamma at once, by the root of the team size.

    Never lowers the objective: with m members the minorizer separates after the inequality of the
    arithmetic and the geometric mean, and the ratio enters by its m-th root (Darroch and Ratcliff
    1972, generalized iterative scaling).
    """
    return _rounds(data, prior, gamma, rescale, [None], 1.0 / data.team_size())


def _rounds(data, prior, gamma, rescale, columns, exponent):
    """Yield the steps of an endless run; a pass moves the features of a column, or of None all."""
    gamma, wins, limit = start(data, prior, gamma)
    complete = data.complete_groups()
    while True:
        for column in columns:
            measured = measure(data, wins, gamma, prior, column)
            yield measured.step
            gamma = update(gamma, measured, exponent, limit)
        if rescale:
            gamma = rescale_groups(gamma, data.group, complete, prior, limit)


def start(data, prior, gamma):
    """Return (gamma, wins, limit), where a method begins, or raise."""
    if not isinstance(prior, Prior):
        raise TypeError(f"prior must be a Prior, got {short(prior)}")
    checks.number("prior", prior.victories, 0, 1e12)
    return strengths(passable(data), gamma), data.wins(), limit_of(data.n_groups)


def limit_of(n_groups):
    """Return the largest gamma allowed: `LIMIT`, less where many members multiply."""
    return min(LIMIT, 10.0 ** (280.0 / n_groups))


def rescale_groups(gamma, group, complete, prior, limit=LIMIT):
    """Return `gamma` with each complete group multiplied by the best factor.

    Where every team holds one member of a group, a common factor changes no probability. Without a
    prior it makes the geometric mean 1 (of the gammas off their limits, the others stay); with one
    it maximises the prior.
    """
    theta = np.log(gamma)
    for column in np.flatnonzero(complete):
        members = np.flatnonzero(group == column)
        if prior.victories == 0:
            inside = members[(gamma[members] > 2 / limit) & (gamma[members] < limit / 2)]
            if inside.size:
                theta[inside] -= theta[inside].mean()
        else:
            theta[members] += _best_shift(theta[members])
    return np.clip(np.exp(theta), 1 / limit, limit)


def _best_shift(theta):
    """Maximise sum(x - 2 ln(1 + exp x)), x = theta + shift, by guarded Newton steps."""
    shift = 0.0
    for _ in range(60):
        # tanh(x/2) = 2 p - 1 for p = logistic(x); slope and curvature follow.
        tanh = np.tanh((theta + shift) / 2)
        move = -np.sum(tanh) / max(np.sum(1 - tanh**2) / 2, 1e-9 * theta.size)
        shift += float(np.clip(move, -4.0, 4.0))
        if abs(move) < 1e-12:
            break
    return shift


def dot(a, b):
    """Return the sum of products of two vectors.

    Not ``a @ b``: BLAS starts its threads for vectors of this length, which cost ten times the
    passes over the data on a busy machine, and its sum depends on their number.
    """
    return float(np.einsum("i,i", a, b))
