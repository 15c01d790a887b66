"""Beliefs after a log, and policies of players who err, against all deals played again."""

import numpy as np
import pytest

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.likelihood import public_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.box import N_RANKS
from gameai_lib.hanabi.game.moves import HintColour, HintRank, Play
from gameai_lib.hanabi.game.notation import parse_state
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.policy import agent_would_act, allow_errors, convention_would_act
from tests.hanabi.brute import changed, deals

EPSILON, ODD = 0.08, 3  # how often players err, and which move may be an error
CONVENTION = RuleAgent("Convention")


def tells(state, rng):
    """A policy of one's own: the kind of a hint about the oldest card says if the newest fits."""
    player = (state.player + 1) % state.n_players
    oldest, *_, newest = state.hands[player]
    if state.playable()[newest]:
        return HintRank(player, oldest % N_RANKS + 1)
    return HintColour(player, oldest // N_RANKS)


def game_of_hints(n_players, seed, has_error):
    """Eight hints of `tells`, from a deal in which all but the newest cards are known."""
    state = State.new(n_players, seed)
    mask = state.hint_mask.copy()
    for player, hand in enumerate(state.hands):
        mask[player, :-1] = np.arange(26) == np.array(hand[:-1])[:, None]
    state, frames = changed(state, hint_mask=mask), []
    for turn in range(8):
        move = tells(state, None)
        if has_error and turn == ODD:
            hints = (m for m in state.legal_moves() if isinstance(m, HintColour | HintRank))
            move = next(hint for hint in hints if hint != move)
        frames.append(Frame(state, move, state.apply(move)))
        state = frames[-1].next_state
    return frames


def chance(frame, hands, epsilon):
    """Of the move, had the players held these hands: by the definition, move by move."""
    imagined = changed(frame.state, hands=tuple(map(tuple, hands)))
    moves, right = imagined.legal_moves(), tells(imagined, None)
    if frame.move == right:
        return 1 - epsilon
    return epsilon / (len(moves) - 1) if frame.move in moves else 0


def posterior(frames, player, epsilon):
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


SEATS = [(2, None), (2, 0), (2, 1), (3, 1), (4, 0), (5, 4), (5, 2)]


@pytest.mark.parametrize("epsilon", [0, EPSILON])
@pytest.mark.parametrize(("n_players", "player"), SEATS)
def test_the_belief_after_a_log_is_that_of_all_deals(n_players, player, epsilon):
    n_told = 0
    for seed in range(3):
        frames = game_of_hints(n_players, seed, has_error=epsilon > 0)
        belief = belief_after(frames, allow_errors(agent_would_act(tells), epsilon), player=player)
        assert np.allclose(belief, posterior(frames, player, epsilon), rtol=1e-9, atol=1e-12)
        n_told += not np.allclose(belief, belief_after(frames, player=player))
    assert n_told > 0


def test_a_move_that_no_policy_makes_is_named():
    frames, policy = game_of_hints(2, 0, has_error=True), agent_would_act(tells)
    said = f"move {ODD}, player {ODD % 2} hints .*; `allow_errors` lets it err"
    with pytest.raises(InconsistentState, match=said):
        belief_after(frames, policy)
    belief_after(frames, policy, player=ODD % 2)  # whose own move it was


def test_each_kind_is_the_belief_of_this_name():
    game = list(play_game([CONVENTION] * 2, 7))[:4]
    public, own = game[-1].next_state.public(), game[-1].next_state.view(1)
    both = {"V0": v0_belief, "BP": bp_belief, "exact": exact_belief}
    for kind, belief in {**both, "V1": v1_belief}.items():
        assert np.array_equal(belief_after(game, kind=kind), belief(*public))
        assert np.array_equal(belief_after(game, kind=kind, player=1), belief(*own))
    few = {"max_hands": 100, "n_samples": 50}
    *_, L = public_likelihood(game, convention_would_act, 3, **few)
    for kind, belief in {**both, "BB": bad_belief, "V2": v2_belief}.items():
        found = belief_after(game, convention_would_act, kind=kind, rng=3, **few)
        assert np.array_equal(found, belief(*public, L))


def test_where_no_drawn_hand_is_possible_nothing_is_told():
    frames = list(play_game([CONVENTION] * 2, 7))[:3]
    for seed in range(20):
        drawn = {"max_hands": 0, "n_samples": 1, "rng": seed}
        belief = belief_after(frames, agent_would_act(CONVENTION), player=0, **drawn)
        assert np.allclose(belief.sum(axis=1), 1)


def test_a_move_tells_the_same_where_the_own_hand_is_not_written():
    n_told = 0
    for frame in list(play_game([CONVENTION] * 3, 8))[1::8]:
        before, after = (parse_state(str(s.hide_hand(0))) for s in (frame.state, frame.next_state))
        hidden = Frame(before, frame.move, after)
        for options in ({"max_hands": 500_000}, {"max_hands": 0, "n_samples": 50}):
            told, known = (
                belief_after([one], convention_would_act, player=0, **options)
                for one in (hidden, frame)
            )
            assert np.array_equal(told, known)
        n_told += not np.allclose(told, exact_belief(*frame.next_state.view(0)))
    assert n_told > 0


def test_a_policy_shows_its_agent_no_hand_of_its_own():
    state, hands = State.new(3, 4), np.zeros((2, 10), int)
    with pytest.raises(ValueError, match="cards lie face down"):
        agent_would_act(lambda state, rng: Play(state.hands[0][0]))(state, Play(0), hands)
