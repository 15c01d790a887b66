"""The table of all Othello games: what it says, and a part of it measured again."""

import os
import re
from pathlib import Path

import pytest

from gameai_book.btmm.measure import scale
from gameai_book.btmm.results import tables
from gameai_lib.btmm.model.fit import fit

API = Path(__file__).parents[2] / "book" / "api.md"


def by_case(part, n_games):
    return {row["case"]: row for row in tables.rows_of(part) if row["n_games"] == n_games}


def test_all_games_stay_below_half_a_gigabyte():
    rows = by_case("memory", 106_032)
    assert rows["replayed and encoded"]["files"] > 1500  # MiB that are not in memory
    assert rows["fitted"]["MiB"] < 500


def test_two_workers_pay_from_the_sizes_that_the_reference_names():
    text = API.read_text(encoding="utf-8")
    named = [int(n.replace(",", "")) for n in re.findall(r"from ([\d,]+) games on", text)]
    for n_games in {row["n_games"] for row in tables.rows_of("workers")}:
        rows = by_case("workers", n_games)
        assert all(row["off"] == 0 for row in rows.values())  # to the last bit
        for case, least in zip(("two processes", "Dask"), named, strict=True):
            assert (rows[case]["times one"] >= 1.6) == (n_games >= least)


def test_the_learned_prior_is_as_good_as_the_best_of_a_grid():
    for row in tables.rows_of("prior"):
        if row["case"] == "learned":
            assert row["above v = 1"] > 5 * row["above v = 1 error"]
            assert abs(row["above best of grid"]) < row["test error"] / 4


def test_the_network_is_far_ahead_of_5000_games_and_level_of_500():
    for n_games, least, most in ((500, 0.001, 0.006), (5000, 0.11, 0.13)):
        rows = by_case("network", n_games)
        assert least < rows["network"]["above this model"] < most
    everything = by_case("memory", 106_032)["fitted"]
    assert rows["network"]["test"] > everything["test"] + 0.05


@pytest.mark.slow
@pytest.mark.skipif("GAMEAI_DATA" not in os.environ, reason="needs game records (GAMEAI_DATA)")
def test_the_learned_prior_of_500_games_is_that_of_the_table():
    wanted = {"features": "+ lines 9", "case": "learned"}
    [row] = [row for row in tables.rows_of("prior") if wanted.items() <= row.items()]
    training, test = scale.game_records()
    features = scale.feature_set("+ lines 9")
    data, _ = scale.choices(scale.evenly(training, row["n_games"]), features)
    got = fit(data, prior="learned", tol=1e-8)
    assert got.prior == pytest.approx(row["v"], rel=0.01)
    some = scale.grade_fit(scale.evenly(test, 500), features, got)
    mean, error = scale.grades(some)["test"]
    assert mean == pytest.approx(row["test"], abs=4 * error)
    assert error == pytest.approx(row["test error"] * (test.n_games / 500) ** 0.5, rel=0.2)
