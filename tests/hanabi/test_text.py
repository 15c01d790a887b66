"""Moves, positions and logs as text: by hand, there and back, and what is wrong in a line."""

from itertools import pairwise

import numpy as np
import pytest

from gameai_lib.hanabi.game.cards import IS_CARD, Discard, HintColour, HintRank, Play, parse_card
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
        assert "player 1: ?" in str(state.hide_hand(1))
        assert "player 1: ?" in str(state.hide_hand(0).hide_hand(1))
    again = read_log(log_text(game))
    assert [frame.move for frame in again] == [frame.move for frame in game]
    assert [str(frame.next_state) for frame in again] == [str(f.next_state) for f in game]


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
        (POSITION, "hints: 5", "deck: R1 R3", "they are 16, with a wrong number of R4"),
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
Ann: R1 Y1 G1 B4 B5
Ben: R1 R2 R3 W4 W5
deck: G2
deck: Y2 R2

Ann hints Ben red   # the newest is R3
Ben plays 0 R1
Ann plays 3
Ben hints Ann 1s
"""


def test_a_log_by_hand():
    game = read_log(LOG.splitlines())
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


def test_a_log_of_another_editor_is_read(tmp_path):
    path = tmp_path / "game.log"
    path.write_bytes(b"\xef\xbb\xbf" + LOG.replace("\n", "\r\n").encode())
    assert [f.move for f in read_log(str(path))] == [f.move for f in read_log(LOG.splitlines())]
    assert [f.move for f in read_log(LOG)] == [f.move for f in read_log(LOG.splitlines())]
    path.write_bytes(b"Ann\xff")
    with pytest.raises(NotationError, match=r"game\.log: .*can't decode byte 0xff"):
        read_log(path)
    path.write_text(LOG.replace("Ben plays", "Ben eats"))
    with pytest.raises(NotationError, match=r"game\.log, line 8: a move is written like"):
        read_log(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("R1 Y1", "R9 Y1", "line 2: a card is .*, got 'R9'"),
        ("R1 Y1", "R1", "of 2 players each holds 5 cards, Ann 4"),
        ("R1 R2", "B5 R2", "they are 51, with a wrong number of B5"),
        ("Ben:", "Ben Li:", "line 3: a player's name is one word, got 'Ben Li'"),
        ("Ben:", "Ann:", "line 3: Ann has a hand already"),
        ("deck: Y2 R2", "", "line 9: the deck does not name the card that Ann draws here"),
        ("Ann hints", "Ann tells", "line 7: a move is written like .* got 'tells Ben red'"),
        ("Ann hints", "Cat hints", "line 7: players are Ann, Ben; there is no 'Cat'"),
        ("Ann hints", "Ben hints", "line 7: it is the turn of Ann, not of Ben"),
        ("red", "blue", "line 7: .* the hint touches no card"),
        ("0 R1", "0 R2", "line 8: slot 0 of Ben holds R1, not R2"),
        ("plays 3", "discards 7", "line 9: a slot is a number from 0 to 4, got '7'"),
        ("Ben hints Ann 1s", "Cat: R1", "line 10: hands and the deck stand before the moves"),
    ],
)
def test_what_is_wrong_in_a_log_is_named_with_its_line(old, new, message):
    assert old in LOG
    with pytest.raises(NotationError, match=message):
        read_log(LOG.replace(old, new, 1).splitlines())


def test_what_is_no_log_at_all_is_refused(tmp_path):
    for log, error, message in (
        (LOG.splitlines()[:4], NotationError, "there is no move"),
        (3, TypeError, "a log that is no file must be a list, got 3"),
        ([3], TypeError, "a line must be of type str, got 3"),
        (tmp_path / "game.log", FileNotFoundError, "game.log"),
        ("Ann hints Ben red", FileNotFoundError, "Ann hints"),
        ("Ann: R1 Y1 G1 B4 B5\n", NotationError, "Hanabi has 2 to 5 players, got 1 hands"),
    ):
        with pytest.raises(error, match=message):
            read_log(log)


def test_only_whole_games_from_their_start_are_written():
    game = list(play_game([RuleAgent("IGGI")] * 2, np.random.default_rng(4)))
    other = game[2]._replace(move=Play(0))
    for frames, names, message in (
        (game[1:], (), "all turns of a game"),
        (game[:2] + game[3:], (), "turns of one game"),
        ([], (), "a log needs a move"),
        ([*game[:2], other, *game[3:]], (), "all turns of a game"),
        (3, (), "a game is a sequence of frames, got 3"),
        (game, (["Ann"],), "2 players need 2 names"),
        (game, (["Ann", "Ann"],), "2 players need 2 names"),
        (game, (["Ann", "deck"],), "one word, got 'deck'"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            log_text(frames, *names)
