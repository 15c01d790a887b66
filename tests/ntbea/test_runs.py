"""Cells keep what runs found, and tell who is best."""

import itertools

import numpy as np
import pytest

from benchmarks import ntbea_ours
from benchmarks.ntbea_contest import play
from gameai_lib.ntbea.contest.runs import (
    EMPTY,
    Cell,
    contest_problems,
    is_close_to_best,
    leaders,
    play_runs,
    search_once,
)
from gameai_lib.ntbea.contest.settings import SETTINGS, label
from gameai_lib.ntbea.game.problems import hartmann, one_max
from gameai_lib.ntbea.search.recommend import best_sampled


def cell_of(values):
    cell = EMPTY
    for value in values:
        cell = cell.with_run(value)
    return cell


def test_a_cell_keeps_mean_error_and_crashes():
    cell = cell_of([1.0, None, 2.0, 4.0])
    assert (cell.runs, cell.crashes, cell.n) == (4, 1, 3)
    assert cell.mean == pytest.approx(7 / 3)
    assert cell.standard_error == pytest.approx(np.std([1, 2, 4], ddof=1) / np.sqrt(3))
    assert np.isnan(EMPTY.mean)
    assert np.isnan(cell_of([1.0]).standard_error)


def test_close_to_best_is_within_ones_own_error():
    cells = {
        ("p", 50, "best"): cell_of([1.0, 1.0]),
        ("p", 50, "near"): cell_of([0.8, 1.1]),
        ("p", 50, "far"): cell_of([0.8, 0.9]),
        ("p", 50, "NTBEA 9"): cell_of([2.0, 2.0]),
        ("p", 50, "breaks"): cell_of([3.0, None]),
        ("p", 100, "far"): cell_of([0.1, 0.2]),
    }
    keys = (("p", 50, "best"), ("p", 50, "near"), ("p", 50, "far"), ("p", 100, "far"))
    assert [is_close_to_best(cells, *key) for key in keys] == [True, True, False, True]


def test_every_entrant_of_ours_recommends_points_at_every_budget():
    problem = contest_problems()[2]
    cells = {}
    for name, entrant in ntbea_ours.ENTRANTS.items():
        play(problem, entrant, name, (20, 40), 0, cells)
    labels = {label for _, _, label in cells}
    assert set(cells) == {(problem.name, b, e) for b, e in itertools.product((20, 40), labels)}
    assert all(cell.runs == 1 and 0 <= cell.mean <= 1 for cell in cells.values())


def test_leaders_are_all_of_the_largest_mean_without_crashes():
    cells = {"a": Cell(2, 0, 2.0, 2.0), "b": Cell(2, 1, 5.0, 25.0), "c": Cell(4, 0, 4.0, 4.0)}
    assert leaders(cells) == ["a", "c"]
    assert leaders(cells | {"d": Cell(1, 0, 3.0, 9.0)}) == ["d"]
    with pytest.raises(ValueError, match="crashes"):
        leaders({"b": cells["b"]})


def test_runs_are_searches_of_their_seeds():
    problem = one_max(4)
    models = [search_once(problem, 12, [5, run], sizes=(1,)) for run in range(3)]
    assert [model.n_evaluations for model in models] == [12] * 3
    found = [problem.true_value(best_sampled(model)) for model in models]
    cell = play_runs(problem, 12, 3, 5, sizes=(1,))
    assert cell == cell_of(found)
    with pytest.raises(ValueError, match="n_runs"):
        play_runs(problem, 12, 0, 5)


def test_a_value_of_a_setting_is_what_a_search_is_told():
    assert label("p", 0.4) == "p: 0.4"
    for values in SETTINGS.values():
        for options in values.values():
            assert search_once(hartmann(), 2, 1, **options).n_evaluations == 2
