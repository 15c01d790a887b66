"""The study of belief errors: hand-worked errors, and what must hold over real games."""

import numpy as np
import pytest

from gameai_book.hanabi.accuracy import (
    DECK_BANDS,
    PROBABILITY_FLOOR,
    action_beliefs,
    belief_errors,
    counting_beliefs,
    game_likelihoods,
    mean_by_deck,
    plain_converges,
    public_states,
)
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.cards import NO_CARD
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import convention_would_act

N_GAMES = 4


@pytest.fixture(scope="module")
def games():
    agents = [RuleAgent("Convention")] * 2
    return [list(play_game(agents, np.random.default_rng(seed))) for seed in range(N_GAMES)]


@pytest.fixture(scope="module")
def states(games):
    return public_states(games)


@pytest.fixture(scope="module")
def counting(states):
    return counting_beliefs(states)


@pytest.fixture(scope="module")
def acting(states, games):
    rng = np.random.default_rng(41)
    return action_beliefs(states, game_likelihoods(games, convention_would_act, rng))


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
    n_deck = np.array([40, 21, 20, 6, 1, 0])
    means = mean_by_deck(np.array([1.0, 3.0, 5.0, 7.0, 9.0, 11.0]), n_deck)
    assert means.tolist() == [2, 6, 9, 11]
    without_last = mean_by_deck(np.ones(2), np.array([40, 3]))
    assert np.array_equal(without_last, [1, np.nan, 1, np.nan], equal_nan=True)
    assert [first for first, _ in DECK_BANDS] == sorted((21, 6, 1, 0), reverse=True)


def test_states_are_those_of_the_games(games, states):
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


def test_beliefs_are_those_of_the_states_one_at_a_time(states, counting, acting):
    for t in (0, len(states.game) // 2, len(states.game) - 1):
        public = states.candidates[t], states.hint_mask[t]
        assert np.array_equal(counting["V1"][t], v1_belief(*public))
        assert np.array_equal(counting["exact"][t], exact_belief(*public))
    for belief in (counting | acting).values():
        assert np.allclose(belief.sum(axis=2), 1)


def test_actions_tell_more_than_hints(states, counting, acting):
    nll = {
        name: belief_errors(belief, belief, states.truth).nll.mean()
        for name, belief in (counting | acting).items()
    }
    assert nll["exact with L"] < nll["V2"] < nll["exact"] < nll["V0"] < nll["plain V1"]
    assert belief_errors(acting["V2"], acting["V2"], states.truth).n_zero.sum() == 0


def test_plain_v1_settles_early_in_games_and_not_late(states):
    share = mean_by_deck(plain_converges(states), states.n_deck)
    assert share[0] > 0.9  # of the states with most of the deck to come
    assert share[3] < 0.4
