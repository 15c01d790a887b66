"""The hint convention of the Convention agent, and its decisions on many hands at once.

The convention in one sentence: a hint says "play the newest card that this touches", unless
all can see that it cannot be playable. Whoever knows the convention learns from each move of
such an agent; that is what the likelihood of Foerster et al. 2019 (Bayesian Action Decoder)
measures, and it needs the agent's answer for thousands of hands that a player might hold.
"""

import numpy as np

from gameai_lib.base import arrays, checks, jit
from gameai_lib.base.checks import short
from gameai_lib.base.types import Bools, Ints
from gameai_lib.hanabi.game.cards import (
    HAND_SIZE,
    IS_COLOUR,
    IS_RANK,
    MAX_HINTS,
    N_CARDS,
    N_COLOURS,
    N_RANKS,
    Discard,
    HintRank,
    Move,
    Play,
)
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import lay_out
from gameai_lib.hanabi.players.rules import NONE, find_asked

# Moves as numbers: the hints to the next player (ranks, then colours), plays, discards.
_TOUCHES = np.concatenate([IS_RANK, IS_COLOUR]).T  # (26, 10) bool: card, hint
_PLAY = N_RANKS + N_COLOURS
_DISCARD = _PLAY + max(HAND_SIZE.values())


def asked_slot(state: State) -> int | None:
    """Slot that the last move asks the player to move to play, or None.

    Under the convention a hint to the player to move means "play the newest card this
    touches", unless what is known in public shows that this card cannot be playable.
    """
    checks.kind("state", state, State)
    with jit.plain_at_first():
        slot = int(find_asked(lay_out(state)))
    return None if slot == NONE else slot


def convention_would_act(state: State, move: Move, hands: Ints) -> Bools:
    """Whether the Convention agent would have made `move`, had the others held each hand.

    The decisions of ``RuleAgent("Convention")`` with `v0_belief`, on many hands at once: that
    agent's move is a function of public facts and of the hands in sight. The actor's own hand,
    and those that the players in question really hold, are ignored.

    Parameters
    ----------
    state : State
        The state in which the player to move made `move`.
    move : Move
    hands : (n_hands, n_others * hand_size) int array
        Hypothetical hands of the next player and, in the order of their turns, of as many of
        the others as there are columns for; `NO_CARD` where there is no card.

    Returns
    -------
    (n_hands,) bool array

    Raises
    ------
    ValueError, TypeError
        If `hands` does not have one column per slot of one or more of the other players, or
        holds something that is not a card.

    Examples
    --------
    Player 0 hints red. Had player 1 held the second of these hands, it would have been 1s:

    >>> hands = np.array([[11, 18, 2, 13, 0], [0, 18, 5, 13, 10]])
    >>> convention_would_act(State.new(2, 7), HintColour(1, 0), hands)
    array([ True, False])
    """
    checks.kind("state", state, State)
    if not isinstance(move, Move):
        raise TypeError(f"not a move: {short(move)}")
    hands = arrays.whole("hands", hands, 0, N_CARDS, ndim=2)
    n_others, rest = divmod(hands.shape[1], state.hand_size)
    if rest or not 0 < n_others < state.n_players:
        most = f"1 to {state.n_players - 1} times {state.hand_size}"
        raise ValueError(f"hands must be (n_hands, {most}), got shape {hands.shape}")
    asked = asked_slot(state)
    if asked is not None:
        return np.full(len(hands), move == Play(asked))
    proposals = _proposals(state, hands[:, : state.hand_size], _possible_own_cards(state, hands))
    first = (proposals >= 0).argmax(axis=0)
    return proposals[first, np.arange(len(hands))] == _move_code(state, move)


def asking_hint(hands: Ints, playable: Bools) -> Ints:
    """Which hint asks each hand for a playable card, by the convention's second rule.

    `hands` are (n_hands, n_slots) cards, the oldest first, and `playable` is (26,) bool.
    Gives (n_hands,): 0 to 4 for the ranks from 1, 5 to 9 for the colours, -1 where none asks.
    """
    n_touched, newest = _count_touched(hands)
    card = np.take_along_axis(hands, newest, axis=1)
    asks = (n_touched > 0) & playable[card]
    # Order among the asking hints: rank of the card, cards touched, kind of hint, card.
    by_rank = np.arange(_PLAY) < N_RANKS
    key = ((card % N_RANKS * 8 - n_touched) * 2 + by_rank) * 32 + card
    best = np.where(asks, key, np.iinfo(key.dtype).max).argmin(axis=1)
    return np.where(asks.any(axis=1), best, -1)


def _move_code(state, move):
    if isinstance(move, Play):
        return _PLAY + move.slot
    if isinstance(move, Discard):
        return _DISCARD + move.slot
    if move.player != (state.player + 1) % state.n_players:
        return -2  # the agent hints to the next player only
    return move.rank - 1 if isinstance(move, HintRank) else N_RANKS + move.colour


def _proposals(state, hands, possible):
    """(n_rules, n_hands) int array: what each rule proposes, in order of rank, or -1."""
    own = state.hint_mask[state.player, : len(state.hands[state.player])]
    # V0 is certain of a property if no possible card lacks it.
    certain_play = possible @ (own & ~state.playable()).T == 0
    rules = [_first(certain_play, _PLAY)]
    if state.n_hints > 0:
        rules.insert(0, asking_hint(hands, state.playable()))
    if state.n_hints < MAX_HINTS:
        rules.append(_first(possible @ (own & ~state.useless()).T == 0, _DISCARD))
        rules.append(np.full(len(hands), _DISCARD + _oldest_unmarked(own)))
    else:
        rules.append(_hint_for_nothing(state, hands))
    rules.append(np.full(len(hands), _PLAY + len(own) - 1))
    return np.stack(rules)


def _possible_own_cards(state, hands):
    """(n_hands, 26) float array: 1 where the actor may hold the card, given the hands in sight."""
    counts = state.candidates()
    for k in range(hands.shape[1] // state.hand_size + 1, state.n_players):
        for card in state.hands[(state.player + k) % state.n_players]:
            counts[card] -= 1
    seen = (hands[:, :, None] == np.arange(N_CARDS + 1)).sum(axis=1)
    return (counts - seen > 0).astype(np.float32)


def _oldest_unmarked(own):
    cards = own[:, :N_CARDS].reshape(-1, N_COLOURS, N_RANKS)
    n_colours, n_ranks = cards.any(axis=2).sum(axis=1), cards.any(axis=1).sum(axis=1)
    return int(((n_colours > 1) & (n_ranks > 1)).argmax())  # 0 if all are marked


def _hint_for_nothing(state, hands):
    n_touched, newest = _count_touched(hands)
    live = state.playable() & (state.candidates() > 0)
    mask = state.hint_mask[(state.player + 1) % state.n_players] & live
    may_ask = (mask[:, :, None] & _TOUCHES).any(axis=1)  # (hand_size, 10)
    return _first((n_touched > 0) & ~may_ask[newest, np.arange(_PLAY)], 0)


def _count_touched(hands):
    """Number of cards that each hint touches, and the newest of them: two (n_hands, 10)."""
    touched = _TOUCHES[hands]
    return touched.sum(axis=1), hands.shape[1] - 1 - touched[:, ::-1].argmax(axis=1)


def _first(found, code):
    """(n_hands,) int array: `code` plus the first True of each row of `found`, or -1."""
    return np.where(found.any(axis=1), code + found.argmax(axis=1), -1)
