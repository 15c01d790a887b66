"""A bias for NRPA out of good games: strengths of moves by Bradley-Terry, from a `Fit` in one call.

A position of a game is a competition. Its legal moves are the teams, the features of a move's code
its members, and the move that was played has won (Coulom 2007, equation 3). The chance of a move is
then in proportion to its strength, as in a playout whose weights are the logarithms.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.types import ArrayLike
from gameai_lib.btmm.model.build import from_choices
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.fit import Fit
from gameai_lib.btmm.model.tally import ABSENT
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout, replay

#: What a code is a team of: (n_codes, n_members) ints of a problem, from 0; -1 is no feature.
Features = Callable[[Problem], ArrayLike]


def choices_in(games: Iterable[tuple[Problem, Playout]], features: Features) -> Competitions:
    """The choices of games as competitions; positions with one legal move are left out.

    Games may be of several problems, whose codes have the same features. Errors are those of
    `from_choices` and `replay`; features of another shape are a ValueError.

    Examples
    --------
    Left and right are features 0 and 1, and ten short searches have the good games:

    >>> from gameai_lib.btmm import fit
    >>> from gameai_lib.nrpa import flat_monte_carlo, leftmove
    >>> def side(problem):
    ...     return np.arange(problem.n_codes)[:, None] % 2
    >>> short = leftmove(12)
    >>> games = [(short, NRPA(short, seed, level=1, n_iterations=20).run()) for seed in range(10)]
    >>> got = fit(choices_in(games, side))
    >>> got.gamma.round(1)
    array([1.7, 0.6])
    >>> long = biased(leftmove(60), got, side)
    >>> flat_monte_carlo(long, 1, 1000, policy=long.bias)[1].mean().round(1)  # 30 without
    np.float64(44.8)
    """
    return from_choices(_choices(games, features))


def _choices(games, features) -> Iterator[tuple[list[list[int]], int]]:
    for problem, game in games:
        teams = _teams(problem, features)
        for ply in replay(problem, game.choices):
            if ply.legal.size > 1 and ply.choice >= 0:
                yield [row[row != ABSENT].tolist() for row in teams[ply.legal]], ply.choice


def _teams(problem, features):
    teams = arrays.whole("features", features(checks.kind("problem", problem, Problem)), -1, ndim=2)
    if len(teams) != problem.n_codes:
        raise ValueError(f"features must have {problem.n_codes} rows, got {len(teams)}")
    return teams


def biased(problem: Problem, strengths: Fit, features: Features) -> Problem:
    """The problem with the log-strengths of its codes as its bias, in the place of any other.

    Its `bias` is the policy of playouts, too; a feature that no game had has strength 1. A
    ValueError for a feature beyond those of the fit.
    """
    teams = _teams(problem, features)
    log_gamma = np.append(np.log(checks.kind("strengths", strengths, Fit).gamma), 0.0)
    if teams.max(initial=0) >= strengths.gamma.size:
        raise ValueError(f"there are {strengths.gamma.size} strengths, no number {teams.max()}")
    return replace(problem, bias=log_gamma[teams].sum(axis=1))
