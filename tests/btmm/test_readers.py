"""Readers: whole files, damaged files, and one game at a time."""

import json
import tracemalloc
from typing import NamedTuple

import numpy as np
import pytest

from gameai_book.btmm import selfplay
from gameai_book.btmm.measure.shared import read_folder
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import RecordError, Records, records
from gameai_lib.btmm.records import connect6 as csv_of_connect6
from gameai_lib.btmm.records import football, sgf, wthor
from gameai_lib.btmm.records.football import Match
from tests.btmm.random_games import discs_by_hand, reversi_games, sgf_text, wthor_bytes

WON = "j10,a1,c1,k10,l10,e1,g1,m10,n10,a3,c3,o10"
MATCH = {"team1": "A", "team2": "B", "score": {"ft": [2, 1]}}


class Whole(NamedTuple):
    """All that a stream of games gives."""

    records: Records
    n_skipped: int


def whole(stream):
    """Read a stream to its end."""
    return Whole(stream.records(), stream.n_skipped)


@pytest.fixture(scope="module")
def games():
    return reversi_games(4, np.random.default_rng(1))


def squares(read, rules):
    return [rules.square_of(cell) for cell in read.records.moves]


# Wthor


def replaced(data, at, *values):
    """A copy in which bytes from `at` on have these values."""
    return data[:at] + bytes(values) + data[at + len(values) :]


def test_wthor_whole(games, tmp_path):
    assert (wthor.WTHOR_HEADER.itemsize, wthor.WTHOR_GAME.itemsize) == (16, 68)
    assert reversi.cell_of("f5") == (56 // 10 - 1) * 8 + 56 % 10 - 1
    (tmp_path / "othello").mkdir()
    for name in ("a.wtb", "b.wtb"):
        (tmp_path / "othello" / name).write_bytes(wthor_bytes(games))
    got = whole(wthor.read_wthor(tmp_path / "othello" / "a.wtb"))
    np.testing.assert_array_equal(got.records.moves, games.moves)
    np.testing.assert_array_equal(got.records.offsets, games.offsets)
    assert got.n_skipped == 0
    both = read_folder(tmp_path, "othello")
    assert both.n_games == 8
    np.testing.assert_array_equal(both.game(5), games.game(1))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda b: b[:10], r"10 bytes are too few"),
        (lambda b: b[:-3], r"4 games need 288 bytes, found 285: game 4 is cut short"),
        (lambda b: b + b"x", r"4 games need 288 bytes, found 289: surplus from byte 288"),
        (lambda b: replaced(b, 13, 1), r"byte 13: records of kind 1 are solitaires"),
        (lambda b: replaced(b, 90, 65), r"game 2, byte 90: black's discs are 65, the board"),
        (lambda b: replaced(b, 12, 10), r"wrong header, 4 games on a side of 10"),
        (lambda b: replaced(b, 92, 99), r"game 2, move 1, byte 92: an unknown square"),
        (lambda b: replaced(b, 92, 11), r"game 2, move 1, byte 92: a1 is illegal"),
        (lambda b: replaced(b, 93, 11), r"game 2, move 2"),
    ],
)
def test_wthor_damaged(games, tmp_path, damage, message):
    path = tmp_path / "a.wtb"
    path.write_bytes(damage(wthor_bytes(games)))
    with pytest.raises(RecordError, match=f"a.wtb: {message}"):
        list(wthor.read_wthor(path))


def test_a_damaged_game_ends_nothing_and_is_counted(games, tmp_path):
    path = tmp_path / "a.wtb"
    path.write_bytes(replaced(wthor_bytes(games), 16 + 68 + 8 + 5, 99))
    stream = wthor.read_wthor(path)
    assert next(stream).number == 1
    with pytest.raises(RecordError, match="game 2, move 6, byte 97"):
        next(stream)
    assert [game.number for game in stream] == [3, 4]
    assert stream.n_skipped == 0
    got = whole(wthor.read_wthor(path, skip_damaged=True))
    assert got.n_skipped == 1
    np.testing.assert_array_equal(got.records.moves, games.take([0, 2, 3]).moves)


