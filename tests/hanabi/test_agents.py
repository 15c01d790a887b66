"""The Hanabi agents: their rules on hand-worked hands, fairness, determinism."""

from dataclasses import replace

import numpy as np
import pytest

from gameai_lib.hanabi.belief.bad import FIFTY_STEPS
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.cards import N_CARDS, Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.rules import CERTAIN
from tests.hanabi.brute import changed, deal

INFORMED = [name for name in RULES if name != "random"]


def agents_move(name, state, seed=0, belief=v0_belief):
    """The move of the agent of this name."""
    return RuleAgent(name, belief)(state, np.random.default_rng(seed))


def told(state, *hints, n_hints=None):
    """`state` with these hints given by the one before the receiver; tokens as said."""
    for hint in hints:
        state = changed(state, player=(hint.player - 1) % state.n_players).apply(hint)
    return state if n_hints is None else changed(state, n_hints=n_hints)


def random_hidden_hand(state, rng):
    """`state` with the hand of the player to move dealt anew, as that player may imagine it."""
    hand = state.hands[state.player]
    mask = state.hint_mask[state.player]
    pool = np.array([*state.deck, *hand])
    for _ in range(500):
        pool = rng.permutation(pool)
        if mask[range(len(hand)), pool[: len(hand)]].all():
            hand, deck = pool[: len(hand)].tolist(), pool[len(hand) :].tolist()
            hands = list(state.hands)
            hands[state.player] = tuple(hand)
            return changed(state, hands=tuple(hands), deck=tuple(deck))
    return state


def test_iggi_hints_the_rank_of_the_oldest_playable_card_then_its_colour():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G1 W1 Y2 Y5")
    assert agents_move("IGGI", state) == HintRank(1, 1)
    state = told(state, HintRank(1, 1))
    state = changed(state, player=0)
    assert agents_move("IGGI", state) == HintColour(1, 2)


def test_iggi_plays_a_certain_card_first_and_hints_only_with_a_token():
    state = told(deal("R2 G1 R4 Y3 Y4", "B5 G1 W1 Y2 Y5"), HintRank(0, 1))
    assert agents_move("IGGI", state) == Play(1)  # all 1s are playable
    state = changed(deal("R2 R3 R4 Y3 Y4", "B5 G1 W1 Y2 Y5"), n_hints=0)
    assert agents_move("IGGI", state) == Discard(0)


def test_useless_cards_go_before_the_oldest():
    state = told(deal("R2 R3 R1 Y3 Y4", "B5 G4 W3 Y2 Y5"), HintRank(0, 1), HintRank(1, 5))
    state = changed(state, player=0, fireworks=np.array([1, 1, 1, 1, 1]))
    assert agents_move("IGGI", changed(state, n_hints=0)) == Discard(2)
    assert agents_move("Outer", state) == Discard(2)
    # Y2 is playable now: IGGI hints before it discards, Outer does not.
    assert agents_move("IGGI", state) == HintRank(1, 2)


def test_without_a_legal_discard_iggi_hints_anything():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W3 Y2 Y5")
    moves = {agents_move("IGGI", state, seed) for seed in range(30)}
    assert len(moves) > 5
    assert moves <= set(state.legal_moves())
    assert all(isinstance(move, HintColour | HintRank) for move in moves)


def test_piers_plays_at_six_tenths_with_a_life_to_spare():
    # Slot 0 is known to be a 1; of white and blue, two copies each are left and do not fit.
    state = told(deal("R1 R3 R4 Y3 Y4", "B5 G4 W3 Y2 Y5"), HintRank(0, 1))
    state = changed(state, fireworks=np.array([0, 0, 0, 1, 1]), n_hints=0)
    # 9 of 13 copies of rank 1 are playable: 0.69.
    assert agents_move("Piers", state) == Play(0)
    assert agents_move("Van den Bergh", state) == Play(0)
    assert agents_move("IGGI", state) == Discard(0)
    cautious = changed(state, n_lives=1)
    assert agents_move("Piers", cautious) == Discard(0)
    assert isinstance(agents_move("Van den Bergh", cautious), Discard)
    # 6 of 12 copies: 0.5.
    unsure = changed(state, fireworks=np.array([0, 0, 1, 1, 1]))
    assert agents_move("Piers", unsure) == Discard(0)


