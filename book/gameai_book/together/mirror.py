"""The Convention in a mirror: a hint says "play the oldest card that this touches".

Among its like it is as good as the Convention, whose hints mean the newest card; the two of them
do not understand each other.
"""

import numpy as np

from gameai_lib.hanabi.game.cards import (
    IS_COLOUR,
    IS_RANK,
    N_RANKS,
    HintColour,
    HintRank,
    Move,
    Play,
)
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.rules import hint_asking, hint_nothing, play_asked

TOUCHES = np.concatenate([IS_RANK, IS_COLOUR])  # (10, 26) bool: hints, ranks first


def play_asked_oldest(sight, rng):
    """Play the card that a hint has just asked for: the oldest that it touched."""
    touched = touched_slots(sight)
    if touched and (sight.hint_mask[sight.player, touched[0]] & sight.live).any():
        yield Play(touched[0])


def touched_slots(sight):
    """Slots that the last move, a hint to the player to move, touched, the oldest first."""
    hint = sight.last_move
    if not isinstance(hint, HintRank | HintColour) or hint.player != sight.player:
        return []
    k = hint.rank - 1 if isinstance(hint, HintRank) else N_RANKS + hint.colour
    return np.flatnonzero((sight.hint_mask[sight.player] & TOUCHES[k]).any(axis=1)).tolist()


def hint_asking_oldest(sight, rng):
    """Ask the next player for a playable card; of all such hints, as `hint_asking` chooses."""
    asking = []
    for k, cards, slot in _hints(sight):
        card = cards[slot]
        if sight.playable[card]:
            n_touched = int(TOUCHES[k, cards].sum())
            asking.append((card % N_RANKS, -n_touched, k < N_RANKS, card, k))
    if asking:
        yield _hint(sight, min(asking)[-1])


def hint_nothing_oldest(sight, rng):
    """Give the next player a hint that asks for nothing, as all can see."""
    for k, _, slot in _hints(sight):
        if not (sight.hint_mask[_next(sight), slot] & TOUCHES[k] & sight.live).any():
            yield _hint(sight, k)


def _hints(sight):
    """Yield each hint to the next player: its number, the hand, and the oldest slot it touches."""
    cards = list(sight.hands[_next(sight)])
    for k in range(len(TOUCHES) if sight.n_hints > 0 else 0):
        touched = np.flatnonzero(TOUCHES[k, cards])
        if touched.size:
            yield k, cards, int(touched[0])


def _next(sight):
    return next(iter(sight.hands))


def _hint(sight, k) -> Move:
    player = _next(sight)
    return HintRank(player, k + 1) if k < N_RANKS else HintColour(player, k - N_RANKS)


OLDEST = {
    play_asked: play_asked_oldest,
    hint_asking: hint_asking_oldest,
    hint_nothing: hint_nothing_oldest,
}
#: The agent with these rules in the places of the Convention's.
MIRROR = RuleAgent([OLDEST.get(rule, rule) for rule in RULES["Convention"]])
