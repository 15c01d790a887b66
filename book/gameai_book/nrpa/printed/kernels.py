"""The loops of NRPA as the source's program runs them: with up to four of its faults.

They are those of `gameai_lib.nrpa.search.kernels`, written again, so that none of the faults
stands in the library's. Without a fault both play the same games.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.compiled import legal, play, reset, score, template
from gameai_lib.nrpa.search.arrays import ADAPTS, COPIES, DONE, FINISHED, PLAYOUTS, REPEATS, Game
from gameai_lib.nrpa.search.kernels import (
    apply_gradient,
    choose,
    remember,
    restart_below,
    same_game,
)


class FaultySettings(NamedTuple):
    """What `FaultyNRPA` was asked for: the settings of `NRPA`, and the faults."""

    n_iterations: int
    n_playouts_per_adapt: int
    max_repeats: int
    alpha: float
    clip: float
    shared_policy: bool  #: from here on the faults
    last_normaliser: bool
    strict: bool
    drop_last: bool


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
def offer(level, games, counts, settings):
    """As the library's `offer`; of equal games the first is kept if `strict`."""
    choices, lengths, scores, slots = games.choices, games.lengths, games.scores, games.slots
    below, above = slots[level], slots[level + 1]
    if (
        settings.max_repeats > 0
        and scores[below] == scores[above]
        and same_game(choices[below], lengths[below], choices[above], lengths[above])
    ):
        counts[level + 1, REPEATS] += 1
        return
    better = scores[below] > scores[above]
    if better or (scores[below] == scores[above] and not settings.strict):
        slots[level], slots[level + 1] = above, below
        counts[level + 1, REPEATS] = 0


@njit(cache=True)
def forget_below(top, changes):
    """Begin the levels below `top` anew where all of them share one policy: nothing is copied."""
    codes, marked, n = changes
    for level in range(1, top):
        for code in codes[level, : n[level]]:
            marked[level, code] = 0
        n[level] = 0


@njit(cache=True)
def climb(arrays):
    """As the library's `climb`; all levels learn in the policy of the first if it is shared."""
    _, _, W, E, scratch, changes, games, counts, totals, settings = arrays
    slots, touched = games.slots, scratch.touched
    top = slots.size - 1
    level = 0
    offer(level, games, counts, settings)
    if totals[PLAYOUTS] % settings.n_playouts_per_adapt != 0:
        return
    level += 1
    while True:
        row = 1 if settings.shared_policy else level
        s = slots[level]
        game = Game(games.codes[s], games.offsets[s], games.choices[s])
        n_touched = gradient(
            E[row], game, games.lengths[s], settings.alpha, settings.last_normaliser, scratch
        )
        apply_gradient(W[row], E[row], scratch, n_touched, settings.clip)
        remember(changes, row, touched, n_touched)
        totals[ADAPTS] += 1
        counts[level, DONE] += 1
        stuck = settings.max_repeats > 0 and counts[level, REPEATS] >= settings.max_repeats
        if counts[level, DONE] < settings.n_iterations and not stuck:
            break
        if level == top:
            totals[FINISHED] = 1
            return
        offer(level, games, counts, settings)
        level += 1
    if level > 1:
        if settings.shared_policy:
            forget_below(level, changes)
        else:
            restart_below(level, W, E, touched, n_touched, changes)
        for below in range(1, level):
            counts[below, :] = 0
            games.scores[slots[below]] = -np.inf
        totals[COPIES] += level - 1


@template(allocates=True)
def printed_nrpa(arrays, rng, n_playouts, target):
    """The search; a playout by rules that break their contract scores NaN and is the last."""
    ints, floats, totals = arrays.ints, arrays.floats, arrays.totals
    E, drop_last = arrays.E[1], arrays.settings.drop_last
    codes, offsets, choices, lengths, scores, slots = arrays.games
    for _ in range(n_playouts):
        s = slots[0]
        moves = codes[s]
        reset(ints, floats)
        ply, start, value = 0, 0, np.nan
        while True:
            n_legal = legal(ints, floats, moves, start)
            if n_legal == 0:
                value = float(score(ints, floats))
                break
            if ply == choices.shape[1]:
                break
            n_offered = n_legal - 1 if drop_last and n_legal > 1 else n_legal
            k = choose(E, moves[start : start + n_offered], rng.random())
            choices[s, ply] = k
            play(ints, floats, k, np.int64(moves[start + k]))
            ply += 1
            start += n_legal
            offsets[s, ply] = start
        lengths[s], scores[s] = ply, value if abs(value) < np.inf else np.nan
        if np.isnan(scores[s]):
            break
        totals[PLAYOUTS] += 1
        climb(arrays)
        if totals[FINISHED] == 1 or value >= target:
            break
