"""Results with a standard deviation: what is noisier counts less, in means and in the process."""

import numpy as np
import pytest

from gameai_lib.ntbea import LandscapeModel, Tuner, TupleRegression, tune
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.search.process import TupleProcess

SPACE = grid(3, 3)


def games(n_points=12, seed=1):
    """Points, each with 1 to 9 results of noise 2, and the means of these with their errors."""
    rng = np.random.default_rng(seed)
    points = SPACE.all_points()[rng.permutation(27)[:n_points]]
    k = rng.integers(1, 10, n_points)
    single = np.repeat(points, k, axis=0)
    results = single.sum(axis=1) + 2 * rng.normal(size=len(single))
    means = np.add.reduceat(results, np.cumsum(k) - k) / k
    return (single, results, np.full(len(single), 2.0)), (points, means, 2 / np.sqrt(k))


def test_the_mean_of_k_games_counts_as_these_k_games():
    (points, results, std), (distinct, means, errors) = games()
    one = TupleProcess(SPACE, points, results, std=std)
    other = TupleProcess(SPACE, distinct, means, std=errors)
    for point in SPACE.all_points():
        np.testing.assert_allclose(one.expected(point), other.expected(point), rtol=1e-6)
    models = [LandscapeModel(SPACE, (1, 2)) for _ in range(2)]
    for model, rows in zip(models, games(), strict=True):
        for point, fitness, deviation in zip(*rows, strict=True):
            model.add(point, fitness, deviation)
    every = SPACE.all_points()
    np.testing.assert_allclose(*(model.mean(every) for model in models))
    np.testing.assert_allclose(*(model.arms((0, 1)).mean for model in models))
    fits = [TupleRegression(model) for model in models]
    np.testing.assert_allclose(*(fit._unit * fit._fitness for fit in fits))
    ratio = fits[0].n / fits[1].n  # the same but for the unit, that of the first told
    np.testing.assert_allclose(ratio, ratio[0])


def test_the_posterior_is_that_of_gaussian_noise_of_the_told_size():
    """Solved here as Rasmussen and Williams (2006, eq. 2.25), with a noise for each result."""
    points, fitness, std = SPACE.all_points()[:8], np.arange(8.0), np.linspace(0.5, 4, 8)
    process = TupleProcess(SPACE, points, fitness, std=std)
    centre = np.average(fitness, weights=std**-2)
    scale = np.average((fitness - centre) ** 2, weights=std**-2) ** 0.5
    known = process._covariance()[0] - np.diag(1 / process._n)
    solved = np.linalg.solve(known + np.diag((std / scale) ** 2), (fitness - centre) / scale)
    for row, point in enumerate(points):
        expected = centre + scale * known[row] @ solved
        assert process.expected(point)[0] == pytest.approx(expected)


def test_a_told_deviation_outweighs_a_lucky_game():
    tuner = Tuner({"x": (0, 1), "y": (0, 1)}, 1)
    for _ in range(3):
        for (x, y), mean in {(0, 0): 1.0, (0, 1): 0.0, (1, 0): 0.2}.items():
            tuner.tell({"x": x, "y": y}, mean, 0.1)
    tuner.tell({"x": 1, "y": 1}, 5.0, 50.0)
    assert tuner.best().values == {"x": 0, "y": 0}
    other = Tuner({"x": (0, 1), "y": (0, 1)}, 1)
    for point, fitness in zip(tuner.model.points, tuner.model.fitness, strict=True):
        other.tell_point(point, fitness)
    assert other.best().values == {"x": 1, "y": 1}


@pytest.mark.parametrize("rule", ["thompson", "ntbea"])
def test_deviations_are_saved_and_a_pair_is_what_tell_gets(rule, tmp_path):
    def play(point, rng):
        return point.sum() + rng.normal(), 0.5 + point[0]

    tuned = tune(play, SPACE, 30, np.random.default_rng(2), rule=rule)
    tuner = Tuner(SPACE, np.random.default_rng(2), rule=rule)
    for _ in range(30):
        point = tuner.ask_point()
        tuner.tell_point(point, *play(point, tuner.rng))
    np.testing.assert_array_equal(tuned.model.points, tuner.model.points)
    np.testing.assert_array_equal(tuned.model.std, 0.5 + tuner.model.points[:, 0])
    tuner.save(tmp_path / "tuner")
    again = Tuner.load(tmp_path / "tuner")
    np.testing.assert_array_equal(again.model.std, tuner.model.std)
    np.testing.assert_array_equal(again.ask_point(), tuner.ask_point())
