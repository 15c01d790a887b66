"""Whole games, frame by frame and in a kernel; self-play."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.base import jit
from gameai_lib.hanabi import RuleAgent, play_game, self_play, v0_belief
from gameai_lib.hanabi.game.box import HAND_SIZE, IS_COLOUR, IS_RANK
from gameai_lib.hanabi.players import playout
from gameai_lib.hanabi.players.agents import RULES
from gameai_lib.hanabi.players.rules import HINTED, ONE_EACH
from gameai_lib.hanabi.players.self_play import play_out_game

# By agent and number of players: how many games with the seeds [0, i], a digest of their moves and
# the sum of their scores. The players that were generators of moves have played them.
GAMES = json.loads((Path(__file__).parent / "games.json").read_text())
CONVENTION = RuleAgent("Convention")


@pytest.mark.skipif(not jit.COMPILED, reason="plays a thousand games")
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_the_kernel_plays_the_games_that_were_stored(name, n_players):
    n_games, digest, total = GAMES[f"{name} {n_players}"]
    played, scores = hashlib.sha256(), 0
    for game in range(n_games):
        rng = np.random.default_rng([0, game])
        moves, points, lives = play_out_game([RuleAgent(name)] * n_players, rng)
        played.update(bytes(moves.tolist()))
        scores += points * (lives > 0)
    assert (played.hexdigest()[:16], scores) == (digest, total)


def test_bits_of_hints_are_those_of_the_cards_that_they_touch():
    """In a page, too, where whole numbers of numpy have 32 bits and these have 40."""
    for which, touched in enumerate([*IS_RANK, *IS_COLOUR]):
        assert (HINTED >> which & 1 == touched).all()
        assert [int(n) >> 4 * which & 15 for n in ONE_EACH] == touched.tolist()


@pytest.mark.parametrize("n_players", [2, 4])
def test_chances_are_those_of_v0(n_players):
    chances = np.empty((2, HAND_SIZE[n_players]))
    for state, _, _ in play_game([RuleAgent("Piers")] * n_players, 5):
        n_held = len(state.hands[state.player])
        playout.count(state.table, playout.CHANCES, *chances)
        belief = v0_belief(*state.view(state.player))[:n_held]
        assert chances[0, :n_held] == pytest.approx(belief @ state.playable())
        assert chances[1, :n_held] == pytest.approx(belief @ state.useless())
        assert (chances[:, n_held:] == -1).all()
        certain = np.floor(chances)
        playout.count(state.table, playout.CERTAINTY, *chances)
        assert (chances == certain).all()


TEAM = [RuleAgent("IGGI"), CONVENTION]  # who take the seats in turn


@pytest.mark.parametrize("agents", [[RuleAgent("random")], [CONVENTION], TEAM])
@pytest.mark.parametrize("n_players", [2, 4])
def test_self_play_says_what_games_end_with(agents, n_players):
    result, seats = self_play(agents, n_players, range(6)), [*agents, *agents] * 2
    last = [list(play_game(seats[:n_players], game))[-1].next_state for game in range(6)]
    assert result.scores.tolist() == [state.score for state in last]
    assert result.points.tolist() == [state.fireworks.sum() for state in last]
    assert result.n_lost == [state.n_lives for state in last].count(0)
    assert result.n_perfect == [state.score for state in last].count(25)
    assert result.mean == pytest.approx(sum(result.scores) / 6)
    squares = sum((score - result.mean) ** 2 for score in result.scores)
    assert result.standard_error == pytest.approx((squares / 5 / 6) ** 0.5)
