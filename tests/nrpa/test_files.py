"""Readers, saved games and bundled instances: what is whole comes back, what is not is refused."""

import json
import pickle

import numpy as np
import pytest

from gameai_book.nrpa.measure import instances as nrpa_instances
from gameai_book.nrpa.measure.instances import random_tsptw
from gameai_lib.nrpa import flat_monte_carlo, playout_of
from gameai_lib.nrpa.game.files import (
    DamagedFileError,
    load_game,
    read_board,
    read_cells,
    read_morpion,
    read_tsptw,
    save_game,
)
from gameai_lib.nrpa.game.instances import DATA
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import line_of
from gameai_lib.nrpa.game.tsptw import evaluate
from tests.nrpa.games import GAMES

TWO_CITIES = "2\n0 3.5\n4 0\n0 20 # depot\n1 9\n# Sum of service times: 0\n"
FIRST_MOVE = {"x": 2, "y": 0, "dir": "H", "pos": 0}
SECOND_MOVE = {"x": 7, "y": 0, "dir": "H", "pos": 4}  # shares three segments with the first


def given(folder, reader, text):
    """What a reader makes of a file of this text, of these bytes, or of this value as JSON."""
    path = folder / "pair.tw"
    text = json.dumps(text) if isinstance(text, dict) else text
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return reader(path)


@pytest.mark.parametrize("text", [TWO_CITIES, "2\n0, 3.5\n4,0\n0,20 # depot\n1 ,9,\n"])
def test_an_instance_is_read(tmp_path, text):
    instance = given(tmp_path, read_tsptw, text)
    assert instance.name == "pair"
    np.testing.assert_array_equal(instance.distance, [[0, 3.5], [4, 0]])
    np.testing.assert_array_equal(instance.windows, [[0, 20], [1, 9]])


@pytest.mark.parametrize(
    ("text", "colours"),
    [
        ("1 2 3\n2 1 3", "123 213"),
        ("1\t2 3 # a comment\n\n2 1.0 3\n", "123 213"),
        ("\ufeff1, 2, 3,\n2 , 1,3,\n", "123 213"),
        ("123 # a comment\r\n213\r\n", "123 213"),
        ("BGR\nGBR", "012 102"),  # in the order of the alphabet
        ("b, g, r # three\ng, b, r", "012 102"),
        ("6\n0\n6", "6 0 6"),
    ],
)
def test_boards_as_people_have_them(tmp_path, text, colours):
    board = given(tmp_path, read_board, text)
    assert board.dtype == np.int64
    assert board.tolist() == [[*map(int, row)] for row in colours.split()]


def test_other_files_are_read(tmp_path):
    assert given(tmp_path, read_cells, "9,0\n0, 4\n").tolist() == [[9, 0], [0, 4]]
    variant, codes = given(tmp_path, read_morpion, {"variant": "5D", "moves": [FIRST_MOVE]})
    assert variant == "5D"
    assert line_of(int(codes[0]), "5D") == [(2, 0), (3, 0), (4, 0), (5, 0), (6, 0)]


def read_game(path):
    return load_game(path, leftmove(2))


def game(**change):
    whole = {"problem": "LeftMove 2", "score": 1.0, "choices": [0, 1], "codes": [0, 3]}
    return whole | {"about": {}} | change


def cities(old, new):
    return TWO_CITIES.replace(old, new, 1)


def moves(**change):
    return {"variant": "5D", "moves": [FIRST_MOVE, SECOND_MOVE | change]}


