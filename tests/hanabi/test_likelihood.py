"""Likelihoods of actions against a list of all deals, and over whole games."""

import numpy as np
import pytest

from gameai_book.hanabi.cases import P2
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.hands import enumerate_hands
from gameai_lib.hanabi.belief.likelihood import (
    exact_likelihood,
    likelihood_after,
    public_likelihood,
    sampled_likelihood,
)
from gameai_lib.hanabi.game.moves import Discard, Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.policy import convention_would_act
from tests.hanabi.brute import deals, random_state

# Two slots; the action shows that slot 0 holds card 0, of which there are two copies.
TWO_SLOTS = np.array([2, 1, 1]), np.ones((2, 3), dtype=bool)


def shows_first_card(hands):
    return hands[:, 0] == 0


def some_policy(hands):
    """Acts on about half of all hands, and looks at every slot."""
    return (hands @ np.arange(1, hands.shape[1] + 1)) % 2 == 0


def convention_game(seed):
    return list(play_game([RuleAgent("Convention")] * 2, np.random.default_rng(seed)))


@pytest.mark.parametrize("seen", [None, [0, 1], [3, 1], [2]], ids=str)
def test_hands_and_what_they_tell_against_all_deals(seen):
    rng, slots = np.random.default_rng(32), range(4) if seen is None else seen
    for _ in range(12):
        candidates, mask, likelihood = random_state(rng)
        listed = deals(candidates, mask, likelihood)
        cards = np.array([deal for deal, _ in listed])[:, slots]
        weights = np.array([float(weight) for _, weight in listed])
        hands = enumerate_hands(candidates, mask, likelihood, seen=seen)
        expected, which = np.unique(cards, axis=0, return_inverse=True)
        assert np.array_equal(hands.cards, expected)
        probability = np.bincount(which.ravel(), weights) / weights.sum()
        assert np.allclose(hands.probability, probability, rtol=1e-9, atol=1e-14)
        acts = some_policy(cards)
        if acts.any():
            learnt = exact_likelihood(candidates, mask, some_policy, likelihood, seen=seen)
            for column, slot in zip(cards.T, slots, strict=True):
                for card in set(column):
                    held = weights[column == card]
                    likelihood[slot, card] *= held @ acts[column == card] / held.sum()
            assert np.allclose(learnt, likelihood, rtol=1e-9, atol=1e-13)


def test_samples_approach_the_exact_likelihood():
    rng, seen = np.random.default_rng(35), [0, 1, 2, 3, 4]
    known = P2.candidates, P2.hint_mask, some_policy
    exact = exact_likelihood(*known, seen=seen)
    common = exact_belief(P2.candidates, P2.hint_mask) > 0.05
    few, many = (sampled_likelihood(*known, rng, seen=seen, n_samples=n) for n in (200, 20_000))
    assert np.array_equal(many[5:], np.ones((5, 25)))
    assert np.abs(many - exact)[common].max() < min(0.06, np.abs(few - exact)[common].max())
    for _ in range(5):
        candidates, mask, old = random_state(rng)
        exact = exact_likelihood(candidates, mask, some_policy, old)
        new = sampled_likelihood(candidates, mask, some_policy, rng, old, n_samples=30_000)
        held = exact_belief(candidates, mask, old) > 0.02
        assert np.allclose(new[held] / old[held], exact[held] / old[held], atol=0.06)


def test_a_policy_may_spoil_its_hands():
    def spoils(hands):
        asked = shows_first_card(hands)
        hands[:] = 99
        return asked

    clean = exact_likelihood(*TWO_SLOTS, shows_first_card)
    assert np.array_equal(exact_likelihood(*TWO_SLOTS, spoils), clean)


def test_cards_never_sampled_and_actions_never_seen_keep_the_old_values():
    old = np.array([[0.5, 0.25, 0.75], [1.0, 1.0, 1.0]])
    rng = np.random.default_rng(37)
    one = sampled_likelihood(*TWO_SLOTS, lambda hands: hands[:, 0] >= 0, rng, old, n_samples=1)
    assert np.array_equal(one, old)
    never = sampled_likelihood(*TWO_SLOTS, lambda hands: hands[:, 0] < 0, rng, old, n_samples=9)
    assert np.array_equal(never, old)
    assert never is not old


def test_least_count_keeps_bad_luck_from_ruling_a_card_out():
    source, gentle = (
        sampled_likelihood(*TWO_SLOTS, shows_first_card, 38, n_samples=400, least_count=least)
        for least in (0, 0.5)
    )
    assert np.array_equal(source[0, 1:], [0, 0])
    assert ((gentle[0, 1:] > 0.5 / 400) & (gentle[0, 1:] < 0.5 / 60)).all()
    assert np.array_equal(gentle[1], source[1])


@pytest.mark.parametrize(
    ("seed", "options"),
    [(2, {}), *((seed, {"max_hands": 1, "n_samples": 100}) for seed in (13, 20))],
)
def test_over_a_game_rows_reset_and_the_truth_is_never_ruled_out(seed, options):
    game, n_told = convention_game(seed), 0
    followed = public_likelihood(game, convention_would_act, 42, **options)
    states = [game[0].state, *(frame.next_state for frame in game)]
    for state, likelihood in zip(states, followed, strict=True):
        for player, hand in enumerate(state.hands):
            assert (likelihood[5 * player + np.arange(len(hand)), hand] > 0).all()
        if isinstance(state.last_move, Play | Discard):
            new_slot = (1 - state.player) * 5 + 4
            assert np.array_equal(likelihood[new_slot], np.ones(26))
        n_told += np.count_nonzero(likelihood != 1)
    assert n_told > 0


def test_hands_that_are_ruled_out_are_not_counted():
    (frame,), rng = convention_game(11)[1:2], np.random.default_rng(1)
    known = np.eye(26)[list(frame.state.hands[0])]
    likelihood_after(frame, convention_would_act, rng, known, player=0)
    assert rng.random() == np.random.default_rng(1).random(), "no hand is drawn"


def test_the_own_move_tells_nothing_and_rows_follow_the_cards():
    rows = np.arange(5 * 26.0).reshape(5, 26)
    for frame in convention_game(11):
        mover = frame.state.player
        followed = likelihood_after(frame, convention_would_act, 45, rows, player=mover)
        expected = rows
        if isinstance(frame.move, Play | Discard):
            expected = np.vstack([np.delete(rows, frame.move.slot, axis=0), np.ones(26)])
        assert np.array_equal(followed, expected)
