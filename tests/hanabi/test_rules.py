"""The rules of Hanabi: hand-worked cases, a recorded reference, and what must always hold."""

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hanabi_reference import move_name, parse_move, replay
from gameai_lib.hanabi.game.cards import (
    COPIES,
    DECK_SIZE,
    FULL_COUNTS,
    HAND_SIZE,
    MAX_HINTS,
    N_CARDS,
    NO_CARD,
    Discard,
    HintColour,
    HintRank,
    Play,
    card_name,
    hint_cards,
    parse_card,
    touched_slots,
)
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.rules import IllegalMove, State, describe
from gameai_lib.hanabi.players.agents import RuleAgent
from tests.hanabi.brute import changed

FIXTURE = json.loads((Path(__file__).parent / "reference.json").read_text("utf-8"))


def cards(names):
    """Tuple of cards, from their names with spaces between."""
    return tuple(parse_card(name) for name in names.split())


def deal(*hands, then=""):
    """A game whose hands are given by name, and whose next cards are those of `then`."""
    first = [card for names in (*hands, then) for card in cards(names)]
    rest = [card for card in range(N_CARDS) for _ in range(FULL_COUNTS[card])]
    for card in first:
        rest.remove(card)
    return State.from_deck(len(hands), first + rest)


def play_all(state, moves):
    """The state after the moves with these short names."""
    for name in moves.split():
        state = state.apply(parse_move(name))
    return state


def names(mask):
    """Names of the cards that a row allows."""
    return " ".join(card_name(card) for card in np.flatnonzero(mask))


@pytest.fixture
def start():
    """Two players; player 0 holds three 1s, player 1 a red and a white run."""
    return deal("R1 Y1 G1 B4 B5", "R1 R2 R3 W4 W5", then="G2 Y2 R2")


def test_card_names_are_colour_and_rank():
    assert [card_name(card) for card in (0, 4, 5, 11, 24)] == ["R1", "R5", "Y1", "G2", "B5"]
    assert [parse_card(card_name(card)) for card in range(N_CARDS)] == list(range(N_CARDS))
    assert card_name(NO_CARD) == "none"


@pytest.mark.parametrize(
    "name", ["G6", "G0", "P1", "G", "", "G12", "g2", "2G", None, 11, ["G", "1"]]
)
def test_parse_card_refuses_other_names(name):
    with pytest.raises(ValueError, match=re.escape(f"got {name!r}")):
        parse_card(name)


@pytest.mark.parametrize("card", [-1, 26, 1.0, True, "G2", None])
def test_card_name_refuses_other_numbers(card):
    with pytest.raises(ValueError, match=f"got {card!r}"):
        card_name(card)


def test_moves_of_different_kinds_are_different():
    assert Play(0) == Play(0)
    assert len({Play(0), Discard(0), HintColour(1, 2), HintRank(1, 2)}) == 4