def test_piers_gambles_when_the_deck_is_empty():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W3 Y2 Y5")
    state = changed(told(state, HintRank(0, 4)), n_hints=0)
    last = changed(state, deck=(), turns_left=2)
    assert agents_move("Piers", state) == Discard(0)
    assert isinstance(agents_move("Piers", last), Play)
    assert agents_move("Piers", changed(last, n_lives=1)) == Discard(0)


def test_piers_tells_what_may_go_when_short_of_tokens():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G1 R1 Y5 W5")
    state = changed(state, fireworks=np.array([3, 1, 1, 1, 1]))
    assert agents_move("Piers", changed(state, n_hints=3)) == HintRank(1, 1)
    assert agents_move("Piers", changed(state, n_hints=4)) == Discard(0)
    done = changed(state, fireworks=np.array([5, 1, 1, 1, 0]), n_hints=3)
    # B's firework is empty, so that not all 1s have been played, but red is complete.
    assert agents_move("Piers", done) == HintColour(1, 0)


def test_van_den_bergh_hints_to_most_cards_and_discards_the_likeliest_useless():
    state = deal("R2 R3 R4 Y3 Y4", "B5 B4 B3 Y2 Y5")
    assert agents_move("Van den Bergh", state) == HintColour(1, 4)
    state = told(state, HintColour(1, 4))
    state = changed(state, player=0)
    assert agents_move("Van den Bergh", state) == HintRank(1, 5)
    state = told(deal("R2 R1 R4 Y3 Y4", "B5 B4 B3 Y2 Y5"), HintRank(0, 1), HintRank(1, 4))
    state = changed(state, player=0, n_hints=0, fireworks=np.array([1, 1, 1, 0, 0]))
    # Half of the 1s left are of a played kind; no other card is as likely to be useless.
    assert agents_move("Van den Bergh", changed(state, n_lives=1)) == Discard(1)


def test_van_den_bergh_does_not_tell_what_is_known():
    state = deal("R2 R3 R4 Y3 Y4", "B5 B4 B3 Y2 Y5")
    hint_mask = state.hint_mask.copy()
    hint_mask[1] = np.arange(N_CARDS + 1) == np.array(state.hands[1])[:, None]
    state = changed(state, hint_mask=hint_mask)
    assert isinstance(agents_move("Van den Bergh", state), HintColour | HintRank)
    assert agents_move("Van den Bergh", changed(state, n_hints=7)) == Discard(0)


def test_outer_tells_the_next_player_only():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W3 Y2 Y5", "R1 Y1 B2 B3 B4")
    assert agents_move("Outer", state) == HintColour(1, 4)
    assert agents_move("IGGI", state) == HintRank(2, 1)
    state = told(state, HintColour(1, 4))
    state = changed(state, player=0)
    assert agents_move("Outer", state) == HintRank(1, 5)
    moves = {agents_move("Outer", changed(state, n_hints=0), seed) for seed in range(40)}
    assert moves == {Discard(slot) for slot in range(5)}


def test_random_agent_makes_every_legal_move():
    state = told(deal("R2 R3 R4 Y3 Y4", "B5 G4 W3 Y2 Y5"), HintRank(1, 5))
    moves = {agents_move("random", state, seed) for seed in range(150)}
    assert moves == set(state.legal_moves())


def test_convention_asks_for_the_lowest_card_with_the_widest_hint():
    # Rank 1 would name the W1 (newest 1); green names the G1 and touches two cards.
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5")
    assert agents_move("Convention", state) == HintColour(1, 2)
    # A newer green card that does not fit takes that hint away.
    state = deal("R2 R3 R4 Y3 Y4", "B5 G1 W1 G4 Y5")
    assert agents_move("Convention", state) == HintRank(1, 1)


