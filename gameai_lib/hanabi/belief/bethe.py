"""Belief propagation (BP): V1's question, asked of the deals in which slot i has no such copy.

Source: Kschischang, Frey & Loeliger 2001, "Factor Graphs and the Sum-Product Algorithm";
Vontobel 2013, "The Bethe Permanent of a Nonnegative Matrix", for one copy of each card. Cards that
no deal allows are found as in Régin 1996, "Generalized Arc Consistency for Global Cardinality
Constraint".

Each copy of a card is a node of a graph, and so is each slot; a slot takes one copy, a copy lies
in one slot or in the deck. Slot j tells a copy of f the odds that it takes this copy and no other
one, ``x_j(f)``, from what all other copies have told it; a copy tells slot i how far it is free
for it, ``r_i(f) = 1 / (1 + sum of x_j(f) over j != i)``. With ``M_i(f) = HM_i(f) L_i(f)`` the
belief ``B_i(f)`` is proportional to ``C(f) M_i(f) r_i(f)``.
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.hanabi.belief.exact import no_deal
from gameai_lib.hanabi.belief.state import as_given, check_state
from gameai_lib.hanabi.belief.v1 import MAX_ITERATIONS

# Odds beyond this are as good as infinite, but a float still: only a slot without any other
# copy has infinite odds.
MOST_ODDS = 1e150


def bp_belief(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike | None = None,
    *,
    n_iterations: int = 20,
) -> Floats:
    """Approximate `exact_belief` by belief propagation, with a likelihood or without.

    V1 subtracts what the other slots hold over all deals, also over those in which slot i itself
    holds the copy: its own news comes back to it. Here these are left out. At rest, with S(f)
    the sum of B_j(f) over all slots, and for a card of which copies may be left over,

    - V1: ``B_i(f)`` is proportional to ``M_i(f) (C(f) - S(f) + B_i(f))``,
    - BP: ``B_i(f)`` is proportional to ``M_i(f) C(f) (C(f) - S(f)) / (C(f) - B_i(f))``.

    All slots and all copies tell each other `n_iterations` times. A card gets 0 if and only if no
    deal has it there, after any number of them (so far as floats hold small numbers). Other
    arguments, result and errors are those of `exact_belief`.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(bp_belief(C, HM).round(3))  # exact is 4, 2 and 3 ninths for slot 1
    [[0.667 0.333 0.   ]
     [0.423 0.211 0.366]]
    """
    n_iterations = checks.whole("n_iterations", n_iterations, 0, MAX_ITERATIONS)
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief = np.empty_like(factor)
    state = _bp_batch(counts, factor, n_iterations, belief)
    if state >= 0:
        raise no_deal(state, n_axes)
    return as_given(belief, n_axes)


@njit(cache=True, allocates=True)
def _bp_batch(counts, factor, n_iterations, belief):
    # Fills the last, and strikes from `factor` what no deal has. Returns the first state without
    # a deal, or -1.
    n_states, n_slots, n_cards = factor.shape
    odds, free = np.empty((n_slots, n_cards)), np.empty((n_slots, n_cards))  # x and r
    for state in range(n_states):
        lies, n_left = _one_deal(counts[state], factor[state])
        if lies[0] < 0:
            return state
        in_deck = _strike(factor[state], lies, n_left)
        free[:] = 1.0
        for k in range(n_iterations + 1):
            for i in range(n_slots):
                row, mass = belief[state, i], 0.0
                for f in range(n_cards):
                    row[f] = counts[state, f] * factor[state, i, f] * free[i, f]
                    mass += row[f]
                if k < n_iterations:
                    _fill_odds(row, factor[state, i], free[i], mass, odds[i])
                for f in range(n_cards):
                    row[f] /= mass
            if k < n_iterations:
                _fill_free(odds, in_deck, free)
    return -1


@njit(cache=True)
def _fill_odds(weights, factor, free, mass, odds):
    # Of each copy against all other copies of all cards.
    for f in range(odds.size):
        odds[f] = 0.0
        if factor[f] > 0:
            mine = factor[f] * free[f]
            rest = mass - mine
            if rest < mine:  # where the difference would be rounding
                rest = max(0.0, weights[f] - mine)
                for g in range(odds.size):
                    rest += weights[g] if g != f else 0.0
            odds[f] = min(factor[f] / rest, MOST_ODDS) if rest > 0 else MOST_ODDS


@njit(cache=True)
def _fill_free(odds, in_deck, free):
    n_slots, n_cards = odds.shape
    for f in range(n_cards):
        total = 0.0
        for i in range(n_slots):
            total += odds[i, f]
        for i in range(n_slots):
            others = total - odds[i, f]
            if odds[i, f] > others:
                others = 0.0
                for j in range(n_slots):
                    others += odds[j, f] if j != i else 0.0
            # A copy that is in no deck has to go to one of them, if there is another.
            free[i, f] = 1 / (in_deck[f] + others) if in_deck[f] + others > 0 else 1.0


@njit(cache=True, allocates=True)
def _one_deal(counts, factor):
    # The card of each slot (-1 for all if there is no deal), and how many of each are left over.
    n_slots, n_cards = factor.shape
    lies, n_left = np.full(n_slots, -1), counts.copy()
    giver, instead = np.empty(n_cards, dtype=np.int64), np.empty(n_cards, dtype=np.int64)
    for slot in range(n_slots):
        # A card can be had if a copy is left, or if a slot gives it for another that can be had.
        can_have, more, card = n_left > 0, True, -1
        while card < 0 and more:
            for f in range(n_cards):
                if can_have[f] and factor[slot, f] > 0:
                    card = f
            more = False
            for j in range(slot):
                f = lies[j]
                for g in range(n_cards):
                    if not can_have[f] and can_have[g] and factor[j, g] > 0:
                        can_have[f], giver[f], instead[f], more = True, j, g, True
        if card < 0:
            lies[:] = -1
            return lies, n_left
        lies[slot] = card
        while n_left[card] == 0:
            lies[giver[card]] = instead[card]
            card = instead[card]
        n_left[card] -= 1
    return lies, n_left


@njit(cache=True, allocates=True)
def _strike(factor, lies, n_left):
    # Returns which cards may be left over, 1 or 0. A cell is possible if, from one deal, its slot
    # can change to that card by passing on copies, in a circle or to one that was left over. What
    # BP finds impossible is struck here, too: another slot has infinite odds only if it has no
    # other copy, which is then that slot's in every deal.
    n_slots, n_cards = factor.shape
    # From which card copies can be passed on to which: its slot takes one of the other instead.
    leads = np.eye(n_cards) > 0
    for j in range(n_slots):
        for f in range(n_cards):
            leads[lies[j], f] |= factor[j, f] > 0
    for via in range(n_cards):
        for f in range(n_cards):
            if leads[f, via]:
                for g in range(n_cards):
                    leads[f, g] |= leads[via, g]
    in_deck = np.zeros(n_cards)
    for f in range(n_cards):
        for g in range(n_cards):
            if leads[f, g] and n_left[g] > 0:
                in_deck[f] = 1.0
    for i in range(n_slots):
        for f in range(n_cards):
            if in_deck[f] == 0 and not leads[f, lies[i]]:
                factor[i, f] = 0.0
    return in_deck
