"""What each door refuses: the error names the value."""

from dataclasses import replace

import numpy as np
import pytest

from gameai_book.hanabi.cases import S1, S6
from gameai_lib.hanabi import (
    Discard,
    HintColour,
    HintRank,
    IllegalMove,
    Play,
    RuleAgent,
    Searcher,
    State,
    V1Settings,
    agent_would_act,
    allow_errors,
    belief_after,
    card_name,
    convention_would_act,
    describe,
    exact_belief,
    exact_likelihood,
    hint_cards,
    parse_card,
    parse_move,
    play_game,
    score_table,
    self_play,
    v0_belief,
    v1_belief,
    v1_iterations,
    v2_belief,
)
from gameai_lib.hanabi.belief.hands import draw_hands, enumerate_hands
from gameai_lib.hanabi.belief.likelihood import likelihood_after, sampled_likelihood
from gameai_lib.hanabi.game.box import FaceDown
from gameai_lib.hanabi.players.rules import discard_useless

START = State.new(2, 7)
HIDDEN = START.hide_hand(1)
DECK = [card for hand in START.hands for card in hand] + list(START.deck)
SWAPPED = [(DECK[0] + 1) % 25, *DECK[1:]]
OPEN_MASK = HIDDEN.hint_mask.copy()
OPEN_MASK[1, 3] = False
UNSEEN = "cards lie face down, as one's own hand and the deck do"
CONVENTION, IGGI, RANDOM = map(RuleAgent, ("Convention", "IGGI", "random"))


def state(**fields):
    """A new game in which these fields are others."""
    return replace(START, **fields)


def hidden(**fields):
    """The same where player 1's hand lies face down."""
    return replace(HIDDEN, **fields)


RULES = [
    *((lambda name=name: parse_card(name), f"got {name!r}") for name in ("G6", 11)),
    *((lambda card=card: card_name(card), f"got {card!r}") for card in (26, True)),
    (lambda: hint_cards(HintRank(1, 0)), "not a hint: "),
    (lambda: START.apply(HintColour(1, 5)), "not a hint: .*colour=5"),
    (lambda: State.new(1, 0), "2 to 5 players, got 1"),
    (lambda: START.view(-1), "player must be from 0 to 1, got -1"),
    (lambda: State.from_deck(2, DECK[1:]), f"49, with a wrong number of {card_name(DECK[0])}"),
    (lambda: State.from_deck(2, SWAPPED), "50, with a wrong number of .., .."),
    (lambda: State.from_deck(2, [*DECK, 99]), "deck must be from 0 to 24, got 99"),
    (lambda: state(n_hints=9), "n_hints must be from 0 to 8, got 9"),
    (lambda: state(fireworks=np.array([6, 0, 0, 0, 0])), "must be from 0 to 5, got 6"),
    (lambda: state(fireworks=np.zeros(4, int)), r"fireworks must be an array of shape \(5,\)"),
    (lambda: state(hint_mask=np.ones((3, 5, 26), bool)), r"hint_mask .* got shape \(3"),
    (lambda: state(hint_mask=np.zeros((2, 5, 26), bool)), "of player 0 must allow cards"),
    (lambda: state(deck=()), "turns_left is None as long as"),
    (lambda: state(turns_left=1), "turns_left is None as long as"),
    (lambda: state(hands=((0, 0, 0, 1, 1),)), "2 players have 2 hands, got 1"),
    (lambda: state(hands=((0, 0, 0, 1, 1),) * 2), "game's 50 cards; they are 50, with a"),
    (lambda: state(hands=((0, 0, 0, 1),) * 2), "player 0 must hold 5 cards, got 4"),
    (lambda: state(last_move=3), "not a hint: 3"),
    (lambda: state(last_move=HintColour(1, 5)), "colour=5"),
    (lambda: state(last_move=HintRank(2, 1)), "the player of last_move .* got 2"),
    (lambda: state(last_move=Play(5)), "the slot of last_move .* got 5"),
    (lambda: hidden(deck=FaceDown(39)), "49, with a wrong number of cards face down"),
    (lambda: hidden(hands=(HIDDEN.hands[0], FaceDown(6))), "must hold 5 cards, got 6"),
    (lambda: hidden(hint_mask=OPEN_MASK), "player 1 must allow cards in 5 slots"),
    (lambda: HIDDEN.apply(Play(0)), UNSEEN),  # draws a card
    (lambda: HIDDEN.apply(HintRank(1, 1)), UNSEEN),
    (lambda: describe(START.hide_hand(0), Play(1)), UNSEEN),
    (lambda: list(HIDDEN.deck), f"40 {UNSEEN}"),
    (lambda: parse_move("hints 1"), "a move is written like .* 'hints 1 red', got 'hints 1'"),
    (lambda: parse_move("hints 1 pink"), "hints are about red, .* from 1 to 5, got 'pink'"),
]


