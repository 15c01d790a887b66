"""The policy of any agent, as likelihoods ask for it: hand by hand."""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.hanabi.belief.likelihood import WouldAct
from gameai_lib.hanabi.game.cards import NO_CARD
from gameai_lib.hanabi.game.play import Agent, check_agent
from gameai_lib.hanabi.game.rules import State


def agent_would_act(agent: Agent) -> WouldAct:
    """What `belief_after` and `public_likelihood` ask of an agent: would it have made this move?

    The agent is asked once for each hand, which takes a second for some thousands of them;
    `convention_would_act` answers for all at once.

    Parameters
    ----------
    agent : callable
        ``agent(state, rng)`` as in `play_game`. It must leave nothing to chance.

    Returns
    -------
    callable
        ``would_act(state, move, hands)``, which raises a ValueError if the agent draws a random
        number.

    Raises
    ------
    TypeError
        If `agent` cannot be called.

    Examples
    --------
    Rules of one's own. Player 0 hints to player 2, past player 1, who hears that no card of
    theirs can be played now:

    >>> from gameai_lib.hanabi.players import agents
    >>> rules = agents.play_certain, agents.hint_useful, agents.discard_oldest, agents.hint_nothing
    >>> game = list(play_game([RuleAgent(rules)] * 3, 10))[:1]
    >>> print(game[0].move)
    hints 2 1s
    >>> for policy in (None, agent_would_act(RuleAgent(rules))):
    ...     belief = belief_after(game, policy, player=1)
    ...     print((belief @ game[0].state.playable()).round(2))
    [0.33 0.33 0.33 0.33 0.33]
    [0. 0. 0. 0. 0.]
    """
    check_agent(agent)

    def would_act(state, move, hands):
        state = checks.kind("state", state, State).hide_hand(state.player)
        rng = np.random.default_rng(0)
        drawn = rng.bit_generator.state
        others = (state.player + np.arange(1, state.n_players)) % state.n_players
        acted = np.zeros(len(hands), dtype=bool)
        for k, cards in enumerate(hands.reshape(len(hands), -1, state.hand_size).tolist()):
            held = list(state.hands)
            for other, hand in zip(others, cards, strict=True):
                held[other] = tuple(card for card in hand if card != NO_CARD)
            acted[k] = agent(state._changed(hands=tuple(held)), rng) == move
        if rng.bit_generator.state != drawn:
            raise ValueError("the agent draws random numbers: its move is no function of hands")
        return acted

    return would_act
