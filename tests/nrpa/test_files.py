"""Readers, saved games and bundled instances: what is whole comes back, what is not is refused."""

import json
import pickle

import numpy as np
import pytest

from gameai_book.nrpa.measure import instances as nrpa_instances
from gameai_book.nrpa.measure.instances import random_tsptw
from gameai_lib.nrpa.game.files import (
    DamagedFileError,
    load_game,
    read_board,
    read_cells,
    read_morpion,
    read_tsptw,
    save_game,
)
from gameai_lib.nrpa.game.instances import (
    DATA,
    bundled_board,
    bundled_places,
    bundled_tsptw,
)
from gameai_lib.nrpa.game.leftmove import judge_leftmove, leftmove
from gameai_lib.nrpa.game.morpion import line_of, morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import evaluate, tsptw
from gameai_lib.nrpa.problem.walk import playout_of
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from tests.nrpa.games import one_move

TWO_CITIES = "2\n0 3.5\n4 0\n0 20 # depot\n1 9\n# Sum of service times: 0\n"


def test_read_tsptw(tmp_path):
    path = tmp_path / "pair.tw"
    path.write_text(TWO_CITIES)
    instance = read_tsptw(path)
    assert instance.name == "pair"
    np.testing.assert_array_equal(instance.distance, [[0, 3.5], [4, 0]])
    np.testing.assert_array_equal(instance.windows, [[0, 20], [1, 9]])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 9\n", "", "line 4: 3 rows after the size, expected 4"),
        ("1 9\n", "1 9\n5 6\n", "line 6: 5 rows after the size"),
        ("4 0", "4 x", "line 3: 'x' is not a number"),
        ("4 0", "4 nan", "line 3: 'nan' is not a finite number"),
        ("4 0", "4 inf", "line 3: 'inf' is not a finite number"),
        ("0 3.5", "0 3_5", "line 2: '3_5' is not a number"),
        ("0 3.5", "0 \u0663", "line 2: '\u0663' is not a number"),
        ("4 0", "4", "line 3: 1 numbers, expected 2"),
        ("4 0", "-4 0", "line 3: negative distance -4"),
        ("1 9", "-1 9", "line 5: window opens at -1, before time 0"),
        ("2\n", "1e300\n", "line 1: the number of cities cannot be '1e300'"),
        ("4 0", "1e300 0", "distance must be within ±1e\\+12, got 1e\\+300"),
        ("1 9", "9 1", "line 5: window closes at 1 before it opens at 9"),
        ("1 9", "9123456.5 1234567.25", "closes at 1234567.25 before it opens at 9123456.5"),
        ("4 0", "-1234567.25 0", "line 3: negative distance -1234567.25"),
        ("4 0", "4,,0", "line 3: a comma has nothing before it"),
        ("2\n", "2.5\n", "line 1: the number of cities cannot be '2.5'"),
        ("2\n", "1\n", "line 1: the number of cities"),
        (TWO_CITIES, "", "the file is empty"),
        (TWO_CITIES, "2\n", "line 1: 0 rows"),
    ],
)
def test_damaged_tsptw(tmp_path, old, new, message):
    path = tmp_path / "bad.tw"
    path.write_text(TWO_CITIES.replace(old, new, 1))
    with pytest.raises(DamagedFileError, match=message) as caught:
        read_tsptw(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 0", "0 256", "line 1: 256 is not in 0 .. 255"),
        ("0 0", "0 .5", "line 1: .5 is not in 0 .. 255"),
        ("0 0", "0 -0.50", "line 1: -0.50 is not in 0 .. 255"),
        ("0 0", "0 421224000123", "line 1: 421224000123 is not in 0 .. 255"),
        ("0 0", "0 R", "line 1: 'R' is not a number"),
        ("0 0", "0,0", "line 1: '0 0 0 0 0 0 0 0 0 0 0 0 0 0' is not a number"),
        ("0 0", "0 0_1", "line 1: '0_1' is not a number"),
        ("0 0", "0", "line 2: 15 numbers, expected 14"),
    ],
)
def test_damaged_board(tmp_path, old, new, message):
    path = tmp_path / "board.txt"
    row = " ".join("0" * 15) + "\n"
    path.write_text(row.replace(old, new, 1) + row * 14)
    with pytest.raises(DamagedFileError, match=message):
        read_board(path)


