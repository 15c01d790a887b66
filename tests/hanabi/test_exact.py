"""Exact marginals against enumeration in fractions, samples, and their own laws."""

import numpy as np
import pytest

from gameai_lib.hanabi import RuleAgent, exact_belief, play_game
from gameai_lib.hanabi.belief.exact import n_deals
from gameai_lib.hanabi.belief.hands import draw_hands
from tests.hanabi.brute import deals, marginals, random_state


@pytest.mark.parametrize(
    ("real", "n_free"), [(False, 0), (True, 0), (True, 1), (True, 2), (True, 3)]
)
def test_against_enumeration_in_fractions(real, n_free):
    rng = np.random.default_rng(11)
    for _ in range(10 if n_free else 30):
        candidates, mask, likelihood = random_state(rng, real=real)
        mask[:n_free], likelihood[:n_free] = True, 1.0  # these draw like the deck
        expected = marginals(candidates, mask, likelihood)
        belief = exact_belief(candidates, mask, likelihood)
        assert np.allclose(belief, expected.astype(float), rtol=0, atol=1e-14)
        assert np.array_equal(belief == 0, expected == 0)
        assert n_deals(candidates, mask) == sum(w for _, w in deals(candidates, mask))


def test_slots_and_cards_that_are_alike_are_merged_rightly():
    # Three equal slots, two equal slots, and two pairs of equal cards.
    mask = np.array([[1, 1, 1, 1, 0]] * 3 + [[1, 1, 0, 0, 1]] * 2 + [[0, 0, 1, 1, 1]], dtype=bool)
    likelihood = np.where(mask, 1.0, 0.0)
    likelihood[3:5, 4] = 0.3
    candidates = np.array([2, 1, 2, 1, 2])
    expected = marginals(candidates, mask, likelihood).astype(float)
    assert np.allclose(exact_belief(candidates, mask, likelihood), expected, atol=1e-14)


def test_drawn_hands_have_the_exact_frequencies():
    n_samples = 40_000
    likelihood = np.array([[1.0, 0.5, 0.0], [1.0, 0.5, 0.0], [0.2, 1.0, 0.6]])
    candidates, mask = np.array([2, 2, 1]), np.ones((3, 3), dtype=bool)
    drawn = draw_hands(candidates, mask, n_samples, np.random.default_rng(14), likelihood)
    two = draw_hands(candidates, mask, 9, np.random.default_rng(14), likelihood, seen=[2, 0])
    both = draw_hands(candidates, mask, 9, np.random.default_rng(14), likelihood)
    assert np.array_equal(two.cards, both.cards[:, [2, 0]])
    expected = deals(candidates, mask, likelihood)
    total = sum(weight for _, weight in expected)
    for deal, weight in expected:
        p = float(weight / total)
        is_deal = (drawn.cards == deal).all(axis=1)
        error = np.sqrt((drawn.probability**2 * (is_deal - p) ** 2).sum())
        assert abs(drawn.probability[is_deal].sum() - p) < 4.5 * error
    assert set(map(tuple, drawn.cards.tolist())) <= {deal for deal, _ in expected}


def test_twenty_slots_of_which_no_two_are_alike_against_samples():
    # A late position of five, between Outer agents: each slot was told something else.
    agents = [RuleAgent("Outer")] * 5
    *_, frame = (f for f in play_game(agents, np.random.default_rng([9, 3])) if f.state.n_deck > 4)
    candidates, mask = frame.state.public()
    assert len({row.tobytes() for row in mask & (candidates > 0)}) >= 14
    drawn, weight = draw_hands(candidates, mask, 50_000, np.random.default_rng(0))
    shares = np.einsum("k,kif->if", weight, drawn[:, :, None] == np.arange(26))
    belief = exact_belief(candidates, mask)
    assert np.abs(shares - belief).max() < 4.5 * 0.5 * np.sqrt((weight**2).sum()) < 0.05
    assert (belief.sum(axis=0) <= candidates + 1e-12).all()
    pinned = mask.copy()
    pinned[0] = np.arange(26) == belief[0].argmax()
    share = n_deals(candidates, pinned) / n_deals(candidates, mask)
    assert belief[0].max() == pytest.approx(share, rel=1e-12)


def test_numbers_of_deals_that_no_float_holds_are_an_error():
    rows, candidates = np.ones((133, 1), dtype=bool), [500_000]
    assert (exact_belief(candidates, rows) == 1).all()  # of slots that can hold anything: none
    with pytest.raises(ValueError, match="more deals than a float can count"):
        exact_belief([500_000, 1], np.ones((133, 2)) * [1, 0] + np.eye(133, 2, -131) > 0)
