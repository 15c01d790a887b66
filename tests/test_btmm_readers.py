"""Readers: whole files, damaged files, and whatever Hypothesis thinks of."""

import contextlib
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gameai_lib.btmm import archives, connect6, readers, reversi, selfplay, sgf
from gameai_lib.btmm.patterns import square_classes
from gameai_lib.btmm.positions import RecordError, records

WON = "j10,a1,c1,k10,l10,e1,g1,m10,n10,a3,c3,o10"


@pytest.fixture(scope="module")
def games():
    return selfplay.play_reversi(4, np.random.default_rng(1), square_classes())


def wthor_bytes(games):
    header = np.zeros(1, readers.WTHOR_HEADER)
    header["n_games"], header["side"] = games.n_games, 8
    rows = np.zeros(games.n_games, readers.WTHOR_GAME)
    for g in range(games.n_games):
        cells = games.game(g)
        rows["moves"][g, : cells.size] = 10 * (cells // 8 + 1) + cells % 8 + 1
    return header.tobytes() + rows.tobytes()


def test_the_layouts_have_the_archive_s_sizes():
    assert readers.WTHOR_HEADER.itemsize == 16
    assert readers.WTHOR_GAME.itemsize == 68
    assert reversi.cell_of("f5") == (56 // 10 - 1) * 8 + 56 % 10 - 1


def test_wthor_whole(games, tmp_path):
    path = tmp_path / "a.wtb"
    path.write_bytes(wthor_bytes(games))
    got = readers.read_wthor(path)
    np.testing.assert_array_equal(got.records.moves, games.moves)
    np.testing.assert_array_equal(got.records.offsets, games.offsets)
    assert got.n_skipped == 0


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda b: b[:10], r"a.wtb: 10 bytes are too few"),
        (lambda b: b[:-3], r"a.wtb: 4 games need 288 bytes, found 285: game 3 is cut short"),
        (lambda b: b + b"x", r"a.wtb: 4 games need 288 bytes, found 289"),
        (lambda b: b[:12] + b"\x0a" + b[13:], r"a.wtb: wrong header, 4 games on a side of 10"),
        (lambda b: b[:92] + b"\x63" + b[93:], r"a.wtb: game 1, move 1: an unknown square"),
        (lambda b: b[:92] + b"\x0b" + b[93:], r"a.wtb: game 1, move 1: a1 is illegal"),
    ],
)
def test_wthor_damaged(games, tmp_path, damage, message):
    path = tmp_path / "a.wtb"
    path.write_bytes(damage(wthor_bytes(games)))
    with pytest.raises(RecordError, match=message):
        readers.read_wthor(path)


def test_wthor_damaged_game_is_skipped_and_counted(games, tmp_path):
    path = tmp_path / "a.wtb"
    data = bytearray(wthor_bytes(games))
    data[16 + 68 + 8 + 5] = 99
    path.write_bytes(bytes(data))
    got = readers.read_wthor(path, skip_damaged=True)
    assert got.n_skipped == 1
    np.testing.assert_array_equal(got.records.moves, games.take([0, 2, 3]).moves)


