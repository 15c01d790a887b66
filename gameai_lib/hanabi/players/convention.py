"""The hint convention of the Convention agent, and its decisions on many hands at once.

The convention in one sentence: a hint says "play the newest card that this touches", unless
all can see that it cannot be playable. What a move of such an agent tells is the likelihood of
Foerster et al. 2019, which needs its answer for thousands of hands that a player might hold.
"""

import numpy as np

from gameai_lib.base import arrays, checks, jit
from gameai_lib.base.checks import short
from gameai_lib.base.types import Bools, Ints
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.cards import N_CARDS, Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import number_of
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.playout import row_of, seat_rows, would_act
from gameai_lib.hanabi.players.rules import NONE, find_asked

FEW_HANDS = 100  # which need not wait for a compiler
CONVENTION = (
    "play_asked hint_asking play_certain discard_useless discard_unmarked discard_oldest "
    "hint_nothing play_newest"
)
_ROW = row_of(rules.find_rules(CONVENTION), v0_belief)


def asked_slot(state: State) -> int | None:
    """Slot that the last move asks the player to move to play, or None."""
    checks.kind("state", state, State)
    with jit.plain_at_first():
        slot = int(find_asked(state.table))
    return None if slot == NONE else slot


def convention_would_act(state: State, move: Move, hands: Ints) -> Bools:
    """Whether the Convention agent would have made `move`, had the others held each hand.

    The decisions of ``RuleAgent("Convention")`` with `v0_belief`. The actor's own hand, and those
    that the players in question really hold, are ignored. `hands` is an (n_hands,
    n_others * hand_size) int array of hands of the next player and, in the order of their turns,
    of as many of the others as there are columns for; `NO_CARD` where there is no card.

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
    acted, chances = np.empty(len(hands), np.bool_), np.empty((2, state.hand_size))
    number = number_of(move, state.player, state.n_players)
    with jit.plain_at_first(len(hands) <= FEW_HANDS):
        rows = seat_rows(*[_ROW] * state.n_players)
        would_act(rows, state.table.copy(), number, hands, acted, chances, np.random.default_rng(0))
    return acted
