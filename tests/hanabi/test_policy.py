"""Policies of players who err, against all deals and all legal moves, counted one by one."""

from itertools import product

import numpy as np
import pytest

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.exact import InconsistentState
from gameai_lib.hanabi.belief.likelihood import exact_likelihood, public_likelihood
from gameai_lib.hanabi.game.cards import Discard, HintColour, HintRank
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import asked_slot, convention_would_act
from gameai_lib.hanabi.players.policy import agent_would_act, allow_errors
from tests.hanabi.brute import changed
from tests.hanabi.test_after import posterior, tells, told_game

EPSILON = 0.08


def odd_game(n_players, seed):
    """A game of `tells` in which the fourth move is another one."""
    frames = told_game(n_players, seed)[:3]
    state = frames[-1].next_state
    for move in (*state.legal_moves(), None):
        if isinstance(move, HintColour | HintRank) and move != tells(state, None):
            break
    frames.append(Frame(state, move, state.apply(move)))
    for _ in range(4):
        state = frames[-1].next_state
        move = tells(state, None)
        frames.append(Frame(state, move, state.apply(move)))
    return frames


@pytest.mark.parametrize(
    ("n_players", "player"), [(2, None), (2, 0), (2, 1), (3, 1), (4, 0), (5, 2)]
)
def test_the_belief_after_an_odd_move_is_that_of_all_deals(n_players, player):
    n_impossible = 0
    for seed in range(3):
        frames = odd_game(n_players, seed)
        policy = agent_would_act(tells)
        belief = belief_after(frames, allow_errors(policy, EPSILON), player=player)
        assert np.allclose(belief, posterior(frames, player, EPSILON), rtol=1e-9, atol=1e-12)
        try:
            belief_after(frames, policy, player=player)
        except InconsistentState:
            n_impossible += 1
    assert (n_impossible > 0) == (player != 3 % n_players)  # whose own move it was


def test_one_odd_move_keeps_the_belief_possible():
    agent = RuleAgent("Convention")
    late = [frame.state for frame in play_game([agent] * 2, 8) if frame.state.n_deck <= 4]
    state = next(state for state in late if asked_slot(state) is not None)
    odd, player = Discard(0), 1 - state.player  # where a hint has asked for a card
    frames = [Frame(state, odd, state.apply(odd))]
    for _ in range(2):
        state = frames[-1].next_state
        move = agent(state, None)
        frames.append(Frame(state, move, state.apply(move)))
    with pytest.raises(InconsistentState, match=f"move 0, player {1 - player} discards 0: there"):
        belief_after(frames, convention_would_act, player=player)
    policy = allow_errors(convention_would_act, 0.01)
    for kind in ("V0", "BB", "V2", "BP", "exact"):
        belief = belief_after(frames, policy, player=player, kind=kind)
        hand = frames[-1].next_state.hands[player]
        assert (belief[range(len(hand)), hand] > 0).all()


def test_without_errors_all_is_as_before():
    frames = list(play_game([RuleAgent("Convention")] * 3, 7))[:6]
    for options in ({"max_hands": 2000, "n_samples": 300}, {"max_hands": 10**5}):
        followed = (
            public_likelihood(frames, policy, np.random.default_rng(1), **options)
            for policy in (convention_would_act, allow_errors(convention_would_act, 0))
        )
        for plain, errorless in zip(*followed, strict=True):
            assert np.array_equal(plain, errorless)


def test_the_chances_of_all_legal_moves_sum_to_one():
    rng = np.random.default_rng(5)
    for n_players, n_hints in product((2, 3, 5), (0, 3, 8)):
        state = changed(State.new(n_players, rng), n_hints=n_hints)
        others = state.hands[1:]
        hands = np.array([np.concatenate(others), np.concatenate(others[::-1])])
        for k, dealt in enumerate((others, others[::-1])):
            imagined = changed(state, hands=(state.hands[0], *dealt))
            policy = allow_errors(agent_would_act(RuleAgent("Convention")), EPSILON)
            chances = [policy(state, move, hands)[k] for move in imagined.legal_moves()]
            assert sum(chances) == pytest.approx(1)
            assert max(chances) == pytest.approx(1 - EPSILON)


def test_errors_may_be_those_of_a_policy_that_is_a_chance_already():
    state, hands = State.new(2, 7), np.array([[11, 18, 2, 13, 0], [0, 18, 5, 13, 10]])
    move = HintColour(1, 0)
    once = allow_errors(convention_would_act, 0.2)(state, move, hands)
    twice = allow_errors(allow_errors(convention_would_act, 0.2), 0.5)(state, move, hands)
    n_legal = [len(changed(state, hands=(state.hands[0], tuple(h))).legal_moves()) for h in hands]
    assert once.tolist() == pytest.approx([0.8, 0.2 / (n_legal[1] - 1)])
    assert twice == pytest.approx(0.5 * once + (1 - once) * 0.5 / (np.array(n_legal) - 1))


def test_a_policy_may_answer_with_probabilities():
    known = np.array([2, 1, 1]), np.ones((2, 3), dtype=bool)
    L = exact_likelihood(*known, lambda hands: np.where(hands[:, 0] == 0, 0.5, 0.25))
    assert np.allclose(L[0], [0.5, 0.25, 0.25])