# Connect-6


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f'2,"{WON}",white', "line 3, game 2: winner is 'white', the board says 'bl"),
        ('2,"j10,t3",black', "line 3, game 2, stone 2: no point 't3'"),
        ('2,"j10,j10",', "line 3, game 2, stone 2: j10 is illegal"),
        (f'2,"{WON}",black,9', "line 3, game 2|line 3: 3 columns, but 4 fields"),
        ('2,"j10,' + "a" * 200_000 + '",black', "line 3: field larger than field limit"),
        (f'2,"{WON},black', "line 3: unexpected end of data"),
        (b"\xff\xfe", "line 3: not a text file"),
        ('2,"j10,\u00b2",black', "line 3, game 2, stone 2: no point '\u00b2'"),
        ('2,"' + ",".join(["j10"] * 5000) + '",black', "line 3, game 2: more stones"),
    ],
)
def test_connect6_lines_are_named_and_damage_no_other(tmp_path, line, message):
    path, good = tmp_path / "g.csv", f'1,"{WON}",black'.encode()
    bad = line if isinstance(line, bytes) else line.encode()
    path.write_bytes(b"\n".join([b"game_id,moves,winner", good, bad, good, good]) + b"\n")
    with pytest.raises(RecordError, match=f"g.csv: ({message})") as caught:
        list(csv_of_connect6.read_connect6(path))
    assert len(str(caught.value)) < 300
    got = whole(csv_of_connect6.read_connect6(path, skip_damaged=True))
    assert (got.records.n_games, got.n_skipped) == (3, 1)
    assert squares(got, connect6)[:12] == WON.split(",")


def test_connect6_files_of_other_columns(tmp_path):
    path = tmp_path / "g.csv"
    path.write_bytes(f'moves,winner\r\n"{WON}",black\r\n\r\n'.encode("utf-8-sig"))
    assert csv_of_connect6.read_connect6(path).records().n_games == 1
    with pytest.raises(TypeError, match="skip_damaged must be True or False, got 'yes'"):
        list(csv_of_connect6.read_connect6(path, "yes"))
    for content, message in (
        (b"a,b\n1,2\n", r"needs columns moves and winner, has \['a', 'b'\]"),
        (b"\xff\xfe\x00", "g.csv: line 1: not a text file"),
    ):
        path.write_bytes(content)
        with pytest.raises(RecordError, match=message):
            list(csv_of_connect6.read_connect6(path))


# Football


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        ({"score": {"ft": "21"}}, "full time '21'"),
        ({"score": {"ft": [2.7, 2]}}, r"full time \[2.7, 2\]"),
        ({"score": {"ft": [True, False]}}, r"full time \[True, False\]"),
        ({"score": {"ft": [float("inf"), 2]}}, "full time"),
        ({"score": [2, 1]}, r"score \[2, 1\]"),
        ({"team1": None}, "a side called None"),
        ({"team2": "A"}, "'A' meets itself"),
        ({"team2": " "}, "a side called ' '"),
    ],
)
def test_football_reads_no_score_that_is_not_there(tmp_path, odd, message):
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"matches": [MATCH, {"team1": "B", "team2": "A"}, MATCH | odd]}))
    with pytest.raises(RecordError, match=f"s.json: match 3 is damaged: .*{message}|{message}"):
        list(football.read_football(path))
    stream = football.read_football(path, skip_damaged=True)
    assert [*stream, stream.n_skipped] == [Match("A", "B", 2, 1), 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"matches": 5}', "s.json: not a season of matches: matches is 5"),
        (b'{"matches": ["A-B 2:1"]}', "match 1 is damaged"),
        (b"[]", "matches is None"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"matches": ' + b"x" * 100_000, "Expecting value"),
        (b'{"matches": [\xff' + b"x" * 100_000, "byte 13: invalid start byte"),
        (b'{"matches": [' + b"1" * 5000 + b"]}", "not a season|is damaged"),
    ],
)
def test_football_files_are_named_in_short(tmp_path, content, message):
    path = tmp_path / "s.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=message) as caught:
        list(football.read_football(path))
    assert len(str(caught.value)) < 300
    path.write_bytes(b'\xef\xbb\xbf{"matches": []}')
    assert list(football.read_football(path)) == []


# SGF


