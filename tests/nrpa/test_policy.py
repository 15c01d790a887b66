"""Adapt, the probabilities of moves and the choice of one, worked by hand."""

import numpy as np
import pytest

from gameai_lib.nrpa.search.kernels import choose
from gameai_lib.nrpa.search.policy import adapt, move_probabilities

GAME = ([[0, 1, 2]], [1])  # one ply: the legal codes, the choice


def test_adapt_worked_by_hand():
    once = adapt(np.zeros(3), *GAME)
    np.testing.assert_allclose(once, [-1 / 3, 2 / 3, -1 / 3], atol=1e-12)
    np.testing.assert_allclose(
        move_probabilities(once, [0, 1, 2]),
        [0.211941557617, 0.576116884766, 0.211941557617],
        atol=1e-12,
    )
    twice = adapt(once, *GAME)
    np.testing.assert_allclose(twice[:2], [-0.545274890950, 1.090549781901], atol=1e-12)
    assert move_probabilities(twice, [0, 1, 2])[1] == pytest.approx(0.719640180968, abs=1e-12)
    thrice = adapt(twice, *GAME)
    assert move_probabilities(thrice, [0, 1, 2])[1] == pytest.approx(0.796282082885, abs=1e-12)
    assert abs(thrice.sum()) < 1e-12
    half = adapt(np.zeros(3), *GAME, alpha=0.5)
    np.testing.assert_allclose(half, [-1 / 6, 1 / 3, -1 / 6], atol=1e-12)


def test_adapt_reads_the_old_policy_when_a_code_comes_twice():
    np.testing.assert_array_equal(adapt([1.0, 2.0], [], []), [1.0, 2.0])  # no move, no change
    adapted = adapt(np.zeros(2), [[0, 1], [0, 1]], [0, 0])
    np.testing.assert_allclose(adapted, [1.0, -1.0], atol=1e-12)


def test_move_probabilities_of_extreme_weights():
    np.testing.assert_array_equal(move_probabilities([-1e308, 1e308]), [0.0, 1.0])


@pytest.mark.parametrize(
    ("u", "k"), [(0, 0), (0.16, 0), (0.17, 1), (0.49, 1), (0.51, 2), (np.nextafter(1, 0), 2)]
)
def test_choice_is_the_first_move_whose_cumulative_weight_exceeds_u(u, k):
    E = np.array([0.1, 0.2, 0.3])  # their sum is rounded: still no move beyond the last
    assert choose(E, np.arange(3), u) == k
