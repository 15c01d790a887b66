import numpy as np
import pytest

from gameai_book.ntbea.measure.tables import few_rules
from gameai_book.ntbea.results.tables import (
    DATA,
    ResultTable,
    empty_table,
    load_games,
    load_table,
    save_games,
    save_table,
)
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space_battle import FEW_RULES


def test_mean_and_error_of_a_worked_case():
    table = ResultTable(np.array([3]), np.array([1]), np.array([1]))
    results = [1, 1, 1, 0, -1]
    assert table.n_games[0] == 5
    assert table.mean[0] == pytest.approx(np.mean(results))
    assert table.standard_error[0] == pytest.approx(np.std(results, ddof=1) / np.sqrt(5))


def test_a_saved_table_is_read_back(tmp_path):
    space = grid(2, 2)
    table = ResultTable(*np.arange(12).reshape(3, 4))
    save_table(tmp_path / "t.csv", space, table)
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]
    np.testing.assert_array_equal(load_table(tmp_path / "t.csv", space), table)
    assert not np.array(empty_table(space)).any()


def test_a_table_of_another_space_is_refused(tmp_path):
    save_table(tmp_path / "t.csv", grid(2, 2), empty_table(grid(2, 2)))
    with pytest.raises(ValueError, match="has columns"):
        load_table(tmp_path / "t.csv", grid(3, 2))
    with pytest.raises(ValueError, match="does not list the points"):
        load_table(tmp_path / "t.csv", grid(2, 3))


def test_saved_games_are_read_back(tmp_path):
    games = np.array([[1, 0], [-1, 1], [0, 0], [-1, -1]])
    save_games(tmp_path / "g.csv", grid(2, 2), games)
    assert "WD" in (tmp_path / "g.csv").read_text()
    np.testing.assert_array_equal(load_games(tmp_path / "g.csv", grid(2, 2)), games)
    with pytest.raises(ValueError, match="does not list the points"):
        load_games(tmp_path / "g.csv", grid(2, 3))


@pytest.mark.slow
def test_the_stored_battles_are_those_that_the_script_plays():
    stored = load_games(DATA / "space_battle.csv", FEW_RULES)
    assert stored.shape == (32, 400)
    np.testing.assert_array_equal(stored[:, :3], few_rules(3))


GOOD = "x0,x1,wins,draws,losses\n0,0,1,2,3\n0,1,4,5,6\n1,0,7,8,9\n1,1,0,0,0\n"
GAMES = "x0,x1,results\n0,0,WD\n0,1,LL\n1,0,DD\n1,1,WL\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has columns none"),
        (GOOD[:-6], r"row 5: 5 cells, got \['1', '1', ''\]"),
        (GOOD.replace("2,3", "2"), r"row 2: 5 cells, got \['0', '0', '1', '2'\]"),
        (GOOD.replace("5,6", "5,-6"), "point 2: a count of games is not '-6'"),
        (GOOD.replace("5,6", "5,6.5"), "point 2: a count of games is not '6.5'"),
        (GOOD.replace("5,6", "5," + "9" * 30), "point 2: a count of games is not '9{30}'"),
        (GOOD.replace("0,1,4", "0,2,4"), "does not list the points"),
        (GOOD + "1,1,0,0,0\n", "does not list the points"),
        (GOOD.replace("4", '"4'), "is not a CSV file"),
        (GOOD.replace("4", "\udcff"), "is not a CSV file in UTF-8"),
    ],
)
def test_a_damaged_table_is_refused_with_its_place(tmp_path, text, message):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ValueError, match=rf"t\.csv.*({message})"):
        load_table(path, grid(2, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GAMES.replace("LL", "LX"), "point 2: results are 2 letters W, D or L, got 'LX'"),
        (GAMES.replace("LL", "L"), "point 2: results are 2 letters W, D or L, got 'L'"),
        ("x0,x1,results\n", "does not list the points"),
    ],
)
def test_damaged_games_are_refused_with_their_place(tmp_path, text, message):
    (tmp_path / "g.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_games(tmp_path / "g.csv", grid(2, 2))


@pytest.mark.parametrize(
    "games", [[[2]] * 4, [[0.5]] * 4, [[1]] * 3, [1] * 4, [[True]] * 4, [["W"]] * 4, None]
)
def test_games_that_could_not_be_read_back_are_not_saved(tmp_path, games):
    with pytest.raises((ValueError, TypeError), match="games must"):
        save_games(tmp_path / "g.csv", grid(2, 2), games)
    assert not list(tmp_path.iterdir())


def test_results_may_be_whole_floats(tmp_path):
    save_games(tmp_path / "g.csv", grid(2, 2), [[1.0, -1.0]] * 4)
    assert load_games(tmp_path / "g.csv", grid(2, 2)).tolist() == [[1, -1]] * 4


def test_a_table_without_games_has_no_mean():
    table = empty_table(grid(2, 2))
    assert np.isnan(table.mean).all()
    assert np.isnan(table.standard_error).all()


def test_large_ships_win_more_if_slow_and_small_ones_if_fast():
    """What the chapter says of the 32 sets of rules."""
    few = FEW_RULES
    means = load_games(DATA / "space_battle.csv", few).mean(axis=1).reshape(few.n_values)
    assert (few.names[0], few.names[4]) == ("ship_max_speed", "ship_radius")
    (slow_small, slow_large), (fast_small, fast_large) = means.mean(axis=(1, 2, 3))
    assert slow_large > slow_small + 0.3
    assert fast_small > fast_large
