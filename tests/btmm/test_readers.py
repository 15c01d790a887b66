"""Readers: whole files, damaged files, and one game at a time."""

import json
import tracemalloc
from functools import partial

import numpy as np
import pytest

from gameai_book.btmm import selfplay
from gameai_book.btmm.measure.shared import read_folder
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.positions import RecordError
from gameai_lib.btmm.records import connect6 as csv_of_connect6
from gameai_lib.btmm.records import football, sgf, wthor
from gameai_lib.btmm.records.football import Match
from tests.btmm.random_games import discs_by_hand, reversi_games, sgf_text, wthor_bytes

WON = "j10,a1,c1,k10,l10,e1,g1,m10,n10,a3,c3,o10"
MATCH = {"team1": "A", "team2": "B", "score": {"ft": [2, 1]}, "date": "2018-08-10"}
GAMES = reversi_games(4, np.random.default_rng(1))
WTHOR = wthor_bytes(GAMES)


def replaced(at, *values):
    """The archive, in which bytes from `at` on have these values."""
    return WTHOR[:at] + bytes(values) + WTHOR[at + len(values) :]


def csv_with(line):
    """Three good games, and a damaged one in line 3."""
    good, bad = f'1,"{WON}",black'.encode(), line if isinstance(line, bytes) else line.encode()
    return b"\n".join([b"game_id,moves,winner", good, bad, good, good]) + b"\n"


def season_with(odd):
    """A match that was played, one that was not, and an odd one."""
    return json.dumps({"matches": [MATCH, {"team1": "B", "team2": "A"}, MATCH | odd]}).encode()


def assert_same(some, wanted):
    np.testing.assert_array_equal(some.moves, wanted.moves)
    np.testing.assert_array_equal(some.offsets, wanted.offsets)


