"""The front door: its names, what they promise, and one way through the room."""

import inspect
import re
from itertools import islice

import numpy as np
import pytest

from gameai_lib import hanabi
from gameai_lib.hanabi import (
    HintColour,
    NotConverged,
    Play,
    RuleAgent,
    State,
    V1Result,
    V1Settings,
    bad_belief,
    card_name,
    convention_would_act,
    exact_belief,
    exact_likelihood,
    play_game,
    public_likelihood,
    v0_belief,
    v1_belief,
    v1_iterations,
    v1_result,
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


def test_the_docstring_names_what_is_there():
    assert len(hanabi.__all__) == len(set(hanabi.__all__))
    words = hanabi.__doc__.replace("`", " ").split()
    for sub_room in ("game", "belief", "show"):
        assert sub_room in words


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


def test_the_likelihood_of_one_action_is_that_of_the_game(game):
    frame = game[0]
    seen = np.arange(5) + 5  # player 0 saw the hand of player 1
    L = exact_likelihood(
        *frame.next_state.public(),
        lambda hands: convention_would_act(frame.state, frame.move, hands),
        seen=seen,
    )
    followed = public_likelihood(
        game[:1], convention_would_act, np.random.default_rng(9), max_hands=1_000_000
    )
    assert np.allclose(L, list(followed)[1])


def test_an_agent_is_any_function_of_state_and_rng():
    def first(state, rng):
        return state.legal_moves()[0]

    *_, last = play_game([first, RuleAgent("IGGI")], np.random.default_rng(1))
    assert last.next_state.is_over


def test_one_record_of_settings_serves_all_of_v1():
    public = State.new(5, np.random.default_rng(2)).view(3)
    settings = V1Settings(damping=0.5, n_iterations=3, tolerance=0)
    result = v1_result(*public, settings=settings)
    assert isinstance(result, V1Result)
    frames = v1_iterations(*public, settings=settings)
    assert np.array_equal(next(islice(frames, 3, None)).belief, result.belief)
    assert np.array_equal(v1_belief(*public, settings=settings), result.belief)
    likelihood = np.ones(public[1].shape)
    assert np.allclose(bad_belief(*public, likelihood, settings=settings), result.belief)
    likelihood[0, :5] = 0.1
    frames = v1_iterations(*public, likelihood, settings=settings)
    bad = v1_result(*public, likelihood, settings=settings).belief
    assert np.array_equal(next(islice(frames, 3, None)).belief, bad)
    assert not np.allclose(bad, result.belief)


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_by_default_v1_comes_to_rest(n_players):
    agents = [RuleAgent("Convention")] * n_players
    for frame in play_game(agents, np.random.default_rng(n_players)):
        v1_belief(*frame.state.public())  # or NotConverged is raised


def test_not_converged_keeps_what_there_is():
    candidates, hint_mask = np.array([1, 1, 1]), np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]) > 0
    with pytest.raises(NotConverged, match="after 2 iterations") as caught:
        v1_belief(candidates, hint_mask, settings=V1Settings(n_iterations=2))
    assert isinstance(caught.value.result, V1Result)
