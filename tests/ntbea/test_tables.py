import numpy as np
import pytest

from gameai_book.ntbea.measure.tables import few_rules, save, save_games
from gameai_book.ntbea.results.tables import COUNTS, DATA, load_games, load_table
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space_battle import FEW_RULES


def test_a_saved_table_is_read_back(tmp_path):
    path, counts = tmp_path / "t.csv", np.arange(12).reshape(3, 4)
    save(path, grid(2, 2), COUNTS, counts.T.tolist())
    np.testing.assert_array_equal(load_table(path, grid(2, 2)), counts)
    with pytest.raises(ValueError, match="has columns"):
        load_table(path, grid(3, 2))
    with pytest.raises(ValueError, match="does not list the points"):
        load_table(path, grid(2, 3))


def test_saved_games_are_read_back(tmp_path):
    games = np.array([[1, 0], [-1, 1], [0, 0], [-1, -1]])
    save_games(tmp_path / "g.csv", grid(2, 2), games)
    np.testing.assert_array_equal(load_games(tmp_path / "g.csv", grid(2, 2)), games)


@pytest.mark.slow
def test_the_stored_battles_are_those_that_the_script_plays():
    stored = load_games(DATA / "space_battle.csv", FEW_RULES)
    assert stored.shape == (32, 400)
    np.testing.assert_array_equal(stored[:, :3], few_rules(3))