@pytest.mark.parametrize(("n_players", "hand_size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_deal(n_players, hand_size):
    state = State.new(n_players, np.random.default_rng(3))
    assert [len(hand) for hand in state.hands] == [hand_size] * n_players
    assert state.n_deck == DECK_SIZE - n_players * hand_size
    assert (state.n_hints, state.n_lives, state.score, state.player) == (8, 3, 0, 0)
    candidates, hint_mask = state.public()
    assert candidates.tolist() == [*COPIES * 5, 0]
    assert hint_mask.shape == (n_players * hand_size, 26)
    assert hint_mask[:, :N_CARDS].all()
    assert not hint_mask[:, NO_CARD].any()


def test_deck_comes_from_the_generator():
    first, again, other = (State.new(2, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first.deck == again.deck
    assert first.deck != other.deck


@pytest.mark.parametrize("n_players", [1, 6, 2.0, True, "2", [2]])
def test_number_of_players(n_players):
    with pytest.raises(ValueError, match=re.escape(f"2 to 5 players, got {n_players!r}")):
        State.new(n_players, np.random.default_rng(0))


def test_deck_is_checked(start):
    deck = [card for hand in start.hands for card in hand] + list(start.deck)
    with pytest.raises(ValueError, match="49, with a wrong number of R1"):
        State.from_deck(2, deck[1:])
    with pytest.raises(ValueError, match="50, with a wrong number of R1, Y2"):
        State.from_deck(2, [parse_card("Y2"), *deck[1:]])
    with pytest.raises(ValueError, match="51, with a wrong number of nothing else"):
        State.from_deck(2, [*deck, 99])
    for wrong in ([24.5, *deck[1:]], [True, *deck[1:]], [None, *deck[1:]], None, range(10**20)):
        with pytest.raises((ValueError, TypeError), match="deck"):
            State.from_deck(2, wrong)
    assert State.from_deck(2, np.array(deck)).hands == start.hands


@pytest.mark.parametrize("player", [-1, 2, 0.0, True, None])
def test_a_view_is_that_of_a_player(start, player):
    with pytest.raises(ValueError, match=f"players 0 to 1, got {player!r}"):
        start.view(player)


@pytest.mark.parametrize("name", ["hint_mask", "fireworks", "discards"])
def test_arrays_of_a_state_are_arrays(start, name):
    with pytest.raises(ValueError, match=f"{name} must be an array of shape"):
        replace(start, **{name: getattr(start, name).tolist()})


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Play(1.0), r"Play\(slot=1\.0\): the hand has slots 0 to 4"),
        (Play(True), r"Play\(slot=True\): the hand has slots 0 to 4"),
        (Play(None), "slots 0 to 4"),
        (Play([0] * 1000), "slots 0 to 4"),
        (HintColour(1, 1.0), "colours are 0 to 4"),
        (HintColour(1, True), "colours are 0 to 4"),
        (HintColour("1", 1), "players 0 to 1"),
        (HintRank(1, 1.0), "ranks are 1 to 5"),
        (HintRank(True, 1), "players 0 to 1"),
        ("x" * 5000, "not a move"),
    ],
)
def test_moves_are_made_of_whole_numbers(start, move, reason):
    for do in (start.apply, partial(describe, start)):
        with pytest.raises(IllegalMove, match=reason) as caught:
            do(move)
        assert len(str(caught.value)) < 300


def test_only_hints_touch_cards():
    assert np.flatnonzero(hint_cards(HintRank(1, 5))).tolist() == [4, 9, 14, 19, 24]
    for hint in (HintRank(1, 0), HintColour(1, -1), HintColour(1, 1.0), Play(0), None):
        with pytest.raises(ValueError, match="not a hint: "):
            hint_cards(hint)


def test_play_of_a_fitting_card(start):
    state = start.apply(Play(1))
    assert state.fireworks.tolist() == [0, 1, 0, 0, 0]
    assert state.hands[0] == cards("R1 G1 B4 B5 G2")
    assert (state.score, state.n_lives, state.n_hints, state.player) == (1, 3, 8, 1)
    assert not state.discards.any()


def test_play_of_a_card_that_does_not_fit(start):
    state = start.apply(Play(3))
    assert not state.fireworks.any()
    assert state.discards[parse_card("B4")] == 1
    assert state.discards.sum() == 1
    assert (state.score, state.n_lives, state.n_hints) == (0, 2, 8)


def test_discard_returns_a_token(start):
    state = play_all(start, "1R 0B D0")
    assert state.n_hints == 7
    assert state.hands[0] == cards("Y1 G1 B4 B5 G2")
    assert state.discards[parse_card("R1")] == 1


def test_hint_tells_the_touched_and_the_other_slots(start):
    state = start.apply(HintColour(1, 0))
    assert touched_slots(HintColour(1, 0), start.hands[1]) == [0, 1, 2]
    assert [names(row) for row in state.hint_mask[1]] == ["R1 R2 R3 R4 R5"] * 3 + [
        "Y1 Y2 Y3 Y4 Y5 G1 G2 G3 G4 G5 W1 W2 W3 W4 W5 B1 B2 B3 B4 B5"
    ] * 2
    assert state.hint_mask[0].sum() == 5 * N_CARDS
    assert state.n_hints == 7
    state = play_all(state, "01 14")
    assert [names(row) for row in state.hint_mask[1]] == ["R1 R2 R3 R5"] * 3 + [
        "Y4 G4 W4 B4",
        "Y1 Y2 Y3 Y5 G1 G2 G3 G5 W1 W2 W3 W5 B1 B2 B3 B5",
    ]


def test_knowledge_moves_with_the_card(start):
    state = play_all(start, "1R 01 P3 P0")
    assert [names(row) for row in state.hint_mask[0, :3]] == ["R1 Y1 G1 W1 B1"] * 3
    assert "1" not in names(state.hint_mask[0, 3])  # B5, once in slot 4
    assert state.hint_mask[0, 4, :N_CARDS].all()  # the new card
    assert names(state.hint_mask[1, 1]) == "R1 R2 R3 R4 R5"


def test_candidates_and_views(start):
    state = play_all(start, "P1 0B D0")
    candidates, _ = state.public()
    # Y1 is played and R1 discarded; hands and deck count alike.
    expected = np.array([*COPIES * 5, 0])
    expected[[parse_card("Y1"), parse_card("R1")]] -= 1
    assert candidates.tolist() == expected.tolist()
    own, hint_mask = state.view(1)
    expected[list(state.hands[0])] -= 1
    assert own.tolist() == expected.tolist()
    assert hint_mask.tolist() == state.hint_mask[1].tolist()


def test_playable_and_useless():
    state = deal("R1 R1 R2 R2 W1", "Y1 Y3 Y3 B1 B2", then="R1")
    assert names(state.playable()) == "R1 Y1 G1 W1 B1"
    assert names(state.useless()) == ""
    state = play_all(state, "1Y 01 P0 0R 1Y 0R D1 D1 D1 D1")
    # Fireworks R1; discarded: R2, Y3, R2, Y3. Red cannot go on, yellow ends at 2.
    assert names(state.playable()) == "R2 Y1 G1 W1 B1"
    assert names(state.useless()) == "R1 R2 R3 R4 R5 Y3 Y4 Y5"


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("", Play(5), r"Play\(slot=5\): the hand has slots 0 to 4"),
        ("", Play(-1), "slots 0 to 4"),
        ("", Discard(0), "no discard with all 8 information tokens"),
        ("", HintRank(0, 1), "a hint goes to another player"),
        ("", HintRank(2, 1), "players 0 to 1"),
        ("", HintRank(1, 6), "ranks are 1 to 5"),
        ("", HintRank(1, 0), "ranks are 1 to 5"),
        ("", HintColour(1, 5), "colours are 0 to 4"),
        ("", HintColour(1, 1), "the hint touches no card"),
        ("", (1, 2), "not a move"),
        ("1R 0B 1R 0B 1R 0B 1R 0B", HintRank(1, 1), "no information token left"),
        ("P3 P3 P3", Play(0), "player 1, .*: the game is over"),
    ],
)
def test_illegal_moves_say_why(start, moves, move, reason):
    state = play_all(start, moves)
    assert move not in state.legal_moves()
    with pytest.raises(IllegalMove, match=reason):
        state.apply(move)
    assert issubclass(IllegalMove, ValueError)


