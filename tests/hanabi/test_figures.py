"""Figures say what they draw, and compute it once."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_book.hanabi import cases, figures
from gameai_lib.hanabi import RuleAgent, exact_belief, play_game, v0_belief
from gameai_lib.hanabi.players.convention import asked_slot


@pytest.fixture(scope="module")
def game():
    """The chapter's game."""
    return list(play_game([RuleAgent("Convention")] * 2, np.random.default_rng(11)))


def test_hint_beliefs_know_the_convention(game):
    hint, asked = figures.Hint(game[32]), asked_slot(game[32].next_state)
    true_card = hint.truth[asked]
    assert hint.beliefs["V1"][asked, true_card] < 0.3
    assert hint.beliefs["BB"][asked, true_card] > 0.999
    assert hint.sampling_error(3000, seed=0) < hint.sampling_error(10, seed=0)


def test_one_slot_says_what_it_draws():
    figure = figures.one_slot(cases.P1)
    fig = Figure()
    figure["draw"](fig, slot=2)
    drawn = np.asarray(fig.axes[0].collections[0].get_array())
    V0 = v0_belief(cases.P1.candidates, cases.P1.hint_mask)
    assert np.allclose(drawn[0], V0[2])
    assert "V0 says G2 0.333" in figure["alt"](slot=2)
    assert "exact says G2 1.000" in figure["alt"](slot=2)


def test_draw_and_alt_share_one_computation(monkeypatch):
    asked = []

    def counted(candidates, hint_mask):
        asked.append(len(candidates))
        return v0_belief(candidates, hint_mask)

    monkeypatch.setitem(figures.COUNTING, "V0", counted)
    figure = figures.overbooking({"P1": cases.P1})
    setting = {"belief": "V0", "position": "P1"}
    for _ in range(2):
        figure["draw"](Figure(), **setting)
        figure["alt"](**setting)
    assert len(asked) == 1


def test_noise_says_the_error_that_it_draws(game):
    hint = figures.Hint(game[17])
    figure, fig = figures.noise(hint), Figure()
    figure["draw"](fig, n_samples=30, seed=2)
    drawn = np.asarray(fig.axes[0].collections[0].get_array().filled(0))
    error = np.abs(drawn[5:] - drawn[:5]).max()
    assert f"BB is {error:.3f}" in figure["alt"](n_samples=30, seed=2)
    assert np.isclose(error, hint.sampling_error(30, seed=2))


def test_star_says_what_enumeration_finds():
    figure = figures.star()
    for slots in (2, 8, 12):
        case = cases.star(slots)
        exact = exact_belief(case.candidates, case.hint_mask)[0, 0]
        assert f"exact is {exact:.3f}" in figure["alt"](slots=slots, damping=0.2)
