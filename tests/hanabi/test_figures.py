"""Figures say what they draw, and draw it where they should."""

import numpy as np
import pytest
from matplotlib.collections import PolyCollection, QuadMesh
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from gameai_book.hanabi import figures, views
from gameai_lib.hanabi import RuleAgent, play_game


@pytest.fixture(scope="module")
def game():
    """The chapter's game."""
    return list(play_game([RuleAgent("Convention")] * 2, np.random.default_rng(11)))


@pytest.fixture
def ax():
    """Axes of a fresh figure."""
    return Figure().subplots()


def cells(ax):
    """What the cells on `ax` show."""
    (mesh,) = [c for c in ax.collections if isinstance(c, QuadMesh)]
    return mesh.get_array()


def drawn(figure, **setting):
    """The axes of an explorable that was drawn."""
    fig = Figure()
    figure["draw"](fig, **setting)
    return fig.axes[0]


def test_noise_says_the_error_that_it_draws(game):
    hint = figures.Hint(game[17])
    figure = figures.noise(hint)
    shown = cells(drawn(figure, n_samples=30, seed=2)).filled(0)
    error = np.abs(shown[5:] - shown[:5]).max()
    assert f"BB is {error:.3f}" in figure["alt"](n_samples=30, seed=2)
    assert np.isclose(error, hint.sampling_error(30, seed=2))
    assert error > hint.sampling_error(3000, seed=2)


def test_belief_outlines_the_true_card_and_greys_the_impossible(ax):
    belief = np.zeros((2, 25))
    belief[0, 7], belief[1, 3], belief[1, 4] = 1, 0.5, 0.5
    views.draw_belief(ax, belief, truth=[7])
    boxes = [c for c in ax.collections if isinstance(c, PolyCollection)]
    (outline,) = [c for c in boxes if to_rgba(views.TRUTH) in map(tuple, c.get_edgecolor())]
    assert [path.get_extents().bounds for path in outline.get_paths()] == [(6.5, -0.5, 1, 1)]
    assert cells(ax).mask[0, 0]
    assert not cells(ax).mask[1, 4]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["slot 0", "slot 1"]


def test_overbooking_bars_end_at_the_copies_that_exist(ax):
    C = np.zeros(25, dtype=int)
    C[:2] = 1, 2
    belief = np.zeros((3, 25))
    belief[:, 0] = 0.5
    views.draw_overbooking(ax, belief, C)
    bars = {c.get_label(): [p.get_extents() for p in c.get_paths()] for c in ax.collections}
    assert [bar.y1 for bar in bars["exist"]] == [1, 2]
    assert [(bar.y0, bar.y1) for bar in bars["expected"]] == [(0, 1)]
    assert [(bar.y0, bar.y1) for bar in bars["too many"]] == [(1, 1.5)]
    assert [text.get_text() for text in ax.get_xticklabels()] == list("24" * 5)
    assert [text.get_text() for text in ax.texts] == list("RYGWB")


def test_hints_in_words():
    cards = np.arange(25)
    assert views.say_hints(cards >= 0) == "any colour, any rank"
    assert views.say_hints(cards % 5 == 3) == "any colour, rank 4"
    assert views.say_hints(np.isin(cards, [0, 15, 4, 19])) == "R or W, rank 1 or 5"
