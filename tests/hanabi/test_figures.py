"""Figures say what they draw, and compute it once."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_book.hanabi import figures, printed
from gameai_lib.hanabi import RuleAgent, exact_belief, play_game, v0_belief
from gameai_lib.hanabi.game import cases


@pytest.fixture(scope="module")
def game():
    """The chapter's game."""
    return list(play_game([RuleAgent("Convention")] * 2, np.random.default_rng(11)))


def test_hint_beliefs_know_the_convention(game):
    hint = figures.Hint(game[32])
    true_card = hint.truth[hint.asked]
    assert hint.beliefs["V1"][hint.asked, true_card] < 0.3
    assert hint.beliefs["BB"][hint.asked, true_card] > 0.999
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
    for figure, setting in (
        (figures.overbooking({"P1": cases.P1}), {"belief": "V0", "position": "P1"}),
        (figures.what_if(cases.P2, {"nothing": None}), {"pin": "nothing", "belief": "V0"}),
    ):
        asked.clear()
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


def test_source_errors_say_which_version_passes_its_test():
    figure, fig = figures.source_errors(), Figure()
    for name in printed.BY_NAME:
        assert "It fails the test" in figure["alt"](slip=name, version="printed")
        assert "It passes the test" in figure["alt"](slip=name, version="right")
    figure["draw"](fig, slip="11 no clip", version="printed")
    drawn, exact = (np.asarray(ax.collections[0].get_array().filled(0)) for ax in fig.axes)
    assert drawn[0, 0] == -1
    assert np.isclose(exact[0, 0], 1 / 5)
