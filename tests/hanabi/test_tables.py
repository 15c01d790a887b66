"""Tables of results: what stands in them is what was measured."""

import numpy as np
import pytest

from gameai_book.hanabi import accuracy
from gameai_book.hanabi.results import tables
from gameai_book.hanabi.results.scores import stored_player_scores
from gameai_lib.hanabi import RuleAgent, play_game


@pytest.fixture(scope="module")
def games():
    """Two games of two and of three."""
    agent = RuleAgent("Convention")
    return {
        n: [list(play_game([agent] * n, np.random.default_rng([1, i]))) for i in range(2)]
        for n in (2, 3)
    }


def test_slope_is_the_derivative_of_a_step():
    def step(p):
        return (1 - 7 * p) / (2 - 7 * p)

    p, slope = tables.star_slope(8)
    assert step(p) == pytest.approx(p)
    assert slope == pytest.approx((step(p + 1e-6) - step(p - 1e-6)) / 2e-6, rel=1e-5)
    assert [row[3:] for row in tables.star_slopes().rows[1:2]] == [["-5.39", "0.313"]]


def test_tables_of_beliefs(games):
    states = accuracy.public_states(games[2])
    counting = accuracy.counting_beliefs(states)
    errors = {
        name: accuracy.belief_errors(b, counting["exact"], states.truth)
        for name, b in counting.items()
    }
    nll = tables.nll_by_deck(errors, states.n_deck, ["exact", "plain V1"])
    assert f"{errors['exact'].nll.mean():.3f}*" in str(nll)
    assert f"got 0: {errors['plain V1'].n_zero.sum()} (plain V1)." in nll.caption
    assert "100.0%" in str(tables.at_rest(states, counting))
    larger = tables.larger_tables(games)
    assert [row[0] for row in larger.rows] == ["2", "3"]
    late = sum(frame.state.n_deck <= 12 for game in games[3] for frame in game)
    assert larger.rows[1][1] == str(late)


def test_tables_of_scores_hold_what_is_stored():
    stored = stored_player_scores()
    first = stored["listeners"][0]
    said = f"{first.mean:.2f} ± {first.standard_error:.2f}"
    assert tables.listeners().rows[0][:2] == [first.belief, said]
    assert len(tables.more_players().rows) == len(tables.memory().rows) + 1 == 5
    *forgetful, last = (c for c in stored["memory"] if c.agent == "Convention")
    lost = ", ".join(str(c.n_lost) for c in forgetful)
    assert f"{lost} and {last.n_lost}" in tables.memory().caption
    assert tables.memory().rows[-1][1] == f"{forgetful[0].mean:.1f}"
    among_five = [c for c in stored["tables"] if c.n_players == 5][:2]
    found = [tables.more_players().rows[0][k] for k in (3, 6)]
    assert found == [f"{among_five[0].mean:.1f}", f"{among_five[1].gain:+.2f}"]
    assert len(tables.counting_scores().rows) == 5
