"""The loops of NRPA, NMCS and flat Monte Carlo, written once for every problem.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011. `make_nrpa`
and its sisters close over the four functions of a problem, so that a compiler sees through
them. Weights ``W`` are kept together with ``E = exp(W)``: a playout then needs no exponential,
and an adapt needs one for each distinct code it touched.
"""

import math

import numpy as np

from gameai_lib._jit import njit

# Columns of `params`; see `search.NRPA` for their meaning.
N_ITERATIONS, N_PLAYOUTS, MAX_REPEATS, SHARED_POLICY, LAST_NORMALISER, STRICT, DROP_LAST = range(7)
# Columns of `totals`.
PLAYOUTS, ADAPTS, COPIES, FINISHED = range(4)
# Columns of `counts`, one row for each level.
DONE, REPEATS = range(2)
NOTHING = -1  # stands where checked rules have not written a code


@njit
def choose(E, codes, start, n_legal, u):
    """Index of the first move whose cumulative weight exceeds `u` times the total."""
    total = 0.0
    for i in range(start, start + n_legal):
        total += E[codes[i]]
    target = u * total
    cumulative = 0.0
    for i in range(start, start + n_legal):
        cumulative += E[codes[i]]
        if cumulative > target:
            return i - start
    return n_legal - 1  # only rounding leads here


@njit
def gradient(E, codes, offsets, choices, n_plies, alpha, last_normaliser, D, marked, touched):
    """Add alpha times (chosen - probability) to `D`, reading the old policy only (Adapt).

    Returns the number of distinct codes, listed in `touched`.
    """
    n_touched = 0
    for ply in range(n_plies):
        start, stop = offsets[ply], offsets[ply + 1]
        total = 0.0
        for i in range(start, stop):
            code = codes[i]
            # The fault of the source: '=' where '+=' was meant.
            total = E[code] if last_normaliser else total + E[code]
            if marked[code] == 0:
                marked[code] = 1
                touched[n_touched] = code
                n_touched += 1
        scale = alpha / total
        for i in range(start, stop):
            D[codes[i]] -= scale * E[codes[i]]
        D[codes[start + choices[ply]]] += alpha
    return n_touched


@njit
def apply_gradient(W, E, D, marked, touched, n_touched, clip):
    """Add `D` to the policy and clear the scratch arrays."""
    for i in range(n_touched):
        code = touched[i]
        W[code] = min(max(W[code] + D[code], -clip), clip)
        E[code] = math.exp(W[code])  # not numpy's, whose last digit can differ
        D[code] = 0.0
        marked[code] = 0


@njit
def remember(touched, n_touched, changed, in_changed, n_changed):
    """Add `touched` to the set of codes where a level differs from the one above."""
    for i in range(n_touched):
        code = touched[i]
        if in_changed[code] == 0:
            in_changed[code] = 1
            changed[n_changed] = code
            n_changed += 1
    return n_changed


@njit
def same_game(choices_a, n_a, choices_b, n_b):
    """Whether two games consist of the same choices."""
    return n_a == n_b and np.array_equal(choices_a[:n_a], choices_b[:n_b])


@njit
def offer(level, choices, lengths, scores, slots, counts, params):
    """Keep the result of `level` as the best of the level above, if it is at least as good."""
    below, above = slots[level], slots[level + 1]
    if (
        params[MAX_REPEATS] > 0
        and scores[below] == scores[above]
        and same_game(choices[below], lengths[below], choices[above], lengths[above])
    ):
        counts[level + 1, REPEATS] += 1
        return
    better = scores[below] > scores[above]
    if better or (scores[below] == scores[above] and params[STRICT] == 0):
        # Games are not copied: the two levels exchange their slots.
        slots[level], slots[level + 1] = above, below
        counts[level + 1, REPEATS] = 0


@njit
def restart_below(top, W, E, touched, n_touched, changed, in_changed, n_changed, shared):
    """Give every level below `top` a fresh copy of the policy above it.

    Only codes that can differ are copied: those a level changed since its start, those of the
    levels between, and those of the last adapt at `top`.
    """
    if shared == 0:
        for level in range(top - 1, 0, -1):
            for source in range(level, top):
                for i in range(n_changed[source]):
                    code = changed[source, i]
                    W[level, code] = W[level + 1, code]
                    E[level, code] = E[level + 1, code]
            for i in range(n_touched):
                W[level, touched[i]] = W[level + 1, touched[i]]
                E[level, touched[i]] = E[level + 1, touched[i]]
    for level in range(1, top):
        for i in range(n_changed[level]):
            in_changed[level, changed[level, i]] = 0
        n_changed[level] = 0


