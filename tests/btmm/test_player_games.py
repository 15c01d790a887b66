"""Games as people have them: names, weights, data frames, results in words."""

import numpy as np
import pytest

from gameai_lib.btmm import CompetitionError, NoMaximumError, rate
from gameai_lib.btmm.model.elo import ELO_PER_NAT

ROUND = [("A", "B", 1), ("C", "D", 1), ("B", "A", 1), ("D", "C", 1), ("A", "C", 1), ("C", "A", 1)]


@pytest.mark.parametrize("home", [False, True])
def test_a_game_of_weight_0_names_its_players_and_says_nothing(home):
    options = {"prior": 1.0, "home_advantage": home}
    got = rate(ROUND, weight=[0, 1, 1, 2, 1, 1], **options)
    assert got.names == rate(ROUND, **options).names == ("A", "B", "C", "D")
    wanted = rate([*ROUND[1:], ROUND[3]], **options)
    order = [wanted.names.index(name) for name in got.names]
    np.testing.assert_allclose(got.log_gamma, wanted.log_gamma[order], atol=1e-12)
    np.testing.assert_allclose(got.standard_error, wanted.standard_error[order], rtol=1e-9)
    assert got.scores[0].tolist() == [1, 0, 2]


def test_a_player_whose_games_do_not_count_stands_where_the_prior_puts_him():
    from scipy.optimize import brentq

    games, weight = [*ROUND, ("E", "A", 0.5)], [1] * 6 + [0]
    got, others = rate(games, weight=weight, prior=1.5), rate(ROUND, prior=1.5)
    assert got.names == ("A", "B", "C", "D", "E")
    assert got.scores[4].tolist() == [0, 0, 0]
    assert got.tie == 0  # the draw does not count
    # The others' mean is where it pleases the prior, who is at 0 there; so is E.
    theta = others.log_gamma
    mean = brentq(lambda shift: np.tanh((theta + shift) / 2).sum(), -9, 9)
    theta = np.append(theta + mean, 0.0)
    np.testing.assert_allclose(got.log_gamma, theta - theta.mean(), atol=1e-9)
    own = ELO_PER_NAT * np.sqrt(1 / (2 * 1.5 / 4))
    assert got.difference("E", "A").error > own
    assert rate(ROUND, prior=1.5).standard_error[0] < got.standard_error[4] < own
    with pytest.raises(NoMaximumError, match=r"no game of \['E'\] counts: .*; give a prior"):
        rate(games, weight=weight)
    pairs = [(("A", "B"), ("C", "D"), 1), (("C", "B"), ("A", "D"), 1), (("E", "A"), ("B", "C"), 1)]
    with pytest.raises(NoMaximumError, match=r"no game of \['E'\] counts"):
        rate(pairs, weight=[1, 1, 0])


def test_a_game_of_weight_0_is_looked_at_all_the_same():
    with pytest.raises(CompetitionError, match="game 7: 'A' meets himself"):
        rate([*ROUND, ("A", "A", 1)], weight=[1] * 6 + [0])
    # Sides of different size fix where 0 is; here no such game counts.
    uneven = [*ROUND, (("A", "B"), "C", 1)]
    assert rate(uneven, weight=[1] * 6 + [0], prior=1.0).log_gamma.sum() == pytest.approx(0)
