"""V0: what counts and hints alone say of each slot.

A state is ``candidates`` C, ``hint_mask`` HM and perhaps a ``likelihood`` L. Every belief takes one
state, or a batch with one more leading axis. With 26 columns the last means "no card": then
``candidates[25]`` is the number of absent slots.

Source: Foerster et al. 2019, "Bayesian Action Decoder for Deep Multi-Agent Reinforcement
Learning", section on Hanabi beliefs.
"""

import numpy as np

from gameai_lib.base import jit
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.hanabi.belief.state import FEW_STATES, as_given, check_state


def v0_belief(
    candidates: ArrayLike, hint_mask: ArrayLike, likelihood: ArrayLike | None = None
) -> Floats:
    """Belief about each slot by itself, ``B_i`` proportional to ``C * HM_i`` (eq. 12).

    Parameters
    ----------
    candidates : (..., n_cards) int array
        Copies of each card that nobody has seen in public: of the deck and all hands.
    hint_mask : (..., n_slots, n_cards) bool array
        True where the hints still allow the card.
    likelihood : (..., n_slots, n_cards) float array, optional
        Relative probability of the observed actions given the card, in any scale: then ``HM_i``
        is ``HM_i * L_i`` (BB's start, eq. 14).

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1
        A slot without a candidate is a ValueError, as are shapes that do not fit.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(v0_belief(C, HM).round(3))
    [[0.667 0.333 0.   ]
     [0.5   0.25  0.25 ]]
    """
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief = np.empty_like(factor)
    with jit.plain_at_first(len(counts) <= FEW_STATES):
        fill_v0(counts, factor, belief)
    return as_given(belief, n_axes)


@njit(cache=True)
def fill_v0(counts, factor, belief):
    """Write V0 of each state into `belief`, (n_states, n_slots, n_cards)."""
    n_states, n_slots, n_cards = factor.shape
    for state in range(n_states):
        for i in range(n_slots):
            mass = 0.0
            for f in range(n_cards):
                belief[state, i, f] = counts[state, f] * factor[state, i, f]
                mass += belief[state, i, f]
            for f in range(n_cards):
                belief[state, i, f] /= mass
