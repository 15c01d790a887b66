"""What a belief is asked about: one state or a batch, its counts, hints and likelihood checked."""

import numpy as np

from gameai_lib.base import arrays, jit
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit

FEW_STATES = 4  # take plain Python a moment
MAX_COPIES = 1_000_000  # of one card; a Hanabi box has three


def check_state(candidates, hint_mask, likelihood=None):
    """Return C, (n_states, n_cards), the product M = HM L, and the number of C's axes.

    M is (n_states, n_slots, n_cards), zero where no copy is left; with a likelihood each row is
    scaled to maximum 1, which changes no belief. Arguments and errors are those of `v0_belief`.
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
    with jit.plain_at_first(len(counts) <= FEW_STATES):
        fault, state, slot = _first_fault(counts, factor, MAX_COPIES)
    if fault == _BAD_COUNT:
        most = f"whole numbers >= 0 (at most {MAX_COPIES:,})"
        raise ValueError(f"candidates must be {most}, got {short(candidates)}")
    if fault == _BAD_MASK:
        raise ValueError(f"hint_mask must be boolean, got {short(hint_mask)}")
    if fault == _EMPTY_ROW:
        raise ValueError(f"no candidate left for {_place(slot, state, n_axes)}")
    if likelihood is not None:
        factor *= _check_likelihood(likelihood, mask.shape).reshape(shape)
        empty = np.argwhere(~factor.any(axis=2))
        if len(empty):
            where = _place(empty[0, 1], empty[0, 0], n_axes)
            raise ValueError(f"the likelihood rules out every candidate of {where}")
        factor /= factor.max(axis=2, keepdims=True)
    return counts, factor, n_axes


def one_state(candidates, hint_mask, likelihood=None):
    """As `check_state`, for what takes one state only; return its counts C and its M = HM L."""
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    if n_axes != 1:
        raise ValueError(f"this function takes one state, got a batch of {len(counts)}")
    return counts[0], factor[0]


def as_given(batch, n_axes):
    """A batch as it is, or its only state."""
    return batch if n_axes == 2 else batch[0]


def _place(slot, state, n_axes):
    return f"slot {slot}" + (f" of state {state}" if n_axes == 2 else "")


_BAD_COUNT, _BAD_MASK, _EMPTY_ROW = 1, 2, 3


@njit(cache=True)
def _first_fault(counts, factor, max_copies):
    # What is wrong (0: nothing), in which state and slot. Strikes cards without copies.
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


def _check_likelihood(likelihood, shape):
    array = arrays.finite("likelihood", likelihood, ndim=None)
    if array.shape != shape:
        raise ValueError(f"likelihood must have hint_mask's shape {shape}, got {array.shape}")
    if (array < 0).any():
        raise ValueError(f"likelihood must be >= 0, got {array.min()}")
    return array
