"""The source's program: NRPA with the faults that change its results, each to be put right.

With no fault `FaultyNRPA` plays the games of `NRPA`, and `faulty_adapt` does what `adapt` does. The
loops are those of `gameai_lib.nrpa.search.kernels`, written again in their simplest form.
"""

from collections import namedtuple
from functools import partial
from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import assign, njit
from gameai_lib.base.types import Floats, Seed
from gameai_lib.nrpa.problem.compiled import Template, legal, play, reset, score
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.search.arrays import ADAPTS, COPIES, DONE, FINISHED, PLAYOUTS, Game, Settings
from gameai_lib.nrpa.search.kernels import apply_gradient, choose
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import adapt


class Faults(NamedTuple):
    """The faults of the source's program that change its results, each off by default."""

    shared_policy: bool = False  #: all levels learn in one policy: nothing is nested any more
    last_normaliser: bool = False  #: Adapt divides by the weight of the last move, not by the sum
    strict: bool = False  #: a game as good as the best does not replace it
    drop_last: bool = False  #: the last legal move is never played, unless it is the only one


NO_FAULTS = Faults()
FaultySettings = namedtuple("FaultySettings", [*Settings._fields, *Faults._fields])


@njit(cache=True)
def gradient(E, game, n_plies, alpha, last_normaliser, scratch):
    """As the library's `gradient`, with the fault of Adapt if it is asked for."""
    codes, offsets, choices = game
    D, marked, touched = scratch
    n_touched = 0
    for ply in range(n_plies):
        moves = codes[offsets[ply] : offsets[ply + 1]]
        total = 0.0
        for code in moves:
            # The fault of the source: '=' where '+=' was meant.
            total = E[code] if last_normaliser else total + E[code]
            touched[n_touched] = code
            n_touched += marked[code] == 0
            marked[code] = 1
        scale = alpha / total
        for code in moves:
            D[code] -= scale * E[code]
        D[moves[choices[ply]]] += alpha
    return n_touched


@njit(cache=True)
def climb(arrays):
    """Adapt after a playout, at level 1 and at each level whose last iteration this was."""
    _, _, W, E, scratch, _, games, counts, totals, settings = arrays
    scores, slots = games.scores, games.slots
    for level in range(1, slots.size):
        below, above = slots[level - 1], slots[level]
        better = scores[below] > scores[above]
        if better or (scores[below] == scores[above] and not settings.strict):
            slots[level - 1], slots[level] = above, below
        row = 1 if settings.shared_policy else level
        s = slots[level]
        game = Game(games.codes[s], games.offsets[s], games.choices[s])
        n_touched = gradient(
            E[row], game, games.lengths[s], settings.alpha, settings.last_normaliser, scratch
        )
        apply_gradient(W[row], E[row], scratch, n_touched, settings.clip)
        totals[ADAPTS] += 1
        counts[level, DONE] += 1
        if counts[level, DONE] < settings.n_iterations:
            for lower in range(1, level):  # it begins anew
                if not settings.shared_policy:
                    assign(W[lower], W[level])
                    assign(E[lower], E[level])
                counts[lower, DONE] = 0
                scores[slots[lower]] = -np.inf
            totals[COPIES] += level - 1
            return
    totals[FINISHED] = 1


@partial(Template, allocates=True)
def printed_nrpa(arrays, rng, found, target):
    """The search; rules that break their contract raise an error."""
    ints, floats, totals = arrays.ints, arrays.floats, arrays.totals
    E, drop_last = arrays.E[1], arrays.settings.drop_last
    codes, offsets, choices, lengths, scores, slots = arrays.games
    for i in range(found.size):
        s = slots[0]
        moves = codes[s]
        reset(ints, floats)
        ply, start = 0, 0
        n_legal = legal(ints, floats, moves, start)
        while n_legal > 0 and ply < choices.shape[1]:
            n_offered = n_legal - 1 if drop_last and n_legal > 1 else n_legal
            k = choose(E, moves[start : start + n_offered], rng.random())
            choices[s, ply] = k
            play(ints, floats, k, np.int64(moves[start + k]))
            ply += 1
            start += n_legal
            offsets[s, ply] = start
            n_legal = legal(ints, floats, moves, start)
        value = float(score(ints, floats))
        if n_legal > 0 or not abs(value) < np.inf:
            raise ValueError("a game is longer than max_plies, or its score is not finite")
        lengths[s], scores[s], found[i] = ply, value, value
        totals[PLAYOUTS] += 1
        climb(arrays)
        if totals[FINISHED] == 1 or value >= target:
            break


class FaultyNRPA(NRPA):
    """`NRPA` as the source's program does it, with its `faults`; no file brings one back."""

    _kernel = printed_nrpa

    def __init__(
        self, problem: Problem, rng: Seed, *, faults: Faults = NO_FAULTS, level: int = 3,
        n_iterations: int = 100, alpha: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(problem, rng, level=level, n_iterations=n_iterations, alpha=alpha)
        settings = FaultySettings(*self._arrays.settings, *faults)
        self._arrays = self._arrays._replace(settings=settings)

    @property
    def policy(self) -> Floats:
        """Copy of the weights, (level, n_codes); row 0 is level 1."""
        if self._arrays.settings.shared_policy:
            return np.tile(self._arrays.W[1], (self.level, 1))
        return super().policy


def faulty_adapt(policy, legal, choices, *, alpha=1.0, faults=NO_FAULTS) -> Floats:
    """`adapt` as the source's program does it; of the faults only the normaliser matters here."""
    adapted = adapt(policy, legal, choices, alpha=alpha)
    if not faults.last_normaliser:
        return adapted
    policy = np.asarray(policy, float)
    weights, step = np.exp(policy), np.zeros(policy.size)
    for codes, choice in zip(legal, choices, strict=True):
        step[codes] -= alpha / weights[codes[-1]] * weights[codes]
        step[codes[choice]] += alpha
    return np.clip(policy + step, -300, 300)
