"""The hint convention: what a hint asks for, and the batch of decisions against the agent."""

import numpy as np
import pytest

from gameai_lib.hanabi.belief.hands import draw_hands
from gameai_lib.hanabi.game.box import N_CARDS, NO_CARD, parse_card
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent, asked_slot
from gameai_lib.hanabi.players.policy import agent_would_act, convention_would_act
from tests.hanabi.brute import changed, deal


def hands_of_others(state, rng, n_hands):
    """(n_hands, n_others * hand_size): what the others may hold, and first what they do hold."""
    players = (state.player + np.arange(1, state.n_players)) % state.n_players
    drawn = draw_hands(*state.public(), 300, rng).cards[:n_hands]
    dealt = drawn.reshape(n_hands, state.n_players, -1)
    for k, hand in enumerate(state.hands):
        dealt[0, k] = [*hand, *[NO_CARD] * state.hand_size][: state.hand_size]
    return dealt[:, players].reshape(n_hands, -1)


def test_a_hint_asks_for_the_newest_card_it_touches():
    start = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5", "B1 B2 B3 B4 Y1")
    assert asked_slot(start) is None
    for move, slot in (
        (HintColour(1, 2), 3),
        (HintRank(1, 1), 3),
        (HintColour(1, 3), 2),
        (HintRank(1, 5), None),  # no 5 can be played yet
        (HintRank(2, 1), None),  # to somebody else
        (Play(0), None),
    ):
        assert asked_slot(start.apply(move)) == slot
    # All copies gone means not playable.
    discards, fireworks = np.zeros(N_CARDS, dtype=int), np.array([0, 1, 1, 1, 1])
    gone = deal("R2 R3 R4 Y3 Y4", "B5 G4 G1 W1 Y5")
    assert asked_slot(changed(gone, fireworks=fireworks).apply(HintRank(1, 1))) == 3
    discards[parse_card("R1")] = 3
    lost = changed(gone, fireworks=fireworks, discards=discards)
    assert asked_slot(lost.apply(HintRank(1, 1))) is None
    assert lost.playable()[parse_card("R1")]


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_the_batch_decides_as_the_agent(n_players):
    agent, rng, kinds = RuleAgent("Convention"), np.random.default_rng(n_players), set()
    ask = agent_would_act(lambda state, rng: agent(state, rng))  # hand by hand
    # IGGI's hints lead to states that the agent's own never reach.
    for player in (agent, RuleAgent("IGGI")):
        frames = list(play_game([player] * n_players, np.random.default_rng(3)))
        for frame in (*frames[::6], *frames[-n_players:]):
            state, right = frame.state, agent(frame.state, rng)
            kinds.add(type(right))
            hands = hands_of_others(state, rng, 3)
            for move in {right, *state.legal_moves()}:
                acted = convention_would_act(state, move, hands)
                assert acted.tolist() == ask(state, move, hands).tolist()
                assert acted[0] == (move == right)
                next_alone = convention_would_act(state, move, hands[:1, : state.hand_size])
                assert next_alone[0] == acted[0]
    assert kinds == {Play, Discard, HintColour, HintRank}
    assert convention_would_act(state, move, hands[:0]).shape == (0,)
