"""Readers, saved games and bundled instances: what is whole comes back, what is not is refused."""

import json

import numpy as np
import pytest

from benchmarks import nrpa_instances
from gameai_lib.nrpa.files import (
    DamagedFileError,
    load_game,
    read_board,
    read_cells,
    read_morpion,
    read_tsptw,
    save_game,
)
from gameai_lib.nrpa.instances import (
    DATA,
    bundled_board,
    bundled_places,
    bundled_tsptw,
    random_tsptw,
)
from gameai_lib.nrpa.leftmove import leftmove
from gameai_lib.nrpa.morpion import morpion
from gameai_lib.nrpa.samegame import samegame
from gameai_lib.nrpa.search import flat_monte_carlo
from gameai_lib.nrpa.tsptw import evaluate, tsptw
from tests.nrpa_games import one_move

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
        ("4 0", "4", "line 3: 1 numbers, expected 2"),
        ("4 0", "-4 0", "line 3: negative distance -4"),
        ("1 9", "9 1", "line 5: window closes at 1 before it opens at 9"),
        ("2\n", "2.5\n", r"line 1: the number of cities cannot be \[2.5\]"),
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
        ("0 0", "0 5", "line 1: 5 is not in 0 .. 4"),
        ("0 0", "0 .5", "line 1: 0.5 is not in 0 .. 4"),
        ("0 0", "0", "line 1: 14 numbers, expected 15"),
    ],
)
def test_damaged_board(tmp_path, old, new, message):
    path = tmp_path / "board.txt"
    path.write_text((" ".join("0" * 15) + "\n").replace(old, new, 1) * 15)
    with pytest.raises(DamagedFileError, match=message):
        read_board(path)


def test_board_with_a_missing_row(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text((" ".join("0" * 15) + "\n") * 14)
    with pytest.raises(DamagedFileError, match="line 14: 14 rows, expected 15"):
        read_board(path)


def test_read_cells(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("9 0\n0 4\n")
    np.testing.assert_array_equal(read_cells(path), [[9, 0], [0, 4]])
    path.write_text("9 0\n0 15\n")
    with pytest.raises(DamagedFileError, match=r"line 2: 15 is not in 0 \.\. 14"):
        read_cells(path)


FIRST_MOVE = {"x": 2, "y": 0, "dir": "H", "pos": 0}


def test_read_morpion(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps({"variant": "5D", "moves": [FIRST_MOVE]}))
    variant, codes = read_morpion(path)
    assert variant == "5D"
    assert codes.size == 1


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "line 1: Expecting"),
        ("[]", "not a JSON object"),
        ({"variant": "5D"}, "not a Morpion record: KeyError"),
        ({"variant": "7X", "moves": []}, "not a Morpion record: KeyError"),
        ({"variant": "5D", "moves": [FIRST_MOVE | {"dir": "Q"}]}, "not a Morpion record"),
        ({"variant": "5D", "moves": [FIRST_MOVE | {"x": 3}]}, "move 1 does not add a point"),
        ({"variant": "5D", "moves": [FIRST_MOVE | {"pos": 5}]}, "move 1 does not add a point"),
        ({"variant": "5D", "moves": [3]}, "not a Morpion record: TypeError"),
    ],
)
def test_damaged_morpion(tmp_path, record, message):
    path = tmp_path / "record.json"
    path.write_text(record if isinstance(record, str) else json.dumps(record))
    with pytest.raises(DamagedFileError, match=message):
        read_morpion(path)


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": 99}, "the game claims 99.0, the referee counts"),
        ({"problem": "chess"}, "a game of chess, not Morpion 5D"),
        ({"choices": [0]}, "legal moves are left after 1 plies"),
        ({"choices": [28]}, "choice 28 of 28"),
        ({"codes": [1]}, "choices and codes tell different games"),
        ({"about": None, "choices": None}, "damaged|game.json"),
    ],
)
def test_load_refuses(tmp_path, change, message):
    problem = morpion("5D")
    playout, _ = flat_monte_carlo(problem, np.random.default_rng(3), 1)
    path = tmp_path / "game.json"
    save_game(path, problem, playout)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DamagedFileError, match=message):
        load_game(path, problem)


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


def test_generator_and_bundle_refuse():
    with pytest.raises(ValueError, match="n_cities must be at least 2, got 1"):
        random_tsptw(np.random.default_rng(0), 1, 3.0)
    with pytest.raises(ValueError, match="width must not be negative"):
        random_tsptw(np.random.default_rng(0), 4, -1.0)
    with pytest.raises(ValueError, match="bundled instances are small, medium, got 'x'"):
        bundled_tsptw("x")
