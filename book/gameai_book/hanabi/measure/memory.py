"""Games of players who forget: a hint is remembered for some moves, then it is gone.

The hint mask of a `State` keeps every hint for as long as the card is held. So V0, and every
belief made from it, presumes players who forget nothing. Here they do.
"""

from dataclasses import replace

import numpy as np

from gameai_lib.hanabi.game.cards import (
    IS_CARD,
    NO_CARD,
    Discard,
    Play,
    hint_cards,
    touched_slots,
)
from gameai_lib.hanabi.game.play import Frame
from gameai_lib.hanabi.game.rules import State


def forgetful_game(agent, n_players, span, rng):
    """Yield the `Frame` of each turn of a game of copies of `agent` who forget hints.

    The agent is as in `play_game`, and sees a state whose hint mask holds remembered hints
    alone; the frames are of the game as it is, nothing forgotten. A hint is remembered for
    `span` moves: 1 is until the next move is made. The same `rng` deals the same deck as in
    `play_game`.
    """
    state = State.new(n_players, rng)
    heard = np.ones((span, *state.hint_mask.shape), dtype=bool)  # what each move has told
    turn = 0
    while not state.is_over:
        seen = state.hide_hand(state.player)
        move = agent(replace(seen, hint_mask=remember(state, heard)), rng)
        frame = Frame(state, move, state.apply(move))
        yield frame
        heard[turn % span] = True  # the oldest is forgotten
        if isinstance(move, Play | Discard):
            # The cards move down, and what was heard of them moves with them.
            hand = heard[:, state.player]
            hand[:, move.slot : -1] = hand[:, move.slot + 1 :]
            hand[:, -1] = True
        else:
            touched = np.zeros(state.hand_size, dtype=bool)
            touched[touched_slots(move, state.hands[move.player])] = True
            heard[turn % span, move.player] = hint_cards(move) == touched[:, None]
        state, turn = frame.next_state, turn + 1


def remember(state, heard):
    """Hint mask of what was `heard`, an array (span, n_players, hand_size, 26) of masks."""
    absent = state.hint_mask[:, :, NO_CARD, None]
    return np.where(absent, ~IS_CARD, IS_CARD & heard.all(axis=0))