BOARD = [[1, 2, 3], [2, 1, 3]]


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\n2 1 3", "1\t2 3 # a comment\n\n2 1.0 3\n", "1,2,3\n2,1,3", "1, 2, 3,\n2 , 1,3,\n",
        "123\n213", "123 # a comment\r\n213\r\n",
    ],
)  # fmt: skip
def test_boards_as_people_have_them(tmp_path, text):
    path = tmp_path / "board.txt"
    path.write_text(text)
    board = read_board(path)
    assert board.tolist() == BOARD
    assert board.dtype == np.int64


@pytest.mark.parametrize(
    "text",
    [
        "BGR\nGBR", "B G R\nG B R", "B,G,R\nG,B,R", "b, g, r # three\ng, b, r", "axz\nxaz",
        "Bbr\nbBr", "\ufeffBGR\nGBR",
    ],
)  # fmt: skip
def test_letters_are_colours_in_the_order_of_the_alphabet(tmp_path, text):
    path = tmp_path / "board.txt"
    path.write_text(text, encoding="utf-8")
    assert read_board(path).tolist() == [[0, 1, 2], [1, 0, 2]]


def test_a_board_of_digits_is_one_of_spaces(tmp_path):
    board, path = bundled_board(), tmp_path / "board.txt"
    for between in ("", " ", ",", ", "):
        path.write_text("\n".join(between.join(map(str, row)) for row in board.tolist()))
        assert (read_board(path) == board).all()
    path.write_text("\n".join("RGBYV"[colour] for colour in board[:, 0]))
    assert read_board(path).shape == (15, 1)
    path.write_text("7\n0\n7")
    assert read_board(path).tolist() == [[7], [0], [7]]
    for ragged in ("123\n12", "12\n5\n255", "100\n1"):  # not a column of large numbers
        path.write_text(ragged)
        with pytest.raises(DamagedFileError, match=f"expected {len(ragged.split()[0])}"):
            read_board(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1234\n123", "line 2: 3 numbers, expected 4"),
        ("RGB\nRG", "line 2: 2 letters, expected 3"),
        ("R G B\nRGB", "line 2: 'RGB' is not a letter"),
        ("R G 1\nR G B", "line 1: '1' is not a letter"),
        ("R1B\nRGB", "line 1: 'R1B' is not a number"),
        ("RGB\nR1B", "line 2: '1' is not a letter"),
        ("1,,3\n1,2,3", "line 1: a comma has nothing before it"),
        (",1\n1,2", "line 1: a comma has nothing before it"),
        ("12345\n1.345", "line 1: 12345 is not in 0 .. 255"),
        ("ÄÖ\nÖÄ", "line 1: 'ÄÖ' is not a number"),
        ("-.\n.-", "line 1: '-.' is not a number"),
    ],
)
def test_boards_that_are_none(tmp_path, text, message):
    path = tmp_path / "board.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DamagedFileError, match=message):
        read_board(path)


def test_commas_between_numbers(tmp_path):
    path = tmp_path / "pair.tw"
    path.write_text("2\n0, 3.5\n4,0\n0,20 # depot\n1 ,9,\n")
    instance = read_tsptw(path)
    np.testing.assert_array_equal(instance.distance, [[0, 3.5], [4, 0]])
    np.testing.assert_array_equal(instance.windows, [[0, 20], [1, 9]])
    path.write_text("9,0\n0, 4\n")
    assert read_cells(path).tolist() == [[9, 0], [0, 4]]


