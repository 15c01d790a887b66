"""Logs: one by hand, games there and back, and what is wrong in a line."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from gameai_lib.hanabi.game.cards import HintColour, HintRank, Play, parse_card
from gameai_lib.hanabi.game.logs import log_text, read_log, write_log
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.text import NotationError
from gameai_lib.hanabi.players.agents import RuleAgent
from tests.hanabi.test_text import fields

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


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_a_log_is_the_game_itself(n_players, tmp_path):
    agent = RuleAgent("IGGI" if n_players % 2 else "random")
    game = list(play_game([agent] * n_players, np.random.default_rng(n_players)))
    write_log(tmp_path / "game.log", game)
    again = read_log(tmp_path / "game.log")
    assert [frame.move for frame in again] == [frame.move for frame in game]
    assert fields(again[0].state) == fields(game[0].state)
    assert [str(frame.next_state) for frame in again] == [str(f.next_state) for f in game]
    assert [path.name for path in tmp_path.iterdir()] == ["game.log"]


def test_a_log_of_another_editor_is_read(tmp_path):
    path = tmp_path / "game.log"
    path.write_bytes(b"\xef\xbb\xbf" + LOG.replace("\n", "\r\n").encode())
    assert [f.move for f in read_log(str(path))] == [f.move for f in read_log(LOG.splitlines())]
    assert [f.move for f in read_log(LOG)] == [f.move for f in read_log(LOG.splitlines())]
    path.write_bytes(b"Ann\xff")
    with pytest.raises(NotationError, match=r"game\.log: .*can't decode byte 0xff"):
        read_log(path)
    path.write_text(LOG.replace("Ben plays", "Ben eats"))
    with pytest.raises(NotationError, match=r"game\.log, line 8: a move plays") as caught:
        read_log(path)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("R1 Y1", "R9 Y1", "line 2: a card is .*, got 'R9'"),
        ("R1 Y1", "R1", "line 2: of 2 players each holds 5 cards, Ann 4"),
        ("R1 R2", "B5 R2", "line 3: B5 has one copy, and this is one more"),
        ("Ben:", "Ben Li:", "line 3: a player's name is one word of .*, got 'Ben Li'"),
        ("Ben:", "Ann:", "line 3: Ann has a hand already"),
        ("deck: Y2 R2", "", "line 9: the deck does not name the card that Ann draws here"),
        ("Ann hints", "Ann tells", "line 7: a move plays, discards or hints, got 'tells Ben red'"),
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
        (LOG.replace("\n", " "), NotationError, "line 1: a card is one letter|got 0 hands"),
        ("Ann: R1 Y1 G1 B4 B5", NotationError, "Hanabi has 2 to 5 players, got 1 hands"),
    ):
        with pytest.raises(error, match=message):
            read_log(log)


def test_the_last_card_is_known_without_being_named():
    game = list(play_game([RuleAgent("IGGI")] * 5, np.random.default_rng(5)))
    *lines, last = [line for line in log_text(game).splitlines() if line.startswith("deck")]
    text = log_text(game).replace(last, last[: -len(" R1")])
    assert len(lines) == 1
    assert str(read_log(text.splitlines())[-1].next_state) == str(game[-1].next_state)


def test_only_whole_games_from_their_start_are_written(tmp_path):
    game = list(play_game([RuleAgent("IGGI")] * 2, np.random.default_rng(4)))
    path, other = tmp_path / "game.log", game[2]._replace(move=Play(0))
    for frames, names, message in (
        (game[1:], (), "a log begins with a new game"),
        (game[:2] + game[3:], (), "turns of one game"),
        ([], (), "a log needs a move"),
        ([*game[:2], other, *game[3:]], (), "frame 2: plays 0 leads to another state"),
        (3, (), "a game is a sequence of frames, got 3"),
        (game, (["Ann"],), "2 players need 2 names"),
        (game, (["Ann", "Ann"],), "2 players need 2 names"),
        (game, (["Ann", "deck"],), "one word of at most 30"),
        (game, (["A" * 31, "B"],), "one word of at most 30"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            write_log(path, frames, *names)
    assert not path.exists()
