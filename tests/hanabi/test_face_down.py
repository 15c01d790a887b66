"""Hands that lie face down: in the rules, in positions as text, and in beliefs."""

from itertools import permutations

import numpy as np
import pytest

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.cards import (
    FULL_COUNTS,
    N_CARDS,
    Discard,
    FaceDown,
    HintColour,
    HintRank,
    Play,
    card_name,
    parse_card,
)
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.positions import parse_state
from gameai_lib.hanabi.game.rules import State, describe
from gameai_lib.hanabi.game.text import NotationError
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import convention_would_act
from tests.hanabi.test_text import fields

UNSEEN = "cards lie face down, as one's own hand and the deck do"


def test_the_rules_say_where_a_card_is_needed_that_nobody_sees():
    hidden = State.new(2, 7).hide_hand(0)
    assert isinstance(hidden.hands[0], FaceDown)
    hinted = hidden.apply(HintColour(1, 0))  # the other hand is in sight
    assert [hinted.player, hinted.n_hints] == [1, 7]
    for state, move in (
        (hidden, Play(0)),
        (hinted, Discard(2)),  # draws a card
        (hinted, HintRank(0, 1)),
    ):
        with pytest.raises(ValueError, match=UNSEEN):
            state.apply(move)
    with pytest.raises(ValueError, match=UNSEEN):
        describe(hidden, Play(1))
    with pytest.raises(ValueError, match=f"5 {UNSEEN}"):
        hidden.view(1)
    with pytest.raises(ValueError, match=f"40 {UNSEEN}"):
        list(hidden.deck)


# Seven cards are unseen, of which player 0 holds five.
UNSEEN_CARDS = ["R4", "R4", "R5", "Y4", "Y4", "G5", "B5"]
SMALL = """
player 0: {}(R) {} {}(45) {}(YGWB5) {}
player 1: R3 Y3 G4 W4 B4
fireworks: R2 Y2 G3 W3 B3
discards: {discards}
hints: 3
last move: hints 0 red
"""


def small(hand):
    """The small position with this hand of player 0, as text."""
    known = "R3 Y3 G4 W4 B4 R1 R2 Y1 Y2 G1 G2 G3 W1 W2 W3 B1 B2 B3".split()  # noqa: SIM905
    left = dict(zip(map(card_name, range(N_CARDS)), FULL_COUNTS.tolist(), strict=False))
    for card in (*known, *UNSEEN_CARDS):
        left[card] -= 1
    discards = [card for card, n_left in left.items() for _ in range(n_left)]
    return SMALL.format(*hand, discards=" ".join(discards))


def test_beliefs_are_those_of_every_hand_that_it_may_be():
    hidden = parse_state(small("?????"))
    assert (hidden.n_deck, hidden.hands[0]) == (2, FaceDown(5))
    assert fields(parse_state(str(hidden))) == fields(hidden)
    kinds = v0_belief, v1_belief, bp_belief, exact_belief
    own, everybody = (
        [kind(*known) for kind in kinds] for known in (hidden.view(0), hidden.public())
    )
    move, counted, n_hands = RuleAgent("Van den Bergh")(hidden, None), np.zeros((5, 26)), 0
    for hand in sorted({*permutations(UNSEEN_CARDS, 5)}):
        if not hidden.hint_mask[0][range(5), list(map(parse_card, hand))].all():
            continue
        state = parse_state(small(hand))
        for kind, belief, public in zip(kinds, own, everybody, strict=True):
            assert np.array_equal(kind(*state.view(0)), belief)
            assert np.array_equal(kind(*state.public()), public)
        assert RuleAgent("Van den Bergh")(state, None) == move
        assert fields(state.hide_hand(0)) == fields(hidden)
        n_hands += 1
        # The exact belief, counted: in how many ways the two copies of a card make this hand.
        ways = np.prod([2.0 for card in ("R4", "Y4") if card in hand])
        counted[range(5), state.hands[0]] += ways
    assert n_hands > 100
    assert np.allclose(own[-1], counted / counted.sum(axis=1, keepdims=True), atol=1e-12)


def test_a_move_tells_the_same_where_the_own_hand_is_not_written():
    n_told = 0
    for frame in list(play_game([RuleAgent("Convention")] * 3, 8))[1::8]:
        before, after = (parse_state(str(s.hide_hand(0))) for s in (frame.state, frame.next_state))
        hidden = [Frame(before, frame.move, after)]
        for options in ({"max_hands": 500_000}, {"max_hands": 0, "n_samples": 50}):
            told, known = (
                belief_after(frames, convention_would_act, player=0, **options)
                for frames in (hidden, [frame])
            )
            assert np.array_equal(told, known)
        n_told += not np.allclose(told, exact_belief(*frame.next_state.view(0)))
    assert n_told > 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("?(R)", "R4(R)", "player 0: a hand is known, or [?] stands for each of its cards; what"),
        ("?(B)", "", "player 0 must hold 5 cards, got 4"),
        ("hints: 3", "deck: 3 cards", "3 cards cannot be in the deck: there are 2"),
        ("hints 0 red", "hints 0 white", "player 1 hints 0 white, which touches no card"),
    ],
)
def test_what_is_no_position_is_named(old, new, message):
    text = small("?????").replace(
        "player 0: ?(R) ? ?(45) ?(YGWB5) ?", "player 0: ?(R) ?(G) ?(Y5) ?(B) ?(RY)"
    )
    assert old in text
    with pytest.raises(NotationError, match=message):
        parse_state(text.replace(old, new, 1))
