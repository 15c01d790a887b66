"""What the reader's seat at the table can believe, found when it is asked for, and kept."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_lib.hanabi import RuleAgent, convention_would_act, exact_belief, play_game, v0_belief
from gameai_lib.hanabi.belief.likelihood import likelihood_after as after_turn

READER, PARTNER = 0, 1
AGENT = RuleAgent("Convention")
NAMES = ("V0", "exact", "exact with L")  # of the first three of `Beliefs`


class Beliefs(NamedTuple):
    """Beliefs about the reader's own slots, each a (hand_size, 26) float array."""

    v0: np.ndarray
    exact: np.ndarray
    told: np.ndarray  #: exact, with the likelihood of all that the partner did
    before: np.ndarray  #: the same without the partner's last choice


@lru_cache(maxsize=256)
def advice(state):
    """The Convention agent's move for the player to move, and the rule that proposes it."""
    return AGENT.decide(state.hide_hand(state.player), None)  # it draws no number


@lru_cache(maxsize=50)
def score_of_two(seed):
    """What two Convention agents score on the deck of a seed."""
    *_, last = play_game([AGENT] * 2, np.random.default_rng(seed))
    return last.next_state.score


@lru_cache(maxsize=256)
def likelihood_after(frames, seed):
    """The reader's likelihood after a game's `frames`, from its start; None before them.

    `seed` is of the estimates: where the hand may hold too much, hands are sampled.
    """
    if not frames:
        return None
    *_, frame = frames
    rng = np.random.default_rng([seed, len(frames) - 1, 1])
    old = likelihood_after(frames[:-1], seed)
    return after_turn(frame, convention_would_act, rng, old, player=READER)


@lru_cache(maxsize=256)
def beliefs(state, frames, seed):
    """`Beliefs` of the reader in `state`, to which a game's `frames` have led."""
    view = state.view(READER)
    likelihoods = None, likelihood_after(frames, seed), likelihood_after(frames[:-1], seed)
    found = v0_belief(*view), *(exact_belief(*view, L) for L in likelihoods)
    # Rounded, so that cards that are equally likely are so in every Python.
    return Beliefs(*(belief.round(12) for belief in found))


def open_beliefs(shown):
    """Which of the first three of `Beliefs` the open views of a board show."""
    return [0, 1] * ("beliefs" in shown) + [2] * ("reasons" in shown)


def fits(found, playable):
    """Of each slot the chance to hold a `playable` card, before and after the last choice."""
    return [(p @ playable, now @ playable) for p, now in zip(found.before, found.told, strict=True)]
