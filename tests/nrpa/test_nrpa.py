"""NRPA against an independent implementation, counts and its own laws."""

import math
import pickle
from functools import partial

import numpy as np
import pytest

from benchmarks import nrpa_plain
from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.nrpa import NRPA, bundled_tsptw, leftmove, morpion, tsptw
from gameai_lib.nrpa.search.policy import move_probabilities
from tests.nrpa.games import Walk


@pytest.mark.parametrize(
    ("level", "n", "playouts", "adapts", "copies"),
    [(2, 5, 25, 30, 6), (3, 4, 64, 84, 21), (4, 4, 256, 340, 85)],
)
def test_counts(level, n, playouts, adapts, copies):
    search = NRPA(leftmove(4), np.random.default_rng(0), level=level, n_iterations=n)
    assert search.n_playouts_planned == playouts
    search.run()
    assert search.finished
    assert (search.n_playouts, search.n_adapts, search.n_copies) == (playouts, adapts, copies)


PROBLEMS = [morpion("5D"), tsptw(bundled_tsptw("medium")), leftmove(12)]
each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)


@each_problem
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("level", "n", "alpha", "p", "repeats", "clip"),
    [
        (1, 6, 1.0, 1, 0, math.inf),
        (2, 5, 0.7, 1, 0, math.inf),
        (3, 3, 1.0, 1, 0, math.inf),
        (2, 6, 1.0, 3, 0, math.inf),
        (2, 6, 1.0, 1, 2, math.inf),
        (2, 6, 1.0, 1, 0, 0.4),
        (2, 6, 1.0, 2, 3, 1.5),
    ],
    ids=["level 1", "level 2", "level 3", "stabilised", "limited", "clipped", "all"],
)
def test_same_game_as_the_plain_recursion(problem, seed, level, n, alpha, p, repeats, clip):
    rng, again = (np.random.default_rng(seed) for _ in range(2))
    variant = {"alpha": alpha, "p": p, "repeats": repeats, "clip": clip}
    score, sequence = nrpa_plain.nrpa(lambda: Walk(problem), level, n, rng, **variant)
    search = NRPA(
        problem, again, level=level, n_iterations=n, alpha=alpha, n_playouts_per_adapt=p,
        max_repeats=repeats, clip=min(clip, 300),
    )  # fmt: skip
    best = search.run()
    assert best.score == score
    assert list(best.choices) == [choice for _, choice in sequence]
    assert list(best.codes) == [codes[choice] for codes, choice in sequence]
    assert rng.random() == again.random()  # as many playouts, move for move


@pytest.mark.parametrize("kind", [NRPA, partial(FaultyNRPA, faults=Faults(shared_policy=True))])
def test_stopping_changes_nothing(kind):
    problem = morpion("5D")
    whole, paused = (kind(problem, 5, level=2, n_iterations=30) for _ in range(2))
    whole.run()
    frame = next(paused.frames(every=37))
    assert frame.policy.shape == (2, problem.n_codes)
    paused = pickle.loads(pickle.dumps(paused))
    policy, choices = frame.policy.copy(), frame.best.choices.copy()
    paused.run()
    np.testing.assert_array_equal(frame.policy, policy)  # a frame owns its arrays
    np.testing.assert_array_equal(frame.best.choices, choices)
    assert list(paused.best.choices) == list(whole.best.choices)
    np.testing.assert_array_equal(paused.policy, whole.policy)


def test_weights_keep_their_sum_and_their_exponential():
    search = NRPA(morpion("5D"), np.random.default_rng(2), level=2, n_iterations=20)
    search.run(313)
    np.testing.assert_allclose(search.policy.sum(axis=1), 0.0, atol=1e-9)
    np.testing.assert_allclose(search._arrays.E[1:], np.exp(search.policy), rtol=1e-12)


def test_generalised_nrpa_equals_a_policy_that_starts_at_the_bias():
    # GNRPA written out: the bias enters the probabilities, the policy starts at 0.
    problem = tsptw(bundled_tsptw("small"), distance_bias=4.0)
    rng, policy, best = np.random.default_rng(1), np.zeros(problem.n_codes), (-math.inf, [])
    for _ in range(20):
        biased = policy + problem.bias
        found = nrpa_plain.playout(lambda: Walk(problem), dict(enumerate(biased)), rng)
        best = found if found[0] >= best[0] else best
        for codes, choice in best[1]:
            policy[codes] -= move_probabilities(biased, codes)
            policy[codes[choice]] += 1.0
    search = NRPA(problem, np.random.default_rng(1), level=1, n_iterations=20)
    assert search.run().score == pytest.approx(best[0], abs=1e-9)
    assert list(search.best.choices) == [choice for _, choice in best[1]]