READERS = {
    "wtb": wthor.read_wthor,
    "csv": csv_of_connect6.read_connect6,
    "json": football.read_football,
    "sgf": partial(sgf.read_sgf, game="connect6"),
}
NOT_READ = [  # and whatever is skipped
    ("wtb", WTHOR[:10], "10 bytes are too few"),
    ("wtb", WTHOR[:-3], "4 games need 288 bytes, found 285: game 4 is cut short"),
    ("wtb", WTHOR + b"x", "4 games need 288 bytes, found 289: surplus from byte 288"),
    ("wtb", replaced(13, 1), "byte 13: records of kind 1 are not games"),
    ("wtb", replaced(12, 10), "wrong header, 4 games on a side of 10"),
    ("csv", b"a,b\n1,2\n", r"needs columns moves and winner, has \['a', 'b'\]"),
    ("csv", b"\xff\xfe\x00", "line 1: .*position 0: invalid start byte"),
    ("json", b'{"matches": 5}', "not a season of matches: matches is 5"),
    ("json", b'{"matches": ' + b"x" * 100_000, "not a season of matches: 'Expecting value"),
    ("sgf", b"hello", "game 1, line 1: not SGF: 'hello'"),
    ("sgf", b"", "no game"),
    ("sgf", b"\xef\xbb\xbf(;C[\xc3\xa9]B[f5])\n\xff", "not a text file: byte 17: invalid start"),
    ("sgf", b"(;Black[f5];White[d6])", "game 1, line 1: property 'Black' is not in capitals"),
    ("sgf", b"(;B[f5]\n;W)", "game 1, line 2: property 'W' without a value"),
    ("sgf", b"(B[f5])", "game 1, line 1: property 'B' stands before the first node"),
    ("sgf", b"(;B[f5];W[d6", "game 1, line 1: property 'W' without a value"),
    ("sgf", b"(;B[f5](;GM[40];B[f5])", "game 1, line 1: GM .* the game before it is not closed"),
    ("sgf", b"(;B[f5]\n(;W[d6])", "game 1 is not closed"),
]
DAMAGED = [  # and the number of other games
    ("wtb", replaced(90, 65), "game 2, byte 90: black's discs are 65, the board", 3),
    ("wtb", replaced(92, 99), "game 2, move 1, byte 92: an unknown square is illegal", 3),
    ("wtb", replaced(93, 11), "game 2, move 2, byte 93: a1 is illegal", 3),
    ("csv", csv_with(f'2,"{WON}",white'), "line 3, game 2: winner is 'white', .* says 'black'", 3),
    ("csv", csv_with('2,"j10,t3",black'), "line 3, game 2, stone 2: no point 't3'", 3),
    ("csv", csv_with('2,"j10,j10",'), "line 3, game 2, stone 2: j10 is illegal", 3),
    ("csv", csv_with(f'2,"{WON}",black,9'), "line 3: 3 columns, but 4 fields", 3),
    ("csv", csv_with(b"\xff\xfe"), "line 3: .*position 0: invalid start byte", 3),
    ("json", season_with({"score": {"ft": "21"}}), "match 3 is damaged: full time '21'", 1),
    ("json", season_with({"score": {"ft": [True, False]}}), "match 3 .*: full time", 1),
    ("json", season_with({"score": [2, 1]}), r"match 3 is damaged: score \[2, 1\]", 1),
    ("json", season_with({"team1": None}), "match 3 is damaged: a side called None", 1),
    ("json", season_with({"team2": "A"}), "match 3 is damaged: 'A' meets itself", 1),
    ("json", b'{"matches": ["A-B 2:1"]}', "match 1 is damaged: 'A-B 2:1'", 0),
    ("sgf", b"(;B[j10];W[z1])(;B[j10])", "game 1, move 2: unknown point 'z1'", 1),
    ("sgf", b"(;B[j10];W[a1a20])", "game 1, move 2: no point 'a20'", 0),
    ("sgf", b"(;B[j10])(;B[j10];W[j10])", "game 2, stone 2: j10 is illegal", 1),
    ("sgf", b"(;B[j10];B[a1])(;B[j10])", "game 1, stone 2: B is out of turn", 1),
    ("sgf", b"(;GM[1]SZ[19];B[jj])", r"game 1: GM\[1\] is not connect6, GM\[40\]", 0),
    ("sgf", b"(;GM[40]SZ[10];B[f5])", r"game 1: SZ\[10\] is not the board", 0),
    ("sgf", b"(;B[f5];PL[B])", "game 1: PL sets up a position", 0),
]


@pytest.mark.parametrize(
    ("kind", "content", "message", "n_kept"), [*[(*row, None) for row in NOT_READ], *DAMAGED]
)
def test_damage_is_named_in_short_and_can_be_skipped(tmp_path, kind, content, message, n_kept):
    path, read = tmp_path / f"a.{kind}", READERS[kind]
    path.write_bytes(content)
    for skip_damaged in (False,) if n_kept is not None else (False, True):
        with pytest.raises(RecordError, match=f"a.{kind}: {message}") as caught:
            list(read(path, skip_damaged=skip_damaged))
        assert len(str(caught.value)) < 300
    if n_kept is not None:
        stream = read(path, skip_damaged=True)
        assert (len(list(stream)), stream.n_skipped) == (n_kept, 1)


def test_whole_files_and_folders(tmp_path):
    (tmp_path / "othello").mkdir()
    for name in ("a.wtb", "b.wtb"):
        (tmp_path / "othello" / name).write_bytes(WTHOR)
    assert_same(wthor.read_wthor(tmp_path / "othello" / "a.wtb").records(), GAMES)
    assert_same(read_folder(tmp_path, "othello"), GAMES.take([0, 1, 2, 3] * 2))
    stones = selfplay.play_connect6(2, np.random.default_rng(1))
    for name, some in (("reversi", GAMES), ("connect6", stones)):
        path = tmp_path / f"{name}.sgf"
        path.write_text(sgf_text(some, name))
        assert_same(sgf.read_sgf(path, name).records(), some)
    path = tmp_path / "g.csv"
    path.write_bytes(f'moves,winner\r\n"{WON}",black\r\n\r\n'.encode("utf-8-sig"))
    moves = csv_of_connect6.read_connect6(path).records().moves
    assert [*map(connect6.square_of, moves)] == WON.split(",")
    path.write_bytes(b'\xef\xbb\xbf{"matches": []}')
    assert list(football.read_football(path)) == []
    path.write_text(json.dumps({"matches": [MATCH, MATCH | {"date": None}]}))
    assert [match.date for match in football.read_football(path)] == ["2018-08-10", ""]


