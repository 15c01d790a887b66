"""Belief propagation against enumeration, message by message, and its own laws."""

from fractions import Fraction as F

import numpy as np
import pytest

from gameai_book.hanabi import cases
from gameai_lib.hanabi import bp_belief, exact_belief
from tests.hanabi.brute import marginals, random_state


def messages(copies, factor, n_iterations):
    """Belief propagation as it is in books: cards of one copy each, messages in fractions."""
    slots, cards = range(len(factor)), range(len(copies))
    to_slot = {(i, f): F(1) for i in slots for f in cards if factor[i][f]}
    for _ in range(n_iterations):
        to_card = {}
        for i, f in to_slot:
            rest = sum(factor[i][g] * to_slot[i, g] for g in cards if g != f and (i, g) in to_slot)
            to_card[i, f] = factor[i][f] / rest
        for i, f in to_slot:
            others = sum(x for (j, g), x in to_card.items() if g == f and j != i)
            to_slot[i, f] = 1 / (1 + others)
    weights = [[factor[i][f] * to_slot.get((i, f), 0) for f in cards] for i in slots]
    return [[w / sum(row) for w in row] for row in weights]


def test_messages_between_single_copies():
    rng = np.random.default_rng(21)
    n_checked = 0
    while n_checked < 20:
        candidates, mask, likelihood = random_state(rng, n_slots=3, n_cards=4)
        mask = mask & (likelihood > 0)
        copies = np.repeat(np.arange(4), candidates.astype(np.intp))
        factor = [[F(float(likelihood[i, f] * mask[i, f])) for f in copies] for i in range(3)]
        exact = exact_belief(candidates, mask, likelihood)
        # Without copies that must lie in a slot, nothing is struck, and no odds are infinite.
        if (exact[mask & (candidates > 0)] == 0).any() or candidates.sum() < 6:
            continue
        if (exact.sum(axis=0) > candidates - 1e-9)[candidates > 0].any():
            continue
        for n in (0, 1, 4):
            single = np.array(messages(copies, factor, n), dtype=float)
            expected = np.array([single[:, copies == f].sum(axis=1) for f in range(4)]).T
            belief = bp_belief(candidates, mask, likelihood, n_iterations=n)
            assert np.allclose(belief, expected, rtol=0, atol=1e-13)
        n_checked += 1


def test_a_card_gets_0_if_and_only_if_no_deal_has_it():
    rng = np.random.default_rng(22)
    n_decks = 0
    for k in range(60):
        candidates, mask, likelihood = random_state(rng, n_slots=4, real=k % 2 > 0)
        impossible = marginals(candidates, mask, likelihood) == 0
        n_decks += candidates.sum() > 4
        for n in (0, 1, 20):
            belief = bp_belief(candidates, mask, likelihood, n_iterations=n)
            assert np.array_equal(belief == 0, impossible)
            assert np.allclose(belief.sum(axis=1), 1)
    assert 20 < n_decks < 60  # with a deck and without


@pytest.mark.parametrize("n_slots", [4, 12, 20])
def test_a_graph_without_circles_is_exact(n_slots):
    star = cases.star(n_slots)
    expected = exact_belief(star.candidates, star.hint_mask)
    assert np.allclose(bp_belief(star.candidates, star.hint_mask), expected, atol=1e-12)
    chain = np.eye(n_slots, n_slots + 1) + np.eye(n_slots, n_slots + 1, 1) > 0
    likelihood = 1 + np.random.default_rng(23).random(chain.shape)
    ones = np.ones(n_slots + 1, dtype=int)
    belief = bp_belief(ones, chain, likelihood, n_iterations=2 * n_slots)
    assert np.allclose(belief, exact_belief(ones, chain, likelihood), atol=1e-12)
