"""The hint convention: what a hint asks for, and the batch of decisions against the agent."""

import numpy as np
import pytest

from gameai_lib.hanabi.game.cards import (
    N_CARDS,
    NO_CARD,
    Discard,
    HintColour,
    HintRank,
    Play,
    parse_card,
)
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import asked_slot, convention_would_act
from tests.hanabi.brute import changed, deal


def others(state, n_others):
    """The players who move after the one to move, in the order of their turns."""
    return [(state.player + k) % state.n_players for k in range(1, n_others + 1)]


def hypothetical_states(state, rng, n_hands, n_others):
    """`state` with other hands of the next players that the hints and the counts allow."""
    players = others(state, n_others)
    slots = [(player, slot) for player in players for slot in range(len(state.hands[player]))]
    states = [state]
    for _ in range(200 * n_hands):
        pool = [*state.deck, *(card for player in players for card in state.hands[player])]
        pool = rng.permutation(pool).tolist()
        dealt = dict(zip(slots, pool, strict=False))
        if len(states) < n_hands and all(state.hint_mask[*at, c] for at, c in dealt.items()):
            hands = list(state.hands)
            for player in players:
                hands[player] = tuple(c for at, c in dealt.items() if at[0] == player)
            states.append(changed(state, hands=tuple(hands), deck=tuple(pool[len(slots) :])))
    return states


def next_hands(states, n_others=1):
    """(n_states, n_others * hand_size) array: the next players' hands in each state."""
    size = states[0].hand_size
    rows = [[state.hands[player] for player in others(state, n_others)] for state in states]
    return np.array(
        [[c for hand in row for c in (*hand, *[NO_CARD] * (size - len(hand)))] for row in rows]
    )


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


@pytest.mark.parametrize(("n_players", "n_others"), [(2, 1), (3, 1), (3, 2), (4, 3), (5, 1)])
def test_the_batch_decides_as_the_agent(n_players, n_others):
    agent = RuleAgent("Convention")
    rng = np.random.default_rng(n_players)
    kinds = set()
    # IGGI's hints lead to states that the agent's own never reach.
    for player in (agent, RuleAgent("IGGI")):
        frames = list(play_game([player] * n_players, np.random.default_rng(3)))
        for frame in (*frames[::6], *frames[-n_players:]):
            states = hypothetical_states(frame.state, rng, 3, n_others)
            hands = next_hands(states, n_others)
            moves = [agent(state, rng) for state in states]
            kinds |= {type(move) for move in moves}
            for move in {*moves, *frame.state.legal_moves()}:
                expected = [made == move for made in moves]
                assert convention_would_act(frame.state, move, hands).tolist() == expected
    assert kinds == {Play, Discard, HintColour, HintRank}
    assert convention_would_act(frame.state, move, hands[:0]).shape == (0,)


def test_the_true_hands_are_not_looked_at():
    rng = np.random.default_rng(8)
    for frame in play_game([RuleAgent("Convention")] * 2, np.random.default_rng(17)):
        states = hypothetical_states(frame.state, rng, 5, 1)
        hands = next_hands(states)
        answers = [convention_would_act(state, frame.move, hands).tolist() for state in states]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0][0]  # the hand that was there did lead to the move
