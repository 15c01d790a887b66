"""Whole games and self-play."""

from itertools import pairwise

import numpy as np
import pytest

from gameai_book.hanabi.boards import table
from gameai_book.hanabi.measure.listener import listening_game
from gameai_book.hanabi.measure.memory import forgetful_game
from gameai_lib.hanabi import self_play
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.game.cards import N_CARDS, FaceDown, HintRank, Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.contest import score_table


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


def stopped_after(n_games):
    """Generators of games, after so many of which somebody presses Ctrl-C."""
    yield from generators(n_games)
    raise KeyboardInterrupt


def test_an_interrupt_keeps_the_games_that_were_played():
    agent = RuleAgent("random")
    with pytest.raises(KeyboardInterrupt, match="stopped after 5 games;") as caught:
        self_play(agent, 3, stopped_after(5))
    whole = self_play(agent, 3, generators(5))
    for kept, expected in zip(caught.value.result, whole, strict=True):
        assert np.array_equal(kept, expected)

    def tires(state, rng):
        if rng.bit_generator.seed_seq.entropy == [1, 2] and state.n_deck < 30:
            raise KeyboardInterrupt
        return RuleAgent("IGGI")(state, rng)

    with pytest.raises(KeyboardInterrupt) as caught:
        self_play(tires, 2, generators(9))  # in the third game
    kept = caught.value.result
    assert kept.scores.tolist() == self_play(RuleAgent("IGGI"), 2, generators(2)).scores.tolist()
    with pytest.raises(KeyboardInterrupt, match="after 1 game;") as caught:
        self_play(agent, 3, stopped_after(1))
    assert len(caught.value.result.scores) == 1
    assert np.isnan(caught.value.result.standard_error)
    with pytest.raises(KeyboardInterrupt) as caught:
        self_play(agent, 3, stopped_after(0))
    assert not hasattr(caught.value, "result")


def looks(state, rng):
    """An agent that plays what fits, own cards in sight."""
    own = state.hands[state.player]
    fits = [Play(slot) for slot, card in enumerate(own) if state.playable()[card]]
    return (fits or list(state.legal_moves())[::-1])[0]


def looks_at_the_deck(state, rng):
    """An agent that hints, if the next card is one to be seen."""
    return list(state.legal_moves())[-1 if state.deck[0] < N_CARDS else 0]


@pytest.mark.parametrize("agent", [looks, looks_at_the_deck])
@pytest.mark.parametrize(
    "play",
    [
        lambda agent: next(play_game([agent] * 2, 1)),
        lambda agent: self_play([RuleAgent("IGGI"), agent], 2, range(3)),
        lambda agent: score_table({"it": agent}, n_games=2),
        lambda agent: next(forgetful_game(agent, 2, 3, 1)),
    ],
)
def test_an_agent_that_looks_is_told_that_it_cannot(agent, play):
    with pytest.raises(ValueError, match="cards lie face down"):
        play(agent)


def test_partners_and_boards_ask_with_the_same(monkeypatch):
    asked = []

    def decide(self, state, rng):
        asked.append(state)
        return decides(self, state, rng)

    decides = RuleAgent.decide
    monkeypatch.setattr(RuleAgent, "decide", decide)
    game = list(listening_game(exact_belief, np.random.default_rng(1)))
    asked_before = len(asked)
    board = table.HanabiBoard(seed=3)
    board.move("hint-3")
    board.decisions()
    assert asked_before == len(game) < len(asked)
    for state in asked:
        assert isinstance(state.hands[state.player], FaceDown)
        assert isinstance(state.deck, FaceDown) or not state.deck
