"""What a belief is asked about, one state or a batch: counts, hint mask, likelihood, checked."""

import numpy as np

from gameai_lib.base import arrays
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit

MAX_COPIES = 1_000_000  # of one card; a Hanabi box has three


def place(slot, state, n_axes):
    """Words for a slot, and of which state it is if there are many."""
    return f"slot {slot}" + (f" of state {state}" if n_axes == 2 else "")


def unbatched(batch, n_axes):
    """A batch as it is, or its only state."""
    return batch if n_axes == 2 else batch[0]


def check_state(candidates, hint_mask, likelihood=None):
    """Check one state or a batch; return counts C, the product M = HM L, and C's axes.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        As in `v0_belief`.

    Returns
    -------
    counts : (n_states, n_cards) float array
    factor : (n_states, n_slots, n_cards) float array
        ``HM_i(f) L_i(f)``, zero where the card is out of copies; rows scaled to maximum 1
        where there is a likelihood, which changes no belief.
    n_axes : int
        1 for one state, 2 for a batch.

    Raises
    ------
    ValueError
        As in `v0_belief`.
    """
    counts = arrays.array("candidates", candidates)
    mask = arrays.array("hint_mask", hint_mask, "biuf")
    n_axes = counts.ndim
    fits = n_axes in (1, 2) and mask.ndim == n_axes + 1
    if not fits or mask.shape[:-2] + mask.shape[-1:] != counts.shape:
        raise ValueError(
            "candidates must have shape (n_cards,) and hint_mask (n_slots, n_cards), both with "
            f"the same leading axis for a batch; got {counts.shape} and {mask.shape}"
        )
    if mask.shape[-2] == 0:
        raise ValueError(f"there must be a slot, got a hint_mask of shape {mask.shape}")
    shape = mask.shape if n_axes == 2 else (1, *mask.shape)
    counts = counts.astype(float, order="C").reshape(shape[0], shape[2])
    factor = mask.astype(float, order="C").reshape(shape)
    fault, state, slot = _first_fault(counts, factor, MAX_COPIES)
    if fault == _BAD_COUNT:
        raise ValueError(f"candidates must be {_WHOLE}, got {short(candidates)}")
    if fault == _BAD_MASK:
        raise ValueError(f"hint_mask must be boolean, got {short(hint_mask)}")
    if fault == _EMPTY_ROW:
        raise ValueError(f"no candidate left for {place(slot, state, n_axes)}")
    if likelihood is not None:
        factor *= _checked_likelihood(likelihood, mask.shape).reshape(factor.shape)
        empty = np.argwhere(~factor.any(axis=2))
        if len(empty):
            where = place(empty[0, 1], empty[0, 0], n_axes)
            raise ValueError(f"the likelihood rules out every candidate of {where}")
        factor /= factor.max(axis=2, keepdims=True)
    return counts, factor, n_axes


def one_state(what_takes, candidates, hint_mask, likelihood=None):
    """As `check_state`, for what takes one state only; return its counts C and its M = HM L."""
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    if n_axes != 1:
        raise ValueError(f"{what_takes} one state, got a batch of {len(counts)}")
    return counts[0], factor[0]


_WHOLE = f"whole numbers >= 0 (at most {MAX_COPIES:,})"
_BAD_COUNT, _BAD_MASK, _EMPTY_ROW = 1, 2, 3


@njit(cache=True)
def _first_fault(counts, factor, max_copies):
    # What is wrong, or 0, with the state and slot; cards out of copies are struck from `factor`.
    n_states, n_slots, n_cards = factor.shape
    for state in range(n_states):
        for f in range(n_cards):
            copies = counts[state, f]
            if not 0 <= copies <= max_copies or copies != np.floor(copies):
                return _BAD_COUNT, state, 0
        for i in range(n_slots):
            n_left = 0
            for f in range(n_cards):
                if factor[state, i, f] != 0 and factor[state, i, f] != 1:
                    return _BAD_MASK, state, i
                if counts[state, f] == 0:
                    factor[state, i, f] = 0.0
                n_left += factor[state, i, f] > 0
            if n_left == 0:
                return _EMPTY_ROW, state, i
    return 0, 0, 0


def _checked_likelihood(likelihood, shape):
    array = arrays.floats("likelihood", likelihood)
    if array.shape != shape:
        raise ValueError(f"likelihood must have hint_mask's shape {shape}, got {array.shape}")
    if not np.all(np.isfinite(array) & (array >= 0)):
        worst = np.nanmin(array) if (array < 0).any() else "inf or nan"
        raise ValueError(f"likelihood must be finite and >= 0, got {worst}")
    return array
