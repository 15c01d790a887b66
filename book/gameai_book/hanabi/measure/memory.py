"""Games of players who forget: a hint is remembered for some moves, then it is gone.

The hint mask of a `State` keeps every hint for as long as the card is held. So V0, and every
belief made from it, presumes players who forget nothing. Here they do.
"""

from dataclasses import replace

import numpy as np

from gameai_lib.hanabi.game.box import HAND_SIZE, IS_CARD, NO_CARD
from gameai_lib.hanabi.game.moves import Discard, Play, hint_cards, touched_slots
from gameai_lib.hanabi.game.play import play_game


def forgetful_game(agent, n_players, span, rng):
    """Yield the `Frame` of each turn of a game of copies of `agent` who forget hints.

    The agent and `rng` are as in `play_game`; the agent sees a state whose hint mask holds
    remembered hints alone, and the frames are of the game as it is, nothing forgotten. A hint is
    remembered for `span` moves: 1 is until the next move is made.
    """
    size = HAND_SIZE[n_players]
    heard = np.ones((span, n_players, size, 26), dtype=bool)  # what each move has told

    def forgetful(state, rng):
        is_absent = state.hint_mask[:, :, NO_CARD, None]
        remembered = np.where(is_absent, ~IS_CARD, IS_CARD & heard.all(axis=0))
        return agent(replace(state, hint_mask=remembered), rng)

    for turn, frame in enumerate(play_game([forgetful] * n_players, rng)):
        yield frame
        state, move, _ = frame
        heard[turn % span] = True  # the oldest is forgotten
        if isinstance(move, Play | Discard):
            # The cards move down, and what was heard of them moves with them.
            hand = heard[:, state.player]
            hand[:, move.slot : -1] = hand[:, move.slot + 1 :]
            hand[:, -1] = True
        else:
            touched = np.zeros(size, dtype=bool)
            touched[touched_slots(move, state.hands[move.player])] = True
            heard[turn % span, move.player] = hint_cards(move) == touched[:, None]