@given(st.binary(max_size=300), st.booleans())
@settings(max_examples=60, deadline=None)
def test_wthor_never_fails_otherwise(tmp_path_factory, data, skip):
    path = tmp_path_factory.mktemp("fuzz") / "a.wtb"
    header = np.zeros(1, readers.WTHOR_HEADER)
    header["n_games"] = len(data) // 68
    path.write_bytes(header.tobytes() + data[: len(data) // 68 * 68])
    try:
        got = readers.read_wthor(path, skip_damaged=skip)
    except RecordError:
        assert not skip
    else:
        assert (reversi.first_illegal(got.records) == -1).all()


def test_connect6_csv(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text(f'game_id,moves,winner\n1,"{WON}",white\n')
    with pytest.raises(RecordError, match=r"g.csv: game 0: winner is 'white', the board says 'bl"):
        readers.read_connect6(path)
    path.write_text(f'game_id,moves,winner\n1,"{WON}",black\n2,"j10,t3",black\n3,"j10,j10",\n')
    with pytest.raises(RecordError, match=r"g.csv: game 1, stone 2: no point 't3'"):
        readers.read_connect6(path)
    got = readers.read_connect6(path, skip_damaged=True)
    assert (got.n_skipped, got.records.n_games) == (2, 1)
    assert [connect6.square_of(c) for c in got.records.moves] == WON.split(",")
    path.write_text('game_id,moves,winner\n3,"j10,j10",\n')
    with pytest.raises(RecordError, match=r"g.csv: game 0, stone 2: j10 is illegal"):
        readers.read_connect6(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(RecordError, match=r"needs columns moves and winner, has \['a', 'b'\]"):
        readers.read_connect6(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match=r"g.csv: not a text file"):
        readers.read_connect6(path)


@given(st.lists(st.text(alphabet='abjks019,\n" ', max_size=12), max_size=4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_connect6_never_fails_otherwise(tmp_path_factory, lines, skip):
    path = tmp_path_factory.mktemp("fuzz") / "g.csv"
    path.write_text("game_id,moves,winner\n" + "\n".join(lines))
    try:
        got = readers.read_connect6(path, skip_damaged=skip)
    except RecordError:
        assert not skip
    else:
        assert (connect6.first_illegal(got.records) == -1).all()


def test_football(tmp_path):
    path = tmp_path / "s.json"
    match = {"team1": "A", "team2": "B", "score": {"ft": [2, 1]}}
    path.write_text(json.dumps({"matches": [match, {"team1": "B", "team2": "A"}]}))
    assert readers.read_football(path) == [readers.Match("A", "B", 2, 1)]
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
            readers.read_football(path)


def test_sgf_round_trip(games, tmp_path):
    stones = selfplay.play_connect6(2, np.random.default_rng(1))
    for name, some in (("reversi", games), ("connect6", stones)):
        path = tmp_path / f"{name}.sgf"
        path.write_text("\n".join(sgf.sgf_text(some.game(g), name) for g in range(some.n_games)))
        got = sgf.read_sgf(path, name)
        np.testing.assert_array_equal(got.records.moves, some.moves)
        np.testing.assert_array_equal(got.records.offsets, some.offsets)


def read_text(tmp_path, text, game="connect6", **options):
    path = tmp_path / "g.sgf"
    path.write_text(text)
    return sgf.read_sgf(path, game, **options)


def test_sgf_reads_the_source_s_table(tmp_path):
    text = r"(;GM[40]C[a \] bracket];B[j10];W[i9k9]\n(;B[l9k8])(;B[a1b1]))".replace(r"\n", "\n")
    got = read_text(tmp_path, text)
    assert [connect6.square_of(c) for c in got.records.moves] == ["j10", "i9", "k9", "l9", "k8"]
    got = read_text(tmp_path, "(;B[jj];W[ikkk])")
    assert [connect6.square_of(c) for c in got.records.moves] == ["j10", "i9", "k9"]
    got = read_text(tmp_path, "(;B[fe];W[f6];B[])", "reversi")
    assert [reversi.square_of(c) for c in got.records.moves] == ["f5", "f6"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "game 0: not SGF at character 0"),
        ("", "no game"),
        ("(;B[j10]", "a game is not closed"),
        ("(;B[j10];W[z1])", "game 0, move 2: unknown point 'z1'"),
        ("(;B[j10];W[a1b1c1])", "game 0, move 2: unknown point 'a1b1c1'"),
        ("(;B[j10];W[a1a20])", "game 0, move 2: no point 'a20'"),
        ("(;B[j10];W[j10])", "game 0, stone 2: j10 is illegal"),
        ("(;B[j10];B[a1])", "game 0, stone 2: B is out of turn"),
    ],
)
def test_sgf_damaged(tmp_path, text, message):
    with pytest.raises(RecordError, match=f"g.sgf: {message}"):
        read_text(tmp_path, text)


def test_sgf_skips_and_counts(tmp_path):
    got = read_text(tmp_path, "(;B[j10];B[a1])(;B[j10])", skip_damaged=True)
    assert (got.n_skipped, got.records.n_games) == (1, 1)
    with pytest.raises(ValueError, match=r"game must be one of.*'go'"):
        read_text(tmp_path, "()", "go")


@given(st.text(alphabet="();BW[]\\aj109 f5", max_size=40), st.sampled_from(["reversi", "connect6"]))
@settings(max_examples=100, deadline=None)
def test_sgf_never_fails_otherwise(tmp_path_factory, text, game):
    path = tmp_path_factory.mktemp("fuzz") / "g.sgf"
    path.write_text(text)
    with contextlib.suppress(RecordError):
        got = sgf.read_sgf(path, game)
        assert (sgf.RULES[game].first_illegal(got.records) == -1).all()


def test_folders(games, tmp_path):
    with pytest.raises(RecordError, match=r"no \*.wtb in the folder 'othello'"):
        archives.read_folder(tmp_path, "othello")
    with pytest.raises(RecordError, match="no records are known of 'go'"):
        archives.read_folder(tmp_path, "go")
    (tmp_path / "othello").mkdir()
    for name in ("a.wtb", "b.wtb"):
        (tmp_path / "othello" / name).write_bytes(wthor_bytes(games))
    got = archives.read_folder(tmp_path, "othello")
    assert got.n_games == 8
    np.testing.assert_array_equal(got.game(5), games.game(1))
    assert records([]).n_games == 0