def discards(state, rng):
    """An agent that breaks the rules at once."""
    return Discard(0)


def looks(state, rng):
    """An agent that plays its first card if it fits, own cards in sight."""
    return Play(0) if state.playable()[state.hands[state.player][0]] else Discard(0)


def plays_iggi(belief):
    """The first move of IGGI with this belief."""
    return RuleAgent("IGGI", lambda candidates, hint_mask: belief)(START, None)


*_, (_, _, OVER) = play_game([RANDOM] * 2, 1)
ROW = np.full((5, 26), 1 / 26)
TWO_HANDS = np.zeros((2, 5), dtype=int)
ONE_ANSWER = allow_errors(lambda state, move, hands: np.array([True]), 0.1)
PLAYERS = [
    (lambda: next(play_game([discards] * 2, 0)), r"player 0, .* no discard"),
    (lambda: next(play_game(["IGGI"] * 2, 0)), "an agent must be a function, got 'IGGI'"),
    (lambda: self_play(discards, 1, [1, 2]), "n_players must be from 2 to 5"),
    (lambda: self_play(RANDOM, 2, [1]), "two games, got 1"),
    (lambda: self_play([IGGI, "IGGI"], 2, [1, 2]), "an agent must be a function, got 'IGGI'"),
    (lambda: self_play([IGGI] * 3, 2, [1, 2]), "2 seats are for .*, got 3"),
    (lambda: self_play(RuleAgent((discard_useless,)), 2, [1, 2]), "rules .*, got discard_useless"),
    (lambda: score_table(["IGGI"]), "agents must be of type Mapping"),
    (lambda: score_table({"three": [IGGI] * 3}, (3, 2)), "2 seats are for .*, got 3"),
    (lambda: score_table({}), "a table needs an agent"),
    (lambda: score_table({"it": IGGI}, (2, 6)), "n_players must be from 2 to 5, got 6"),
    (lambda: next(play_game([looks] * 2, 1)), UNSEEN),
    (lambda: self_play([IGGI, looks], 2, range(3)), UNSEEN),
    (lambda: Searcher("Convention"), "blueprint must be .*RuleAgent, got 'Convention'"),
    (lambda: Searcher(RuleAgent((lambda state, belief, rng: [Play(0)],))), "rules of the library"),
    (lambda: Searcher(belief="V3"), "belief must be one of .*'V0', 'V1', .*got 'V3'"),
    (lambda: Searcher(margin=-0.1), "margin must be .*got -0.1"),
    (lambda: Searcher(CONVENTION)(OVER, None), "the game is over"),
    (lambda: Searcher(CONVENTION)(START, "1"), "rng must be .* as its seed, got '1'"),
    (lambda: RuleAgent("random")(START, -1), "rng must be .* as its seed, got -1"),
    (lambda: RuleAgent("HAL"), r"random, IGGI, .* there is no 'HAL'"),
    *((lambda b=b: plays_iggi(b), "belief") for b in (None, ROW[:4], ROW * np.nan)),
    *((lambda r=r: RuleAgent(r), "there is no|each rule must be") for r in ([], [3], None)),
    (lambda: convention_would_act(START, Play(0), TWO_HANDS[:, :4]), r"got shape \(2, 4\)"),
    (lambda: convention_would_act(START, Play(0), [[-1, 0, 1, 2, 3]]), "from 0 to 25, got -1"),
    (lambda: agent_would_act("Convention"), "agent must be a function, got 'Convention'"),
    (lambda: allow_errors(convention_would_act, 1.1), "epsilon must be"),
    (lambda: ONE_ANSWER(START, Play(0), TWO_HANDS), "each of 2 hands, got"),
]

GAME = list(play_game([IGGI] * 2, 7))[:3]
ONE = S1.candidates, S1.hint_mask
BATCH = np.array([S1.candidates] * 2), np.array([S1.hint_mask] * 2)
TWO_SLOTS = np.array([2, 1, 1]), np.ones((2, 3), dtype=bool)
MANY = np.full(30, 3), np.ones((30, 30), dtype=bool)
PIGEONS = np.ones(29, dtype=int), np.ones((30, 29), dtype=bool)
RULED_OUT = [1, 1], [[True, False]], [[0, 1]]


def first_slot(hands):
    """A policy that acts if slot 0 holds card 0."""
    return hands[:, 0] == 0


