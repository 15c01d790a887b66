"""Minorize and maximize on one number: the pictures behind the method (Hunter 2004, (10))."""

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_teams


class Touch(NamedTuple):
    """One iterate with the surrogate that touches the function there."""

    at: float
    value: float  #: of function and surrogate
    best: float  #: where the surrogate is best
    surrogate: Callable  #: maps an array to an array


def duel_log_likelihood(n_won, n_lost, gamma):
    """Return ln L of `gamma` against an opponent of strength 1 (the source's equation (4))."""
    return n_won * np.log(gamma) - (n_won + n_lost) * np.log1p(gamma)


def pairs_log_likelihood(wins, gamma):
    """Return ln L (...,) of duels at strengths gamma (..., n) (Hunter 2004).

    `wins` (n, n) counts how often the row beat the column.
    """
    row = np.log(gamma)[..., :, None]
    return (wins * (row - np.logaddexp(row, np.log(gamma)[..., None, :]))).sum(axis=(-2, -1))


def duel_step(n_won, n_lost, at):
    """Return the `Touch` of the MM step from strength `at` of one player against strength 1.

    The bound is ln(1 + g) <= ln(1 + g_k) + (1 + g) / (1 + g_k) - 1.
    """
    n = n_won + n_lost

    def minorizer(gamma):
        tangent = np.log1p(at) + (1 + np.asarray(gamma)) / (1 + at) - 1
        return n_won * np.log(gamma) - n * tangent

    value = float(duel_log_likelihood(n_won, n_lost, at))
    return Touch(at, value, n_won * (1 + at) / n, minorizer)


def one_team(n_members, n_games=10, n_won=1):
    """Return `Competitions` of one team of several members against a strength of 1.

    The smallest case in which the all-at-once update goes wrong. The opponent has no members: the
    empty product is 1.
    """
    return from_teams([[list(range(n_members)), []]] * 2, [0, 1], [n_won, n_games - n_won])


def climb(rule, n_members, n, n_won=1):
    """Return ln L at n passes of a rule of `mm` over `one_team`, from strengths of 1 on."""
    steps = rule(one_team(n_members, 10, n_won), mm.Prior(0.0), np.ones(n_members))
    return [step.log_likelihood for step in islice(steps, n)]
