"""The study of belief errors: hand-worked errors, and what must hold over real games."""

import numpy as np

from gameai_book.hanabi.accuracy import (
    PROBABILITY_FLOOR,
    belief_errors,
    mean_by_deck,
    public_states,
)
from gameai_lib.hanabi import NO_CARD, RuleAgent, play_game


def test_errors_worked_by_hand():
    belief = np.zeros((2, 2, 26))
    reference = np.zeros((2, 2, 26))
    truth = np.array([[0, 1], [2, NO_CARD]])
    belief[0, 0, :2] = 0.5, 0.5  # TV 0.25 from the reference, ln 2 for the truth
    reference[0, 0, :2] = 0.75, 0.25
    belief[0, 1, 1] = reference[0, 1, 1] = 1  # right and certain
    belief[1, 0, 3] = reference[1, 0, 2] = 1  # certain and wrong: TV 1, the floor
    belief[1, 1, 0] = reference[1, 1, NO_CARD] = 1  # absent: does not count
    errors = belief_errors(belief, reference, truth)
    assert np.allclose(errors.tv_mean, [0.125, 1])
    assert np.allclose(errors.tv_worst, [0.25, 1])
    assert np.allclose(errors.nll, [np.log(2) / 2, -np.log(PROBABILITY_FLOOR)])
    assert errors.n_zero.tolist() == [0, 1]


def test_means_by_deck():
    n_deck = np.array([40, 21, 20, 6, 0])
    means = mean_by_deck(np.array([1.0, 3.0, 5.0, 7.0, 11.0]), n_deck)
    assert np.array_equal(means, [2, 6, np.nan, 11], equal_nan=True)


def test_states_are_those_of_the_games():
    agents = [RuleAgent("Convention")] * 2
    games = [list(play_game(agents, np.random.default_rng(seed))) for seed in range(4)]
    states = public_states(games)
    assert len(states.game) == sum(map(len, games))
    assert states.game.tolist() == [g for g, game in enumerate(games) for _ in game]
    last = games[-1][-1].state
    candidates, mask = last.public()
    assert np.array_equal(states.candidates[-1], candidates)
    assert np.array_equal(states.hint_mask[-1], mask)
    assert states.n_deck[-1] == last.n_deck == 0
    for player, hand in enumerate(last.hands):
        expected = [*hand, NO_CARD, NO_CARD][:5]
        assert states.truth[-1, 5 * player : 5 * player + 5].tolist() == expected
    # The truth is one that the hints allow.
    assert np.take_along_axis(states.hint_mask, states.truth[:, :, None], axis=2).all()
