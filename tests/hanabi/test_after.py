"""Beliefs after a log, and policies of players who err, against all deals played again."""

from itertools import product

import numpy as np
import pytest

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.likelihood import exact_likelihood, public_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.cards import N_RANKS, Discard, FaceDown, HintColour, HintRank, Play
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.positions import parse_state
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import asked_slot, convention_would_act
from gameai_lib.hanabi.players.policy import agent_would_act, allow_errors
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
    once = allow_errors(convention_would_act, 0.2)
    one, two = (
        policy(state, HintColour(1, 0), hands) for policy in (once, allow_errors(once, 0.5))
    )
    n_legal = [len(changed(state, hands=(state.hands[0], tuple(h))).legal_moves()) for h in hands]
    assert one.tolist() == pytest.approx([0.8, 0.2 / (n_legal[1] - 1)])
    assert two == pytest.approx(0.5 * one + (1 - one) * 0.5 / (np.array(n_legal) - 1))


def test_a_policy_may_answer_with_probabilities():
    known = np.array([2, 1, 1]), np.ones((2, 3), dtype=bool)
    L = exact_likelihood(*known, lambda hands: np.where(hands[:, 0] == 0, 0.5, 0.25))
    assert np.allclose(L[0], [0.5, 0.25, 0.25])


def test_a_move_tells_the_same_where_the_own_hand_is_not_written():
    n_told = 0
    for frame in list(play_game([RuleAgent("Convention")] * 3, 8))[1::8]:
        before, after = (parse_state(str(s.hide_hand(0))) for s in (frame.state, frame.next_state))
        hidden = [Frame(before, frame.move, after)]
        for options in ({"max_hands": 500_000}, {"max_hands": 0, "n_samples": 50}):
            told, known = (
                belief_after(frames, convention_would_act, player=0, **options)
                for frames in (hidden, [frame])
            )
            assert np.array_equal(told, known)
        n_told += not np.allclose(told, exact_belief(*frame.next_state.view(0)))
    assert n_told > 0
