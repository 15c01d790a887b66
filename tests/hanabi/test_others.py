"""A game of hanab.live by hand, games that the environment has played, and what is refused."""

import json
import re

import numpy as np
import pytest

from benchmarks.hanabi_reference import parse_move, snapshot
from gameai_lib.hanabi.game.box import ALL_CARDS, card_name
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.others import (
    game_json,
    parse_reference,
    read_game,
    reference_move,
)
from gameai_lib.hanabi.game.text import NotationError
from tests.hanabi.test_rules import FIXTURE

# Of hanab.live's suits 3 is blue and 4 purple, which is white here. B5 B4 B4 B3 B3 are dealt to
# Ann, B2 B2 B1 B1 B1 to Ben; W5 W4 W4 follow, in places 10 to 12 of the deck.
CARDS = [divmod(card, 5) for card in ALL_CARDS[::-1].tolist()]
DECK = [{"suitIndex": (0, 1, 2, 4, 3)[suit], "rank": rank + 1} for suit, rank in CARDS]
MOVES = {
    (2, 1, 3): HintColour(1, 4),
    (0, 7, 0): Play(2),
    (1, 0, 0): Discard(0),
    (0, 10, 0): Play(4),
    (3, 1, 4): HintRank(1, 4),
}


TEN = ["R1", "R1", "Y3", "G4", "B5", "W1", "W1", "R2", "Y2", "B2"]


def live(*actions, **changes):
    named = [dict(zip(("type", "target", "value"), action, strict=True)) for action in actions]
    game = {"players": ["Ann", "Ben"], "deck": DECK, "actions": named, "options": {"timed": True}}
    return json.dumps(game | changes)


def test_a_game_of_hanab_live_by_hand(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(live(*MOVES, (4, 1, 4), (9, 9, 9)), "utf-8")  # ended by a player
    game = read_game(path)
    assert [frame.move for frame in game] == list(MOVES.values())
    last = game[-1].next_state
    assert (last.score, last.n_lives, last.n_hints) == (1, 2, 7)
    assert [card_name(card) for card in last.hands[1]] == ["B2", "B2", "B1", "B1", "W4"]
    written = json.loads(game_json(game, ["Ann", "Ben"]))
    assert written == json.loads(live(*MOVES, options={"variant": "No Variant"}))


@pytest.mark.parametrize("game", FIXTURE["games"], ids=lambda game: game["moves"][:11])
def test_games_that_the_environment_has_played(game):
    n, deck = game["n_players"], game["deck"]
    lines = [f"(Deal {deck[i : i + 2]})" for i in range(0, 100, 2)]
    n_dealt = n * (5 if n < 4 else 4)
    moves = [
        reference_move(parse_move(name), turn % n, n)
        for turn, name in enumerate(game["moves"].split())
    ]
    # In a history each draw follows its move.
    frames = read_game("\n".join([*lines[:n_dealt], *moves, *lines[n_dealt:]]))
    states = [frame.state for frame in frames] + [frames[-1].next_state]
    assert [snapshot(state) for state in states] == game["states"]
    assert [str(f.next_state) for f in read_game(game_json(frames))] == [*map(str, states[1:])]


# What the environment printed.
TEXT = """Life tokens: 1
Info tokens: 8
Fireworks: R0 Y0 G0 W0 B0
Hands:
R1 || XX|RYGWB12345
R1 || XX|RYGWB12345
Y2 || XX|RYGWB12345
R4 || XX|RYGWB12345
Y3 || XX|RYGWB12345
-----
Cur player
R2 || XX|RYGWB2345
B1 || X1|RYGWB1
G1 || X1|RYGWB1
Y1 || X1|RYGWB1
G3 || XX|RYGWB12345
Deck size: 37
Discards: R3 G4 W3"""


def test_a_state_of_the_environment():
    state = parse_reference(TEXT)
    assert (state.player, state.n_lives, state.n_hints, state.n_deck) == (1, 1, 8, 37)
    assert [card_name(card) for card in state.hands[1]] == ["R2", "B1", "G1", "Y1", "G3"]
    assert np.flatnonzero(state.hint_mask[1, 1]).tolist() == [0, 5, 10, 15, 20]
    assert [card_name(card) for card in np.flatnonzero(state.discards)] == ["R3", "G4", "W3"]
    hidden = TEXT  # as player 1 observes it, but for the seat
    for card in state.hands[1]:
        hidden = hidden.replace(f"\n{card_name(card)} || X", "\nXX || X", 1)
    assert str(parse_reference(hidden)) == str(state.hide_hand(1))


REFUSED = {
    "no variants, got 'Rainbow (5 Suits)'": live(options={"variant": "Rainbow (5 Suits)"}),
    "no variants, got 'Black (5 Suits)'": live(variant="Black (5 Suits)"),
    "options must be of type dict, got None": live(options=None),
    "other rules than those of oneLessCard": live(options={"oneLessCard": True}),
    "they are 49, with a wrong number of B5": live(deck=DECK[1:]),
    "move 2: player 1 does not hold card 0 of the deck": live((0, 0, 0), (1, 0, 0)),
    "move 1: value must be from 0 to 4, got 5": live((2, 1, 5)),
    "move 1: player 0, HintRank(player=1, rank=3): the hint touches no card": live((3, 1, 3)),
    "move 1: target must be a whole number, got None": live(actions=[{"type": 0}]),
    "a card or an action must be of type dict, got []": live(actions=[[]]),
    "Expecting property name": "{",
    "first 10, 15, 16 or 20 cards are dealt, as (Deal R1), got 1": "(Deal R1)",
    "with a wrong number of R1": "(Deal R1)\n" * 10,
    "move 1: a move is like (Play 0)": "".join(f"(Deal {c})\n" for c in TEN) + "(Skip 1)",
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message):
    with pytest.raises(NotationError, match=re.escape(message)):
        read_game(REFUSED[message])


def test_only_whole_games_with_names_are_written():
    game = read_game(live(*MOVES))
    for frames, names, message in (
        (game[1:], ["Ann", "Ben"], "all turns of a game from its start"),
        ([], ["Ann", "Ben"], "all turns of a game from its start"),
        (game, ["Ann"], "2 players need 2 names, got ['Ann']"),
        (game, ["Ann", "Ann"], "2 players need 2 names"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            game_json(frames, names)