def test_three_lost_lives_end_the_game_with_nothing(start):
    state = play_all(start, "P0 P1 P2 P3 P3")
    assert (state.n_lives, state.is_over, state.score) == (0, True, 0)
    assert state.fireworks.sum() == 2
    assert state.legal_moves() == ()


def test_finished_firework_gives_a_token_unless_there_are_eight():
    state = deal("R1 R3 R5 Y3 Y4", "R2 R4 B1 B2 B3")
    state = play_all(state, "P0 P0 P0 P0")
    assert state.fireworks[0] == 4
    assert play_all(state, "P0").n_hints == MAX_HINTS
    state = play_all(state, "11 01 P0")
    assert (state.fireworks[0], state.n_hints, state.n_lives) == (5, 7, 3)


def test_last_round_gives_everybody_one_more_turn():
    state = State.new(3, np.random.default_rng(0))
    while state.n_deck > 1:  # alternate hints and discards
        moves = [move for move in state.legal_moves() if not isinstance(move, Play)]
        state = state.apply(moves[0] if state.n_hints < MAX_HINTS else moves[-1])
    assert state.turns_left is None
    while state.n_deck:
        state = state.apply(state.legal_moves()[-1] if state.n_hints == 8 else Discard(0))
    last_drawer = (state.player - 1) % 3
    assert state.turns_left == 3
    movers = []
    while not state.is_over:
        movers.append(state.player)
        size = len(state.hands[state.player])
        state = state.apply(state.legal_moves()[-1] if state.n_hints == 8 else Discard(1))
        if isinstance(state.last_move, Discard):
            assert len(state.hands[movers[-1]]) == size - 1
            assert names(state.hint_mask[movers[-1], -1]) == "none"
    assert movers == [(last_drawer + 1) % 3, (last_drawer + 2) % 3, last_drawer]
    assert state.turns_left == 0
    n_absent = sum(5 - len(hand) for hand in state.hands)
    assert n_absent > 0
    assert state.public()[0][NO_CARD] == n_absent == state.public()[1][:, NO_CARD].sum()
    assert state.view(0)[0][NO_CARD] == 5 - len(state.hands[0])


