"""Readers: whole files, damaged files, and whatever Hypothesis thinks of."""

import contextlib
import json
import tracemalloc
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gameai_book.btmm import selfplay
from gameai_book.btmm.measure.shared import read_folder
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import RecordError, Records, records
from gameai_lib.btmm.records import connect6 as csv_of_connect6
from gameai_lib.btmm.records import football, sgf, wthor
from gameai_lib.btmm.records.football import Match
from tests.btmm.random_games import reversi_games


class Whole(NamedTuple):
    """All that a stream of games gives."""

    records: Records
    n_skipped: int


def whole(stream):
    """Read a stream to its end."""
    return Whole(stream.records(), stream.n_skipped)


WON = "j10,a1,c1,k10,l10,e1,g1,m10,n10,a3,c3,o10"


@pytest.fixture(scope="module")
def games():
    return reversi_games(4, np.random.default_rng(1))


def discs_by_hand(cells):
    """Black's discs after the moves, played one by one; empty squares are the winner's."""
    board, colour = reversi.start_board(), 1
    for cell in cells:
        if cell not in reversi.legal_moves(board, colour):
            colour = 3 - colour
        board = reversi.played(board, colour, int(cell))
        colour = 3 - colour
    n = [int((board == k).sum()) for k in range(3)]
    return n[1] + (n[0] if n[1] > n[2] else n[0] // 2 if n[1] == n[2] else 0)


def wthor_bytes(games):
    header = np.zeros(1, wthor.WTHOR_HEADER)
    header["n_games"], header["side"] = games.n_games, 8
    rows = np.zeros(games.n_games, wthor.WTHOR_GAME)
    for g in range(games.n_games):
        cells = games.game(g)
        rows["moves"][g, : cells.size] = 10 * (cells // 8 + 1) + cells % 8 + 1
        rows["score"][g] = discs_by_hand(cells)
    return header.tobytes() + rows.tobytes()


def test_the_layouts_have_the_archive_s_sizes():
    assert wthor.WTHOR_HEADER.itemsize == 16
    assert wthor.WTHOR_GAME.itemsize == 68
    assert reversi.cell_of("f5") == (56 // 10 - 1) * 8 + 56 % 10 - 1


def test_wthor_whole(games, tmp_path):
    path = tmp_path / "a.wtb"
    path.write_bytes(wthor_bytes(games))
    got = whole(wthor.read_wthor(path))
    np.testing.assert_array_equal(got.records.moves, games.moves)
    np.testing.assert_array_equal(got.records.offsets, games.offsets)
    assert got.n_skipped == 0


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda b: b[:10], r"a.wtb: 10 bytes are too few"),
        (lambda b: b[:-3], r"a.wtb: 4 games need 288 bytes, found 285: game 4 is cut short"),
        (lambda b: b + b"x", r"a.wtb: 4 games need 288 bytes, found 289: surplus from byte 288"),
        (lambda b: b[:13] + b"\x01" + b[14:], r"a.wtb: byte 13: records of kind 1 are solitaires"),
        (lambda b: b[:90] + b"\x41" + b[91:], r"game 2, byte 90: black's discs are 65, the board"),
        (lambda b: b[:12] + b"\x0a" + b[13:], r"a.wtb: wrong header, 4 games on a side of 10"),
        (lambda b: b[:92] + b"\x63" + b[93:], r"a.wtb: game 2, move 1, byte 92: an unknown square"),
        (lambda b: b[:92] + b"\x0b" + b[93:], r"a.wtb: game 2, move 1, byte 92: a1 is illegal"),
    ],
)
def test_wthor_damaged(games, tmp_path, damage, message):
    path = tmp_path / "a.wtb"
    path.write_bytes(damage(wthor_bytes(games)))
    with pytest.raises(RecordError, match=message):
        list(wthor.read_wthor(path))


def test_wthor_damaged_game_is_skipped_and_counted(games, tmp_path):
    path = tmp_path / "a.wtb"
    data = bytearray(wthor_bytes(games))
    data[16 + 68 + 8 + 5] = 99
    path.write_bytes(bytes(data))
    got = whole(wthor.read_wthor(path, skip_damaged=True))
    assert got.n_skipped == 1
    np.testing.assert_array_equal(got.records.moves, games.take([0, 2, 3]).moves)