def test_a_board_that_is_too_large(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text((" ".join("0" * 101) + "\n") * 100)
    with pytest.raises(DamagedFileError, match="10100 cells, but at most 10000 are played"):
        read_board(path)


def test_read_cells(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("9 0\n0 4\n")
    np.testing.assert_array_equal(read_cells(path), [[9, 0], [0, 4]])
    path.write_text("9 0\n0 10000\n")
    with pytest.raises(DamagedFileError, match=r"line 2: 10000 is not in 0 \.\. 9999"):
        read_cells(path)


FIRST_MOVE = {"x": 2, "y": 0, "dir": "H", "pos": 0}


def test_read_morpion(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps({"variant": "5D", "moves": [FIRST_MOVE]}))
    variant, codes = read_morpion(path)
    assert variant == "5D"
    assert line_of(int(codes[0]), "5D") == [(2, 0), (3, 0), (4, 0), (5, 0), (6, 0)]


SECOND_MOVE = {"x": 7, "y": 0, "dir": "H", "pos": 4}  # shares three segments with the first
NOT_A_WHOLE = r"x is {}, not a whole number in -11 \.\. 20"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "line 1: Expecting"),
        ("[]", "not a JSON object"),
        ("[" * 100_000, "recursion"),
        ('{"moves": ' + "9" * 5000 + "}", "4300 digits"),
        ({"variant": "5D"}, "there is no moves"),
        ({"moves": []}, "there is no variant"),
        ({"variant": "7X", "moves": []}, "variant is '7X', not 5D, 5T, 4D, 4T"),
        ({"variant": ["5D"], "moves": []}, r"variant is \['5D'\], not a JSON string"),
        ({"variant": "5D", "moves": {}}, "moves is {}, not a JSON array"),
        ({"variant": "5D", "moves": [3]}, r"moves\[0\] is 3, not a JSON object"),
        ({"variant": "5D", "moves": [FIRST_MOVE, {"dir": "H"}]}, r"there is no moves\[1\]\.x"),
    ],
)
def test_no_morpion_record(tmp_path, record, message):
    path = tmp_path / "record.json"
    path.write_text(record if isinstance(record, str) else json.dumps(record))
    with pytest.raises(DamagedFileError, match=f"record.json.*{message}"):
        read_morpion(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dir": "Q"}, r"moves\[1\]\.dir is 'Q', not H, V, DN, DP"),
        ({"dir": []}, r"moves\[1\]\.dir is \[\], not a JSON string"),
        (
            {"x": 42, "y": -1},
            r"moves\[1\]\." + NOT_A_WHOLE.format(42),
        ),  # (2, 0) on a grid that wraps
        ({"x": -12}, r"moves\[1\]\." + NOT_A_WHOLE.format(-12)),
        ({"x": 21}, r"moves\[1\]\." + NOT_A_WHOLE.format(21)),
        ({"x": 10**6}, r"moves\[1\]\." + NOT_A_WHOLE.format(10**6)),
        ({"x": 2.5}, r"moves\[1\]\." + NOT_A_WHOLE.format(2.5)),
        ({"x": float("nan")}, r"moves\[1\]\." + NOT_A_WHOLE.format("nan")),
        ({"x": float("inf")}, r"moves\[1\]\." + NOT_A_WHOLE.format("inf")),
        ({"x": True}, r"moves\[1\]\.x is True, not a JSON number"),
        ({"x": "7"}, r"moves\[1\]\.x is '7', not a JSON number"),
        ({"y": 99}, r"moves\[1\]\.y is 99, not a whole number"),
        ({"pos": 5}, r"moves\[1\]\.pos is 5, not a whole number in 0 \.\. 4"),
        ({"pos": -1}, r"moves\[1\]\.pos is -1"),
        ({"pos": 0.5}, r"moves\[1\]\.pos is 0.5"),
        ({"x": 3}, r"moves\[1\] does not add a point"),
        ({"x": 2}, r"moves\[1\] does not add a point"),
        (
            {"x": 15, "y": 15, "pos": 0},
            r"moves: move 2: the line \[\(15, 15\).* is not legal in 5D",
        ),
        ({}, r"moves: move 2: the line \[\(3, 0\).* is not legal in 5D"),
    ],
)
def test_damaged_moves(tmp_path, change, message):
    path = tmp_path / "record.json"
    moves = [FIRST_MOVE, SECOND_MOVE | change]
    path.write_text(json.dumps({"variant": "5D", "moves": moves}))
    with pytest.raises(DamagedFileError, match=f"record.json: {message}"):
        read_morpion(path)


