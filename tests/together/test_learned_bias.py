"""Strengths of moves, from good games to the bias of a search: by hand, and in two ways."""

import numpy as np
import pytest

from gameai_lib.btmm import CompetitionError, fit, predict_proba
from gameai_lib.nrpa import (
    NRPA,
    bundled_tsptw,
    leftmove,
    morpion,
    move_probabilities,
    playout_of,
    replay,
    tsptw,
)
from gameai_lib.together.learned_bias import biased, choices_in


def itself(problem):
    return np.arange(problem.n_codes)[:, None]


def side(problem):
    return itself(problem) % 2


def test_a_game_by_hand():
    problem = leftmove(4)
    data = choices_in([(problem, playout_of(problem, [0, 0, 1, 0]))], side)
    assert data.n_competitions == 4
    np.testing.assert_array_equal(data.winner, [0, 0, 1, 0])
    got = fit(data, prior=0.0, tol=1e-15)
    assert got.gamma[0] / got.gamma[1] == pytest.approx(3)  # left won three of four
    bias = biased(leftmove(9), got, side).bias
    np.testing.assert_allclose(bias[::2] - bias[1::2], np.log(3))


def test_under_the_bias_moves_have_the_chances_of_the_model():
    problem = morpion("4D")
    games = [(problem, NRPA(problem, seed, level=1, n_iterations=20).run()) for seed in (1, 2)]

    def features(problem):  # the direction of a line, and an eighth of the codes without another
        codes = np.arange(problem.n_codes)
        return np.stack([codes % 4, np.where(codes % 8, 4 + codes % 7, -1)], axis=1)

    got = fit(choices_in(games, features))
    bias, teams = biased(problem, got, features).bias, features(problem)
    for ply in replay(problem, games[0][1].choices):
        if ply.legal.size > 1:
            lists = [[f for f in teams[code] if f >= 0] for code in ply.legal]
            (chances,) = predict_proba(got, [lists])
            np.testing.assert_allclose(move_probabilities(bias, ply.legal), chances)


def test_where_one_move_is_legal_nothing_is_chosen():
    problem = tsptw(bundled_tsptw("small"))
    game = NRPA(problem, 1, level=2, n_iterations=10).run()
    n_choices = sum(ply.legal.size > 1 for ply in replay(problem, game.choices))
    data = choices_in([(problem, game)], itself)
    assert (data.n_competitions, n_choices < game.choices.size) == (n_choices, True)


def test_refused():
    problem = leftmove(3)
    games = [(problem, playout_of(problem, [0, 1, 0]))]
    got = fit(choices_in(games, side))
    with pytest.raises(ValueError, match="features must have 6 rows, got 4"):
        choices_in(games, lambda problem: np.zeros((4, 1), int))
    with pytest.raises(ValueError, match="there are 2 strengths, no number 5"):
        biased(problem, got, itself)
    with pytest.raises(CompetitionError, match="no features"):
        choices_in(games, lambda problem: np.full((6, 1), -1))