@pytest.mark.parametrize(
    ("text", "game", "moves"),
    [
        ("(;GM[40]C[a \\] bracket];B[j10];W[i9k9]\n(;B[l9k8])(;B[a1b1]))", "connect6",
         "j10 i9 k9 l9 k8"),
        ("(;B[jj];W[ikkk])", "connect6", "j10 i9 k9"),
        ("(;B[fe];W[f6];B[])", "reversi", "f5 f6"),
    ],
)  # fmt: skip
def test_sgf_reads_the_source_s_table(text, game, moves):
    cells = sgf.parse_sgf(text, game).records().moves
    assert [*map(sgf.RULES[game].square_of, cells)] == moves.split()


def test_sgf_names_the_line_after_comments_and_branches(tmp_path):
    comment = "C[\u00e9 \\] ( \\\\]"
    text = f"\n (;GM[2]{comment};B[f5]\n;W[d6](;B[c3])(;B[c4]))\r\n(;{comment}B[f5])\n(;B[zz])\nx"
    path = tmp_path / "g.sgf"
    path.write_bytes(text.encode("utf-8-sig"))
    stream = sgf.read_sgf(path, "reversi")
    assert [next(stream).moves.size for _ in range(2)] == [3, 1]
    for message in "game 3, move 1: unknown point 'zz'", "game 4, line 6: not SGF: 'x'":
        with pytest.raises(RecordError, match=f"g.sgf: {message}"):
            next(stream)
    assert list(stream) == []


def test_games_hold_what_the_files_say_of_them(tmp_path):
    path = tmp_path / "a.wtb"
    path.write_bytes(replaced(18, 7, 0, 1, 2))
    game, discs = next(wthor.read_wthor(path)), discs_by_hand(GAMES.game(0))
    assert (game.black, game.white) == (7, 513)
    assert game.result == (discs > 32) + 0.5 * (discs == 32)
    text = r"(;PB[A \] B]PW[]RE[W+4];B[f5])(;PB[C]PW[D]RE[Draw];B[f5])(;RE[?];B[f5])"
    got = [(g.number, g.black, g.white, g.result) for g in sgf.parse_sgf(text, "reversi")]
    assert got == [(1, "A ] B", None, 0.0), (2, "C", "D", 0.5), (3, None, None, None)]
    path = tmp_path / "g.csv"
    path.write_text(f'game_id,moves,winner\n1,"{WON}",black\n2,j10,\n')
    assert [g.result for g in csv_of_connect6.read_connect6(path)] == [1.0, None]
    assert [Match("A", "B", *goals).result for goals in ((2, 1), (0, 0), (0, 1))] == [1.0, 0.5, 0.0]


def test_files_are_opened_when_a_game_is_asked_for(tmp_path):
    stream = wthor.read_wthor(tmp_path / "none.wtb")
    with pytest.raises(FileNotFoundError):
        next(stream)
    with pytest.raises(TypeError, match="path must be"):
        wthor.read_wthor(7)
    with pytest.raises(ValueError, match=r"game must be one of.*'go'"):
        sgf.read_sgf("g.sgf", "go")


def test_memory_is_that_of_a_game_however_long_the_file(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("game_id,moves,winner\n" + f'1,"{WON}",black\n' * 2000)  # 120,000 characters
    stream = csv_of_connect6.read_connect6(path)
    next(stream)
    tracemalloc.start()
    n_games, peak = sum(1 for _ in stream), tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_games == 1999
    assert peak < 60_000