@njit
def climb(
    W, E, D, marked, touched, changed, in_changed, n_changed,
    codes, offsets, choices, lengths, scores, slots, counts, totals, params, alpha, clip,
):  # fmt: skip
    """Adapt after a playout, at level 1 and at each level whose last iteration this was.

    Sets ``totals[FINISHED]`` when the top level has finished: in an array it outlives an
    interrupt that comes before the caller can store a result.
    """
    top = slots.size - 1
    offer(0, choices, lengths, scores, slots, counts, params)
    if totals[PLAYOUTS] % params[N_PLAYOUTS] != 0:
        return
    level = 1
    while True:
        row = 1 if params[SHARED_POLICY] else level
        s = slots[level]
        n_touched = gradient(
            E[row], codes[s], offsets[s], choices[s], lengths[s],
            alpha, params[LAST_NORMALISER], D, marked, touched,
        )  # fmt: skip
        apply_gradient(W[row], E[row], D, marked, touched, n_touched, clip)
        n_changed[row] = remember(touched, n_touched, changed[row], in_changed[row], n_changed[row])
        totals[ADAPTS] += 1
        counts[level, DONE] += 1
        stuck = params[MAX_REPEATS] > 0 and counts[level, REPEATS] >= params[MAX_REPEATS]
        if counts[level, DONE] < params[N_ITERATIONS] and not stuck:
            break
        if level == top:
            totals[FINISHED] = 1
            return
        offer(level, choices, lengths, scores, slots, counts, params)
        level += 1
    if level > 1:
        restart_below(
            level, W, E, touched, n_touched, changed, in_changed, n_changed, params[SHARED_POLICY]
        )
        for below in range(1, level):
            counts[below, :] = 0
            scores[slots[below]] = -np.inf
        totals[COPIES] += level - 1


def named(name):
    """Return `njit` for closures, under names that begin with that of the problem.

    The compiler keeps closures of equal name apart by a count that starts again in each
    process. Read back from its cache, two problems would then share one machine code.
    """

    def compile_named(function):
        function.__qualname__ = f"{name}_{function.__name__}"
        return njit(function)

    return compile_named


def make_playout(name, rules):
    """Return a playout that goes on from any position; it returns (n_plies, score)."""
    _, legal, play, score = rules

    @named(name)
    def playout(ints, floats, ply, E, codes, offsets, choices, drop_last, rng):
        max_legal = codes.size // offsets.size
        start = offsets[ply]
        while True:
            n_legal = legal(ints, floats, codes, start)
            if n_legal == 0:
                return ply, score(ints, floats)
            if n_legal > max_legal or ply == choices.size:
                raise IndexError("a game exceeds max_legal or max_plies of its problem")
            n_offered = n_legal - 1 if drop_last and n_legal > 1 else n_legal
            k = choose(E, codes, start, n_offered, rng.random())
            choices[ply] = k
            play(ints, floats, k, np.int64(codes[start + k]))
            ply += 1
            start += n_legal
            offsets[ply] = start

    return playout


@njit
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


