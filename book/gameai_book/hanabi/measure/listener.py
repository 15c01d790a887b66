"""A player who hears what its partners' moves say: games with beliefs that use L.

The listener's own rules know no convention. Its partners are Convention agents, whose policy
is known, and so a likelihood can be followed from move to move (`likelihood_after`). With a
belief that uses it the listener finds out by Bayes' rule what the Convention agent is told by
its rule `play_asked`.
"""

import numpy as np

from gameai_lib.hanabi.belief.likelihood import likelihood_after
from gameai_lib.hanabi.game.box import HAND_SIZE
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.policy import convention_would_act

LISTENER = 0


def listening_game(belief, rng, *, n_players=2, listens=True):
    """Yield the `Frame` of each turn of a game of a listener (player 0) and its partners.

    ``belief(candidates, hint_mask, likelihood)`` gives an (n_slots, n_cards) float array, as
    `exact_belief`, `bad_belief` and `v2_belief` do. `rng` is as in `play_game`, and is passed to
    sampling, too. A player who does not listen has a likelihood of None.
    """
    likelihood = np.ones((HAND_SIZE[n_players], 26)) if listens else None

    def believe(candidates, hint_mask):
        return belief(candidates, hint_mask, likelihood)

    partners = [RuleAgent("Convention")] * (n_players - 1)
    for frame in play_game([RuleAgent("Listener", believe), *partners], rng):
        yield frame
        if listens and not frame.next_state.is_over:
            likelihood = likelihood_after(
                frame, convention_would_act, rng, likelihood, player=LISTENER
            )
