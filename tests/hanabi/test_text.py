"""Moves, positions and logs as text: by hand, there and back, and what is wrong in a line."""

from itertools import pairwise

import numpy as np
import pytest

from gameai_lib.hanabi.game.box import IS_CARD, parse_card
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.notation import log_text, parse_state, read_log
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.table import DECK
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


def test_moves_are_read_as_they_are_written():
    moves = [Play(0), Discard(4), HintColour(1, 2), HintRank(4, 5)]
    for text, move in zip(
        ("plays 0", "discards 4", "hints 1 green", "hints 4 5s"), moves, strict=True
    ):
        assert str(move) == text
        assert parse_move(text) == move
    # Hints may be shorter.
    assert parse_move("hints 1 R") == HintColour(1, 0)
    assert parse_move("hints 0 b") == HintColour(0, 4)
    assert parse_move("hints 1 3") == HintRank(1, 3)


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
    for line in POSITION.splitlines()[2:4]:
        assert f"{line}\n" in str(state)
    assert "\nlives: 3\nfireworks: R1 Y0 G0 W0 B2\n" in str(state)
    assert "\ndeck: 36 cards: R1 R3 R4 R4 R5 Y1 " in str(state)


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_a_game_each_of_its_states_and_what_is_seen_of_it_there_and_back(n_players):
    game = list(play_game([RuleAgent("IGGI")] * n_players, np.random.default_rng(n_players)))
    assert game[-1].state.turns_left == 1
    for frame in (*game[:20:6], *game[-n_players - 1 :]):
        state = frame.next_state
        for shown in (state, *map(state.hide_hand, range(n_players))):
            again = parse_state(str(shown))
            assert (again.table == shown.table)[:DECK].all()
            assert again.deck == shown.deck
            assert again.past is None
        assert "player 1: ?" in str(state.hide_hand(1))
        assert "player 1: ?" in str(state.hide_hand(0).hide_hand(1))
    for part, past in ((game, game[-1].next_state.past), (game[7:12], None)):
        again = read_log(log_text(part))
        assert [frame.move for frame in again] == [frame.move for frame in part]
        assert [str(frame.next_state) for frame in again] == [str(f.next_state) for f in part]
        assert again[-1].next_state.past == past


FACE_DOWN = """
player 0: ?(R) ?(G) ?(Y5) ?(RW) ?(RY)
player 1: R3 Y3 G4 W4 B4
hints: 3
last move: hints 0 red
"""


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (POSITION, "R1(R)", "R9", "line 3: a card is one letter of RYGWB .*, got 'R9'"),
        (POSITION, "R1(R)", "R1(P)", "line 3: brackets hold letters of RYGWB .*, got 'P'"),
        (POSITION, "player 1:", "player 2:", "2, 3 or 4, got player 0, player 2"),
        (POSITION, "player 1:", "Ben:", "line 4: there is no 'Ben'; lines are to move, hints,"),
        (POSITION, "works: ", "works ", "line 5: a line is a name, a colon and a value"),
        (POSITION, "works: ", "works: B6 ", "line 5: a firework is a letter of .* got 'B6'"),
        (POSITION, "hints: 5", "deck: 3 cards", "3 cards cannot be in the deck: there are 36"),
        (POSITION, "hints: 5", "deck: 36 cards: R1 R3", "36 cards cannot .*: there are 2"),
        (POSITION, "hints: 5", "deck: R1 R3", "has 36 cards, all named or none, got 2"),
        (POSITION, "hints: 5", "deck: R1 R1", "they are 51, with a wrong number of R1"),
        (POSITION, "hints: 5", "player 0: R1", "line 7: player 0 is there already"),
        (POSITION, "player 1\n", "B\n", "line 8: invalid literal for int.*'B'"),
        (POSITION, "hints 1 white", "hints 0 red", "hints 0 red, which is to themselves"),
        (POSITION, "hints 1 white", "hints 1 blue", "hints 1 blue, which touches no card"),
        (FACE_DOWN, "?(R)", "R4(R)", "a hand is known, or each of its cards is"),
        (FACE_DOWN, "?(R)", "", "player 0 must hold 5 cards, got 4"),
        (FACE_DOWN, "hints 0 red", "hints 0 blue", "hints 0 blue, which touches no card"),
    ],
)
def test_what_is_no_position_is_named_with_its_line(text, old, new, message):
    assert parse_state(text)
    assert old in text
    with pytest.raises(NotationError, match=message):
        parse_state(text.replace(old, new, 1))


LOG = """\
# written at the table
player 0: R1 Y1 G1 B4 B5
player 1: R1 R2 R3 W4 W5
deck: G2 Y2

hints 1 red   # the newest is R3
plays 0 R1
plays 3
hints 0 1s
"""


