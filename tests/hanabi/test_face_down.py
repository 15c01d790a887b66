"""Hands that lie face down: in the rules, in positions as text, and in beliefs."""

import numpy as np
import pytest

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.game.cards import (
    Discard,
    FaceDown,
    HintColour,
    HintRank,
    Play,
)
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.positions import parse_state
from gameai_lib.hanabi.game.rules import State, describe
from gameai_lib.hanabi.game.text import NotationError
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import convention_would_act

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


def test_what_is_seen_does_not_depend_on_the_own_hand():
    for state, _, _ in list(play_game([RuleAgent("Van den Bergh")] * 3, 8))[::5]:
        hidden = state.hide_hand(state.player)
        for known, seen in zip(state.view(state.player), hidden.view(state.player), strict=True):
            assert np.array_equal(known, seen)
        for known, seen in zip(state.public(), hidden.public(), strict=True):
            assert np.array_equal(known, seen)
        agents = RuleAgent("Van den Bergh"), RuleAgent("Convention")
        for agent in agents:
            assert agent(state, None) == agent(hidden, None)


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


POSITION = """
player 0: ?(R) ?(G) ?(Y5) ?(RW) ?(RY)
player 1: R3 Y3 G4 W4 B4
hints: 3
last move: hints 0 red
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("?(R)", "R4(R)", "player 0: a hand is known, or [?] stands for each of its cards; what"),
        ("?(R)", "", "player 0 must hold 5 cards, got 4"),
        ("hints: 3", "deck: 3 cards", "3 cards cannot be in the deck: there are 40"),
        ("hints 0 red", "hints 0 blue", "player 1 hints 0 blue, which touches no card"),
    ],
)
def test_what_is_no_position_is_named(old, new, message):
    assert parse_state(POSITION).hands[0] == FaceDown(5)
    assert old in POSITION
    with pytest.raises(NotationError, match=message):
        parse_state(POSITION.replace(old, new, 1))
