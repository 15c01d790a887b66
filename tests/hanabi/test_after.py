"""Beliefs after a log, against all deals, each played again by the agent itself."""

import numpy as np
import pytest

from gameai_lib.hanabi import read_log
from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.deals import sample_deals
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.likelihood import public_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.cards import N_RANKS, FaceDown, HintColour, HintRank, Play
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import convention_would_act
from gameai_lib.hanabi.players.policy import agent_would_act
from tests.hanabi.brute import changed, deals


def tells(state, rng):
    """A policy of one's own: the kind of a hint about the oldest card says if the newest fits."""
    player = (state.player + 1) % state.n_players
    oldest, *_, newest = state.hands[player]
    if state.playable()[newest]:
        return HintRank(player, oldest % N_RANKS + 1)
    return HintColour(player, oldest // N_RANKS)


def told_game(n_players, seed):
    """Eight hints of `tells`, from a deal in which all but the newest cards are known."""
    state = State.new(n_players, seed)
    mask = state.hint_mask.copy()
    for player, hand in enumerate(state.hands):
        mask[player, :-1] = np.arange(26) == np.array(hand[:-1])[:, None]
    state, frames = changed(state, hint_mask=mask), []
    for _ in range(8):
        move = tells(state, None)
        frames.append(Frame(state, move, state.apply(move)))
        state = frames[-1].next_state
    return frames


def chance(frame, hands, epsilon):
    """Of the move, had the players held these hands: by the definition, move by move."""
    imagined = changed(frame.state, hands=tuple(map(tuple, hands)))
    moves = imagined.legal_moves()
    right = tells(imagined, None)
    chances = {move: 1 - epsilon if move == right else epsilon / (len(moves) - 1) for move in moves}
    assert sum(chances.values()) == pytest.approx(1)
    return chances.get(frame.move, 0)


def posterior(frames, player, epsilon=0):
    """Marginals of all deals, each weighed with the chance of all moves."""
    last = frames[-1].next_state
    known = last.public() if player is None else last.view(player)
    seats = range(last.n_players) if player is None else [player]
    belief = np.zeros(known[1].shape)
    for deal, weight in deals(*known):
        hands = list(last.hands)
        for seat, hand in zip(seats, np.reshape(deal, (len(seats), -1)).tolist(), strict=True):
            hands[seat] = hand
        # Nobody drew a card, so the hands have been these from the start.
        weight = float(weight) * np.prod([chance(frame, hands, epsilon) for frame in frames])
        belief[range(len(deal)), deal] += weight
    return belief / belief.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("n_players", "player"), [(2, None), (2, 0), (2, 1), (3, 1), (4, 0), (5, 4), (5, 2)]
)
def test_the_belief_after_a_log_is_that_of_all_deals(n_players, player):
    told = 0
    for seed in range(3):
        frames = told_game(n_players, seed)
        belief = belief_after(frames, agent_would_act(tells), player=player)
        assert np.allclose(belief, posterior(frames, player), atol=1e-12)
        told += not np.allclose(belief, belief_after(frames, player=player))
    assert told > 0


def test_each_kind_is_the_belief_of_this_name():
    game = list(play_game([RuleAgent("Convention")] * 2, 7))[:4]
    public, own = game[-1].next_state.public(), game[-1].next_state.view(1)
    counting = {"V0": v0_belief, "V1": v1_belief, "BP": bp_belief, "exact": exact_belief}
    for kind, belief in counting.items():
        assert np.array_equal(belief_after(game, kind=kind), belief(*public))
        assert np.array_equal(belief_after(game, kind=kind, player=1), belief(*own))
    few = {"max_hands": 100, "n_samples": 50}
    *_, L = public_likelihood(game, convention_would_act, 3, **few)
    beliefs = {"V0": v0_belief, "BB": bad_belief, "V2": v2_belief, "BP": bp_belief}
    beliefs["exact"] = exact_belief
    for kind, belief in beliefs.items():
        found = belief_after(game, convention_would_act, kind=kind, rng=3, **few)
        assert np.array_equal(found, belief(*public, L))


def test_a_log_by_hand_is_heard():
    # The newest card that red touches is asked for, slot 2: one that fits, R1.
    log = """
    Ann: Y1 Y3 G1 B4 B5
    Ben: W5 R3 R1 W4 W2
    Ann hints Ben red
    """
    game = read_log(log.splitlines())
    heard = belief_after(game, convention_would_act, player=1, max_hands=10**6)
    by_hints = belief_after(game, player=1)
    assert by_hints[2, 0] < 0.5
    assert heard[2, 0] == pytest.approx(1)


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_an_agent_hand_by_hand_answers_as_all_at_once(n_players):
    agent = RuleAgent("Convention")
    game = list(play_game([agent] * n_players, 8))
    told = 0
    for state, move, _ in game[:50:12]:
        rng = np.random.default_rng(1)
        dealt = sample_deals(*state.public(), 20, rng).reshape(20, n_players, -1)
        others = (state.player + np.arange(1, n_players)) % n_players
        hands = dealt[:, others].reshape(20, -1)
        acted = agent_would_act(agent)(state, move, hands)
        assert np.array_equal(acted, convention_would_act(state, move, hands))
        told += acted.any() and not acted.all()
    assert told > 0


def test_a_likelihood_asks_agents_about_hands_that_they_see():
    state = State.new(3, 4)
    hands = np.array([[*state.hands[1], *state.hands[2]], [*state.hands[2], *state.hands[1]]])
    asked = []

    def agent(state, rng):
        asked.append(state)
        return HintColour(1, state.hands[1][0] // 5)

    move = agent(state, None)
    would_act = agent_would_act(agent)
    assert would_act(state, move, hands).tolist() == [
        True,
        state.hands[2][0] // 5 == move.colour,
    ]
    for seen, dealt in zip(asked[1:], hands.reshape(2, 2, 5).tolist(), strict=True):
        assert seen.hands == (FaceDown(5), *map(tuple, dealt))
    with pytest.raises(ValueError, match="cards lie face down"):
        agent_would_act(lambda state, rng: Play(state.hands[0][0]))(state, move, hands)


def test_a_move_that_the_policy_never_makes_is_named():
    frames = told_game(2, 0)

    def never(state, move, hands):
        return np.full(len(hands), state.player == 0)

    for player in (None, 0):
        with pytest.raises(
            InconsistentState, match=r"move 1, player 1 hints 0 .*: there is no .*; `allow_errors`"
        ):
            belief_after(frames, never, player=player)


def test_where_no_drawn_hand_is_possible_nothing_is_told():
    frames = list(play_game([RuleAgent("Convention")] * 2, 7))[:3]
    policy = agent_would_act(RuleAgent("Convention"))
    for seed in range(20):
        drawn = {"max_hands": 0, "n_samples": 1, "rng": seed}
        belief = belief_after(frames, policy, player=0, **drawn)
        assert np.allclose(belief.sum(axis=1), 1)