def test_25_points_end_the_game():
    state = deal("B5 R1 R1 R2 R2", "Y1 Y1 Y2 Y2 Y3")
    state = changed(state, fireworks=np.array([5, 5, 5, 5, 4]))
    assert not state.is_over
    state = state.apply(Play(0))
    assert (state.is_over, state.score) == (True, 25)


def test_captions(start):
    assert describe(start, HintRank(1, 4)) == "player 0: hint rank 4 to player 1"
    assert describe(start, HintColour(1, 0)) == "player 0: hint colour R to player 1"
    assert describe(start, Play(1)) == "player 0: play Y1 from slot 1"
    assert describe(start, Play(3)) == "player 0: play B4 from slot 3, a life lost"
    assert describe(play_all(start, "1R"), Discard(2)) == "player 1: discard R3 from slot 2"


def test_states_do_not_change(start):
    before = [start.hint_mask.copy(), start.fireworks.copy(), start.discards.copy()]
    play_all(start, "1R 0B P3 D0 1W P4")
    after = [start.hint_mask, start.fireworks, start.discards]
    assert all((one == other).all() for one, other in zip(before, after, strict=True))
    for array in after:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        start.player = 1


def test_state_owns_its_arrays(start):
    mine = np.zeros(5, int)
    state = replace(start, fireworks=mine)
    mine[0] = 2
    assert state.fireworks.tolist() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"n_players": 6}, "2 to 5 players, got 6"),
        ({"n_hints": 9}, "n_hints must be from 0 to 8, got 9"),
        ({"n_lives": -1}, "n_lives must be from 0 to 3, got -1"),
        ({"player": 2}, "player must be from 0 to 1, got 2"),
        ({"fireworks": np.array([6, 0, 0, 0, 0])}, "fireworks must be from 0 to 5, got 6"),
        ({"fireworks": np.zeros(4, int)}, r"fireworks must be an array of shape \(5,\)"),
        ({"hint_mask": np.ones((3, 5, 26), bool)}, r"hint_mask .* \(2, 5, 26\), got shape \(3"),
        ({"hint_mask": np.ones((2, 5, 26), int)}, "hint_mask must be boolean"),
        ({"hint_mask": np.zeros((2, 5, 26), bool)}, "hint_mask of player 0 forbids .. in slot 0"),
        ({"deck": ()}, "turns_left is None as long as"),
        ({"deck": (25,)}, "the deck must be from 0 to 24, got 25"),
        ({"hands": ((0, 0, 0, 1, 1),)}, "2 players have 2 hands, got 1"),
        ({"hands": ((0, 0, 0, 1, 1),) * 2}, "the game's 50 cards; they are 50, with a wrong"),
        ({"hands": ((0, 0, 0, 1),) * 2}, "player 0 must hold 5 cards, got 4"),
        ({"discards": np.eye(1, 25, dtype=int)[0]}, "they are 51, with a wrong number of R1"),
        ({"turns_left": 1}, "turns_left is None as long as"),
        ({"last_move": 3}, "last_move must be a move or None, got 3"),
    ],
)
def test_a_state_is_one_of_a_game(start, fields, message):
    with pytest.raises((TypeError, ValueError), match=message):
        replace(start, **fields)