REFUSED = {
    read_tsptw: [
        (cities("1 9\n", ""), "line 4: 3 rows after the size, expected 4"),
        (cities("4 0", "4 nan"), "line 3: 'nan' is not a finite number"),
        (cities("4 0", "4"), "line 3: 1 entries, expected 2"),
        (cities("4 0", "-4 0"), "negative distance -4"),
        (cities("2\n", "1e300\n"), "line 1: '1e300' is not in 0 .. 4096"),
        ("", "the file is empty"),
    ],
    read_board: [
        ("0 7\n0 0\n", "line 1: '7' is not in 0 .. 6"),
        ("123\n12", "line 2: 2 entries, expected 3"),
        ("12\n5\n255", "expected 2"),  # not a column of large numbers
        ("ÄÖ\nÖÄ", "line 1: 'Ä' is not a finite number"),
    ],
    read_cells: [("9 0\n0 15\n", r"line 2: '15' is not in 0 \.\. 14")],
    read_morpion: [
        (b"2\n\x89PNG", "line 2: byte 0x89 is not text in UTF-8"),
        ("{", "Expecting .*: line 1"),
        ({"variant": "5D"}, "there is no 'moves'"),
        ({"variant": "7X", "moves": []}, "variant must be one of .*, got '7X'"),
        ({"variant": "5D", "moves": [3]}, r"moves\[0\] must be of type dict, got 3"),
        (moves(x=42, y=-1), r"moves\[1\]\.x must be from -11 to 20, got 42"),  # a grid that wraps
        (moves(pos=5), r"moves\[1\]\.pos must be from 0 to 4, got 5"),
        (moves(x=15, y=15, pos=0), r"move 2: the line \[\(15, 15\).* is not legal in 5D"),
        (moves(), r"move 2: the line \[\(3, 0\).* is not legal in 5D"),
    ],
    read_game: [
        (game(problem="chess"), "a game of 'chess', not 'LeftMove 2'"),
        (game(score=99), "the game claims 99.0, the referee counts 1.0"),
        (game(choices=[0]), "legal moves are left after 1 plies"),
        (game(codes=[1]), "choices and codes tell different games"),
    ],
}  # fmt: skip
NAMED = [(reader, *case) for reader, cases in REFUSED.items() for case in cases]


@pytest.mark.parametrize(("reader", "text", "message"), NAMED)
def test_damaged_files_are_refused_with_the_place(tmp_path, reader, text, message):
    with pytest.raises(DamagedFileError, match=f"pair.tw.*{message}") as caught:
        given(tmp_path, reader, text)
    assert str(tmp_path) in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("problem", GAMES.values(), ids=GAMES)
def test_games_come_back_and_mixed_ones_are_not_saved(tmp_path, problem):
    path = tmp_path / "game.json"
    one, two = (flat_monte_carlo(problem, np.random.default_rng(s), 1)[0] for s in (3, 4))
    refused = [
        (one._replace(codes=two.codes), "tell different games"),
        (one._replace(codes=one.codes[:-1]), "tell different games"),
        (one._replace(score=one.score + 1), "counts|claims|scores"),
    ]
    for game, message in refused:
        with pytest.raises(ValueError, match=message):
            save_game(path, problem, game)
    assert not list(tmp_path.iterdir())
    save_game(path, problem, one, seed=3, level=0)
    again, about = load_game(path, problem)
    assert again.score == one.score
    np.testing.assert_array_equal(again.choices, one.choices)
    np.testing.assert_array_equal(again.codes, one.codes)
    assert about == {"seed": 3, "level": 0}


def test_numpy_values_are_saved(tmp_path):
    problem, path = leftmove(3), tmp_path / "game.json"
    playout = playout_of(problem, [0, 1, 0])._replace(score=np.float32(2))
    save_game(path, problem, playout, seed=np.int64(3), tabu=np.bool_(True), counts=np.arange(2))
    expected = {"seed": 3, "tabu": True, "counts": [0, 1]}
    assert load_game(path, problem)[1] == expected
    with pytest.raises(TypeError, match=r"cannot be saved as JSON: .*Generator\(PCG"):
        save_game(path, problem, playout, rng=np.random.default_rng(0))
    assert load_game(path, problem)[1] == expected


def test_what_is_bundled(tmp_path):
    nrpa_instances.main(tmp_path)
    for path in tmp_path.iterdir():
        assert path.read_text() == (DATA / path.name).read_text()
    assert len(list(tmp_path.iterdir())) == 5
    # The tour that windows are laid around meets them all, and no way round is shorter.
    instance, tour, places = random_tsptw(np.random.default_rng(0), 12, 30.0)
    assert evaluate(instance, tour).violations == 0
    assert places.shape == (12, 2)
    through = instance.distance[:, :, None] + instance.distance[None]  # from, over, to
    assert (instance.distance[:, None, :] <= through + 1e-9).all()
