"""The Hanabi agents: their rules on hand-worked hands, fairness, determinism."""

from dataclasses import replace

import numpy as np
import pytest

from gameai_lib.hanabi.belief.bad import FIFTY_STEPS
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.box import FaceDown
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.rules import CERTAIN
from tests.hanabi.brute import changed, deal, imagine

END = {"n_hints": 0, "deck": (), "turns_left": 2}


def told(state, *hints):
    """`state` with these hints given by the one before the receiver."""
    for hint in hints:
        state = changed(state, player=(hint.player - 1) % state.n_players).apply(hint)
    return state


MINE, ODD = "R2 R3 R4 Y3 Y4", "R2 G4 R1 Y3 B3"
# The own hand and the partner's, and the hints that both have had.
HANDS = {
    "one fits": (MINE, "B5 G1 W1 Y2 Y5"),
    "its rank is told": (MINE, "B5 G1 W1 Y2 Y5", HintRank(1, 1)),
    "a 1 of mine": ("R2 G1 R4 Y3 Y4", "B5 G1 W1 Y2 Y5", HintRank(0, 1)),
    "a useless 1": ("R2 R3 R1 Y3 Y4", "B5 G4 W3 Y2 Y5", HintRank(0, 1), HintRank(1, 5)),
    "likely": ("R1 R3 R4 Y3 Y4", "B5 G4 W3 Y2 Y5", HintRank(0, 1)),
    "useless": (MINE, "B5 G1 R1 Y5 W5"),
    "the end": (MINE, "B5 G4 W3 Y2 Y5", HintRank(0, 4)),
    "blues": (MINE, "B5 B4 B3 Y2 Y5"),
    "known blues": (MINE, "B5 B4 B3 Y2 Y5", HintColour(1, 4)),
    "an old 1": ("R2 R1 R4 Y3 Y4", "B5 B4 B3 Y2 Y5", HintRank(0, 1), HintRank(1, 4)),
    "two greens": (MINE, "B5 G4 W1 G1 Y5"),
    "a newer green": (MINE, "B5 G1 W1 G4 Y5"),
    "asked": (ODD, "B5 G4 W1 G1 Y5", HintColour(0, 0)),
    "not asked": (ODD, "B5 G4 W1 G1 Y5", HintRank(0, 4)),
    "nothing to ask": (ODD, "B5 B4 W4 G3 Y5", HintRank(0, 2)),
    "no way out": (ODD, "R1 Y2 G3 W4 B5"),
}
# Who plays which hands with which fireworks, what else is different, and the move.
MOVES_BY_HAND = [
    # IGGI hints the rank of the oldest card that fits, and if that is known its colour.
    ("IGGI", "one fits", "00000", {}, HintRank(1, 1)),
    ("IGGI", "its rank is told", "00000", {}, HintColour(1, 2)),
    ("IGGI", "one fits", "00000", {"n_hints": 0}, Discard(0)),
    # A card that is certain to fit goes first: all 1s do.
    ("IGGI", "a 1 of mine", "00000", {}, Play(1)),
    # Useless cards go before the oldest. Y2 fits: IGGI hints before it discards, Outer does not.
    ("IGGI", "a useless 1", "11111", {"n_hints": 0}, Discard(2)),
    ("IGGI", "a useless 1", "11111", {}, HintRank(1, 2)),
    ("Outer", "a useless 1", "11111", {}, Discard(2)),
    # Slot 0 is a 1, and 9 of 13 copies of that rank fit, 0.69; if G1 is built, 6 of 12.
    ("Piers", "likely", "00011", {"n_hints": 0}, Play(0)),
    ("Van den Bergh", "likely", "00011", {"n_hints": 0}, Play(0)),
    ("IGGI", "likely", "00011", {"n_hints": 0}, Discard(0)),
    ("Piers", "likely", "00011", {"n_hints": 0, "n_lives": 1}, Discard(0)),
    ("Piers", "likely", "00111", {"n_hints": 0}, Discard(0)),
    # Piers says what may go when short of tokens. Without B1 not all 1s may, but all reds.
    ("Piers", "useless", "31111", {"n_hints": 3}, HintRank(1, 1)),
    ("Piers", "useless", "31111", {"n_hints": 4}, Discard(0)),
    ("Piers", "useless", "51110", {"n_hints": 3}, HintColour(1, 0)),
    # Piers gambles when the deck is empty and there is a life to spare.
    ("Piers", "the end", "00000", {"n_hints": 0}, Discard(0)),
    ("Piers", "the end", "00000", END, Play(0)),
    ("Piers", "the end", "00000", END | {"n_lives": 1}, Discard(0)),
    # Van den Bergh hints to most cards that tell something, and discards the likeliest useless:
    # half of the 1s that are left are of a played kind.
    ("Van den Bergh", "blues", "00000", {}, HintColour(1, 4)),
    ("Van den Bergh", "known blues", "00000", {}, HintRank(1, 5)),
    ("Van den Bergh", "an old 1", "11100", {"n_hints": 0, "n_lives": 1}, Discard(1)),
    # The Convention asks for the lowest card with the widest hint: G1 by green touches two. A
    # newer green card that does not fit takes that hint away.
    ("Convention", "two greens", "00000", {}, HintColour(1, 2)),
    ("Convention", "a newer green", "00000", {}, HintRank(1, 1)),
    # It plays the newest card that a hint touched. No 4 can fit, so that hint asks for nothing.
    ("Convention", "asked", "00000", {}, Play(2)),
    ("Convention", "not asked", "00000", {}, HintColour(1, 2)),
    # With nothing to ask for it discards the oldest unmarked card; with all tokens it hints.
    ("Convention", "nothing to ask", "00000", {}, Discard(1)),
    ("Convention", "nothing to ask", "00000", {"n_hints": 8}, HintRank(1, 3)),
    # Every rank and colour of these cards could name a card that fits, yet none does.
    ("Convention", "no way out", "12340", {}, Play(4)),
]


