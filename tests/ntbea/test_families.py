"""Every landscape of a family is listed, and its best, worst and mean are those that it says."""

from types import SimpleNamespace

import numpy as np
import pytest

from gameai_book.ntbea.measure.families import ASIDE, DRAWN, FAMILIES
from gameai_book.ntbea.measure.three import dials_that_matter, halving
from gameai_book.ntbea.results import contest

LARGE = "Dials", "Few dials"


def test_families_are_those_of_the_stored_contest():
    assert tuple(FAMILIES) == contest.FAMILIES


@pytest.mark.parametrize("family", [name for name in DRAWN if name not in LARGE])
def test_best_worst_and_mean_are_those_of_all_points(family):
    for seed in range(3):
        instance = DRAWN[family](np.random.default_rng(seed))
        problem, points = instance.problem, instance.problem.space.all_points()
        values = problem.true_values(points)
        ends = (0.1, 0.9) if problem.outcomes else (0.0, 1.0)
        np.testing.assert_allclose((values.min(), values.max()), ends, atol=1e-12)
        assert (problem.best, instance.mean) == pytest.approx((values.max(), values.mean()))
        ends = [instance.share(points[at]) for at in (values.argmax(), values.argmin())]
        scale = values.max() - values.mean()
        assert ends == pytest.approx([1, (values.min() - values.mean()) / scale])


def test_three_dials_of_six_matter_and_the_noise_is_as_large_as_their_spread():
    problem, mean = ASIDE["Three of six"](np.random.default_rng(4))
    values = problem.true_values(problem.space.all_points())
    assert (values.min(), values.max(), values.mean()) == pytest.approx((0, 1, mean))
    assert problem.sigma == pytest.approx(values.std())
    assert len(dials_that_matter(problem)) == 3
    played = []

    def play(point, rng):  # without noise
        played.append(point)
        return problem.true_value(point)

    calm = SimpleNamespace(space=problem.space, evaluate=play)
    best = halving(calm, 100, np.random.default_rng(1))
    assert len(played) == 100
    first = problem.space.random_points(70, np.random.default_rng(1))
    assert problem.true_value(best) == problem.true_values(first).max()


@pytest.mark.parametrize("family", LARGE)
def test_best_and_mean_of_the_large_ones_are_found_dial_by_dial(family):
    """A climb by pairs of dials ends at the best of a sum over single dials and one pair."""
    problem, mean = DRAWN[family](np.random.default_rng(5))
    space, rng = problem.space, np.random.default_rng(1)
    values = problem.true_values(space.random_points(20_000, rng))
    assert values.mean() == pytest.approx(mean, abs=4 * values.std() / 20_000**0.5)
    point = space.random_points(1, rng)[0]
    for _ in range(2):
        for i in range(20):
            for j in range(i):
                around = np.repeat(point[None], 25, axis=0)
                around[:, i], around[:, j] = np.divmod(np.arange(25), 5)
                point = around[problem.true_values(around).argmax()]
    assert problem.true_value(point) == pytest.approx(problem.best)


def values_of(family):
    problem, _ = DRAWN[family](np.random.default_rng(3))
    return problem.true_values(problem.space.all_points()).reshape(problem.space.n_values)


def means_of(values, dim):
    """Mean of each value of one dial."""
    return np.moveaxis(values, dim, 0).reshape(values.shape[dim], -1).mean(axis=1)


def test_what_is_called_a_chain_a_trap_or_a_corner_is_one():
    chain = values_of("Chain")
    for dim in range(6):  # no single dial matters
        means = means_of(chain, dim)
        np.testing.assert_allclose(means, means[0])
    traps = values_of("Traps")
    best = np.unravel_index(traps.argmax(), traps.shape)
    for dim in range(10):  # every switch alone leads away from the best
        means = means_of(traps, dim)
        assert means[best[dim]] < means[1 - best[dim]]
    corner = values_of("Corner")
    worst = np.unravel_index(corner.argmin(), corner.shape)
    assert all(means_of(corner, dim).argmax() == worst[dim] for dim in range(5))