@pytest.mark.parametrize(
    "read",
    [read_tsptw, read_board, read_cells, read_morpion, lambda p: load_game(p, leftmove(3))],
    ids=["tsptw", "board", "cells", "morpion", "game"],
)
def test_bytes_that_are_not_text(tmp_path, read):
    path = tmp_path / "picture.png"
    path.write_bytes(b"2\n\x89PNG")
    with pytest.raises(DamagedFileError, match="png, line 2: byte 0x89 is not text in UTF-8"):
        read(path)


def test_the_error_comes_back_from_another_process():
    error = pickle.loads(pickle.dumps(DamagedFileError("a.tw", 3, "no cities")))
    assert type(error) is DamagedFileError
    assert str(error) == "a.tw, line 3: no cities"
    assert str(DamagedFileError("a.tw", 0, "empty")) == "a.tw: empty"


@pytest.mark.parametrize(
    "problem",
    [
        morpion("5T"),
        samegame(bundled_board(), "bundled board"),
        tsptw(bundled_tsptw("medium")),
        leftmove(7),
        one_move(),
    ],
    ids=lambda problem: problem.name,
)
def test_games_come_back(tmp_path, problem):
    playout, _ = flat_monte_carlo(problem, np.random.default_rng(3), 4)
    path = tmp_path / "game.json"
    save_game(path, problem, playout, seed=3, level=0)
    again, about = load_game(path, problem)
    assert again.score == playout.score
    np.testing.assert_array_equal(again.choices, playout.choices)
    np.testing.assert_array_equal(again.codes, playout.codes)
    assert about == {"seed": 3, "level": 0}
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_numpy_values_are_saved(tmp_path):
    problem = leftmove(3)
    playout = playout_of(problem, [0, 1, 0])._replace(score=np.float32(2))
    path = tmp_path / "game.json"
    about = {"seed": np.int64(3), "alpha": np.float32(0.5), "tabu": np.bool_(True)}
    save_game(path, problem, playout, **about, counts=np.arange(2), nested={"n": np.int8(7)})
    _, about = load_game(path, problem)
    expected = {"seed": 3, "alpha": 0.5, "tabu": True, "counts": [0, 1], "nested": {"n": 7}}
    assert about == expected
    with pytest.raises(TypeError, match=r"cannot be saved as JSON: .*Generator\(PCG"):
        save_game(path, problem, playout, rng=np.random.default_rng(0))
    assert load_game(path, problem)[1] == expected


@pytest.mark.parametrize(
    "problem",
    [morpion("5D"), samegame(bundled_board(), "board"), leftmove(7)],
    ids=lambda problem: problem.name,
)
@pytest.mark.parametrize("field", ["choices", "codes"])
def test_save_refuses_choices_and_codes_of_different_games(tmp_path, problem, field):
    one, two = (flat_monte_carlo(problem, np.random.default_rng(s), 1)[0] for s in (3, 4))
    mixed = one._replace(**{field: getattr(two, field)})
    for score in (one.score, two.score):
        with pytest.raises(ValueError, match="tell different games: ply 0 plays"):
            save_game(tmp_path / "game.json", problem, mixed._replace(score=score))
    with pytest.raises(ValueError, match=r"plays \d+, not None"):
        save_game(tmp_path / "game.json", problem, one._replace(codes=one.codes[:-1]))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": 99}, "the game claims 99.0, the referee counts"),
        ({"problem": "chess"}, "a game of 'chess', not 'Morpion 5D'"),
        ({"choices": [0]}, "legal moves are left after 1 plies"),
        ({"choices": [28]}, "choice 28 of 28"),
        ({"codes": [1]}, "choices and codes tell different games: ply 0 plays [0-9]+, not 1"),
        ({"choices": None}, "choices is None, not a JSON array"),
        ({"choices": [0, float("inf")]}, r"choices\[1\] is inf, not a whole number in 0 \.\. 199"),
        ({"choices": [10**30]}, r"choices\[0\] is 10+, not a whole"),
        ({"choices": [3.7]}, r"choices\[0\] is 3.7, not a whole"),
        ({"choices": [-1]}, r"choices\[0\] is -1, not a whole"),
        ({"choices": [True]}, r"choices\[0\] is True, not a whole"),
        ({"choices": ["1"]}, r"choices\[0\] is '1', not a whole"),
        ({"choices": [[1]]}, r"choices\[0\] is \[1\], not a whole"),
        ({"codes": {"0": 1}}, "codes is {'0': 1}, not a JSON array"),
        ({"codes": [float("nan")]}, r"codes\[0\] is nan, not a whole number in 0 \.\. 6399"),
        ({"score": "35"}, "score is '35', not a JSON number"),
        ({"score": True}, "score is True, not a JSON number"),
        ({"score": float("nan")}, "score must be a number, got nan"),
        ({"score": 10**400}, "the game claims inf"),
        ({"problem": ["Morpion 5D"]}, "problem is .*, not a JSON string"),
        ({"about": None}, "about is None, not a JSON object"),
    ],
)
def test_load_refuses(tmp_path, change, message):
    problem = morpion("5D")
    playout, _ = flat_monte_carlo(problem, np.random.default_rng(3), 1)
    path = tmp_path / "game.json"
    save_game(path, problem, playout)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DamagedFileError, match=f"game.json: .*{message}"):
        load_game(path, problem)


