"""The loops of NRPA, NMCS and flat Monte Carlo, written once for every problem.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.
`make_kernels` closes over the four functions of a problem, so that a compiler sees through
them. Weights ``W`` are kept together with ``E = exp(W)``: a playout then needs no exponential,
and an adapt needs one for each distinct code it touched.
"""

import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import assign, njit
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


@njit(cache=True)
def gradient(E, game, n_plies, alpha, scratch):
    """Put alpha times (chosen - probability) into `scratch`, reading the old policy only (Adapt).

    Returns the number of distinct codes, listed in ``scratch.touched``.
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


@njit(cache=True)
def apply_gradient(W, E, scratch, n_touched, clip):
    """Add the gradient to the policy and clear it."""
    D, marked, touched = scratch
    for code in touched[:n_touched]:
        W[code] = min(max(W[code] + D[code], -clip), clip)
        E[code] = math.exp(W[code])  # not numpy's, whose last digit can differ
        D[code] = 0.0
        marked[code] = 0


@njit(cache=True)
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


@njit(cache=True)
def same_game(choices_a, n_a, choices_b, n_b):
    """Whether two games consist of the same choices."""
    n_same = 0
    while n_same < n_a == n_b and choices_a[n_same] == choices_b[n_same]:
        n_same += 1
    return n_same == n_a == n_b


@njit(cache=True)
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


@njit(cache=True)
def restart_below(top, W, E, touched, n_touched, changes):
    """Give every level below `top` a fresh copy of the policy above it.

    Only codes that can differ are copied: those a level changed since its start, those of the
    levels between, and those of the last adapt at `top`.
    """
    codes, marked, n = changes
    for level in range(top - 1, 0, -1):
        for source in range(level, top):
            for code in codes[source, : n[source]]:
                W[level, code] = W[level + 1, code]
                E[level, code] = E[level + 1, code]
        for code in touched[:n_touched]:
            W[level, code] = W[level + 1, code]
            E[level, code] = E[level + 1, code]
    for level in range(1, top):
        for code in codes[level, : n[level]]:
            marked[level, code] = 0
        n[level] = 0


@njit(cache=True)
def climb(arrays):
    """Adapt after a playout, at level 1 and at each level whose last iteration this was.

    Sets ``totals[FINISHED]`` when the top level has finished: in an array it outlives an
    interrupt that comes before the caller can store a result.
    """
    _, _, W, E, scratch, changes, games, counts, totals, settings = arrays
    slots, touched = games.slots, scratch.touched
    top = slots.size - 1
    level = 0
    offer(level, games, counts, settings)
    if totals[PLAYOUTS] % settings.n_playouts_per_adapt != 0:
        return
    level += 1
    while True:
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
            totals[FINISHED] = 1
            return
        offer(level, games, counts, settings)
        level += 1
    if level > 1:
        restart_below(level, W, E, touched, n_touched, changes)
        for below in range(1, level):
            counts[below, :] = 0
            games.scores[slots[below]] = -np.inf
        totals[COPIES] += level - 1


def named(name, allocates=False):
    """Return `njit` for closures, under names that begin with that of the problem.

    The compiler keeps closures of equal name apart by a count that starts again in each
    process. Read back from its cache, two problems would then share one machine code.
    """

    def compile_named(function):
        function.__qualname__ = f"{name}_{function.__name__}"
        return njit(function, nogil=True, allocates=allocates)

    return compile_named


def make_playout(name, rules):
    """Return a playout that goes on from any position; it returns (n_plies, score)."""
    _, legal, play, score = rules

    @named(name)
    def playout(ints, floats, ply, E, game, rng):
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

    return playout


@njit(cache=True)
def listed(written, n_legal, n_codes, codes, start):
    """Copy the codes that a rule has written, if all is in bounds; returns whether it was."""
    if n_legal < 0 or n_legal > written.size:
        return False
    for i in range(n_legal):
        code = written[i]
        if code < 0 or code >= n_codes:
            return False
        codes[start + i] = code
        written[i] = NOTHING
    return True


# Written twice on purpose: one playout for both, which asks `checked` and lists the moves by a
# function that is handed in, gives the same games, but 3 to 10 % fewer playouts of Morpion and
# TSPTW in a second (medians of five pairs of processes).
def make_checked_playout(name, rules):
    """Return a playout of rules that may break their contract: the score is then NaN."""
    _, legal, play, score = rules

    @named(name, allocates=True)
    def playout(ints, floats, ply, E, game, rng):
        codes, offsets, choices = game
        written = np.full(codes.size // offsets.size, NOTHING)
        start = offsets[ply]
        while True:
            n_legal = legal(ints, floats, written, 0)
            if n_legal == 0:
                value = float(score(ints, floats))
                return ply, value if abs(value) < np.inf else np.nan
            if ply == choices.size or not listed(written, n_legal, E.size, codes, start):
                return ply, np.nan
            k = choose(E, codes[start : start + n_legal], rng.random())
            choices[ply] = k
            play(ints, floats, k, np.int64(codes[start + k]))
            ply += 1
            start += n_legal
            offsets[ply] = start

    return playout


class Kernels(NamedTuple):
    """The three searches for one problem; each goes on where its record of arrays stands.

    Each stops after the playout that reaches the target.
    """

    nrpa: object  #: nrpa(NRPAArrays, rng, playouts to play, target)
    nmcs: object  #: nmcs(NMCSArrays, rng, playouts to have played in all, target)
    flat: object  #: flat(FlatArrays, rng, scores to fill, target)


def make_kernels(name, rules, checked=False) -> Kernels:
    """Return the searches for a problem of this name, which must be its own among those kept.

    Where `checked` rules break their contract a search stops at once and says so in its arrays.
    """
    playout = (make_checked_playout if checked else make_playout)(name, rules)
    return Kernels(
        make_nrpa(name, rules, playout, checked),
        make_nmcs(name, make_node_steps(name, rules, checked), playout, checked),
        make_flat(name, rules, playout, checked),
    )


def make_nrpa(name, rules, playout, checked):
    """Return NRPA for a problem: its recursion unrolled, so that it can stop anywhere.

    Iteration counts of the levels run like an odometer. The score of a playout is NaN where
    `checked` rules break their contract.
    """
    reset = rules[0]

    @named(name)
    def nrpa(arrays, rng, n_playouts, target):
        ints, floats, totals = arrays.ints, arrays.floats, arrays.totals
        E = arrays.E[1]
        codes, offsets, choices, lengths, scores, slots = arrays.games
        for _ in range(n_playouts):
            s = slots[0]
            reset(ints, floats)
            game = Game(codes[s], offsets[s], choices[s])
            lengths[s], value = playout(ints, floats, 0, E, game, rng)
            scores[s] = value
            if checked and np.isnan(value):
                break
            totals[PLAYOUTS] += 1
            climb(arrays)
            if totals[FINISHED] == 1 or value >= target:
                break

    return nrpa


def make_flat(name, rules, playout, checked):
    """Return flat Monte Carlo: independent playouts with a fixed policy, the best one kept.

    Where `checked` rules break their contract it stops before it has filled `scores`.
    """
    reset = rules[0]

    @named(name)
    def flat(arrays, rng, scores, target):
        ints, floats, E, game, best, n_best, best_score, done = arrays
        for i in range(scores.size):
            reset(ints, floats)
            length, scores[i] = playout(ints, floats, 0, E, game, rng)
            if checked and np.isnan(scores[i]):
                break
            done[0] += 1
            if scores[i] > best_score[0]:
                best_score[0], n_best[0] = scores[i], length
                assign(best[:length], game.choices[:length])
            if scores[i] >= target:
                break

    return flat


@njit(cache=True)
def keep(score, choices, n_plies, level, bests):
    """Make a game the best of `level` if its score is higher (NMCS keeps the first of equals)."""
    if score > bests.scores[level]:
        bests.scores[level] = score
        bests.n_plies[level] = n_plies
        assign(bests.choices[level, :n_plies], choices[:n_plies])


def make_node_steps(name, rules, checked):
    """Return the two steps of NMCS that play a move, and list those that follow it.

    Where `checked` rules break their contract ``cursor[1]`` is -1.
    """
    _, legal, play, _ = rules

    @named(name)
    def list_moves(level, nodes, game, n_codes, cursor):
        ints, floats = nodes.ints[level], nodes.floats[level]
        nodes.n_legal[level] = legal(ints, floats, nodes.moves[level], 0)
        nodes.candidate[level] = 0

    @named(name, allocates=True)
    def list_checked(level, nodes, game, n_codes, cursor):
        written = np.full(nodes.moves.shape[1], NOTHING)
        n = legal(nodes.ints[level], nodes.floats[level], written, 0)
        too_long = n > 0 and nodes.plies[level] == game.choices.size
        if too_long or not listed(written, n, n_codes, nodes.moves[level], 0):
            cursor[1] = -1
            n = 0
        nodes.n_legal[level] = n
        nodes.candidate[level] = 0

    list_here = list_checked if checked else list_moves

    @named(name)
    def descend(level, nodes, game, n_codes, cursor):
        """Try the next move: the level below starts from it."""
        ints, floats, plies = nodes.ints, nodes.floats, nodes.plies
        k = nodes.candidate[level]
        nodes.candidate[level] += 1
        game.choices[plies[level]] = k
        assign(ints[level - 1], ints[level])
        assign(floats[level - 1], floats[level])
        play(ints[level - 1], floats[level - 1], k, np.int64(nodes.moves[level, k]))
        plies[level - 1] = plies[level] + 1
        if level > 1:
            list_here(level - 1, nodes, game, n_codes, cursor)

    @named(name)
    def follow(level, nodes, choices, game, n_codes, cursor):
        """Play the move that the best game of the level has here."""
        ply = nodes.plies[level]
        k = choices[level, ply]
        game.choices[ply] = k
        play(nodes.ints[level], nodes.floats[level], k, np.int64(nodes.moves[level, k]))
        nodes.plies[level] = ply + 1
        list_here(level, nodes, game, n_codes, cursor)

    return descend, follow


def make_nmcs(name, steps, playout, checked):
    """Return NMCS (Cazenave 2009) for a problem, its recursion unrolled like that of NRPA."""
    descend, follow = steps

    @named(name)
    def nmcs(arrays, rng, n_playouts, target):
        nodes, bests, E, game, cursor, done = arrays
        ints, floats, plies, _, n_legal, candidate = nodes
        choices, lengths, scores = bests
        top = scores.size - 2
        level = cursor[0]
        while done[0] < n_playouts:
            if candidate[level] < n_legal[level]:
                descend(level, nodes, game, E.size, cursor)
                if checked and cursor[1] < 0:
                    break
                level -= 1
                scores[level] = -np.inf
                if level > 0 and n_legal[level] > 0:
                    continue
                # A playout, or a finished game, which needs no search.
                game.offsets[plies[level]] = 0
                n_plies, value = playout(ints[level], floats[level], plies[level], E, game, rng)
                if checked and np.isnan(value):
                    cursor[1] = -1
                    break
                done[0] += 1
                keep(value, game.choices, n_plies, top + 1, bests)
                keep(value, game.choices, n_plies, level, bests)
                if value >= target:
                    n_playouts = done[0]  # the last of this call
            elif n_legal[level] > 0:
                # Every move was tried: follow the best game by one move.
                follow(level, nodes, choices, game, E.size, cursor)
                if checked and cursor[1] < 0:
                    break
                continue
            elif level == top:
                cursor[1] = 1
                break
            # The level is finished: its best game goes up.
            level += 1
            below = level - 1
            keep(scores[below], choices[below], lengths[below], level, bests)
        cursor[0] = level

    return nmcs
