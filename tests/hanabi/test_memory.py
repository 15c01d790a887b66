"""Players who forget hints."""

import numpy as np

from gameai_book.hanabi.measure.memory import forgetful_game, remember
from gameai_lib.hanabi import HintRank, Play, RuleAgent, State
from tests.hanabi.brute import changed


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
