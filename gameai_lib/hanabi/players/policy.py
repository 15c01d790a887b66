"""The policy of any agent, as likelihoods ask for it: hand by hand, and with errors."""

from functools import partial

import numpy as np

from gameai_lib.base import checks
from gameai_lib.hanabi.belief.likelihood import WouldAct, ask_policy
from gameai_lib.hanabi.game.cards import IS_TOUCHED, MAX_HINTS
from gameai_lib.hanabi.game.play import Agent
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import HANDS, KNOWS, MOST


def agent_would_act(agent: Agent) -> WouldAct:
    """What `belief_after` and `public_likelihood` ask of an agent: would it have made this move?

    The agent, as in `play_game`, is asked once for each hand, which takes a second for some
    thousands of them; `convention_would_act` answers for all at once. One that draws a random
    number is a ValueError.

    Examples
    --------
    >>> hands = np.array([[11, 18, 2, 13, 0], [0, 18, 5, 13, 10]])
    >>> agent_would_act(RuleAgent("Convention"))(State.new(2, 7), HintColour(1, 0), hands)
    array([ True, False])
    """
    checks.function("agent", agent)

    def would_act(state, move, hands):
        rng = np.random.default_rng(0)
        drawn, table = rng.bit_generator.state, state.hide_hand(state.player).table.copy()
        others = (state.player + np.arange(1, state.n_players)) % state.n_players
        held = table[HANDS:KNOWS].reshape(MOST, MOST)[:, : state.hand_size]
        acted = np.zeros(len(hands), dtype=bool)
        for k, cards in enumerate(hands.reshape(len(hands), len(others), state.hand_size)):
            held[others] = cards
            acted[k] = agent(State._of(table.copy(), state.past), rng) == move
        if rng.bit_generator.state != drawn:
            raise ValueError("the agent draws random numbers: its move is no function of hands")
        return acted

    return would_act


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
