import itertools

import numpy as np
import pytest

from benchmarks import ntbea_ours
from benchmarks.ntbea_contest import play
from gameai_lib.ntbea.contest.dials import BUDGET, DIALS, dial_problems, load_dials
from gameai_lib.ntbea.contest.results import (
    EMPTY,
    HEADER,
    Cell,
    contest_problems,
    is_close_to_best,
    leaders,
    load_contest,
    play_runs,
    save_contest,
)
from gameai_lib.ntbea.game.problems import planet_wars_table


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


def test_cells_are_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr("gameai_lib.ntbea.contest.results.DATA", tmp_path)
    cells = {("a, b", 50, "x, y"): cell_of([0.25, 0.5, None]), ("c", 100, "z"): cell_of([1.0])}
    save_contest("test", cells, tmp_path)
    assert load_contest("test", "missing") == cells
    assert [p.name for p in tmp_path.iterdir()] == ["contest_test.csv"]


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


def test_our_fixed_setting_is_close_to_best_in_most_cells():
    """Against all rivals where they have 20 runs or more."""
    cells = load_contest("ours", "peers")
    full = [(p, b) for (p, b, e), c in cells.items() if e == "TPE, marginals" and c.runs >= 20]
    close = [is_close_to_best(cells, *key, "tune") for key in full]
    assert len(close) == 21
    assert np.mean(close) >= 0.75


@pytest.mark.slow
def test_a_small_contest_agrees_with_the_file():
    problem = contest_problems()[4]
    stored = load_contest("ours")[problem.name, 50, "tune"]
    cells = {}
    for run in range(12):
        play(problem, ntbea_ours.ENTRANTS["tune"], "fresh", (50,), run, cells)
    fresh = cells[problem.name, 50, "tune"]
    spread = stored.standard_error * np.sqrt(stored.n)
    assert abs(fresh.mean - stored.mean) < 4 * spread * np.sqrt(1 / 12 + 1 / stored.n)


def test_planet_wars_keeps_the_published_order():
    """Lucas et al. (2019, table 2): RMHC(1) < RMHC(5) < NTBEA(1) <= NTBEA with 2-tuples."""
    name = planet_wars_table().name
    cells = load_contest("planet_wars")
    mean = {e: cells[name, 288, e].mean for e in ("RMHC(1)", "RMHC(5)", "NTBEA(1)", "NTBEA(1 2)")}
    assert list(mean.values()) == sorted(mean.values())
    assert isinstance(cells[name, 288, "tune"], Cell)


def test_dials_are_complete():
    turned = load_dials()
    assert [len(by_dial) for by_dial in turned.values()] == [len(DIALS)] * 3
    for by_dial in turned.values():
        assert {cell.runs for cells in by_dial.values() for cell in cells} == {200}


@pytest.mark.slow
@pytest.mark.parametrize(("dial", "value"), [("k, in ranges", 1.0), ("tuples", "d")])
def test_a_smaller_run_of_a_dial_agrees_with_the_file(dial, value):
    problem = dial_problems()[0]
    stored = load_dials()[problem.name][dial][list(DIALS[dial]).index(value)]
    fresh = play_runs(problem, BUDGET, 20, 99, **DIALS[dial][value])
    error = np.hypot(stored.standard_error, fresh.standard_error)
    assert fresh.mean == pytest.approx(stored.mean, abs=4 * error)
    # And the default of every dial is one and the same search.
    defaults = {"k, in ranges": 0.3, "flip_once": True, "epsilon": 0.5, "tuples": "1 2 d"}
    means = {load_dials()[problem.name][d][list(DIALS[d]).index(v)] for d, v in defaults.items()}
    assert len(means) == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p,50,e,3,1,2.5", "row 2: 7 cells"),
        ("p,50,e,3,4,2.5,3.5", "row 2: 4 crashes of 3 runs"),
        ("p,x,e,3,1,2.5,3.5", "row 2: 'x' is no count"),
        ("p,50,e,3,1,nan,3.5", "row 2: a sum nan, which is not finite"),
        ("p,50,e,3,1,2.5,-1", "row 2: 1 crashes of 3 runs, sum of squares -1"),
    ],
)
def test_a_damaged_result_file_is_refused_with_its_place(tmp_path, monkeypatch, row, message):
    monkeypatch.setattr("gameai_lib.ntbea.contest.results.DATA", tmp_path)
    (tmp_path / "contest_t.csv").write_text(",".join(HEADER) + "\n" + row + "\n")
    with pytest.raises(ValueError, match=rf"contest_t\.csv, {message}"):
        load_contest("t")


def test_peers_with_a_hand_from_us_are_complete_and_do_not_crash():
    """PyPI's package fails on its own where results are only won or lost; plus one, it does not."""
    helped, peers = load_contest("helped"), load_contest("peers")
    problems = [problem.name for problem in contest_problems()]
    names = "PyPI ntbea + 1", "TPE, regression", "TPE multivariate, regression"
    assert set(helped) == set(itertools.product(problems, (50, 100), names))
    assert {(cell.runs, cell.crashes) for cell in helped.values()} == {(25, 0)}
    assert peers["OneMax, win/lose", 100, "PyPI ntbea"].crashes > 0


def test_leaders_are_all_of_the_largest_mean_without_crashes():
    cells = {"a": Cell(2, 0, 2.0, 2.0), "b": Cell(2, 1, 5.0, 25.0), "c": Cell(4, 0, 4.0, 4.0)}
    assert leaders(cells) == ["a", "c"]
    assert leaders(cells | {"d": Cell(1, 0, 3.0, 9.0)}) == ["d"]
    with pytest.raises(ValueError, match="crashes"):
        leaders({"b": cells["b"]})
