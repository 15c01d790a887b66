"""Whole games and self-play."""

from itertools import pairwise

import numpy as np
import pytest

from gameai_lib.hanabi.game.cards import Discard, HintRank, Play
from gameai_lib.hanabi.game.play import play_game, self_play
from gameai_lib.hanabi.game.rules import IllegalMove
from gameai_lib.hanabi.players.agents import RuleAgent


def generators(n_games):
    """One generator for each game."""
    return (np.random.default_rng([1, i]) for i in range(n_games))


def test_frames_follow_each_other():
    frames = list(play_game([RuleAgent("IGGI")] * 3, np.random.default_rng(4)))
    assert [frame.state.player for frame in frames[:4]] == [0, 1, 2, 0]
    for frame, following in pairwise(frames):
        assert following.state is frame.next_state
        assert not frame.next_state.is_over
    assert frames[-1].next_state.is_over
    assert all(frame.next_state.last_move == frame.move for frame in frames)


def test_each_seat_has_its_agent():
    def hints(state, rng):
        return HintRank(0, state.hands[0][0] % 5 + 1)

    def plays(state, rng):
        return Play(0)

    frames = list(play_game([plays, hints], np.random.default_rng(0)))
    assert {type(frame.move) for frame in frames[::2]} == {Play}
    assert {type(frame.move) for frame in frames[1::2]} == {HintRank}


def test_an_agent_that_breaks_the_rules_is_stopped():
    def discards(state, rng):
        return Discard(0)

    with pytest.raises(IllegalMove, match=r"player 0, .* no discard"):
        list(play_game([discards] * 2, np.random.default_rng(0)))


def test_one_agent_is_no_game():
    with pytest.raises(ValueError, match="2 to 5 players, got 1"):
        next(play_game([RuleAgent("IGGI")], np.random.default_rng(0)))


def test_who_plays_is_checked():
    rng = np.random.default_rng(0)
    with pytest.raises(TypeError, match="agents must be a list or tuple, got 2"):
        next(play_game(2, rng))
    with pytest.raises(TypeError, match=r"an agent is called as .*, got 'IGGI'"):
        next(play_game(["IGGI"] * 2, rng))
    with pytest.raises(TypeError, match=r"rng must be a .*, got '7'"):
        next(play_game([RuleAgent("IGGI")] * 2, "7"))
    for n_players in (1, 2.0, True):
        with pytest.raises(
            (ValueError, TypeError), match=r"n_players must be (a whole|from 2 to 5)"
        ):
            self_play(RuleAgent("IGGI"), n_players, generators(2))


def test_mean_and_standard_error():
    result = self_play(RuleAgent("IGGI"), 2, generators(6))
    assert result.mean == pytest.approx(sum(result.scores) / 6)
    squares = sum((score - result.mean) ** 2 for score in result.scores)
    assert result.standard_error == pytest.approx((squares / 5 / 6) ** 0.5)
    with pytest.raises(ValueError, match="at least two games, got 1"):
        self_play(RuleAgent("IGGI"), 2, generators(1))


def test_lost_games_score_nothing_but_keep_their_points():
    result = self_play(RuleAgent("random"), 2, generators(40))
    assert result.scores.max() == 0
    assert 0.5 < result.points.mean() < 2.5