@given(st.binary(max_size=300), st.booleans())
@settings(max_examples=60, deadline=None)
def test_wthor_never_fails_otherwise(tmp_path_factory, data, skip):
    path = tmp_path_factory.mktemp("fuzz") / "a.wtb"
    header = np.zeros(1, wthor.WTHOR_HEADER)
    header["n_games"] = len(data) // 68
    path.write_bytes(header.tobytes() + data[: len(data) // 68 * 68])
    try:
        got = whole(wthor.read_wthor(path, skip_damaged=skip))
    except RecordError:
        assert not skip
    else:
        assert (reversi.first_illegal(got.records) == -1).all()


def test_connect6_csv(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text(f'game_id,moves,winner\n1,"{WON}",white\n')
    with pytest.raises(
        RecordError, match=r"g.csv: line 2, game 1: winner is 'white', the board says 'bl"
    ):
        list(csv_of_connect6.read_connect6(path))
    path.write_text(f'game_id,moves,winner\n1,"{WON}",black\n2,"j10,t3",black\n3,"j10,j10",\n')
    with pytest.raises(RecordError, match=r"g.csv: line 3, game 2, stone 2: no point 't3'"):
        list(csv_of_connect6.read_connect6(path))
    got = whole(csv_of_connect6.read_connect6(path, skip_damaged=True))
    assert (got.n_skipped, got.records.n_games) == (2, 1)
    assert [connect6.square_of(c) for c in got.records.moves] == WON.split(",")
    path.write_text('game_id,moves,winner\n3,"j10,j10",\n')
    with pytest.raises(RecordError, match=r"g.csv: line 2, game 1, stone 2: j10 is illegal"):
        list(csv_of_connect6.read_connect6(path))
    path.write_text("a,b\n1,2\n")
    with pytest.raises(RecordError, match=r"needs columns moves and winner, has \['a', 'b'\]"):
        list(csv_of_connect6.read_connect6(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match=r"g.csv: line 1: not a text file"):
        list(csv_of_connect6.read_connect6(path))


@given(st.lists(st.text(alphabet='abjks019,\n" ', max_size=12), max_size=4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_connect6_never_fails_otherwise(tmp_path_factory, lines, skip):
    path = tmp_path_factory.mktemp("fuzz") / "g.csv"
    path.write_text("game_id,moves,winner\n" + "\n".join(lines))
    try:
        got = whole(csv_of_connect6.read_connect6(path, skip_damaged=skip))
    except RecordError:
        assert not skip
    else:
        assert (connect6.first_illegal(got.records) == -1).all()


def test_football(tmp_path):
    path = tmp_path / "s.json"
    match = {"team1": "A", "team2": "B", "score": {"ft": [2, 1]}}
    path.write_text(json.dumps({"matches": [match, {"team1": "B", "team2": "A"}]}))
    assert list(football.read_football(path)) == [Match("A", "B", 2, 1)]
    for broken, message in (
        ("[", "s.json: not a season"),
        ('{"games": []}', "s.json: not a season"),
        (json.dumps({"matches": [match, {"team1": "A", "score": {"ft": [1, 2]}}]}), "match 2 is"),
        (json.dumps({"matches": [match | {"score": {"ft": [1]}}]}), "match 1 is damaged"),
        (json.dumps({"matches": [match | {"score": {"ft": ["x", 1]}}]}), "match 1 is damaged"),
        (json.dumps({"matches": ["A-B 2:1"]}), "match 1 is damaged"),
    ):
        path.write_text(broken)
        with pytest.raises(RecordError, match=message):
            list(football.read_football(path))


def test_sgf_round_trip(games, tmp_path):
    stones = selfplay.play_connect6(2, np.random.default_rng(1))
    for name, some in (("reversi", games), ("connect6", stones)):
        path = tmp_path / f"{name}.sgf"
        path.write_text("\n".join(sgf.sgf_text(some.game(g), name) for g in range(some.n_games)))
        got = whole(sgf.read_sgf(path, name))
        np.testing.assert_array_equal(got.records.moves, some.moves)
        np.testing.assert_array_equal(got.records.offsets, some.offsets)


def read_text(tmp_path, text, game="connect6", **options):
    path = tmp_path / "g.sgf"
    path.write_text(text)
    return sgf.read_sgf(path, game, **options)


def test_sgf_reads_the_source_s_table(tmp_path):
    text = r"(;GM[40]C[a \] bracket];B[j10];W[i9k9]\n(;B[l9k8])(;B[a1b1]))".replace(r"\n", "\n")
    got = whole(read_text(tmp_path, text))
    assert [connect6.square_of(c) for c in got.records.moves] == ["j10", "i9", "k9", "l9", "k8"]
    got = whole(read_text(tmp_path, "(;B[jj];W[ikkk])"))
    assert [connect6.square_of(c) for c in got.records.moves] == ["j10", "i9", "k9"]
    got = whole(read_text(tmp_path, "(;B[fe];W[f6];B[])", "reversi"))
    assert [reversi.square_of(c) for c in got.records.moves] == ["f5", "f6"]


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
    ],
)
def test_sgf_damaged(tmp_path, text, message):
    with pytest.raises(RecordError, match=f"g.sgf: {message}"):
        list(read_text(tmp_path, text))


def test_sgf_skips_and_counts(tmp_path):
    got = whole(read_text(tmp_path, "(;B[j10];B[a1])(;B[j10])", skip_damaged=True))
    assert (got.n_skipped, got.records.n_games) == (1, 1)
    with pytest.raises(ValueError, match=r"game must be one of.*'go'"):
        list(read_text(tmp_path, "()", "go"))


@given(st.text(alphabet="();BW[]\\aj109 f5", max_size=40), st.sampled_from(["reversi", "connect6"]))
@settings(max_examples=100, deadline=None)
def test_sgf_never_fails_otherwise(tmp_path_factory, text, game):
    path = tmp_path_factory.mktemp("fuzz") / "g.sgf"
    path.write_text(text)
    with contextlib.suppress(RecordError):
        got = whole(sgf.read_sgf(path, game))
        assert (sgf.RULES[game].first_illegal(got.records) == -1).all()


def test_folders(games, tmp_path):
    (tmp_path / "othello").mkdir()
    for name in ("a.wtb", "b.wtb"):
        (tmp_path / "othello" / name).write_bytes(wthor_bytes(games))
    got = read_folder(tmp_path, "othello")
    assert got.n_games == 8
    np.testing.assert_array_equal(got.game(5), games.game(1))
    assert records([]).n_games == 0


@pytest.mark.parametrize(
    ("match", "message"),
    [
        ({"score": {"ft": "21"}}, "match 2 is damaged: full time '21'"),
        ({"score": {"ft": [2.7, 2]}}, r"full time \[2.7, 2\]"),
        ({"score": {"ft": [-1, 2]}}, r"full time \[-1, 2\]"),
        ({"score": {"ft": [True, False]}}, r"full time \[True, False\]"),
        ({"score": {"ft": [float("inf"), 2]}}, "full time"),
        ({"score": {"ft": [10**400, 2]}}, "full time"),
        ({"score": [2, 1]}, r"score \[2, 1\]"),
        ({"team1": None}, "a side called None"),
        ({"team2": "A"}, "'A' meets itself"),
        ({"team2": 7}, "a side called 7"),
        ({"team2": " "}, "a side called ' '"),
    ],
)
def test_football_reads_no_score_that_is_not_there(tmp_path, match, message):
    good = {"team1": "A", "team2": "B", "score": {"ft": [2, 1]}}
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"matches": [good, good | match]}))
    with pytest.raises(RecordError, match=f"s.json: match 2 is damaged: .*{message}|{message}"):
        list(football.read_football(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"matches": 5}', "s.json: not a season of matches: matches is 5"),
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


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([f'2,"{WON}",black,9'], "line 3, game 2|line 3: 3 columns, but 4 fields"),
        (['2,"j10,' + "a" * 200_000 + '",black'], "line 3: field larger than field limit"),
        ([f'2,"{WON},black'], "line 3: unexpected end of data"),
        ([b"\xff\xfe"], "line 3: not a text file"),
        (['2,"j10,\u00b2",black'], r"line 3, game 2, stone 2: no point '\u00b2'"),
        (['2,"' + ",".join(["j10"] * 5000) + '",black'], "line 3, game 2: more stones"),
    ],
)
def test_connect6_lines_are_named_and_damage_no_other(tmp_path, lines, message):
    path = tmp_path / "g.csv"
    good = f'1,"{WON}",black'.encode()
    bad = [line if isinstance(line, bytes) else line.encode() for line in lines]
    path.write_bytes(b"\n".join([b"game_id,moves,winner", good, *bad, good, good]) + b"\n")
    with pytest.raises(RecordError, match=f"g.csv: ({message})") as caught:
        list(csv_of_connect6.read_connect6(path))
    assert len(str(caught.value)) < 300
    got = whole(csv_of_connect6.read_connect6(path, skip_damaged=True))
    assert (got.records.n_games, got.n_skipped) == (3, 1)


