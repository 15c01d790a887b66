"""The hint convention: what a hint asks for, and the batch of decisions against the agent."""

import numpy as np
import pytest

from gameai_lib.hanabi.game.cards import (
    FULL_COUNTS,
    N_CARDS,
    NO_CARD,
    Discard,
    HintColour,
    HintRank,
    Play,
    parse_card,
)
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import asked_slot, convention_would_act
from tests.hanabi.brute import changed


def deal(*hands):
    """A game whose hands are given by name; the deck is what remains."""
    first = [parse_card(name) for names in hands for name in names.split()]
    rest = [card for card in range(N_CARDS) for _ in range(FULL_COUNTS[card])]
    for card in first:
        rest.remove(card)
    return State.from_deck(len(hands), first + rest)


def hand(names):
    """Cards by name, as a row of hands; ``-`` for an absent slot."""
    return [NO_CARD if name == "-" else parse_card(name) for name in names.split()]


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
    start = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5")
    assert asked_slot(start) is None
    assert asked_slot(start.apply(HintColour(1, 2))) == 3
    assert asked_slot(start.apply(HintRank(1, 1))) == 3
    assert asked_slot(start.apply(HintColour(1, 3))) == 2
    assert asked_slot(start.apply(HintRank(1, 5))) is None  # no 5 can be played yet
    assert asked_slot(start.apply(Play(0))) is None


def test_a_hint_to_somebody_else_asks_for_nothing():
    start = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5", "B1 B2 B3 B4 Y1")
    assert asked_slot(start.apply(HintRank(1, 1))) == 3
    assert asked_slot(start.apply(HintRank(2, 1))) is None


def test_all_copies_gone_means_not_playable():
    start = deal("R2 R3 R4 Y3 Y4", "B5 G4 G1 W1 Y5")
    discards = np.zeros(N_CARDS, dtype=int)
    discards[parse_card("R1")] = 3
    fireworks = np.array([0, 1, 1, 1, 1])
    assert asked_slot(changed(start, fireworks=fireworks).apply(HintRank(1, 1))) == 3
    lost = changed(start, fireworks=fireworks, discards=discards)
    assert asked_slot(lost.apply(HintRank(1, 1))) is None


def test_what_a_hint_tells_about_the_hand():
    start = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5")
    hands = [
        hand("B5 G4 W1 G1 Y5"),  # green asks for G1 and touches two, rank 1 too: colour wins
        hand("B5 G1 W1 G4 Y5"),  # the newest green is G4: rank 1 asks for W1
        hand("B5 G4 W3 G1 Y5"),  # green touches two, rank 1 only one
        hand("B5 B4 W3 G1 Y5"),  # both touch one: colour wins
        hand("B5 G4 G3 G1 B1"),  # green would name G1 and touch three
        hand("B5 G4 W3 G3 Y5"),  # nothing to ask for
    ]
    assert convention_would_act(start, HintColour(1, 2), hands).tolist() == [
        True, False, True, True, True, False,
    ]  # fmt: skip
    assert convention_would_act(start, HintRank(1, 1), hands).tolist() == [
        False, True, False, False, False, False,
    ]  # fmt: skip
    some_left = changed(start, n_hints=5)
    assert convention_would_act(some_left, Discard(0), hands).tolist() == [False] * 5 + [True]
    assert convention_would_act(changed(start, n_hints=0), Discard(0), hands).all()


def test_an_asked_player_tells_nothing():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5").apply(HintRank(1, 1))
    hands = [hand("R1 R1 R1 Y1 Y1"), hand("B5 B4 B4 B3 B3")]
    assert convention_would_act(state, Play(3), hands).all()
    assert not convention_would_act(state, Play(2), hands).any()


def test_with_all_tokens_it_must_hint_for_nothing_or_play():
    start = deal("R2 R3 R4 Y3 Y4", "R1 Y2 G3 W4 B5")
    state = changed(start, fireworks=np.array([1, 2, 3, 4, 0]))
    hands = [
        hand("R1 Y2 G3 W4 B5"),  # any hint might be taken for a request
        hand("R1 Y2 G3 W4 R1"),  # as before: the newest red might be R2
        hand("R1 Y2 G3 W5 B5"),  # rank 5 names B5, which might be W5: colour white asks
    ]
    assert convention_would_act(state, Play(4), hands).tolist() == [True, True, False]
    assert convention_would_act(start, HintRank(1, 2), [hand("R3 Y2 G3 W4 B5")]).all()


def test_short_hands():
    state = changed(deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5"), n_hints=3)
    hands = [hand("G1 G4 W3 G3 -"), hand("B5 G4 W3 G1 -"), hand("- - - - -")]
    assert convention_would_act(state, HintColour(1, 2), hands).tolist() == [False, True, False]


def test_hands_are_checked():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5")
    with pytest.raises(
        ValueError, match=r"must be \(n_hands, 1 to 1 times 5\), got shape \(2, 4\)"
    ):
        convention_would_act(state, Play(0), np.zeros((2, 4), dtype=int))
    with pytest.raises(ValueError, match=r"got shape \(2, 10\)"):
        convention_would_act(state, Play(0), np.zeros((2, 10), dtype=int))
    with pytest.raises(ValueError, match="hands must be from 0 to 25, got -1"):
        convention_would_act(state, Play(0), [[-1, 0, 1, 2, 3]])
    assert convention_would_act(state, Play(0), np.zeros((0, 5), dtype=int)).shape == (0,)


@pytest.mark.parametrize(
    ("n_players", "n_others"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 3), (5, 1), (5, 4)]
)
def test_the_batch_decides_as_the_agent(n_players, n_others):
    agent = RuleAgent("Convention")
    rng = np.random.default_rng(n_players)
    kinds = set()
    # IGGI's hints lead to states that the agent's own never reach.
    for player in (agent, RuleAgent("IGGI")):
        for frame in play_game([player] * n_players, np.random.default_rng(3)):
            states = hypothetical_states(frame.state, rng, 3, n_others)
            hands = next_hands(states, n_others)
            moves = [agent(state, rng) for state in states]
            kinds |= {type(move) for move in moves}
            for move in {*moves, *frame.state.legal_moves()}:
                expected = [made == move for made in moves]
                assert convention_would_act(frame.state, move, hands).tolist() == expected
    assert kinds == {Play, Discard, HintColour, HintRank}


def test_the_true_hands_are_not_looked_at():
    rng = np.random.default_rng(8)
    for frame in play_game([RuleAgent("Convention")] * 2, np.random.default_rng(17)):
        states = hypothetical_states(frame.state, rng, 5, 1)
        hands = next_hands(states)
        answers = [convention_would_act(state, frame.move, hands).tolist() for state in states]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0][0]  # the hand that was there did lead to the move