def test_every_state_of_a_game_can_be_made_from_its_parts(start):
    rng = np.random.default_rng(3)
    for n_players in HAND_SIZE:
        for frame in play_game([RuleAgent("IGGI")] * n_players, rng):
            again = replace(frame.next_state, deck=list(frame.next_state.deck))
            assert again.public()[0].tolist() == frame.next_state.public()[0].tolist()
            assert again.deck == frame.next_state.deck


def test_fixture_is_worth_replaying():
    states = [state for game in FIXTURE["games"] for state in game["states"]]
    last = [game["states"][-1] for game in FIXTURE["games"]]
    assert len(states) > 300
    assert {game["n_players"] for game in FIXTURE["games"]} == set(HAND_SIZE)
    assert {state["lives"] for state in states} == {0, 1, 2, 3}
    assert {state["hints"] for state in states} == set(range(9))
    assert {0, 25} < {state["score"] for state in last}
    assert any("0." in state.get("masks", "") for state in states)  # short hands


@pytest.mark.parametrize("number", range(len(FIXTURE["games"])))
def test_recorded_games_of_the_reference(number):
    game = FIXTURE["games"][number]
    for turn, (expected, ours) in enumerate(zip(game["states"], replay(game), strict=True)):
        assert ours == expected, f"after {turn} moves"


@st.composite
def random_games(draw):
    """All states of a game of random legal moves, by default rather hints than plays."""
    n_players = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    weight = {Play: draw(st.sampled_from([0.1, 1.0])), Discard: 1.0, HintColour: 2, HintRank: 2}
    states = [State.new(n_players, rng)]
    while not states[-1].is_over:
        moves = states[-1].legal_moves()
        p = np.array([weight[type(move)] for move in moves])
        states.append(states[-1].apply(moves[rng.choice(len(moves), p=p / p.sum())]))
    return states


@settings(max_examples=25, deadline=None)
@given(random_games())
def test_what_holds_in_every_state(states):
    for state in states:
        held = [card for hand in state.hands for card in hand]
        built = [5 * c + r for c in range(5) for r in range(state.fireworks[c])]
        everywhere = np.bincount([*state.deck, *held, *built], minlength=N_CARDS)
        assert (everywhere + state.discards == FULL_COUNTS[:N_CARDS]).all()

        candidates, hint_mask = state.public()
        assert (candidates[:N_CARDS] >= np.bincount(held, minlength=N_CARDS)).all()
        assert candidates.sum() == len(hint_mask) + state.n_deck
        for player, hand in enumerate(state.hands):
            slots = [*hand, *[NO_CARD] * (state.hand_size - len(hand))]
            mask = state.hint_mask[player]
            assert mask[range(state.hand_size), slots].all()
            assert not mask[: len(hand), NO_CARD].any()
            assert (mask[len(hand) :].sum(axis=1) == 1).all()
            own, _ = state.view(player)
            assert (own[:N_CARDS] >= np.bincount(hand, minlength=N_CARDS)).all()
            assert own.sum() == state.hand_size + state.n_deck

        assert 0 <= state.n_hints <= MAX_HINTS
        assert 0 <= state.n_lives <= 3
        assert state.score == (state.fireworks.sum() if state.n_lives else 0)
        assert (state.turns_left is None) == (state.n_deck > 0)
        assert state.is_over == (state is states[-1])


@settings(max_examples=10, deadline=None)
@given(random_games())
def test_legal_moves_are_the_moves_that_apply(states):
    n_players = states[0].n_players
    everything = [kind(slot) for kind in (Play, Discard) for slot in range(5)]
    everything += [HintColour(p, colour) for p in range(n_players) for colour in range(5)]
    everything += [HintRank(p, rank) for p in range(n_players) for rank in range(1, 6)]
    for state in states[::5]:
        legal = set(state.legal_moves())
        for move in everything:
            assert parse_move(move_name(move)) == move
            if move in legal:
                assert state.apply(move).last_move == move
            else:
                with pytest.raises(IllegalMove):
                    state.apply(move)
