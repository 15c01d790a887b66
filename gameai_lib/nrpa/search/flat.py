"""Flat Monte Carlo: independent playouts, the best one kept."""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import ArrayLike, Floats, Seed
from gameai_lib.nrpa.problem.compiled import Template, reset
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout
from gameai_lib.nrpa.search.anytime import Search
from gameai_lib.nrpa.search.arrays import Bests, Game, new_bests, new_game
from gameai_lib.nrpa.search.kernels import keep, playout
from gameai_lib.nrpa.search.policy import WEIGHT_LIMIT

MOST_SCORES = 10**8


class FlatArrays(NamedTuple):
    """Flat Monte Carlo."""

    ints: np.ndarray  #: (n_ints,) int, the position
    floats: np.ndarray  #: (n_floats,) float
    E: np.ndarray  #: (n_codes,) float, exp of the policy's weights
    game: Game  #: the playout
    bests: Bests  #: one, of all
    done: np.ndarray  #: (1,) int, playouts


@Template
def flat(arrays, rng, scores, target):
    """Fill `scores` by playouts; the one that scores the target is the last."""
    ints, floats, E, game, bests, done = arrays
    for i in range(scores.size):
        reset(ints, floats)
        length, scores[i] = playout(ints, floats, 0, E, game, rng)
        done[0] += 1
        keep(scores[i], game.choices, length, 0, bests)
        if scores[i] >= target:
            break


class FlatMonteCarlo(Search):
    """Independent playouts, uniform or with a fixed policy.

    It never finishes by itself: give `run` a limit. A `policy` is (n_codes,) weights w: a move is
    played with probability proportional to exp(w).

    Examples
    --------
    >>> search = FlatMonteCarlo(leftmove(30), 1)
    >>> search.run(1000).score
    23.0
    >>> search
    FlatMonteCarlo(LeftMove 30: 1000 playouts, best score 23)
    """

    _kernel = flat
    _ends = False

    def __init__(self, problem: Problem, rng: Seed, policy: ArrayLike | None = None):
        super().__init__(problem, rng)
        E = np.ones(problem.n_codes)
        if policy is not None:
            weights = arrays.finite("policy", policy)
            if weights.size != E.size:
                raise ValueError(f"policy must be {E.size} weights, got {weights.size}")
            E = np.exp(np.clip(weights, -WEIGHT_LIMIT, WEIGHT_LIMIT))
        self._arrays = FlatArrays(
            ints=problem.ints.copy(),
            floats=problem.floats.copy(),
            E=E,
            game=new_game(problem),
            bests=new_bests(problem, 1),
            done=np.zeros(1, np.int64),
        )

    def scores(self, n_playouts: int) -> Floats:
        """Play `n_playouts` more playouts and return their scores, (n_playouts,) float."""
        n_playouts = checks.whole("n_playouts", n_playouts, 0, MOST_SCORES)
        scores, first = np.empty(n_playouts), self.n_playouts
        with Bar("FlatMonteCarlo", n_playouts, "playouts") as bar:
            for _ in self._go_on(first + n_playouts):
                done = self.n_playouts - first
                scores[done - self._scores.size : done] = self._scores
                bar(done)
        return scores

    def _last_game(self):
        return self._arrays.game.choices, (self._arrays.ints, self._arrays.floats)


def flat_monte_carlo(
    problem: Problem, rng: Seed, n_playouts: int, policy: ArrayLike | None = None
) -> tuple[Playout, Floats]:
    """Play `n_playouts` of a `FlatMonteCarlo`, one or more: the best game, and all scores.

    Examples
    --------
    >>> best, scores = flat_monte_carlo(leftmove(30), 1, 1000)
    >>> best.score, scores.mean().round(2)
    (23.0, np.float64(15.02))
    """
    search = FlatMonteCarlo(problem, rng, policy)
    scores = search.scores(checks.whole("n_playouts", n_playouts, 1, MOST_SCORES))
    return search.best, scores
