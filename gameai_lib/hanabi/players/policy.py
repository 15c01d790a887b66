"""The policy of agents, as likelihoods ask for it: would they have made this move, hand by hand?

What a move of an agent tells is the likelihood of Foerster et al. 2019, which needs its answer for
thousands of hands that a player might hold.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from gameai_lib.base import arrays, checks, jit
from gameai_lib.base.checks import short
from gameai_lib.base.types import Bools, Ints
from gameai_lib.hanabi.belief.likelihood import WouldAct, ask_policy
from gameai_lib.hanabi.game.box import IS_TOUCHED, MAX_HINTS, N_CARDS
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.play import Agent
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import HANDS, KNOWS, MOST, number_of
from gameai_lib.hanabi.players import playout
from gameai_lib.hanabi.players.agents import RuleAgent

FEW_HANDS = 100  # which need not wait for a compiler


def agent_would_act(agent: Agent) -> Callable[[State, Move, Ints], Bools]:
    """What `belief_after` and `public_likelihood` ask of an agent: would it have made this move?

    ``would_act(state, move, hands)`` is an (n_hands,) bool array: whether the agent, as in
    `play_game`, would have made `move`, had the others held each hand. The actor's own hand, and
    those that the players in question really hold, are ignored. `hands` is an (n_hands,
    n_others * hand_size) int array of hands of the next player and, in the order of their turns,
    of as many of the others as there are columns for; `NO_CARD` where there is no card. An agent
    with the library's rules and V0 answers for all hands at once, any other is asked hand by hand,
    a second for some thousands. One that draws a random number is a ValueError.

    Examples
    --------
    >>> hands = np.array([[11, 18, 2, 13, 0], [0, 18, 5, 13, 10]])
    >>> agent_would_act(RuleAgent("Tuned"))(State.new(2, 7), HintColour(1, 0), hands)
    array([ True, False])
    """
    checks.function("agent", agent)
    is_kernel = type(agent) is RuleAgent and agent.row is not None
    ask = _ask_at_once if is_kernel else _ask_each

    def would_act(state: State, move: Move, hands: Ints) -> Bools:
        hands, rng = _check_hands(state, move, hands), np.random.default_rng(0)
        drawn = rng.bit_generator.state
        acted = ask(agent, state, move, hands, rng)
        if rng.bit_generator.state != drawn:
            raise ValueError("the agent draws random numbers: its move is no function of hands")
        return acted

    return would_act


def _check_hands(state, move, hands):
    checks.kind("state", state, State)
    if not isinstance(move, Move):
        raise TypeError(f"not a move: {short(move)}")
    hands = arrays.whole("hands", hands, 0, N_CARDS, ndim=2)
    n_others, rest = divmod(hands.shape[1], state.hand_size)
    if rest or not 0 < n_others < state.n_players:
        most = f"1 to {state.n_players - 1} times {state.hand_size}"
        raise ValueError(f"hands must be (n_hands, {most}), got shape {hands.shape}")
    return hands


def _ask_at_once(agent, state, move, hands, rng):
    acted, chances = np.empty(len(hands), np.bool_), np.empty((2, state.hand_size))
    number = number_of(move, state.player, state.n_players)
    with jit.plain_at_first(len(hands) <= FEW_HANDS):
        rows = playout.seat_rows(*[agent.row] * state.n_players)
        playout.would_act(rows, state.table.copy(), number, hands, acted, chances, rng)
    return acted


def _ask_each(agent, state, move, hands, rng):
    acted, table = np.zeros(len(hands), dtype=bool), state.hide_hand(state.player).table.copy()
    held = table[HANDS:KNOWS].reshape(MOST, MOST)[:, : state.hand_size]
    others = (state.player + 1 + np.arange(hands.shape[1] // state.hand_size)) % state.n_players
    for k, cards in enumerate(hands.reshape(len(hands), len(others), state.hand_size)):
        held[others] = cards
        acted[k] = agent(State._of(table.copy(), state.past), rng) == move
    return acted


_would_convention_act = agent_would_act(RuleAgent("Convention"))


def convention_would_act(state: State, move: Move, hands: Ints) -> Bools:
    """Whether the Convention agent would have made `move`, had the others held each hand.

    This is ``agent_would_act(RuleAgent("Convention"))``, which says what the arguments are.

    Examples
    --------
    Player 0 hints red. Had player 1 held the second of these hands, it would have been 1s:

    >>> hands = np.array([[11, 18, 2, 13, 0], [0, 18, 5, 13, 10]])
    >>> convention_would_act(State.new(2, 7), HintColour(1, 0), hands)
    array([ True, False])
    """
    return _would_convention_act(state, move, hands)


def allow_errors(would_act: WouldAct, epsilon: float) -> WouldAct:
    """The policy of players who err, so that one odd move does not make a belief impossible.

    ``P(move | hand)`` is ``1 - epsilon`` for a hand in sight with which the policy makes the move,
    and ``epsilon / (n - 1)`` for any other: of the n moves that are legal with this hand, all but
    the policy's are equally likely errors. In the factorised update of L by Foerster et al. 2019
    the two are 1 and 0, ``1(policy(hand) = move)``.

    Examples
    --------
    >>> hands = np.array([[11, 18, 2, 13, 0], [0, 18, 5, 13, 10]])
    >>> allow_errors(convention_would_act, 0.1)(State.new(2, 7), HintColour(1, 0), hands)
    array([0.9 , 0.01])
    """
    checks.function("would_act", would_act)
    epsilon = checks.number("epsilon", epsilon, 0, 1)

    def probability(state, move, hands):
        acted = ask_policy(partial(would_act, state, move), hands)
        n_others = np.maximum(_n_legal(state, hands) - 1, 1)
        return acted * (1 - epsilon) + (1.0 - acted) * epsilon / n_others

    return probability


def _n_legal(state, hands):
    """(n_hands,) int array: moves of the player to move, had the others held each hand."""
    n_moves = len(state.hands[state.player]) * (1 + (state.n_hints < MAX_HINTS))
    if state.n_hints == 0:
        return np.full(len(hands), n_moves)
    touches = IS_TOUCHED.T[hands.reshape(len(hands), -1, state.hand_size)]
    return n_moves + touches.any(axis=2).sum(axis=(1, 2))
