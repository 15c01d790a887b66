"""The workshop's figures draw, say something else in each frame, and say what is stored."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_book.together import workshop_figures as figures
from gameai_book.together.deals import Deals
from gameai_book.together.results.calibration import calibration
from gameai_book.together.results.choices import stored_choices
from gameai_book.together.results.tuning import stored_tuning
from gameai_lib.hanabi import Discard, Play
from gameai_lib.together.league import rate_partners

_, TUNING = stored_tuning()


def drawn(figure, **values):
    """Draw one frame; return its words and axes."""
    fig = Figure()
    figure["draw"](fig, **values)
    return figure["alt"](**values), fig.axes


def test_on_other_deals_only_the_order_differs():
    rng = np.random.default_rng(1)
    luck = rng.integers(10, 20, (500, 1))
    deals = Deals((Play(0), Discard(1)), luck + np.array([[0, 2]]) + rng.integers(0, 2, (500, 2)))
    figure = figures.paired(deals, np.random.default_rng(2))
    said, axes = zip(
        *(drawn(figure, against="discards 1", on=on) for on in (figures.SAME, figures.OTHER)),
        strict=True,
    )
    gain = deals.gains[:, 1]
    assert f"{gain.mean():+.2f} points" in said[0]
    assert f"error of {gain.std(ddof=1) / 10:.2f}" in said[0]
    same, other = (ax[0].collections[0].get_offsets() for ax in axes)
    assert np.ptp(np.diff(same)) < np.ptp(np.diff(other))
    assert said[0] != said[1]


def test_each_belief_is_drawn_as_it_is_stored():
    found = calibration()
    figure = figures.believed(found)
    said = {belief: drawn(figure, belief=belief) for belief in found}
    assert len({words for words, _ in said.values()}) == len(found)
    for belief, (words, axes) in said.items():
        assert f"{found[belief].nats:.2f} nats" in words
        points = axes[0].collections[-1].get_offsets()
        assert points.data == pytest.approx(np.array([pair[:2] for pair in found[belief].pairs]))


def test_of_each_dial_the_second_best_value_is_compared():
    words, axes = drawn(figures.dials(TUNING["ablations"], TUNING["dials"]))
    losses = [-row["gain"] for row in TUNING["ablations"] if row["dial"] == "discard"]
    assert f"discard 0.87 and {min(losses):.2f}" in words
    assert [ax.get_xlabel() for ax in axes] == ["spread in the model", "loss without it"]


def test_the_others_draw_and_speak():
    said = [drawn(figures.choices(stored_choices()))[0]]
    n_deck = np.repeat(np.arange(40, -1, -1), 2)
    said.append(drawn(figures.accepted(n_deck, np.full(n_deck.size, 0.25)))[0])
    assert "25 % with 20 cards" in said[-1]
    tuners = figures.tuners(TUNING["methods"], 20.78)
    said += [drawn(tuners, games=games)[0] for games in (2_000, 20_000)]
    scores = np.random.default_rng(1).integers(0, 26, (4, 4, 40))
    partners = rate_partners(np.maximum(scores, scores.transpose(1, 0, 2)), 1, n_refits=4)
    said.append(drawn(figures.shares(partners))[0])
    assert "Of 10 pairs" in said[-1]
    assert len({*said}) == len(said)
