"""The front door: its names, what they promise, and one way through the room."""

import inspect
import re

import numpy as np
import pytest

from gameai_lib import hanabi
from gameai_lib.hanabi import (
    HintColour,
    Play,
    RuleAgent,
    State,
    bad_belief,
    card_name,
    convention_would_act,
    exact_belief,
    play_game,
    public_likelihood,
    v0_belief,
    v1_belief,
    v2_belief,
)
from gameai_lib.hanabi.players import agents


@pytest.mark.parametrize("name", sorted({*hanabi.__all__} - {"NO_CARD"}))
def test_each_name_is_a_function_or_class_that_says_what_it_is(name):
    thing = getattr(hanabi, name)
    assert inspect.isfunction(thing) or inspect.isclass(thing)
    assert len(thing.__doc__.split()) > 4  # and not the signature that a class gets by itself
    assert not thing.__doc__.startswith(f"{name}(")


@pytest.mark.parametrize("thing", [RuleAgent, State, agents.Sight])
def test_attributes_are_what_the_page_of_the_api_can_show(thing):
    # It tears lists of names, and a function as a default would be a method of the class.
    section = thing.__doc__.partition("Attributes\n")[2].partition("\n\n")[0]
    assert not re.findall(r"^ *\w+, .* : ", section, re.MULTILINE)
    assert "belief" not in vars(RuleAgent)
    assert RuleAgent("IGGI").belief is v0_belief


@pytest.fixture(scope="module")
def game():
    """A game between two Convention agents."""
    return list(play_game([RuleAgent("Convention")] * 2, np.random.default_rng(7)))


def test_from_a_game_to_beliefs_that_know_of_the_actions(game):
    # A green hint asks player 1 to play the newest card, slot 4: one of ten green cards, three
    # of them G1. Slot 2 is known to hold one of the other seven: then it is one of nine.
    likelihoods = list(public_likelihood(game, convention_would_act, np.random.default_rng(8)))
    state, L = game[3].state, likelihoods[3]
    assert state.last_move == HintColour(1, 2)
    assert game[3].move == Play(4)
    slot, card = state.hand_size + 4, state.hands[1][4]
    assert card_name(card) == "G1"
    public = state.public()
    assert np.isclose(v0_belief(*public)[slot, card], 3 / 10)
    assert np.isclose(v1_belief(*public)[slot, card], 1 / 3)
    assert np.isclose(exact_belief(*public)[slot, card], 1 / 3)
    for belief in (exact_belief, bad_belief, v2_belief):
        assert belief(*public, L)[slot, card] > 0.9
