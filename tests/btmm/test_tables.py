"""What the stored tables and strengths say."""

import pytest

from gameai_book.btmm.results import tables


def test_the_chances_of_real_games():
    """The table says how the weights fare in each bin; what is expected is what was played."""
    found = tables.calibrations(tables.read_table("calibration"))
    for name, n_positions in ("test", 16_406), ("training", 16_624):
        n_teams = found[name].n_teams
        assert n_teams @ found[name].predicted == pytest.approx(n_positions, rel=5e-3)
        assert n_teams @ found[name].observed == pytest.approx(n_positions, rel=5e-3)
    for name, k, given, played in (
        ("test", 5, 4.4, 7.5),
        ("test", 9, 71, 43),
        ("training", 9, 70, 47),
    ):
        assert f"{100 * found[name].predicted[k]:.2g}" == f"{given:g}"
        assert f"{100 * found[name].observed[k]:.2g}" == f"{played:g}"


def test_with_a_prior_ten_sweeps_predict_other_games_as_well_as_twenty():
    rows = tables.read_table("curves")
    shown = {"game": "connect6", "edge": "empty", "prior": 1.0}
    at = {10: {}, 20: {}}
    for row in rows:
        if shown.items() <= row.items() and row["sweep"] in at:
            at[row["sweep"]][row["features"], row["n_games"]] = row["test"]
    assert len(at[20]) == 12
    assert all(abs(at[10][which] - value) < 0.005 for which, value in at[20].items())


def test_what_the_tables_do_not_have_is_named():
    rows = tables.read_table("results")
    assert tables.n_games([row for row in rows if row["n_games"] == 7082]) == 7082
    with pytest.raises(ValueError, match="too many values"):
        tables.n_games(rows)
    with pytest.raises(ValueError, match="the table has no part 'speed'"):
        tables.rows_of("speed")