def test_a_log_by_hand():
    game = read_log(LOG)
    moves = [HintColour(1, 0), Play(0), Play(3), HintRank(0, 1)]
    assert [frame.move for frame in game] == moves
    first, last = game[0].state, game[-1].next_state
    assert first.hands[0] == tuple(map(parse_card, ("R1", "Y1", "G1", "B4", "B5")))
    assert (last.score, last.n_lives, last.n_hints, last.player) == (1, 2, 6, 0)
    assert last.hands[1][4] == parse_card("G2")
    assert last.hands[0] == tuple(map(parse_card, ("R1", "Y1", "G1", "B5", "Y2")))
    assert np.flatnonzero(last.hint_mask[0, 2]).tolist() == [0, 5, 10, 15, 20]
    assert np.flatnonzero(last.hint_mask[1, 0]).tolist() == [0, 1, 2, 3, 4]  # R2, moved down
    for frame, following in pairwise(game):
        assert following.state is frame.next_state
    assert [card for _, card in last.past] == [None, parse_card("R1"), parse_card("B4"), None]


def test_a_position_is_the_start_of_a_game_if_nobody_has_moved():
    hands = LOG[: LOG.index("deck")]
    others = "hints: 7", "to move: player 1", "discards: W1", "fireworks: W1"
    for line, past in ("lives: 3", ()), *((line, None) for line in others):
        assert parse_state(hands + line).past == past, line


def test_a_log_of_another_editor_is_read(tmp_path):
    path = tmp_path / "game.log"
    path.write_bytes(b"\xef\xbb\xbf" + LOG.replace("\n", "\r\n").encode())
    assert [f.move for f in read_log(str(path))] == [f.move for f in read_log(LOG)]
    path.write_bytes(b"player 0\xff")
    with pytest.raises(NotationError, match=r"game\.log: .*can't decode byte 0xff"):
        read_log(path)
    path.write_text(LOG.replace("plays 0 R1", "eats 0"))
    with pytest.raises(NotationError, match=r"game\.log, line 7: a move is written like"):
        read_log(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("R1 Y1", "R9 Y1", "line 2: a card is .*, got 'R9'"),
        ("R1 Y1", "R1", "player 0 must hold 5 cards, got 4"),
        ("R1 R2", "B5 R2", "they are 51, with a wrong number of B5"),
        ("player 1:", "Ben:", "line 3: there is no 'Ben'; lines are to move,"),
        ("player 1:", "player 0:", "line 3: player 0 is there already"),
        (" Y2", "", "line 8: the deck does not name the card that is drawn here"),
        ("deck: G2 Y2", "", "line 7: the deck does not name the card that is drawn here"),
        ("deck: G2 Y2", "deck: 40 cards", "line 7: the deck does not name the card"),
        ("R1 R2 R3 W4 W5\ndeck: G2 Y2", "? ? ? ? ?", "line 5: 5 cards lie face down"),
        ("hints 1", "tells 1", "line 6: a move is written like .* got 'tells 1 red'"),
        ("hints 1", "hints 5", "line 6: slots and players are numbers from 0 to 4, got '5'"),
        ("hints 1", "hints 0", "line 6: .* a hint goes to another player"),
        ("red", "blue", "line 6: .* the hint touches no card"),
        ("0 R1", "0 R2", "line 7: slot 0 holds R1, not R2"),
        ("0 R1", "0 R9", "line 7: a card is .*, got 'R9'"),
        ("hints 1 red", "hints 1 red R1", "line 6: a move is written like"),
        ("plays 3", "discards 7", "line 8: slots and players are .* 0 to 4, got '7'"),
        ("hints 0 1s", "lives: 2", "line 9: a move is written like"),
    ],
)
def test_what_is_wrong_in_a_log_is_named_with_its_line(old, new, message):
    assert old in LOG
    with pytest.raises(NotationError, match=message):
        read_log(LOG.replace(old, new, 1))


def test_what_is_no_log_at_all_is_refused(tmp_path):
    for log, error, message in (
        (LOG[: LOG.index("hints")], NotationError, "there is no move"),
        (3, TypeError, "path must be the path of a file, got 3"),
        (tmp_path / "game.log", FileNotFoundError, "game.log"),
        ("hints 1 red", FileNotFoundError, "hints 1"),
        ("hints 1 red\n", NotationError, "there are players 0 to 1, 2, 3 or 4, got none"),
    ):
        with pytest.raises(error, match=message):
            read_log(log)


def test_only_turns_of_one_game_are_written():
    game = list(play_game([RuleAgent("IGGI")] * 2, np.random.default_rng(4)))
    for frames, message in (
        (game[:2] + game[3:], "turns of one game"),
        ([], "a log needs a move"),
        ([game[2]._replace(move=HintRank(0, 1))], "a hint goes to another player"),
        (3, "a game is a sequence of frames, got 3"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            log_text(frames)