def test_connect6_with_a_byte_order_mark_and_another_order(tmp_path):
    path = tmp_path / "g.csv"
    path.write_bytes(f'moves,winner\r\n"{WON}",black\r\n\r\n'.encode("utf-8-sig"))
    assert csv_of_connect6.read_connect6(path).records().n_games == 1
    with pytest.raises(TypeError, match="skip_damaged must be True or False, got 'yes'"):
        list(csv_of_connect6.read_connect6(path, "yes"))


@pytest.mark.parametrize(
    ("text", "game", "message"),
    [
        ("(;GM[1]SZ[19];B[jj];W[ikkk])", "connect6", r"GM\[1\] is not connect6, GM\[40\]"),
        ("(;GM[2]SZ[10];B[f5])", "reversi", r"SZ\[10\] is not the board"),
        ("(;GM[2]AB[dd];B[f5])", "reversi", "AB sets up a position"),
        ("(;GM[2]AW[dd];B[f5])", "reversi", "AW sets up a position"),
        ("(;B[f5];PL[B])", "reversi", "PL sets up a position"),
        ("(;Black[f5];White[d6])", "reversi", "line 1: property 'Black' is not in capitals"),
        ("(;B[f5]\n;W)", "reversi", "line 2: property 'W' without a value"),
        ("(B[f5])", "reversi", "property 'B' stands before the first node"),
        ("(;B[f5];W[d6", "reversi", "the value of 'W' is not closed"),
        ("(;GM[2];B[f5](;GM[2];B[f5])", "reversi", "the game before it is not closed"),
        ("(;GM[2];B[f5]\n(;W[d6])", "reversi", "game 1 is not closed"),
        ("(;B[f5][d6])", "reversi", "B is out of turn"),
    ],
)
def test_sgf_reads_no_game_that_is_not_there(text, game, message):
    with pytest.raises(RecordError, match=f"text: (game 1.*)?{message}"):
        list(sgf.parse_sgf(text, game))


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    ["x" * 300_000, "\\]" * 150_000, "] [" * 30_000],
    ids=["text", "brackets", "comments"],
)
def test_sgf_comments_cost_memory_in_proportion(body):
    text = f"(;GM[40]C[{body}];B[j10];W[i9k9]C[{body}])"
    whole(sgf.parse_sgf("(;GM[40];B[j10];W[i9k9])", "connect6"))  # what the first call imports
    tracemalloc.start()
    try:
        got = whole(sgf.parse_sgf(text, "connect6"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert got.records.moves.size == 3
    assert peak < 30 * len(text)
    if "[" not in body:
        assert peak < 3 * len(text)


def test_games_count_from_1_in_every_reader(games, tmp_path):
    stones = selfplay.play_connect6(1, np.random.default_rng(1))
    good = sgf.sgf_text(stones.game(0), "connect6")
    with pytest.raises(RecordError, match="text: game 2, stone 2"):
        list(sgf.parse_sgf(good + "(;B[a1];W[a1])", "connect6"))
    with pytest.raises(RecordError, match="game 2, stone 2"):
        connect6.replay(records([stones.game(0), [0, 0]]))
    path = tmp_path / "a.wtb"
    damaged = bytearray(wthor_bytes(games))
    damaged[16 + 68 + 8 + 1] = 11
    path.write_bytes(damaged)
    with pytest.raises(RecordError, match="game 2, move 2"):
        list(wthor.read_wthor(path))


# One game at a time.


def test_a_damaged_game_ends_nothing(games, tmp_path):
    path = tmp_path / "a.wtb"
    data = bytearray(wthor_bytes(games))
    data[16 + 68 + 8 + 5] = 99
    path.write_bytes(bytes(data))
    stream = wthor.read_wthor(path)
    assert next(stream).number == 1
    with pytest.raises(RecordError, match="game 2, move 6, byte 97"):
        next(stream)
    assert [game.number for game in stream] == [3, 4]
    assert stream.n_skipped == 0


def test_games_hold_what_the_files_say_of_them(games, tmp_path):
    data = bytearray(wthor_bytes(games))
    data[18:20], data[20:22] = (7).to_bytes(2, "little"), (513).to_bytes(2, "little")
    path = tmp_path / "a.wtb"
    path.write_bytes(bytes(data))
    game = next(wthor.read_wthor(path))
    discs = discs_by_hand(games.game(0))
    assert (game.black, game.white) == (7, 513)
    assert game.result == (discs > 32) + 0.5 * (discs == 32)
    text = r"(;PB[A \] B]PW[]RE[W+4];B[f5])(;PB[C]PW[D]RE[Draw];B[f5])(;RE[?];B[f5])"
    got = [(g.number, g.black, g.white, g.result) for g in sgf.parse_sgf(text, "reversi")]
    assert got == [(1, "A ] B", None, 0.0), (2, "C", "D", 0.5), (3, None, None, None)]
    path = tmp_path / "g.csv"
    path.write_text(f'game_id,moves,winner\n1,"{WON}",black\n2,j10,\n')
    assert [g.result for g in csv_of_connect6.read_connect6(path)] == [1.0, None]
    match = {"team1": "A", "team2": "B"}
    matches = [match | {"score": {"ft": goals}} for goals in ([2, 1], [0, 0], [0, 1], [0])]
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"matches": [match, *matches]}))
    stream = football.read_football(path, skip_damaged=True)
    assert [m.result for m in stream] == [1.0, 0.5, 0.0]
    assert stream.n_skipped == 1


