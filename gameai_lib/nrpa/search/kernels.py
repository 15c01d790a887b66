"""The loops of NRPA: a playout, Adapt, and the levels.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.
Weights ``W`` are kept together with ``E = exp(W)``: a playout then needs no exponential, and an
adapt needs one for each distinct code it touched.
"""

import math
from functools import partial

import numpy as np

from gameai_lib.base.jit import assign, njit
from gameai_lib.nrpa.problem.compiled import Template, legal, play, reset, score
from gameai_lib.nrpa.search.arrays import ADAPTS, COPIES, DONE, FINISHED, PLAYOUTS, REPEATS, Game

NOTHING = -1  # stands where checked rules have not written a code


@njit(cache=True, inline="always")
def choose(E, moves, u):
    """Index of the first move whose cumulative weight exceeds `u` times the total."""
    total = 0.0
    for code in moves:
        total += E[code]
    target = u * total
    cumulative = 0.0
    for k, code in enumerate(moves):
        cumulative += E[code]
        if cumulative > target:
            return k
    return moves.size - 1  # only rounding leads here


@njit(cache=True, inline="always")
def gradient(E, game, n_plies, alpha, scratch):
    """Put alpha times (chosen - probability) into `scratch`; return how many codes are touched.

    This is Adapt, `eq-nrpa-adapt` of the lesson, read from the old policy only.
    """
    codes, offsets, choices = game
    D, marked, touched = scratch
    n_touched = 0
    for ply in range(n_plies):
        moves = codes[offsets[ply] : offsets[ply + 1]]
        total = 0.0
        for code in moves:
            total += E[code]
            touched[n_touched] = code
            n_touched += marked[code] == 0  # a branch here would be guessed wrongly too often
            marked[code] = 1
        scale = alpha / total
        for code in moves:
            D[code] -= scale * E[code]
        D[moves[choices[ply]]] += alpha
    return n_touched


@njit(cache=True, inline="always")
def apply_gradient(W, E, scratch, n_touched, clip):
    """Add the gradient to the policy and clear it."""
    D, marked, touched = scratch
    for code in touched[:n_touched]:
        W[code] = min(max(W[code] + D[code], -clip), clip)
        E[code] = math.exp(W[code])  # not numpy's, whose last digit can differ
        D[code] = 0.0
        marked[code] = 0


@njit(cache=True, inline="always")
def remember(changes, level, touched, n_touched):
    """Add `touched` to the codes where `level` differs from the one above."""
    codes, marked = changes.codes[level], changes.marked[level]
    n = changes.n[level]
    for code in touched[:n_touched]:
        if marked[code] == 0:
            marked[code] = 1
            codes[n] = code
            n += 1
    changes.n[level] = n


@njit(cache=True, inline="always")
def same_game(choices_a, n_a, choices_b, n_b):
    """Whether two games consist of the same choices."""
    n_same = 0
    while n_same < n_a == n_b and choices_a[n_same] == choices_b[n_same]:
        n_same += 1
    return n_same == n_a == n_b


@njit(cache=True, inline="always")
def offer(level, games, counts, settings):
    """Keep the result of `level` as the best of the level above, if it is at least as good."""
    choices, lengths, scores, slots = games.choices, games.lengths, games.scores, games.slots
    below, above = slots[level], slots[level + 1]
    if (
        settings.max_repeats > 0
        and scores[below] == scores[above]
        and same_game(choices[below], lengths[below], choices[above], lengths[above])
    ):
        counts[level + 1, REPEATS] += 1
        return
    if scores[below] >= scores[above]:
        # Games are not copied: the two levels exchange their slots.
        slots[level], slots[level + 1] = above, below
        counts[level + 1, REPEATS] = 0


@njit(cache=True, inline="always")
def restart_below(top, W, E, touched, n_touched, changes):
    """Give every level below `top` a fresh copy of the policy at `top`.

    Only codes that can differ are copied: those that a level or one above it has changed since its
    start, and those of the last adapt at `top`.
    """
    codes, marked, n = changes
    for changed in range(1, top):
        for code in codes[changed, : n[changed]]:
            marked[changed, code] = 0
            for level in range(1, changed + 1):
                W[level, code], E[level, code] = W[top, code], E[top, code]
        n[changed] = 0
    for code in touched[:n_touched]:
        for level in range(1, top):
            W[level, code], E[level, code] = W[top, code], E[top, code]


