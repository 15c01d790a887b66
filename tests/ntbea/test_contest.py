"""Stored results of the contest are read back, complete, and say what the chapter says."""

import itertools

import numpy as np
import pytest

from benchmarks import ntbea_ours
from benchmarks.ntbea_contest import play
from gameai_lib.ntbea.contest.runs import (
    Cell,
    best_other,
    contest_problems,
    is_close_to_best,
    play_runs,
)
from gameai_lib.ntbea.contest.settings import BUDGET, SETTINGS
from gameai_lib.ntbea.contest.whys import LOOKS, SPENT, TUPLES, WAYS, mean_of
from gameai_lib.ntbea.results.contest import (
    HEADER,
    load_contest,
    load_settings,
    problems_of_parts,
    problems_of_settings,
    problems_of_ways,
    save_contest,
)
from gameai_lib.ntbea.results.tables import planet_wars_table


def test_cells_are_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr("gameai_lib.ntbea.results.contest.DATA", tmp_path)
    cells = {("a, b", 50, "x, y"): Cell(3, 1, 0.75, 0.3125), ("c", 100, "z"): Cell(1, 0, 1.0, 1.0)}
    save_contest("test", cells, tmp_path)
    assert load_contest("test", "missing") == cells
    assert [p.name for p in tmp_path.iterdir()] == ["contest_test.csv"]


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


def test_stored_settings_are_complete():
    turned = load_settings()
    assert [len(by_setting) for by_setting in turned.values()] == [len(SETTINGS)] * 3
    for by_setting in turned.values():
        assert {cell.runs for cells in by_setting.values() for cell in cells} == {200}


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "value"), [("k, in ranges", 1.0), ("tuples", "d")])
def test_a_smaller_run_of_a_setting_agrees_with_the_file(setting, value):
    problem = problems_of_settings()[0]
    stored = load_settings()[problem.name][setting][list(SETTINGS[setting]).index(value)]
    fresh = play_runs(problem, BUDGET, 20, 99, **SETTINGS[setting][value])
    error = np.hypot(stored.standard_error, fresh.standard_error)
    assert fresh.mean == pytest.approx(stored.mean, abs=4 * error)
    # And the default of every setting is one and the same search.
    defaults = {"k, in ranges": 0.3, "flip_once": True, "epsilon": 0.5, "tuples": "1 2 d"}
    cells = load_settings()[problem.name]
    means = {cells[name][list(SETTINGS[name]).index(v)] for name, v in defaults.items()}
    assert len(means) == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p,50,e,3,1,2.5", "row 2: 7 cells"),
        ("p,50,e,3,4,2.5,3.5", "row 2: 4 crashes of 3 runs"),
        ("p,x,e,3,1,2.5,3.5", "row 2: 'x' is not a count"),
        ("p,50,e,3,1,nan,3.5", "row 2: a sum nan, which is not finite"),
        ("p,50,e,3,1,2.5,-1", "row 2: 1 crashes of 3 runs, sum of squares -1"),
    ],
)
def test_a_damaged_result_file_is_refused_with_its_place(tmp_path, monkeypatch, row, message):
    monkeypatch.setattr("gameai_lib.ntbea.results.contest.DATA", tmp_path)
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


def test_the_best_other_method_is_not_a_reading_of_ours_and_did_not_crash():
    cells = load_contest("ours", "peers")
    name = best_other(cells, "Five-bit traps", 100, {"random, marginals", "tune"})
    means = {
        e: c.mean
        for (p, b, e), c in cells.items()
        if (p, b) == ("Five-bit traps", 100) and not c.crashes
    }
    assert cells["Five-bit traps", 100, "PyPI ntbea"].crashes
    assert not name.startswith("NTBEA")
    assert means[name] == max(
        m
        for e, m in means.items()
        if not e.startswith("NTBEA") and e not in {"random, marginals", "tune"}
    )
    with pytest.raises(ValueError, match="Golf"):
        best_other(cells, "Golf", 100, set())


def test_plain_ntbea_has_nowhere_less_than_70_per_cent_of_the_best_other():
    cells, plain = load_contest("ours", "peers"), "NTBEA 0.3, best sampled"
    for problem, budget in {(p, b) for p, b, _ in cells}:
        other = best_other(cells, problem, budget, {"tune"})
        assert cells[problem, budget, plain].mean > 0.7 * cells[problem, budget, other].mean


def test_the_ways_to_spend_the_games_are_complete_and_say_what_the_chapter_says():
    stored, names = load_contest("ways"), [problem.name for problem in problems_of_ways()]
    assert set(stored) == set(itertools.product(names, [SPENT], WAYS))
    assert {(cell.runs, cell.crashes) for cell in stored.values()} == {(400, 0)}
    first = {name: max(WAYS, key=lambda way: stored[name, SPENT, way].mean) for name in names}
    assert "5 games" not in first.values()
    assert "4 runs" not in first.values()
    assert first["Planet Wars"] == "2 games"


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_smaller_run_of_a_way_agrees_with_the_file(way):
    problem = problems_of_ways()[4]
    points = [WAYS[way](problem, SPENT, rng=np.random.default_rng([5, r])) for r in range(30)]
    fresh, stored = mean_of([problem.true_value(p) for p in points]), load_contest("ways")
    cell = stored[problem.name, SPENT, way]
    error = np.hypot(cell.standard_error, fresh.error)
    assert fresh.mean == pytest.approx(cell.mean, abs=4 * error)


def test_the_parts_are_complete_and_say_what_the_chapter_says():
    stored = load_contest("parts")
    names = [*(f"tuples {t}" for t in TUPLES), *LOOKS]
    budgets = [(p.name, b) for p, several in problems_of_parts() for b in several]
    assert set(stored) == {(*key, name) for key in budgets for name in names}
    assert {(cell.runs, cell.crashes) for cell in stored.values()} == {(400, 0)}

    def gain(key, a, b):
        """By how many standard errors a is ahead of b."""
        a, b = stored[*key, a], stored[*key, b]
        return (a.mean - b.mean) / np.hypot(a.standard_error, b.standard_error)

    assert abs(gain(("Ships", 50), "tuples 1 2", "tuples 1")) < 1
    assert gain(("Chain", 300), "tuples 1 2", "tuples 1") > 5
    assert gain(("Chain", 300), "tuples 1 2 d", "tuples 1 2") > 3
    assert gain(("Five-bit traps", 500), "tuples 1 2", "tuples 1") > 3
    assert 1 < gain(("Five-bit traps", 500), "tuples 1 2 d", "tuples 1 2") < 3
    assert gain(("Ships", 50), "1 look", "5 looks") > 3
    assert abs(gain(("Ships", 200), "1 look", "5 looks")) < 1
    assert min(gain(key, "tuples 1", "tuples d") for key in budgets[:3]) > 2