def test_files_are_opened_when_a_game_is_asked_for(tmp_path):
    stream = wthor.read_wthor(tmp_path / "none.wtb")
    with pytest.raises(FileNotFoundError):
        next(stream)
    with pytest.raises(TypeError, match="path must be"):
        wthor.read_wthor(7)


def test_sgf_is_the_same_in_blocks_of_any_size(tmp_path, monkeypatch):
    comment = "C[\u00e9 \\] ( \\\\]"
    text = f"\n (;GM[2]{comment};B[f5]\n;W[d6](;B[c3])(;B[c4]))\r\n(;{comment}B[f5])\n(;B[zz])\nx"
    path = tmp_path / "g.sgf"
    path.write_bytes(text.encode("utf-8-sig"))
    for size in (*range(3, 40), 2**16):
        monkeypatch.setattr(sgf, "BLOCK", size)
        stream = sgf.read_sgf(path, "reversi")
        assert [next(stream).moves.size for _ in range(2)] == [3, 1]
        with pytest.raises(RecordError, match=r"g.sgf: game 3, move 1: unknown point 'zz'"):
            next(stream)
        with pytest.raises(RecordError, match=r"g.sgf: game 4, line 6: not SGF: 'x'"):
            next(stream)
        assert list(stream) == []


@pytest.mark.parametrize("size", [3, 8, 2**16])
def test_sgf_names_the_byte_that_is_not_text(tmp_path, monkeypatch, size):
    monkeypatch.setattr(sgf, "BLOCK", size)
    path = tmp_path / "g.sgf"
    path.write_bytes(b"\xef\xbb\xbf(;C[\xc3\xa9]B[f5])\n\xff")
    with pytest.raises(RecordError, match=r"g.sgf: not a text file: byte 17: invalid start"):
        list(sgf.read_sgf(path, "reversi", skip_damaged=True))
    path.write_bytes(b"(;B[f5])\n\xc3")
    with pytest.raises(RecordError, match=r"g.sgf: not a text file: byte 9: unexpected end"):
        list(sgf.read_sgf(path, "reversi"))