@njit(cache=True)
def climb(arrays):
    """Adapt after a playout, at level 1 and at each level whose last iteration this was."""
    _, _, W, E, scratch, changes, games, counts, totals, settings = arrays
    slots, touched = games.slots, scratch.touched
    top = slots.size - 1
    level = 0
    while True:
        offer(level, games, counts, settings)
        if level == 0 and totals[PLAYOUTS] % settings.n_playouts_per_adapt != 0:
            return
        level += 1
        s = slots[level]
        game = Game(games.codes[s], games.offsets[s], games.choices[s])
        n_touched = gradient(E[level], game, games.lengths[s], settings.alpha, scratch)
        apply_gradient(W[level], E[level], scratch, n_touched, settings.clip)
        remember(changes, level, touched, n_touched)
        totals[ADAPTS] += 1
        counts[level, DONE] += 1
        stuck = settings.max_repeats > 0 and counts[level, REPEATS] >= settings.max_repeats
        if counts[level, DONE] < settings.n_iterations and not stuck:
            break
        if level == top:
            totals[FINISHED] = 1  # an interrupt may come before the caller can store a result
            return
    if level > 1:
        restart_below(level, W, E, touched, n_touched, changes)
        for below in range(1, level):
            counts[below, :] = 0
            games.scores[slots[below]] = -np.inf
        totals[COPIES] += level - 1


@njit(cache=True)
def keep(score, choices, n_plies, row, bests):
    """Make a game the best of its row if its score is higher; the first of equals is kept."""
    if score > bests.scores[row]:
        bests.scores[row] = score
        bests.n_plies[row] = n_plies
        assign(bests.choices[row, :n_plies], choices[:n_plies])


@njit(cache=True, inline="always")
def copy_codes(written, n_legal, n_codes, codes, start):
    """Copy the codes that a rule has written; all must be in bounds."""
    if n_legal < 0 or n_legal > written.size:
        raise IndexError("there are more legal moves than max_legal, or less than none")
    for i in range(n_legal):
        code = written[i]
        if code < 0 or code >= n_codes:
            raise IndexError("a code is not below n_codes, or was not written")
        codes[start + i] = code
        written[i] = NOTHING


@partial(Template, allocates=True)
def checked_playout(ints, floats, ply, E, game, rng):
    """As `playout`, by rules that may break their contract, which raises an error."""
    codes, offsets, choices = game
    written = np.full(codes.size // offsets.size, NOTHING)
    start = offsets[ply]
    while True:
        n_legal = legal(ints, floats, written, np.int64(0))
        if n_legal == 0:
            value = float(score(ints, floats))
            if not abs(value) < np.inf:
                raise ValueError("a score is not finite")
            return ply, value
        if ply == choices.size:
            raise IndexError("a game is longer than max_plies")
        copy_codes(written, n_legal, E.size, codes, start)
        k = choose(E, codes[start : start + n_legal], rng.random())
        choices[ply] = k
        play(ints, floats, k, np.int64(codes[start + k]))
        ply += 1
        start += n_legal
        offsets[ply] = start


# Written twice on purpose: one playout for both, which lists the moves by a function that is handed
# in, gives the same games, but 3 to 10 % fewer playouts of Morpion and TSPTW in a second.
@partial(Template, checked=checked_playout)
def playout(ints, floats, ply, E, game, rng):
    """Play on from any position by the policy; return (n_plies, score)."""
    codes, offsets, choices = game
    max_legal = codes.size // offsets.size
    start = offsets[ply]
    while True:
        n_legal = legal(ints, floats, codes, start)
        if n_legal == 0:
            return ply, score(ints, floats)
        if n_legal > max_legal or ply == choices.size:
            raise IndexError("a game exceeds max_legal or max_plies of its problem")
        k = choose(E, codes[start : start + n_legal], rng.random())
        choices[ply] = k
        play(ints, floats, k, np.int64(codes[start + k]))
        ply += 1
        start += n_legal
        offsets[ply] = start


@Template
def nrpa(arrays, rng, scores, target):
    """NRPA with its recursion unrolled, so that it can stop after any playout.

    The counts of iterations of the levels run like an odometer. A playout that scores the target
    is the last.
    """
    ints, floats, games, totals = arrays.ints, arrays.floats, arrays.games, arrays.totals
    E = arrays.E[1]
    for i in range(scores.size):
        s = games.slots[0]
        reset(ints, floats)
        game = Game(games.codes[s], games.offsets[s], games.choices[s])
        games.lengths[s], value = playout(ints, floats, 0, E, game, rng)
        games.scores[s] = scores[i] = value
        totals[PLAYOUTS] += 1
        climb(arrays)
        if totals[FINISHED] == 1 or value >= target:
            break
