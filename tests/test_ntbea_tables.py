import numpy as np
import pytest

from benchmarks.ntbea_tables import few_rules
from gameai_lib.ntbea.problems import grid
from gameai_lib.ntbea.space_battle import FEW_RULES
from gameai_lib.ntbea.tables import (
    DATA,
    ResultTable,
    empty_table,
    load_games,
    load_table,
    save_games,
    save_table,
)


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


def test_the_stored_battles_are_those_that_the_script_plays():
    stored = load_games(DATA / "space_battle.csv", FEW_RULES)
    assert stored.shape == (32, 400)
    np.testing.assert_array_equal(stored[:, :3], few_rules(3))
