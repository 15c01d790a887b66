"""What the stored tables say, and a part of that of all Othello games measured again."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from gameai_book.btmm.measure import scale
from gameai_book.btmm.results import tables
from gameai_lib.btmm.model.fit import fit

API = Path(__file__).parents[2] / "book" / "api.md"


@pytest.mark.parametrize(
    ("games", "n_positions", "shown"),
    [("test", 16_406, {5: (4.4, 7.5), 9: (71, 43)}), ("training", 16_624, {9: (70, 47)})],
)
def test_the_chances_of_real_games(games, n_positions, shown):
    """What the workshop quotes; what is expected in all is what was played."""
    found = tables.calibrations(tables.read_table("calibration"))[games]
    for shares in (found.predicted, found.observed):
        assert found.n_teams @ shares == pytest.approx(n_positions, rel=5e-3)
    for k, both in shown.items():
        said = [f"{100 * share[k]:.2g}" for share in (found.predicted, found.observed)]
        assert said == [f"{share:g}" for share in both]


def test_with_a_prior_ten_sweeps_predict_other_games_as_well_as_twenty():
    shown = {"game": "connect6", "edge": "empty", "prior": 1.0}
    rows = [row for row in tables.read_table("curves") if shown.items() <= row.items()]
    ten, twenty = ([row["test"] for row in rows if row["sweep"] == n] for n in (10, 20))
    assert len(twenty) == 12
    np.testing.assert_allclose(ten, twenty, atol=0.005)


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