def test_sgf_round_trip(games, tmp_path):
    stones = selfplay.play_connect6(2, np.random.default_rng(1))
    for name, some in (("reversi", games), ("connect6", stones)):
        path = tmp_path / f"{name}.sgf"
        path.write_text(sgf_text(some, name))
        got = whole(sgf.read_sgf(path, name))
        np.testing.assert_array_equal(got.records.moves, some.moves)
        np.testing.assert_array_equal(got.records.offsets, some.offsets)


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
    assert squares(whole(sgf.parse_sgf(text, game)), sgf.RULES[game]) == moves.split()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "game 1, line 1: not SGF: 'hello'"),
        ("", "no game"),
        ("(;B[j10]", "game 1 is not closed"),
        ("(;B[j10];W[z1])", "game 1, move 2: unknown point 'z1'"),
        ("(;B[j10];W[a1b1c1])", "game 1, move 2: unknown point 'a1b1c1'"),
        ("(;B[j10];W[a1a20])", "game 1, move 2: no point 'a20'"),
        ("(;B[j10];W[j10])", "game 1, stone 2: j10 is illegal"),
        ("(;B[j10];B[a1])", "game 1, stone 2: B is out of turn"),
        ("(;B[j10])(;B[a1];W[a1])", "game 2, stone 2"),
        ("(;GM[1]SZ[19];B[jj];W[ikkk])", r"GM\[1\] is not connect6, GM\[40\]"),
        ("(;GM[40]SZ[10];B[f5])", r"SZ\[10\] is not the board"),
        ("(;AB[dd];B[f5])", "AB sets up a position"),
        ("(;B[f5];PL[B])", "PL sets up a position"),
        ("(;Black[f5];White[d6])", "line 1: property 'Black' is not in capitals"),
        ("(;B[f5]\n;W)", "line 2: property 'W' without a value"),
        ("(B[f5])", "property 'B' stands before the first node"),
        ("(;B[f5];W[d6", "the value of 'W' is not closed"),
        ("(;B[f5](;GM[40];B[f5])", "the game before it is not closed|is not closed"),
        ("(;B[f5]\n(;W[d6])", "game 1 is not closed"),
    ],
)
def test_sgf_reads_no_game_that_is_not_there(text, message):
    with pytest.raises(RecordError, match=f"text: (game 1.*)?({message})"):
        list(sgf.parse_sgf(text, "connect6"))


def test_sgf_skips_and_counts(tmp_path):
    path = tmp_path / "g.sgf"
    path.write_text("(;B[j10];B[a1])(;B[j10])")
    got = whole(sgf.read_sgf(path, "connect6", skip_damaged=True))
    assert (got.n_skipped, got.records.n_games) == (1, 1)
    with pytest.raises(ValueError, match=r"game must be one of.*'go'"):
        list(sgf.read_sgf(path, "go"))


def test_sgf_names_the_line_and_the_byte(tmp_path):
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
    path.write_bytes(b"\xef\xbb\xbf(;C[\xc3\xa9]B[f5])\n\xff")
    with pytest.raises(RecordError, match=r"g.sgf: not a text file: byte 17: invalid start"):
        list(sgf.read_sgf(path, "reversi", skip_damaged=True))


# What holds for all


def test_games_hold_what_the_files_say_of_them(games, tmp_path):
    path = tmp_path / "a.wtb"
    path.write_bytes(replaced(wthor_bytes(games), 18, 7, 0, 1, 2))
    game, discs = next(wthor.read_wthor(path)), discs_by_hand(games.game(0))
    assert (game.black, game.white) == (7, 513)
    assert game.result == (discs > 32) + 0.5 * (discs == 32)
    text = r"(;PB[A \] B]PW[]RE[W+4];B[f5])(;PB[C]PW[D]RE[Draw];B[f5])(;RE[?];B[f5])"
    got = [(g.number, g.black, g.white, g.result) for g in sgf.parse_sgf(text, "reversi")]
    assert got == [(1, "A ] B", None, 0.0), (2, "C", "D", 0.5), (3, None, None, None)]
    path = tmp_path / "g.csv"
    path.write_text(f'game_id,moves,winner\n1,"{WON}",black\n2,j10,\n')
    assert [g.result for g in csv_of_connect6.read_connect6(path)] == [1.0, None]
    assert [Match("A", "B", *goals).result for goals in ((2, 1), (0, 0), (0, 1))] == [1.0, 0.5, 0.0]
    with pytest.raises(RecordError, match="game 2, stone 2"):
        connect6.replay(records([[180], [0, 0]]))


def test_files_are_opened_when_a_game_is_asked_for(tmp_path):
    stream = wthor.read_wthor(tmp_path / "none.wtb")
    with pytest.raises(FileNotFoundError):
        next(stream)
    with pytest.raises(TypeError, match="path must be"):
        wthor.read_wthor(7)


def test_memory_is_that_of_a_game_however_long_the_file(tmp_path):
    def written(n):
        path = tmp_path / f"{n}.csv"
        path.write_text("game_id,moves,winner\n" + f'1,"{WON}",black\n' * n)
        return csv_of_connect6.read_connect6(path)

    def peak(n):
        stream = written(n)
        next(stream)
        tracemalloc.start()
        try:
            assert sum(1 for _ in stream) == n - 1
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(5000) < peak(100) + 100_000  # the lines have 300,000 characters
