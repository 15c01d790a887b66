"""What the lesson says in numbers, computed anew."""

import re
from functools import cache

import numpy as np
import pytest

from gameai_book.hanabi import accuracy
from gameai_lib.hanabi import (
    RuleAgent,
    V1Settings,
    convention_would_act,
    exact_belief,
    play_game,
    v0_belief,
    v1_belief,
)
from gameai_lib.hanabi.belief.exact import n_deals
from gameai_lib.hanabi.belief.likelihood import likelihood_after
from gameai_lib.hanabi.game.box import parse_card
from tests.support.built_pages import ROOT

PARTNER, G4 = RuleAgent("Convention"), parse_card("G4")


@cache
def game():
    """The game of the first screen."""
    return list(play_game([PARTNER, PARTNER], np.random.default_rng(11)))


@cache
def lesson():
    return (ROOT / "book" / "hanabi.ipynb").read_text(encoding="utf-8")


def test_who_says_what_of_the_green_4():
    now = game()[46].state
    public, yours = now.public(), now.view(0)
    assert v0_belief(*yours)[4, G4] == pytest.approx(1 / 3)
    assert v0_belief(*public)[4, G4] == pytest.approx(0.4)
    assert v1_belief(*public)[4, G4] == pytest.approx(0.67, abs=0.005)
    assert exact_belief(*public)[4, G4] == pytest.approx(0.67, abs=0.005)
    assert exact_belief(*yours)[4, G4] == v1_belief(*yours)[4, G4] == 1
    assert re.findall(r"- \*\*([\d.]+)\*\* is", lesson()) == ["0.33", "0.40", "0.67", "1"]
    assert n_deals(*public) == pytest.approx(120e6, rel=0.01)
    assert "120 million deals" in lesson()


def test_without_a_hint_a_step_goes_too_far_and_comes_back():
    C, HM = game()[46].state.view(0)
    mask = HM.copy()
    mask[3, G4] = True
    exact = exact_belief(C, mask)[4, G4]
    one, two = (
        v1_belief(C, mask, settings=V1Settings(damping=1, n_iterations=n, tolerance=0))[4, G4]
        for n in (1, 2)
    )
    assert exact == pytest.approx(0.5)
    assert two < exact < one < 1


def test_the_partners_silence_rules_out_that_slots_1_and_2_fit():
    now, L = game()[46].state, np.ones((5, 26))
    for turn, frame in enumerate(game()[:46]):
        rng = np.random.default_rng([11, turn, 1])
        L = likelihood_after(frame, convention_would_act, rng, L, player=0)
    view, fits = now.view(0), now.playable()
    assert (exact_belief(*view) @ fits)[[1, 2]] == pytest.approx(0.25, abs=0.03)
    assert (exact_belief(*view, L) @ fits)[[1, 2]].max() < 0.005


def test_v1_in_ten_games():
    games = [list(play_game([PARTNER] * 2, np.random.default_rng([1, i]))) for i in range(10)]
    states = accuracy.public_states(games)
    beliefs = accuracy.counting_beliefs(states)
    errors = {
        name: accuracy.belief_errors(belief, beliefs["exact"], states.truth)
        for name, belief in beliefs.items()
    }
    distances = {name: error.tv_mean.mean() for name, error in errors.items()}
    assert distances["V0"] / distances["V1"] == pytest.approx(40, abs=0.5)
    assert errors["plain V1"].n_zero.sum() == 195
    assert errors["plain V1"].nll.mean() > errors["V0"].nll.mean()
    assert "to 195 cards" in lesson()