@pytest.mark.parametrize(("name", "hands", "fireworks", "fields", "move"), MOVES_BY_HAND)
def test_moves_worked_by_hand(name, hands, fireworks, fields, move):
    mine, partners, *hints = HANDS[hands]
    state = changed(told(deal(mine, partners), *hints), player=0, **fields)
    state = changed(state, fireworks=np.array([int(height) for height in fireworks]))
    assert RuleAgent(name)(state, np.random.default_rng(0)) == move


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_players", [2, 3])
def test_games_depend_on_the_seed_alone_and_nobody_looks_at_hidden_cards(name, n_players):
    agent, rng, n_changed = RuleAgent(name), np.random.default_rng(2), 0
    frames, again = (list(play_game([agent] * n_players, 9)) for _ in range(2))
    assert [frame.move for frame in frames] == [frame.move for frame in again]
    for turn, frame in enumerate(frames):
        imagined = imagine(frame.state, frame.state.player, rng)
        n_changed += imagined.hands != frame.state.hands
        moves = {agent(state, np.random.default_rng(turn)) for state in (frame.state, imagined)}
        assert len(moves) == 1
    assert n_changed > turn / 3


def test_v1_needs_the_margin_that_certain_has():
    # Two cards in two slots, and slot 1 must be R2: slot 0 is certainly R1.
    candidates, mask = [1, 1], [[True, True], [False, True]]
    assert exact_belief(candidates, mask)[0, 0] == 1
    for n, is_certain in (50, False), (100, True):
        settings = replace(FIFTY_STEPS, n_iterations=n)
        belief = v1_belief(candidates, mask, settings=settings)[0, 0]
        assert belief < 1
        assert (belief >= CERTAIN) == is_certain


def test_a_list_of_rules_of_ones_own_is_an_agent():
    def first_hint(state, belief, rng):
        assert isinstance(state.hands[state.player], FaceDown)
        assert np.array_equal(belief, v0_belief(*state.view(state.player)))
        player = (state.player + 1) % state.n_players
        return [HintRank(player, state.hands[player][0] % 5 + 1)] if state.n_hints else []

    agent = RuleAgent([first_hint, rules.play_newest])
    frames = list(play_game([agent] * 3, 5))
    assert {type(frame.move) for frame in frames} == {HintRank, Play}
    assert agent(frames[0].state, 5) == frames[0].move  # no rule sees the hand that lies open here
    assert hash(agent) == hash(RuleAgent((first_hint, rules.play_newest)))
    with pytest.raises(ValueError, match=r"none of the rules proposes .*, got first_hint; end"):
        list(play_game([RuleAgent([first_hint])] * 2, 5))
    # Its rules of the library are asked one by one, and it tells the one that it follows.
    mixed, decided = RuleAgent([first_hint, rules.play_certain, rules.discard_oldest]), set()
    for frame in play_game([mixed] * 3, 5):
        move, rule = mixed.decide(frame.state.hide_hand(frame.state.player), None)
        assert move == frame.move
        decided.add(rule)
    assert decided == set(mixed.rules)