def make_checked_playout(name, rules):
    """Return a playout of rules that may break their contract: the score is then NaN."""
    _, legal, play, score = rules

    @named(name)
    def playout(ints, floats, ply, E, codes, offsets, choices, drop_last, rng):
        written = np.full(codes.size // offsets.size, NOTHING)
        start = offsets[ply]
        while True:
            n_legal = legal(ints, floats, written, 0)
            if n_legal == 0:
                value = float(score(ints, floats))
                return ply, value if abs(value) < np.inf else np.nan
            if ply == choices.size or not listed(written, n_legal, E.size, codes, start):
                return ply, np.nan
            n_offered = n_legal - 1 if drop_last and n_legal > 1 else n_legal
            k = choose(E, codes, start, n_offered, rng.random())
            choices[ply] = k
            play(ints, floats, k, np.int64(codes[start + k]))
            ply += 1
            start += n_legal
            offsets[ply] = start

    return playout


def make_nrpa(name, rules, checked=False):
    """Return NRPA for a problem: its recursion unrolled, so that it can stop anywhere.

    Iteration counts of the levels run like an odometer; the kernel plays `n_playouts` more
    playouts, adapts, and leaves everything in the arrays. Where `checked` rules break their
    contract it stops; the score of the playout is NaN.
    """
    reset = rules[0]
    playout = (make_checked_playout if checked else make_playout)(name, rules)

    @named(name)
    def nrpa(
        n_playouts, ints, floats, rng, W, E, D, marked, touched, changed, in_changed, n_changed,
        codes, offsets, choices, lengths, scores, slots, counts, totals, params, alpha, clip,
    ):  # fmt: skip
        for _ in range(n_playouts):
            s = slots[0]
            reset(ints, floats)
            lengths[s], scores[s] = playout(
                ints, floats, 0, E[1], codes[s], offsets[s], choices[s], params[DROP_LAST], rng
            )
            if checked and np.isnan(scores[s]):
                break
            totals[PLAYOUTS] += 1
            climb(
                W, E, D, marked, touched, changed, in_changed, n_changed,
                codes, offsets, choices, lengths, scores, slots, counts, totals, params,
                alpha, clip,
            )  # fmt: skip
            if totals[FINISHED] == 1:
                break

    return nrpa


def make_flat(name, rules, checked=False):
    """Return flat Monte Carlo: independent playouts with a fixed policy, the best one kept.

    ``done`` counts the playouts, ``best_score`` and ``n_best`` belong to the best of them.
    Where `checked` rules break their contract it stops before it has filled `scores`.
    """
    reset = rules[0]
    playout = (make_checked_playout if checked else make_playout)(name, rules)

    @named(name)
    def flat(scores, ints, floats, rng, E, codes, offsets, choices, best, n_best, best_score, done):
        for i in range(scores.size):
            reset(ints, floats)
            length, scores[i] = playout(ints, floats, 0, E, codes, offsets, choices, 0, rng)
            if checked and np.isnan(scores[i]):
                break
            done[0] += 1
            if scores[i] > best_score[0]:
                best_score[0], n_best[0] = scores[i], length
                best[:length] = choices[:length]

    return flat


@njit
def keep(score, choices, n_plies, level, best, n_best, best_scores):
    """Make a game the best of `level` if its score is higher (NMCS keeps the first of equals)."""
    if score > best_scores[level]:
        best_scores[level] = score
        n_best[level] = n_plies
        best[level, :n_plies] = choices[:n_plies]


def make_nmcs(name, rules, checked=False):
    """Return NMCS (Cazenave 2009) for a problem, its recursion unrolled like that of NRPA.

    Row `l` of the arrays belongs to level `l`: its position, the legal moves there, the next
    candidate to try, the best game it knows. Row 0 is the playout; the row after the top level
    keeps the best game of all. ``cursor`` holds the level the search is at, and whether it has
    finished, or -1 where `checked` rules have broken their contract; ``done`` counts playouts,
    up to `n_playouts`.
    """
    _, legal, play, _ = rules
    playout = (make_checked_playout if checked else make_playout)(name, rules)

    @named(name)
    def list_moves(level, ints, floats, moves, n_legal, candidate, E, prefix, plies, cursor):
        n_legal[level] = legal(ints[level], floats[level], moves[level], 0)
        candidate[level] = 0

    @named(name)
    def list_checked(level, ints, floats, moves, n_legal, candidate, E, prefix, plies, cursor):
        written = np.full(moves.shape[1], NOTHING)
        n = legal(ints[level], floats[level], written, 0)
        too_long = n > 0 and plies[level] == prefix.size
        if too_long or not listed(written, n, E.size, moves[level], 0):
            cursor[1] = -1
            n = 0
        n_legal[level] = n
        candidate[level] = 0

    list_here = list_checked if checked else list_moves

    @named(name)
    def descend(level, ints, floats, moves, n_legal, candidate, E, prefix, plies, cursor):
        k = candidate[level]
        candidate[level] += 1
        prefix[plies[level]] = k
        ints[level - 1] = ints[level]
        floats[level - 1] = floats[level]
        play(ints[level - 1], floats[level - 1], k, np.int64(moves[level, k]))
        plies[level - 1] = plies[level] + 1
        if level > 1:
            list_here(level - 1, ints, floats, moves, n_legal, candidate, E, prefix, plies, cursor)

    @named(name)
    def nmcs(
        n_playouts, ints, floats, rng, E, codes, offsets, prefix, moves, n_legal, candidate,
        plies, best, n_best, best_scores, cursor, done,
    ):  # fmt: skip
        top = best_scores.size - 2
        level = cursor[0]
        while done[0] < n_playouts:
            if candidate[level] < n_legal[level]:
                descend(level, ints, floats, moves, n_legal, candidate, E, prefix, plies, cursor)
                if checked and cursor[1] < 0:
                    break
                level -= 1
                best_scores[level] = -np.inf
                if level > 0 and n_legal[level] > 0:
                    continue
                # A playout, or a finished game, which needs no search.
                offsets[plies[level]] = 0
                n_plies, value = playout(
                    ints[level], floats[level], plies[level], E, codes, offsets, prefix, 0, rng
                )
                if checked and np.isnan(value):
                    cursor[1] = -1
                    break
                done[0] += 1
                keep(value, prefix, n_plies, top + 1, best, n_best, best_scores)
                keep(value, prefix, n_plies, level, best, n_best, best_scores)
            elif n_legal[level] > 0:
                # Every move was tried: follow the best game by one move.
                ply = plies[level]
                k = best[level, ply]
                prefix[ply] = k
                play(ints[level], floats[level], k, np.int64(moves[level, k]))
                plies[level] = ply + 1
                list_here(level, ints, floats, moves, n_legal, candidate, E, prefix, plies, cursor)
                if checked and cursor[1] < 0:
                    break
                continue
            elif level == top:
                cursor[1] = 1
                break
            # The level is finished: its best game goes up.
            level += 1
            keep(
                best_scores[level - 1], best[level - 1], n_best[level - 1],
                level, best, n_best, best_scores,
            )  # fmt: skip
        cursor[0] = level

    return nmcs
