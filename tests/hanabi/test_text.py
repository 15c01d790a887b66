"""Moves and positions as text: by hand, and there and back."""

import numpy as np
import pytest

from gameai_lib.hanabi.game.cards import IS_CARD, Discard, HintColour, HintRank, Play, parse_card
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.positions import parse_state
from gameai_lib.hanabi.game.text import NotationError, parse_move
from gameai_lib.hanabi.players.agents import RuleAgent

POSITION = """
# three cards have been played, one discarded
player 0: R1(R) Y4(YGWB) G1(1) B4(B4) B5
player 1: R2 R2(R1,R2,G3) R3 W4 W5
fireworks: R1 B2
discards: W1
hints: 5   # so far
to move: player 1
last move: hints 1 white
"""


def fields(state):
    """All that a state holds, in plain values, but for its past, which no text tells."""
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(state).items()
        if name != "past"
    }


def test_moves_are_read_as_they_are_written():
    moves = [Play(0), Discard(4), HintColour(1, 2), HintRank(4, 5)]
    for text, move in zip(
        ("plays 0", "discards 4", "hints 1 green", "hints 4 5s"), moves, strict=True
    ):
        assert str(move) == text
        assert parse_move(text) == move
    # Hints may be shorter, and players have names.
    assert parse_move("hints Ben R", ("Ann", "Ben")) == HintColour(1, 0)
    assert parse_move("hints Ann b", ("Ann", "Ben")) == HintColour(0, 4)
    assert parse_move("hints Ben 3", ("Ann", "Ben")) == HintRank(1, 3)


def test_a_position_by_hand():
    state = parse_state(POSITION)
    assert [state.player, state.n_hints, state.n_lives, state.n_deck] == [1, 5, 3, 36]
    assert state.fireworks.tolist() == [1, 0, 0, 0, 2]
    assert np.flatnonzero(state.discards).tolist() == [parse_card("W1")]
    assert state.hands[0] == tuple(map(parse_card, ("R1", "Y4", "G1", "B4", "B5")))
    assert state.last_move == HintColour(1, 3)
    allowed = [np.flatnonzero(row).tolist() for row in state.hint_mask[0]]
    assert allowed == [[0, 1, 2, 3, 4], [*range(5, 25)], [0, 5, 10, 15, 20], [23], [*range(25)]]
    assert np.flatnonzero(state.hint_mask[1, 1]).tolist() == [0, 1, 12]
    assert state.hint_mask[1, 0].tolist() == IS_CARD.tolist()
    # What is left out is as in a new game, and the deck is in the order of the cards.
    assert list(state.deck) == sorted(state.deck)
    assert parse_state(POSITION.replace("hints: 5", "#")).n_hints == 8
    said = str(state)
    for line in ("to move: player 1", "hints: 5", *POSITION.splitlines()[2:4], "discards: W1"):
        assert f"{line}\n" in said
    assert "\nlives: 3\nfireworks: R1 Y0 G0 W0 B2\n" in said
    assert "\ndeck: 36 cards: R1 R3 R4 R4 R5 Y1 " in said
    assert said.splitlines()[-1] == "last move: hints 1 white"


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_every_state_of_a_game_and_what_is_seen_of_it_there_and_back(n_players):
    game = list(play_game([RuleAgent("IGGI")] * n_players, np.random.default_rng(n_players)))
    assert game[-1].state.turns_left == 1
    for frame in (*game[:20:6], *game[-n_players - 1 :]):
        state = frame.next_state
        for shown in (state, *map(state.hide_hand, range(n_players))):
            assert fields(parse_state(str(shown))) == fields(shown)
        assert "player 1: ?" in str(state.hide_hand(1))


def test_one_card_and_none_in_the_deck():
    *_, last = play_game([RuleAgent("IGGI")] * 2, np.random.default_rng(1))
    assert "\ndeck: 0 cards\nturns left: 0\n" in str(last.next_state)
    hands = "player 0: R1 R1 R1 R2 R2\nplayer 1: Y1 Y1 Y1 Y2 Y2\n"
    discards = "R3 R3 R4 R4 R5 Y3 Y3 Y4 Y4 Y5 G4 W1 W1 W2 W3 W3 W4 W4 W5 B4"
    state = parse_state(f"{hands}fireworks: G5 W2 B5\ndiscards: {discards} G1 G1 G2 G3 B1 B1 B2")
    assert state.n_deck == 1
    assert "\ndeck: 1 card: B3\n" in f"{state}\n"
    assert str(parse_state(str(state))) == str(state)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("R1(R)", "R9", "line 3: a card is one letter of RYGWB .*, got 'R9'"),
        ("R1(R)", "R1(P)", "line 3: brackets hold letters of RYGWB .*, got 'P'"),
        ("R1(R)", "", "player 0 must hold 5 cards, got 4"),
        ("player 1:", "player 2:", "players 0 to 1, 2, 3 or 4, got player 0, player 2"),
        ("player 1:", "Ben:", "line 4: there is no 'Ben'; lines are to move, hints,"),
        ("fireworks: ", "fireworks ", "line 5: a line is a name, a colon and a value"),
        ("fireworks: ", "fireworks: B1 ", "line 5: there is one firework of each colour, got"),
        ("hints: 5", "deck: 3 cards", "3 cards cannot be in the deck: there are 36"),
        ("hints: 5", "deck: R1 R3", "the game's 50 cards; they are 16, with a wrong number of R4"),
        ("player 1\n", "B\n", "line 8: a player is written like 'player 1', got 'B'"),
        ("hints 1 white", "hints 0 white", "player 0 hints 0 white, which is to themselves"),
        ("hints 1 white", "hints 1 blue", "player 0 hints 1 blue, which touches no card"),
    ],
)
def test_what_is_no_position_is_named_with_its_line(old, new, message):
    assert old in POSITION
    with pytest.raises(NotationError, match=message):
        parse_state(POSITION.replace(old, new, 1))