def test_convention_plays_what_it_was_asked_for():
    state = told(deal("R2 G4 R1 Y3 B3", "B5 G4 W1 G1 Y5"), HintColour(0, 0))
    # R2, R1, and R4 would all be touched; the newest of them is asked for.
    assert agents_move("Convention", state) == Play(2)
    # No 4 can be playable, so this hint asks for nothing; the player asks in turn.
    state = told(deal("R2 G4 R1 Y3 B3", "B5 G4 W1 G1 Y5"), HintRank(0, 4))
    assert agents_move("Convention", state) == HintColour(1, 2)


def test_convention_discards_when_there_is_nothing_to_ask_for():
    state = told(deal("R2 G4 R1 Y3 B3", "B5 B4 W4 G3 Y5"), HintRank(0, 2))
    # Rank 2 asks for nothing before any 1 is played; slot 0 is marked now, slot 1 is not.
    assert agents_move("Convention", state) == Discard(1)
    full = changed(state, n_hints=8)
    move = agents_move("Convention", full)
    assert move == HintRank(1, 3)  # the first hint that asks for nothing


def test_convention_without_any_way_out_plays_its_newest_card():
    # Every rank and every colour of these cards could name a playable card, yet none does.
    state = deal("R2 G4 R1 Y3 B3", "R1 Y2 G3 W4 B5")
    state = changed(state, fireworks=np.array([1, 2, 3, 4, 0]))
    assert agents_move("Convention", state) == Play(4)


def test_an_agent_tells_the_rule_that_it_follows():
    agent, rules = RuleAgent("Convention"), []
    rng = np.random.default_rng(5)
    for state, move, _ in play_game([agent, agent], np.random.default_rng(11)):
        decided, rule = agent.decide(state, rng)
        assert decided == move
        rules.append(rule.__name__)
    assert {"play_asked", "hint_asking", "discard_unmarked"} <= set(rules)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_players", [2, 3])
def test_games_depend_on_the_seed_alone_and_nobody_looks_at_hidden_cards(name, n_players):
    agent, rng, n_changed = RuleAgent(name), np.random.default_rng(2), 0
    frames, again = (list(play_game([agent] * n_players, 9)) for _ in range(2))
    assert [frame.move for frame in frames] == [frame.move for frame in again]
    for turn, frame in enumerate(frames):
        imagined = random_hidden_hand(frame.state, rng)
        n_changed += imagined.hands != frame.state.hands
        moves = {agent(state, np.random.default_rng(turn)) for state in (frame.state, imagined)}
        assert len(moves) == 1
    assert n_changed > turn / 3


def test_v1_needs_the_margin_that_certain_has():
    # Two cards in two slots, and slot 1 must be R2: slot 0 is certainly R1.
    candidates = np.zeros(N_CARDS + 1, dtype=int)
    candidates[[0, 1]] = 1
    mask = np.zeros((2, N_CARDS + 1), dtype=bool)
    mask[0, [0, 1]] = mask[1, 1] = True
    exact = exact_belief(candidates, mask)[0, 0]
    assert exact == 1
    after_50, after_100 = (
        v1_belief(candidates, mask, settings=replace(FIFTY_STEPS, n_iterations=n))[0, 0]
        for n in (50, 100)
    )
    assert v1_belief(candidates, mask)[0, 0] >= CERTAIN
    assert after_50 < CERTAIN <= after_100 < 1


def test_a_list_of_rules_of_ones_own_is_an_agent():
    def first_hint(sight, rng):
        player, hand = next(iter(sight.hands.items()))
        assert set(np.flatnonzero(sight.live)) <= set(np.flatnonzero(sight.playable))
        assert sight.asked in (None, *sight.slots)
        return [HintRank(player, hand[0] % 5 + 1)] if sight.n_hints else []

    agent = RuleAgent([first_hint, rules.play_newest])
    frames = list(play_game([agent] * 3, 5))
    assert {type(frame.move) for frame in frames} == {HintRank, Play}
    assert hash(agent) == hash(RuleAgent((first_hint, rules.play_newest)))
    with pytest.raises(ValueError, match=r"none of the rules proposes .*, got first_hint; end"):
        list(play_game([RuleAgent([first_hint])] * 2, 5))
    # Its rules of the library are asked one by one.
    mixed = RuleAgent([first_hint, rules.play_certain, rules.discard_oldest])
    assert len(list(play_game([mixed] * 3, 5))) > 50