def test_what_never_ends_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(sgf, "LONGEST", 1000)
    path = tmp_path / "g.sgf"
    path.write_text("(;B[f5])\n(;C[" + "x" * 100_000)
    with pytest.raises(RecordError, match=r"g.sgf: game 2, line 1: longer than 1000 characters"):
        list(sgf.read_sgf(path, "reversi"))
    monkeypatch.setattr(csv_of_connect6, "LONGEST", 100)
    path = tmp_path / "g.csv"
    path.write_text(f'game_id,moves,winner\n1,"{WON}",black\n2,"{WON * 9}",black\n3,j10,\n')
    with pytest.raises(RecordError, match=r"g.csv: line 3: longer than 100 bytes"):
        list(csv_of_connect6.read_connect6(path))
    got = whole(csv_of_connect6.read_connect6(path, skip_damaged=True))
    assert (got.records.n_games, got.n_skipped) == (2, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wthor", "connect6", "sgf"])
def test_memory_is_that_of_a_game_however_long_the_file(games, tmp_path, kind):
    def written(n):
        path = tmp_path / f"{n}.{kind}"
        if kind == "wthor":
            data = wthor_bytes(games.take([0]))
            path.write_bytes(data[:4] + n.to_bytes(4, "little") + data[8:16] + n * data[16:])
            return wthor.read_wthor(path)
        if kind == "connect6":
            path.write_text("game_id,moves,winner\n" + f'1,"{WON}",black\n' * n)
            return csv_of_connect6.read_connect6(path)
        path.write_text((sgf.sgf_text(games.game(0), "reversi") + "\n") * n)
        return sgf.read_sgf(path, "reversi")

    def peak(n):
        stream = written(n)
        next(stream)
        tracemalloc.start()
        try:
            assert sum(1 for _ in stream) == n - 1
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(1000) < 1.5 * peak(250) + 50_000