@pytest.mark.parametrize("key", ["problem", "score", "about", "choices", "codes"])
def test_load_names_what_is_missing(tmp_path, key):
    path = tmp_path / "game.json"
    save_game(path, leftmove(3), playout_of(leftmove(3), [0, 1, 0]))
    record = json.loads(path.read_text())
    del record[key]
    path.write_text(json.dumps(record))
    with pytest.raises(DamagedFileError, match=f"game.json: there is no {key}"):
        load_game(path, leftmove(3))


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([0, 3, 4, 7], None),
        ([0, 3, 4], "ply 3: no code, the game has 4 plies"),
        ([], "ply 0: no code"),
        ([0, 3, 4, 7, 8], "ply 4: code 8 after the last of 4 plies"),
        ([0, 0, 0, 0], "ply 1: code 0 is neither 2 nor 3"),
        ([0, 3, -2, 7], "ply 2: code -2 is neither 4 nor 5"),
        ([0, 3, 4.5, 7], "ply 2: code 4.5 is neither 4 nor 5"),
    ],
)
def test_judge_leftmove(codes, message):
    if message is None:
        assert judge_leftmove(4, np.array(codes)) == (2.0, 0)
    else:
        with pytest.raises(ValueError, match=message):
            judge_leftmove(4, np.array(codes))


def test_save_refuses_a_false_score(tmp_path):
    problem = morpion("5D")
    playout, _ = flat_monte_carlo(problem, np.random.default_rng(3), 1)
    with pytest.raises(ValueError, match="the referee counts"):
        save_game(tmp_path / "game.json", problem, playout._replace(score=82.0))
    assert not list(tmp_path.iterdir())


def test_bundled_files_are_what_the_generator_writes(tmp_path):
    nrpa_instances.main(tmp_path)
    for path in tmp_path.iterdir():
        assert path.read_text() == (DATA / path.name).read_text()
    assert len(list(tmp_path.iterdir())) == 5


def test_hidden_tour_meets_all_windows():
    for seed in range(10):
        instance, tour, places = random_tsptw(np.random.default_rng(seed), 12, 30.0)
        assert evaluate(instance, tour).violations == 0
        assert places.shape == (12, 2)
        through = instance.distance[:, :, None] + instance.distance[None]  # from, over, to
        assert (instance.distance[:, None, :] <= through + 1e-9).all()


def test_bundled_places_belong_to_the_instance():
    places, instance = bundled_places("medium"), bundled_tsptw("medium")
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert (np.abs(np.ceil(apart) - instance.distance) <= 1).all()


def test_the_bundle_refuses():
    with pytest.raises(ValueError, match=r"name must be one of \['small', 'medium'\], got 'x'"):
        bundled_tsptw("x")
