"""What the stored tables and strengths say."""

import numpy as np
import pytest

from gameai_book.btmm.results import tables


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
