"""Adapt and the probabilities of moves, against steps worked by hand."""

import numpy as np
import pytest

from gameai_book.nrpa.printed.program import Faults, faulty_adapt
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


def test_adapt_with_half_the_step():
    np.testing.assert_allclose(
        adapt(np.zeros(3), *GAME, alpha=0.5), [-1 / 6, 1 / 3, -1 / 6], atol=1e-12
    )


def test_last_normaliser_makes_the_probability_swing():
    policy, seen = np.zeros(3), []
    for _ in range(3):
        policy = faulty_adapt(policy, *GAME, faults=Faults(last_normaliser=True))
        seen.append(move_probabilities(policy, [0, 1, 2])[1])
    np.testing.assert_allclose(seen, [0.576117, 0.398570, 0.565414], atol=5e-7)


def test_adapt_reads_the_old_policy_when_a_code_comes_twice():
    adapted = adapt(np.zeros(2), [[0, 1], [0, 1]], [0, 0])
    np.testing.assert_allclose(adapted, [1.0, -1.0], atol=1e-12)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"alpha": -1.0}, ValueError, "alpha must be more than 0 and at most 1e\\+100, got -1.0"),
        ({"alpha": "1"}, TypeError, "alpha must be a number, got '1'"),
        ({"clip": 301}, ValueError, "clip must be more than 0 and at most 300, got 301"),
        ({"choices": [2]}, ValueError, "choice 2 of 2"),
        ({"choices": [-1]}, ValueError, "choice -1 of 2"),
        ({"choices": [0.5]}, ValueError, "choices must be whole numbers, got 0.5"),
        ({"choices": [True]}, TypeError, r"choices must be an array of numbers, got \[True\]"),
        ({"choices": [0, 0]}, ValueError, "2 choices for 1 plies"),
        ({"legal": [[0, 3]]}, ValueError, r"legal\[0\] must be from 0 to 2, got 3"),
        ({"legal": [[0, -1]]}, ValueError, r"legal\[0\] must be from 0 to 2, got -1"),
        ({"legal": [[0, 1.5]]}, ValueError, r"legal\[0\] must be whole numbers, got 1.5"),
        ({"legal": [[]]}, ValueError, "choice 0 of 0"),
        ({"legal": 5}, TypeError, "legal must be a list, got 5"),
        ({"policy": [0.0, np.nan, 0.0]}, ValueError, "policy must be within ±300, got nan"),
        ({"policy": [0.0, 1e4, 0.0]}, ValueError, "policy must be within ±300, got 10000"),
        ({"policy": np.zeros((2, 3))}, ValueError, "policy must have 1 dimension, got 2"),
    ],
)
def test_adapt_refuses(change, error, message):
    good = {"policy": np.zeros(3), "legal": [[0, 1]], "choices": [0]}
    with pytest.raises(error, match=message):
        adapt(**good | change)


def test_adapt_to_a_game_without_moves():
    np.testing.assert_array_equal(adapt([1.0, 2.0], [], []), [1.0, 2.0])


@pytest.mark.parametrize(
    ("policy", "codes", "error", "message"),
    [
        ([0.0, 1.0], [2], ValueError, "codes must be from 0 to 1, got 2"),
        ([0.0, 1.0], [-1], ValueError, "codes must be from 0 to 1, got -1"),
        ([0.0, 1.0], [0.5], ValueError, "codes must be whole numbers, got 0.5"),
        ([0.0, 1.0], [], ValueError, r"there must be a move, got codes \[\]"),
        ([], None, ValueError, "there must be a move"),
        ([0.0, np.inf], None, ValueError, "policy must be finite, got inf"),
        ([[0.0, 1.0]], None, ValueError, "policy must have 1 dimension, got 2"),
        (["a"], None, TypeError, "policy must be an array of numbers"),
    ],
)
def test_move_probabilities_refuse(policy, codes, error, message):
    with pytest.raises(error, match=message):
        move_probabilities(policy, codes)


def test_move_probabilities_of_extreme_weights():
    np.testing.assert_array_equal(move_probabilities([-1e308, 1e308]), [0.0, 1.0])
