"""Whole games, self-play, and the table of scores against games played one by one."""

from itertools import pairwise

import numpy as np
import pytest

from gameai_lib.hanabi import score_table, self_play
from gameai_lib.hanabi.game.cards import HintRank, Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent

ASKS = RuleAgent("Convention")
AGENTS = {"blind": RuleAgent("random"), "asks": ASKS, "IGGI": RuleAgent("IGGI")}


def generators(n_games):
    """One generator for each game."""
    return (np.random.default_rng([1, i]) for i in range(n_games))


def test_each_seat_has_its_agent_and_frames_follow_each_other():
    agents = [lambda state, rng: Play(0), lambda s, rng: HintRank(0, s.hands[0][0] % 5 + 1)]
    frames = list(play_game(agents, np.random.default_rng(0)))
    assert {type(frame.move) for frame in frames[::2]} == {Play}
    assert {type(frame.move) for frame in frames[1::2]} == {HintRank}
    for frame, following in pairwise(frames):
        assert following.state is frame.next_state
        assert not frame.next_state.is_over
    assert frames[-1].next_state.is_over
    assert all(frame.next_state.last_move == frame.move for frame in frames)


def test_mean_and_standard_error():
    result = self_play(RuleAgent("IGGI"), 2, generators(6))
    assert result.mean == pytest.approx(sum(result.scores) / 6)
    squares = sum((score - result.mean) ** 2 for score in result.scores)
    assert result.standard_error == pytest.approx((squares / 5 / 6) ** 0.5)
    # Lost games score nothing, but keep their points.
    lost = self_play(RuleAgent("random"), 2, generators(20))
    assert lost.scores.max() == 0
    assert 0.5 < lost.points.mean() < 2.5


def test_an_interrupt_keeps_the_games_that_were_played():
    def stop_after(n_games):
        yield from generators(n_games)
        raise KeyboardInterrupt

    agent = RuleAgent("random")
    for n_games in (5, 1):
        with pytest.raises(KeyboardInterrupt, match=f"stopped after {n_games} game") as caught:
            self_play(agent, 3, stop_after(n_games))
        kept, whole = caught.value.result, self_play(agent, 3, generators(max(2, n_games)))
        assert kept.scores.tolist() == whole.scores[:n_games].tolist()
    assert np.isnan(kept.standard_error)
    with pytest.raises(KeyboardInterrupt) as caught:
        self_play(agent, 3, stop_after(0))
    assert not hasattr(caught.value, "result")

    def tires(state, rng):
        if rng.bit_generator.seed_seq.entropy == [1, 2] and state.n_deck < 30:
            raise KeyboardInterrupt
        return RuleAgent("IGGI")(state, rng)

    with pytest.raises(KeyboardInterrupt, match="stopped after 2 games"):
        self_play(tires, 2, generators(9))  # in the third game


def test_each_cell_is_that_of_games_played_one_by_one():
    scores = score_table(AGENTS, (4, 2), n_games=6, seed=9)
    assert list(scores.results) == [(name, n) for n in (4, 2) for name in AGENTS]
    for (name, n_players), cell in scores.results.items():
        last = []
        for game in range(6):
            *_, end = play_game([AGENTS[name]] * n_players, np.random.default_rng([9, game]))
            last.append(end.next_state)
        assert cell.scores.tolist() == [state.score for state in last]
        assert cell.n_lost == [state.n_lives for state in last].count(0)
        assert cell.n_perfect == [state.score for state in last].count(25)
    assert scores.results["blind", 2].n_lost == 6
    assert scores.results["asks", 2].n_perfect > 0


def test_a_team_takes_the_seats_in_turn():
    team = AGENTS["IGGI"], ASKS
    cell = score_table({"team": team}, (3,), n_games=2).results["team", 3]
    *_, end = play_game([team[0], team[1], team[0]], np.random.default_rng([0, 1]))
    assert cell.scores[1] == end.next_state.score


def test_the_table_says_what_was_found():
    scores = score_table(AGENTS, [2], n_games=6, seed=3)
    cell = scores.results["IGGI", 2]
    header, *rows, caption = str(scores).splitlines()
    assert header.split() == ["agent", "players", "mean", "score", "lost", "perfect"]
    said = f"{cell.mean:.2f} ± {cell.standard_error:.2f}"
    assert rows[2].split() == ["IGGI", "2", *said.split(), str(cell.n_lost), str(cell.n_perfect)]
    assert rows[0].split()[-2:] == ["6", "0"]
    assert "6 games each, seed 3" in caption
    assert "<table>" in scores._repr_html_()
    assert repr(score_table(AGENTS, [2], n_games=6, seed=3)) == repr(scores)
    assert repr(score_table(AGENTS, [2], n_games=6, seed=4)) != repr(scores)


def test_an_interrupt_keeps_the_games_of_a_table():
    n_moves = 0

    def tires(state, rng):
        nonlocal n_moves
        n_moves += 1
        if n_moves == n_most:
            raise KeyboardInterrupt
        return ASKS(state, rng)

    agents = {"blind": AGENTS["blind"], "tires": tires}
    n_most = 10**6
    whole = score_table(agents, (2, 3), n_games=4, seed=3)
    n_most, n_moves = n_moves // 2, 0
    with pytest.raises(KeyboardInterrupt, match=r"stopped after (\d+) of 16 games") as caught:
        score_table(agents, (2, 3), n_games=4, seed=3)
    kept = caught.value.result
    for cell, result in kept.results.items():
        n_games = len(result.scores)
        assert result.scores.tolist() == whole.results[cell].scores[:n_games].tolist()
    assert 0 < n_games < 4
    assert str(kept).splitlines()[0].split()[:3] == ["agent", "players", "games"]
