"""Elo and chances by hand."""

import numpy as np
import pytest

from gameai_lib.btmm.model import elo


def test_elo_by_hand():
    np.testing.assert_allclose(
        elo.elo_from_gamma([1, 2, 3]), [0, 120.411998, 190.848502], atol=1e-6
    )
    assert elo.gamma_from_elo(80) == pytest.approx(1.584893, abs=1e-6)
    assert elo.win_probability(elo.gamma_from_elo(80), 1) == pytest.approx(0.613137, abs=1e-6)
    assert pytest.approx(173.7178, abs=1e-4) == elo.ELO_PER_NAT
    np.testing.assert_allclose(elo.gamma_from_elo(elo.elo_from_gamma([0.3, 7])), [0.3, 7])
    with pytest.raises(ValueError, match="gamma must be positive, got 0"):
        elo.elo_from_gamma([1.0, 0.0])


def test_chances_by_hand():
    assert elo.win_probability(3, 1) == 0.75
    assert elo.win_probability(2, [1, 3]) == pytest.approx(1 / 3)
    teams = [[0, 1, 2], [3, 1], [0, 4, 5, 6]]
    assert elo.team_win_probability(teams, np.arange(1.0, 8.0)) == pytest.approx(6 / 224)
    with pytest.raises(ValueError, match="strengths must be positive"):
        elo.win_probability(1, [0, 1])
