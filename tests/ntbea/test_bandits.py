import math
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.bandits import chance_to_pick_better, pull_arms
from gameai_lib.ntbea import LandscapeModel
from gameai_lib.ntbea.game.problems import grid


def won(arm, rng):
    return float(rng.random() < (0.2, 0.5, 0.8)[arm])


def test_bonus_and_mean_are_those_of_a_model_of_one_dimension():
    model = LandscapeModel(grid(1, 3), (1,))
    for pull in islice(pull_arms(won, 3, 0.7, np.random.default_rng(1)), 40):
        points = model.space.all_points()
        np.testing.assert_allclose(pull.mean, model.mean(points))
        np.testing.assert_allclose(pull.mean + pull.bonus, model.ucb(points, 0.7))
        assert (pull.mean + pull.bonus)[pull.arm] >= (pull.mean + pull.bonus).max() - 1e-6
        model.add([pull.arm], pull.result)


@pytest.mark.parametrize(
    ("better", "worse"), [(0.52, 0.5), (0.9, 0.05), (1.0, 0.5), (0.3, 0.0), (0.0, 0.0), (1.0, 1.0)]
)
def test_chance_by_exact_fractions(better, worse):
    n = 60

    def binomial(p):
        p = Fraction(p)
        return [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]

    first, second = binomial(better), binomial(worse)
    expected = sum(a * (sum(second[:i]) + second[i] / 2) for i, a in enumerate(first))
    assert chance_to_pick_better(better, worse, n) == pytest.approx(float(expected), abs=1e-13)


@pytest.mark.parametrize("n", [1030, 20_000])
def test_chance_after_many_games_is_that_of_a_normal_distribution(n):
    z = 0.02 * math.sqrt(n / (0.52 * 0.48 + 0.5 * 0.5))
    normal = 0.5 * (1 + math.erf(z / math.sqrt(2)))
    assert chance_to_pick_better(0.52, 0.5, n) == pytest.approx(normal, abs=1e-4)