def told(answer):
    """A likelihood of a policy with this answer about six hands."""
    return exact_likelihood(np.ones(3, int), np.ones((2, 3), bool), lambda hands: answer)


def own(likelihood, frame):
    """What a turn tells player 0 who knows this likelihood."""
    return likelihood_after(frame, convention_would_act, 0, likelihood, player=0)


BELIEFS = [
    (lambda: v0_belief([1, 0.5], [[True, True]]), "whole numbers >= 0"),
    (lambda: exact_belief([1, 1], [[True, True, True]]), r"got \(2,\) and \(1, 3\)"),
    (lambda: v0_belief([1, 1], [[2, 1]]), "must be boolean"),
    (lambda: v1_belief([1, 0], [[True, False], [False, True]]), "no candidate .* slot 1"),
    (lambda: v0_belief([[1, 0]], [[[True, False], [False, True]]]), "slot 1 of state 0"),
    (lambda: exact_belief([1, 1], [[True, True]], [[1, -0.5]]), "must be >= 0, got -0.5"),
    (lambda: exact_belief(*RULED_OUT), "rules out every candidate of slot 0"),
    # These two once ended the process.
    (lambda: exact_belief([2**63, 1], [[True, True]]), "at most 1,000,000"),
    (lambda: exact_belief([1, 1], np.ones((0, 2), bool)), r"there must be a slot, got"),
    (lambda: V1Settings(damping=0), "damping must be more than 0 and at most 1, got 0"),
    (lambda: v1_belief(*ONE, settings=0.2), r"settings must be of type V1Settings, got 0\.2"),
    (lambda: v2_belief(*S6[3:6], alpha=1.01), "alpha must be at least 0 and at most 1, got"),
    (lambda: next(v1_iterations(*BATCH)), "takes one state, got a batch of 2"),
    (lambda: draw_hands(*BATCH, 1, 0), "one state, got a batch of 2"),
    (lambda: draw_hands(*ONE, 1, None), r"rng must be .*Generator, or a whole .*, got None"),
    (lambda: draw_hands(*ONE, 2**26, 0), "n_samples must be from 1 to"),
    (lambda: exact_belief(np.full(40, 2), ~np.eye(40, dtype=bool)), "40 slots that differ"),
    (lambda: own(np.ones((4, 26)), GAME[1]), r"must be \(5, 26\), got \(4, 26\)"),
    (lambda: own(np.ones((5, 26)), None), "frame must be of type Frame"),
    (lambda: exact_likelihood(*BATCH, first_slot), "one state, got a batch of 2"),
    (lambda: sampled_likelihood(*TWO_SLOTS, first_slot, 0, least_count=2), "at most 1, got 2"),
    (lambda: enumerate_hands(*TWO_SLOTS, seen=[2]), "seen must be from 0 to 1, got 2"),
    (lambda: enumerate_hands(*TWO_SLOTS, seen=[]), "one or more different slots"),
    (lambda: enumerate_hands(*TWO_SLOTS, max_hands=3), "more than 3 hands"),
    (lambda: enumerate_hands(*MANY), "more than 1000000 hands"),
    (lambda: enumerate_hands(*MANY, seen=[0]), "listing them takes more than"),
    # Thirty slots and twenty-nine cards: no hand, and 29! ways to find that out.
    (lambda: enumerate_hands(*PIGEONS), "more than 67108864 numbers; `draw_hands`"),
    (lambda: enumerate_hands([1_000_000], [[True]] * 60), "hands add up to inf"),
    (lambda: told(-1), "what would_act returns must be an array of True and False, .* got -1"),
    *((lambda p=p: told(np.full(6, p)), f"each of 6 hands, .*{p}") for p in (1.5, -0.1, np.nan)),
    (lambda: told(np.ones(5, bool)), "each of 6 hands, got array"),
    (lambda: exact_likelihood(*TWO_SLOTS, 3), "would_act must be a function, got 3"),
    (lambda: belief_after([]), "a belief needs a game, got no frames"),
    (lambda: belief_after(GAME, kind="v1"), r"kind must be one of .*, got 'v1'"),
    (lambda: belief_after(GAME, kind="BB"), "BB is a belief of what .* it needs would_act"),
    (lambda: belief_after(GAME, convention_would_act, kind="V1"), "V1 does not hear what"),
    (lambda: belief_after(GAME, CONVENTION), "3 positional arguments but 4 were given"),
    (lambda: belief_after(GAME, agent_would_act(RANDOM)), "the agent draws random numbers"),
]


@pytest.mark.parametrize(("call", "message"), [*RULES, *PLAYERS, *BELIEFS])
def test_what_a_door_refuses_is_named(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
    assert issubclass(IllegalMove, ValueError)
