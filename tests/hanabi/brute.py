"""Slow, independent answers for small Hanabi states: every deal, and V1 read line by line."""

from fractions import Fraction
from itertools import product

import numpy as np

from gameai_lib.hanabi.belief.hands import draw_hands
from gameai_lib.hanabi.game.box import FULL_COUNTS, N_CARDS, NO_CARD, parse_card
from gameai_lib.hanabi.game.rules import State

FIELDS = State.__dataclass_fields__


def changed(state, **fields):
    """As `dataclasses.replace`, for states that no game reaches and `State` would refuse."""
    other = object.__new__(State)
    vars(other).update({name: getattr(state, name) for name in FIELDS} | fields)
    return other


def deal(*hands, then=""):
    """A game whose hands are given by name, and whose next cards are those of `then`."""
    first = [parse_card(name) for names in (*hands, then) for name in names.split()]
    rest = [card for card in range(N_CARDS) for _ in range(FULL_COUNTS[card])]
    for card in first:
        rest.remove(card)
    return State.from_deck(len(hands), first + rest)


def imagine(state, player, rng):
    """`state` with another hand of `player`, as this player may imagine it, and another deck."""
    drawn = draw_hands(*state.view(player), 20, rng).cards[0].tolist()
    hand = tuple(card for card in drawn if card != NO_CARD)
    pool = [*state.hands[player], *state.deck]
    for card in hand:
        pool.remove(card)
    hands = (*state.hands[:player], hand, *state.hands[player + 1 :])
    return changed(state, hands=hands, deck=tuple(rng.permutation(pool).tolist()))


def deals(candidates, hint_mask, likelihood=None):
    """List of (deal, weight): the weight counts copies apart and multiplies the likelihood."""
    allowed = [np.flatnonzero(row).tolist() for row in hint_mask]
    found = []
    for deal in product(*allowed):
        left = [int(count) for count in candidates]
        weight = Fraction(1)
        for slot, card in enumerate(deal):
            weight *= left[card]
            if not weight:
                break
            left[card] -= 1
            if likelihood is not None:
                weight *= Fraction(float(likelihood[slot][card]))
        if weight:
            found.append((deal, weight))
    return found


def marginals(candidates, hint_mask, likelihood=None):
    """(n_slots, n_cards) object array of Fractions, from the list of all deals."""
    belief = np.full(np.shape(hint_mask), Fraction(0))
    found = deals(candidates, hint_mask, likelihood)
    total = sum(weight for _, weight in found)
    for deal, weight in found:
        for slot, card in enumerate(deal):
            belief[slot, card] += weight / total
    return belief


def slow_v1(candidates, mask, likelihood, damping, clip, n_iterations):
    """Lists and loops, in the order of the text: subtract the others, weigh, normalise, mix."""
    cards = range(len(candidates))
    factor = [[mask[i][f] * likelihood[i][f] for f in cards] for i in range(len(mask))]
    belief = []
    for row in factor:
        weight = [candidates[f] * row[f] for f in cards]
        belief.append([w / sum(weight) for w in weight])
    for _ in range(n_iterations):
        updated = []
        for i, row in enumerate(factor):
            others = [sum(b[f] for j, b in enumerate(belief) if j != i) for f in cards]
            spare = [candidates[f] - others[f] for f in cards]
            weight = [(max(0, s) if clip else s) * row[f] for f, s in enumerate(spare)]
            new = [w / sum(weight) for w in weight] if sum(weight) else belief[i]
            updated.append(
                [(1 - damping) * b + damping * n for b, n in zip(belief[i], new, strict=True)]
            )
        belief = updated
    return belief


def random_state(rng, *, n_slots=4, n_cards=5, copies=3, real=True):
    """Candidates, mask and likelihood with at least one deal."""
    while True:
        candidates = rng.integers(0, copies + 1, n_cards)
        mask = rng.random((n_slots, n_cards)) < 0.6
        likelihood = rng.choice([0.0, 0.25, 0.5, 1.0], (n_slots, n_cards), p=[0.1, 0.3, 0.3, 0.3])
        if not real:
            likelihood = np.ones_like(likelihood)
        if deals(candidates, mask & (likelihood > 0)):
            return candidates, mask, likelihood
