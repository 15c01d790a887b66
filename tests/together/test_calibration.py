"""What players believe beside what they hold: whole, found again, and as it must be."""

import numpy as np
import pytest

from gameai_book.together.measure import calibration as measure
from gameai_book.together.results.calibration import calibration, deviations
from gameai_lib.base import jit
from gameai_lib.hanabi import exact_belief
from gameai_lib.hanabi.players.searcher import EXACT, READING

STORED = {who: calibration(who) for who in measure.AGENTS}


@pytest.mark.parametrize("who", STORED)
def test_all_beliefs_of_a_part_look_at_the_same_cards(who):
    rows = STORED[who].values()
    assert tuple(STORED[who]) == measure.BELIEFS[who]
    assert len({(row.n_games, row.n_cards) for row in rows}) == 1
    for row in rows:
        assert row.n_games == measure.N_GAMES[who]
        assert sum(row.n) == row.n_cards
        for k, (predicted, seen, _) in enumerate(row.pairs):
            assert k / 10 <= predicted <= (k + 1) / 10
            assert 0 <= seen <= 1
    seen = [row.means[1] for row in rows]
    assert np.ptp(seen) < 1e-4  # what is there is there


def test_only_a_belief_that_reads_choices_sees_what_it_predicts():
    reading, deaf = STORED["following"][READING], STORED["following"][EXACT]
    for predicted, seen, error in zip(*reading[5:8], strict=True):
        assert abs(predicted - seen) < max(4 * error, 0.01)
    assert deaf.means[0] > 1.2 * deaf.means[1]
    assert deaf.nats - reading.nats > 20 * reading.nats_standard_error


def test_a_partner_who_follows_the_rules_makes_no_odd_move():
    assert len(deviations("following")) == 1
    searching = deviations("searching")
    assert searching[0] < sum(searching) / 2
    assert measure.count("searching", 1)["counts"][0] <= searching[0]


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_drawn_hands_are_the_exact_belief_and_playable_what_can_be_played():
    states = measure.states("following", 0)[:40:8]
    for state in states:
        drawn = measure.believe(EXACT, state, np.random.default_rng(3))
        assert drawn == pytest.approx(exact_belief(*state.view(state.player))[:, :25], abs=0.06)
    rows = measure.look(READING, "following", 0)
    held = [card for s in measure.states("following", 0) for card in s.hands[s.player]]
    assert len(rows) == len(held)
    playable = [s.playable()[c] for s in measure.states("following", 0) for c in s.hands[s.player]]
    assert rows[:, 1].tolist() == playable


def test_the_error_is_that_of_games_not_of_cards():
    # One card a game, half of them playable: the error of a coin that was thrown 100 times.
    seen, of_game = np.tile([0.0, 1.0], 50), np.arange(100)
    assert measure._share(seen, seen, of_game, seen >= 0) == (0.5, 0.5, 0.05, 100)
    # The same coins, each counted four times: still 100 games.
    fours = seen.repeat(4)
    assert measure._share(fours, fours, of_game.repeat(4), fours >= 0)[2] == 0.05
