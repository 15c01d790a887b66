"""A player who listens to what its partner's moves say."""

import numpy as np
import pytest

from gameai_book.hanabi.measure.listener import LISTENER, listening_game
from gameai_lib.hanabi import Play, RuleAgent, exact_belief, play_game, v0_belief
from gameai_lib.hanabi.players.convention import asked_slot


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
