"""The Convention in a mirror: a hint says "play the oldest card that this touches".

Among its like it is as good as the Convention, whose hints mean the newest card; the two of them
do not understand each other.
"""

import numpy as np

from gameai_lib.hanabi.game.box import COLOURS, N_RANKS
from gameai_lib.hanabi.game.moves import HintColour, HintRank, Play, hint_cards
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.rules import hint_asking, hint_nothing, play_asked


def play_asked_oldest(state, belief, rng):
    """Play the card that a hint has just asked for: the oldest that it touched."""
    touched = touched_slots(state)
    if touched and (state.hint_mask[state.player, touched[0]] & live(state)).any():
        yield Play(touched[0])


def touched_slots(state):
    """Slots that the last move, a hint to the player to move, touched, the oldest first."""
    hint = state.last_move
    if not isinstance(hint, HintRank | HintColour) or hint.player != state.player:
        return []
    return np.flatnonzero((state.hint_mask[state.player] & hint_cards(hint)).any(axis=1)).tolist()


def live(state):
    """(26,) bool array: playable cards of which not all copies are gone."""
    return state.playable() & (state.candidates() > 0)


def hint_asking_oldest(state, belief, rng):
    """Ask the next player for a playable card; of all such hints, as `hint_asking` chooses."""
    asking = {}
    for hint, cards, touched in _hints(state):
        card = cards[touched[0]]
        if state.playable()[card]:
            asking[card % N_RANKS, -len(touched), isinstance(hint, HintRank), card] = hint
    if asking:
        yield asking[min(asking)]


def hint_nothing_oldest(state, belief, rng):
    """Give the next player a hint that asks for nothing, as all can see."""
    for hint, _, touched in _hints(state):
        if not (state.hint_mask[hint.player, touched[0]] & hint_cards(hint) & live(state)).any():
            yield hint


def _hints(state):
    """Yield each hint to the next player, with the hand and the slots that it touches."""
    player = (state.player + 1) % state.n_players
    cards = state.hands[player]
    ranks = [HintRank(player, rank + 1) for rank in range(N_RANKS)]
    colours = [HintColour(player, colour) for colour in range(len(COLOURS))]
    for hint in [*ranks, *colours] if state.n_hints > 0 else ():
        touched = np.flatnonzero(hint_cards(hint)[list(cards)]).tolist()
        if touched:
            yield hint, cards, touched


OLDEST = {
    play_asked: play_asked_oldest,
    hint_asking: hint_asking_oldest,
    hint_nothing: hint_nothing_oldest,
}
#: The agent with these rules in the places of the Convention's.
MIRROR = RuleAgent([OLDEST.get(rule, rule) for rule in RULES["Convention"]])
