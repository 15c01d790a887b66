"""The table of arrays and the kernel that plays on it: the games that Python played."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.base import jit
from gameai_lib.hanabi import RuleAgent, play_game, self_play, v0_belief
from gameai_lib.hanabi.game.cards import HAND_SIZE, IS_COLOUR, IS_RANK
from gameai_lib.hanabi.players import playout
from gameai_lib.hanabi.players.agents import RULES
from gameai_lib.hanabi.players.rules import HINTED, ONE_EACH, discard_useless
from gameai_lib.hanabi.players.self_play import play_out_game

# By agent and number of players: how many games with the seeds [0, i], a digest of their moves and
# the sum of their scores. The players that were generators of moves have played them.
GAMES = json.loads((Path(__file__).parent / "games.json").read_text())
compiled = pytest.mark.skipif(not jit.COMPILED, reason="plays a thousand games")


@compiled
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


def test_agents_play_the_same_games_frame_by_frame():
    """With mixed seats, and with beliefs that no kernel has."""
    team = [RuleAgent(name) for name in ("Convention", "IGGI", "Piers")]
    for seed in range(3):
        *_, last = play_game(team, np.random.default_rng(seed))
        _, points, lives = play_out_game(team, np.random.default_rng(seed))
        state = last.next_state
        assert (points, lives) == (state.fireworks.sum(), state.n_lives)


def test_bits_of_hints_are_those_of_the_cards_that_they_touch():
    """In a page, too, where whole numbers of numpy have 32 bits and these have 40."""
    for which, touched in enumerate([*IS_RANK, *IS_COLOUR]):
        assert (HINTED >> which & 1 == touched).all()
        assert [int(n) >> 4 * which & 15 for n in ONE_EACH] == touched.tolist()


@pytest.mark.parametrize("n_players", [2, 4])
def test_chances_are_those_of_v0(n_players):
    chances = np.empty((2, HAND_SIZE[n_players]))
    for state, _, _ in play_game([RuleAgent("Piers")] * n_players, 5):
        table, n_held = state.table, len(state.hands[state.player])
        playout.count(table, playout.CHANCES, *chances)
        belief = v0_belief(*state.view(state.player))[:n_held]
        assert chances[0, :n_held] == pytest.approx(belief @ state.playable())
        assert chances[1, :n_held] == pytest.approx(belief @ state.useless())
        assert (chances[:, n_held:] == -1).all()
        certain = np.floor(chances)
        playout.count(table, playout.CERTAINTY, *chances)
        assert (chances == certain).all()


@compiled
def test_rules_that_propose_nothing_are_named_in_the_kernel_too():
    agent = RuleAgent((discard_useless,))
    with pytest.raises(ValueError, match="none of the rules proposes a move here, got discard_use"):
        self_play(agent, 2, range(3))
