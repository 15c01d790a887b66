"""What the reader's seat at the table can believe, found when it is asked for, and kept."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.likelihood import own_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.cards import IS_CARD
from gameai_lib.hanabi.players.convention import convention_would_act

READER, PARTNER = 0, 1
NAMES = ("V0", "exact", "exact with L")  # of the first three of `Beliefs`


class Beliefs(NamedTuple):
    """Beliefs about the reader's own slots, each a (hand_size, 26) float array."""

    v0: np.ndarray
    exact: np.ndarray
    told: np.ndarray  #: exact, with the likelihood of all that the partner did
    before: np.ndarray  #: the same without the partner's last choice


class Change(NamedTuple):
    """What the partner's last choice did to the probability of one card in one slot."""

    slot: int
    card: int
    before: float
    after: float


_likelihoods, _beliefs = WeakKeyDictionary(), WeakKeyDictionary()  # by state


def likelihood_after(frames, seed):
    """The reader's likelihood after a game's `frames`, from its start; None before them.

    `seed` is of the estimates: where the hand may hold too much, hands are sampled.
    """
    likelihood = None
    for turn, frame in enumerate(frames):
        known = _likelihoods.get(frame.next_state)
        if known is None:
            rng = np.random.default_rng([seed, turn, 1])
            old = np.ones(frame.state.hint_mask.shape[1:]) if likelihood is None else likelihood
            known = own_likelihood(old, frame, READER, convention_would_act, rng)
            _likelihoods[frame.next_state] = known
        likelihood = known
    return likelihood


def keep_up(frames, seed):
    """Find what the last two turns tell, if what was told before is known.

    A reader who opens the beliefs late in a game does not have to wait for all of it.
    """
    if len(frames) <= 2 or frames[-3].next_state in _likelihoods:
        likelihood_after(frames, seed)


def beliefs(state, frames, seed):
    """`Beliefs` of the reader in `state`, to which a game's `frames` have led."""
    if state not in _beliefs:
        view = state.view(READER)
        likelihoods = None, likelihood_after(frames, seed), likelihood_after(frames[:-1], seed)
        found = v0_belief(*view), *(exact_belief(*view, L) for L in likelihoods)
        # Rounded, so that cards that are equally likely are so in every Python.
        _beliefs[state] = Beliefs(*(belief.round(12) for belief in found))
    return _beliefs[state]


def open_beliefs(shown):
    """Which of the first three of `Beliefs` the open views of a board show."""
    return [0, 1] * ("beliefs" in shown) + [2] * ("reasons" in shown)


def fits(found, playable):
    """Of each slot the chance to hold a `playable` card, before and after the last choice."""
    return [(p @ playable, now @ playable) for p, now in zip(found.before, found.told, strict=True)]


def changes(found):
    """The `Change` of each cell by at least a hundredth, the largest rise first."""
    difference = np.where(IS_CARD, found.told - found.before, 0)
    cells = np.argwhere(np.abs(difference) >= 0.01).tolist()
    cells.sort(key=lambda cell: -difference[tuple(cell)])
    return [Change(i, f, float(found.before[i, f]), float(found.told[i, f])) for i, f in cells]
