"""Games replayed and translated."""

import numpy as np

from gameai_lib.nrpa import NRPA, choices_of, leftmove, morpion, playout_of, replay


def test_replay_and_translate():
    problem = morpion("5D")
    best = NRPA(problem, np.random.default_rng(0), level=1, n_iterations=3).run()
    np.testing.assert_array_equal(choices_of(problem, best.codes), best.choices)
    assert playout_of(problem, best.choices).score == best.score
    plies = list(replay(problem, best.choices))
    assert len(plies) == best.score + 1
    assert plies[0].legal.size == 28
    assert plies[-1].choice == -1


def test_a_playout_owns_its_choices():
    choices = np.array([0, 1, 0], np.int64)
    playout = playout_of(leftmove(3), choices)
    choices[:] = 7
    assert playout.choices.tolist() == [0, 1, 0]
