"""Cells keep what runs found, and tell who is best."""

import numpy as np
import pytest

from gameai_book.ntbea.contest.runs import (
    EMPTY,
    Cell,
    ahead,
    is_close,
    leaders,
    search_once,
)
from gameai_book.ntbea.contest.settings import SETTINGS, label
from gameai_lib.ntbea.game.problems import hartmann


def cell_of(values):
    cell = EMPTY
    for value in values:
        cell = cell.with_run(value)
    return cell


def test_a_cell_keeps_mean_and_error():
    cell = cell_of([1.0, 2.0, 4.0])
    assert cell.runs == 3
    assert cell.mean == pytest.approx(7 / 3)
    assert cell.standard_error == pytest.approx(np.std([1, 2, 4], ddof=1) / np.sqrt(3))
    assert np.isnan(EMPTY.mean)
    assert np.isnan(cell_of([1.0]).standard_error)


def test_leaders_and_the_best_rival():
    cells = {"a": Cell(2, 2.0, 2.0), "b": Cell(2, 1.0, 0.5), "c": Cell(4, 4.0, 4.0)}
    assert leaders(cells) == ["a", "c"]
    assert leaders(cells | {"d": Cell(1, 3.0, 9.0)}) == ["d"]
    # Means and errors 0.1 ± 0.2, -0.05 ± 0.15, 0.6 ± 0.1.
    a, b, c = cell_of([0.3, -0.1]), cell_of([-0.2, 0.1]), cell_of([0.5, 0.7])
    cells = {("p", 50, "a"): a, ("p", 50, "b"): b, ("p", 100, "b"): c}
    assert ahead(cells, "p", 50, ["b", "a", "c"]) == ("a", a)
    assert ahead(cells, "p", 100, ["a", "b"])[0] == "b"
    assert [is_close(difference) for difference in (a, b, c)] == [True, True, False]


def test_a_value_of_a_setting_is_what_a_search_is_told():
    assert label("p", 0.4) == "p: 0.4"
    for values in SETTINGS.values():
        for options in values.values():
            assert search_once(hartmann(), 2, 1, **options).n_evaluations == 2
