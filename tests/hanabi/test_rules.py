"""The rules of Hanabi: hand-worked cases, a recorded reference, and what must always hold."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hanabi_reference import parse_move, replay
from gameai_lib.hanabi import (
    NO_CARD,
    Discard,
    HintColour,
    HintRank,
    IllegalMove,
    Play,
    State,
    card_name,
    describe,
    hint_cards,
    parse_card,
)
from gameai_lib.hanabi.game.box import COPIES, DECK_SIZE, FULL_COUNTS, IS_CARD, MAX_HINTS, N_CARDS
from gameai_lib.hanabi.game.table import DECK
from tests.hanabi.brute import changed, deal

FIXTURE = json.loads((Path(__file__).parent / "reference.json").read_text("utf-8"))


def play_all(state, moves):
    """The state after the moves with these short names."""
    for name in moves.split():
        state = state.apply(parse_move(name))
    return state


@pytest.fixture
def start():
    """Two players; player 0 holds three 1s, player 1 a red and a white run."""
    return deal("R1 Y1 G1 B4 B5", "R1 R2 R3 W4 W5", then="G2 Y2 R2")


def test_card_names_are_colour_and_rank():
    assert [card_name(card) for card in (0, 5, 11, 24)] == ["R1", "Y1", "G2", "B5"]
    assert [parse_card(card_name(card)) for card in range(N_CARDS)] == list(range(N_CARDS))
    assert card_name(NO_CARD) == "none"
    assert Play(0) != Discard(0)
    assert np.flatnonzero(hint_cards(HintRank(1, 5))).tolist() == [4, 9, 14, 19, 24]


@pytest.mark.parametrize(("n_players", "hand_size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_deal(n_players, hand_size):
    state, again, other = (State.new(n_players, np.random.default_rng(s)) for s in (3, 3, 4))
    assert [len(hand) for hand in state.hands] == [hand_size] * n_players
    assert state.n_deck == DECK_SIZE - n_players * hand_size
    assert (state.n_hints, state.n_lives, state.score, state.player) == (8, 3, 0, 0)
    candidates, hint_mask = state.public()
    assert candidates.tolist() == [*COPIES * 5, 0]
    assert (hint_mask == IS_CARD).all()
    assert state.deck == again.deck != other.deck
    cards = np.array([card for pile in (*state.hands, state.deck) for card in pile])
    assert State.from_deck(n_players, cards).hands == state.hands


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("", Play(5), r"Play\(slot=5\): the hand has slots 0 to 4"),
        ("", Play(True), r"Play\(slot=True\): the hand has slots 0 to 4"),
        ("", Discard(0.5), r"Discard\(slot=0\.5\): the hand has slots 0 to 4"),
        ("", HintRank("1", 1), "players 0 to 1"),
        ("", Discard(0), "no discard with all 8 information tokens"),
        ("", HintRank(0, 1), "a hint goes to another player"),
        ("", HintRank(2, 1), "players 0 to 1"),
        ("", HintColour(1, 1), "the hint touches no card"),
        ("", "x" * 5000, "not a move"),
        ("1R 0B 1R 0B 1R 0B 1R 0B", HintRank(1, 1), "no information token left"),
        ("P3 P3 P3", Play(0), "player 1, .*: the game is over"),
    ],
)
def test_illegal_moves_say_why(start, moves, move, reason):
    state = play_all(start, moves)
    assert repr(move) not in map(repr, state.legal_moves())
    with pytest.raises(IllegalMove, match=reason) as caught:
        state.apply(move)
    assert len(str(caught.value)) < 300


def test_three_lost_lives_or_25_points_end_the_game(start):
    state = play_all(start, "P0 P1 P2 P3 P3")
    assert (state.n_lives, state.is_over, state.score) == (0, True, 0)
    assert state.fireworks.sum() == 2
    assert state.legal_moves() == ()
    state = deal("B5 R1 R1 R2 R2", "Y1 Y1 Y2 Y2 Y3")
    state = changed(state, fireworks=np.array([5, 5, 5, 5, 4]))
    assert not state.is_over
    state = state.apply(Play(0))
    assert (state.is_over, state.score) == (True, 25)


def test_finished_firework_gives_a_token_unless_there_are_eight():
    state = deal("R1 R3 R5 Y3 Y4", "R2 R4 B1 B2 B3")
    state = play_all(state, "P0 P0 P0 P0")
    assert state.fireworks[0] == 4
    assert play_all(state, "P0").n_hints == MAX_HINTS
    state = play_all(state, "11 01 P0")
    assert (state.fireworks[0], state.n_hints, state.n_lives) == (5, 7, 3)


def test_captions(start):
    assert describe(start, HintRank(1, 4)) == "player 0: hint rank 4 to player 1"
    assert describe(start, Play(1)) == "player 0: play Y1 from slot 1"
    assert describe(start, Play(3)) == "player 0: play B4 from slot 3, a life lost"
    assert describe(play_all(start, "1R"), Discard(2)) == "player 1: discard R3 from slot 2"


def test_states_do_not_change_and_own_their_arrays(start):
    before = [start.hint_mask.copy(), start.fireworks.copy(), start.discards.copy()]
    play_all(start, "1R 0B P3 D0 1W P4")
    after = [start.hint_mask, start.fireworks, start.discards]
    assert all((one == other).all() for one, other in zip(before, after, strict=True))
    for array in after:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        start.player = 1
    mine = np.zeros(5, int)
    state = replace(start, fireworks=mine)
    mine[0] = 2
    assert state.fireworks.tolist() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("number", range(len(FIXTURE["games"])))
def test_recorded_games_of_the_reference(number):
    game = FIXTURE["games"][number]
    for turn, (expected, ours) in enumerate(zip(game["states"], replay(game), strict=True)):
        assert ours == expected, f"after {turn} moves"


def is_useless(state):
    """(26,) whether each card is built, or all copies of one below it are gone."""
    useless = [False] * 26
    for colour in range(5):
        can_go_on = True
        for rank in range(5):
            card = 5 * colour + rank
            can_go_on &= state.discards[card] < COPIES[rank]
            useless[card] = bool(state.fireworks[colour] > rank or not can_go_on)
    return useless


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


@settings(max_examples=10, deadline=None)
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
        again = replace(state, deck=list(state.deck))  # its parts make it
        assert (again.table[:DECK] == state.table[:DECK]).all()
        is_next = [card < 25 and state.fireworks[card // 5] == card % 5 for card in range(26)]
        assert state.playable().tolist() == is_next
        assert state.useless().tolist() == is_useless(state)
    n_players = states[0].n_players
    everything = [kind(slot) for kind in (Play, Discard) for slot in range(5)]
    everything += [HintColour(p, colour) for p in range(n_players) for colour in range(5)]
    everything += [HintRank(p, rank) for p in range(n_players) for rank in range(1, 6)]
    for state in states[::5]:
        legal = set(state.legal_moves())
        for move in everything:
            if move in legal:
                assert state.apply(move).last_move == move
            else:
                with pytest.raises(IllegalMove):
                    state.apply(move)
