"""Circles of results: by hand, planted, and a uniform p-value where there are none."""

import numpy as np
import pytest

from gameai_lib.btmm import find_cycles, rate


def test_three_players_by_hand():
    # A, B and C have won half of ten games each: all expected points are 5, variances 10 / 4.
    games = [("A", "B", 1)] * 8 + [("A", "B", 0)] * 2 + [("C", "B", 0)] * 8 + [("B", "C", 0)] * 2
    games += [("C", "A", 1)] * 8 + [("A", "C", 1)] * 2
    found = find_cycles(rate(games), 99, 1)
    assert found.statistic == pytest.approx(3 * 3**2 / 2.5)
    [triangle] = found.triangles
    assert triangle == (("A", "B", "C"), pytest.approx(9), pytest.approx(9 / np.sqrt(7.5)))
    kinds = sorted(set(games))
    weighted = rate(kinds, weight=[games.count(game) for game in kinds])
    assert find_cycles(weighted, 9, 1).statistic == pytest.approx(found.statistic)
    assert found.p_value == (1 + (found.simulated >= found.statistic).sum()) / 100 < 0.05


def season(rng, theta, n, extra=(), tie=-np.inf):
    """Games of a round robin in which some pairs have more strength than theta says."""
    games = []
    for i, j in np.argwhere(~np.eye(theta.size, dtype=bool)):
        d = theta[i] - theta[j] + dict(extra).get((i, j), 0.0) - dict(extra).get((j, i), 0.0)
        weight = np.exp([d / 2, tie, -d / 2])
        results = rng.choice([1, 0.5, 0], n, p=weight / weight.sum())
        games += [(int(i), int(j), float(r)) for r in results]
    return games


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_a_planted_triangle_is_found_and_named(ties):
    rng, theta = np.random.default_rng(2), np.linspace(1, -1, 6)
    planted = {(1, 3): 1.5, (3, 4): 1.5, (4, 1): 1.5}
    games = season(rng, theta, 15, planted.items(), tie=-0.5)
    found = find_cycles(rate(games, ties=ties, home_advantage=True), 99, rng)
    best = found.triangles[0].players
    start = best.index(1)
    assert (best[start:] + best[:start]) == (1, 3, 4)
    assert found.p_value == 0.01


def test_without_circles_all_p_values_are_as_likely():
    rng, theta = np.random.default_rng(3), np.array([0.8, 0.3, 0.0, -0.4, -0.7])
    values = [
        find_cycles(rate(season(rng, theta, 4, tie=-1.0), prior=0.01), 19, rng).p_value
        for _ in range(100)
    ]
    counts, _ = np.histogram(values, np.linspace(0.025, 1.025, 6))
    assert ((counts - 20) ** 2 / 20).sum() < 13.3  # of chi squared with 4, 1 in 100 is above
    found = find_cycles(rate(season(rng, 0 * theta, 4)), 1, rng)
    assert len(found.triangles) == 10  # one way round each


def test_the_door():
    teams = rate([(("A", "B"), ("C", "D"), 1)], prior=1)
    with pytest.raises(ValueError, match="one against one"):
        find_cycles(teams, 9, 1)
    with pytest.raises(ValueError, match=r"one counts 0\.5"):
        find_cycles(rate([("A", "B", 1)], weight=[0.5], prior=1), 9, 1)
