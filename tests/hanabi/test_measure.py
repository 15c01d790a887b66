"""Players who listen to what their partners' moves say, and players who forget hints."""

import numpy as np
import pytest

from gameai_book.hanabi.measure.listener import LISTENER, listening_game
from gameai_book.hanabi.measure.memory import forgetful_game, remember
from gameai_lib.hanabi import HintRank, Play, RuleAgent, State, exact_belief, play_game, v0_belief
from gameai_lib.hanabi.players.convention import asked_slot
from tests.hanabi.brute import changed


@pytest.mark.parametrize("n_players", [2, 4])
def test_a_listener_finds_out_what_a_hint_asks_for(n_players):
    # Its rules know no convention, its partners' moves do.
    asked = heard = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        for state, move, _ in listening_game(exact_belief, rng, n_players=n_players):
            slot = asked_slot(state)
            if state.player == LISTENER and slot is not None and state.n_deck:
                asked += 1
                heard += isinstance(move, Play)
    assert heard > 0.9 * asked > 10


def test_a_deaf_listener_gets_no_likelihood():
    seen = []

    def belief(candidates, hint_mask, likelihood):
        seen.append(likelihood)
        return v0_belief(candidates, hint_mask)

    list(listening_game(belief, np.random.default_rng(1), listens=False))
    assert set(seen) == {None}


def test_who_listens_is_dealt_the_same_cards():
    first = next(listening_game(v0_belief, np.random.default_rng([1, 3])))
    same = next(play_game([RuleAgent("IGGI")] * 2, np.random.default_rng([1, 3])))
    assert first.state.hands == same.state.hands
    assert first.state.deck == same.state.deck


def test_what_is_remembered_allows_what_all_hints_allow():
    masks = []

    def agent(state, rng):
        masks.append(state.hint_mask)
        return RuleAgent("IGGI")(state, rng)

    frames = list(forgetful_game(agent, 2, 3, np.random.default_rng(2)))
    more = 0
    for frame, mask in zip(frames, masks, strict=True):
        assert (mask >= frame.state.hint_mask).all()
        more += (mask > frame.state.hint_mask).any()
    assert more > len(frames) / 2


def test_a_hint_is_remembered_for_its_span():
    masks = []

    def agent(state, rng):
        masks.append(state.hint_mask.copy())
        if len(masks) == 1:
            return HintRank(1, state.hands[1][0] % 5 + 1)
        return Play(len(state.hands[state.player]) - 1)  # the newest card: no other moves

    list(forgetful_game(agent, 2, 2, np.random.default_rng(0)))
    told = [bool((mask[1, 0] != mask[0, 0]).any()) for mask in masks[:4]]
    assert told == [False, True, True, False]


def test_an_empty_slot_stays_empty():
    state = State.new(2, np.random.default_rng(0))
    mask = state.hint_mask.copy()
    mask[0, 4] = np.arange(26) == 25
    short = changed(state, hint_mask=mask)
    heard = np.ones((1, *mask.shape), dtype=bool)
    assert np.array_equal(remember(short, heard), mask)
