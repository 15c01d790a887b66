"""Exact samples of whole deals, by the polynomial of `gameai_lib.hanabi.belief.exact`."""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.interrupts import held
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Ints, Seed
from gameai_lib.hanabi.belief import exact
from gameai_lib.hanabi.belief.exact import MAX_TABLE, merge, multiply
from gameai_lib.hanabi.belief.state import one_state


def sample_deals(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    n_samples: int,
    rng: Seed,
    likelihood: ArrayLike | None = None,
) -> Ints:
    """Draw whole deals of one state, without replacement, each with its exact probability.

    Gives an (n_samples, n_slots) int array of card indices, of at most `MAX_TABLE` cards. Other
    arguments and errors are those of `exact_belief`.
    """
    counts, factor = one_state(candidates, hint_mask, likelihood)
    n_slots = len(factor)
    n_samples = checks.whole("n_samples", n_samples, 0, MAX_TABLE // n_slots)
    rng = checks.generator(rng)
    deals = np.empty((n_samples, n_slots), dtype=np.int64)
    with held():
        total, n_numbers = _sample(counts, factor, MAX_TABLE, deals, rng)
    exact.check_table(n_numbers, n_slots)
    if total == 0:
        raise exact.no_deal()
    exact.check_finite(total)
    return deals


@njit(cache=True, allocates=True)
def _sample(counts, factor, max_table, deals, rng):
    # Fills `deals`. Returns the weight of all deals, and the numbers in a table that is too large.
    merged = merge(counts, factor)
    n_in_group, n_copies = merged.n_in_group, merged.n_copies
    n_numbers = (n_copies.sum() + 1) * np.prod(n_in_group + 1.0)  # may exceed every integer
    if n_numbers > max_table:
        return 0.0, n_numbers
    strides = np.ones(n_in_group.size, dtype=np.int64)
    for g in range(1, n_in_group.size):
        strides[g] = strides[g - 1] * (n_in_group[g - 1] + 1)
    # Row t of the table is the product over the first t copies.
    copies = np.empty(n_copies.sum(), dtype=np.int64)
    table = np.zeros((copies.size + 1, int(np.prod(n_in_group + 1.0))))
    table[0, 0] = 1.0
    t = 0
    for c in range(n_copies.size):
        for f in range(merged.column.size):
            for _ in range(int(counts[f]) if merged.column[f] == c and n_copies[c] > 0 else 0):
                multiply(table[t], table[t + 1], merged.weights[c], strides, n_in_group)
                copies[t] = f
                t += 1
    total = table[-1, -1]
    if 0 < total < np.inf:
        for deal in deals:
            _sample_one(table, merged, strides, copies, deal, rng)
    return total, 0.0


@njit(cache=True, allocates=True)
def _sample_one(table, merged, strides, copies, deal, rng):
    # From the last copy to the first: leave it in the deck, or put it into a group.
    deal[:] = -1
    left = merged.n_in_group.copy()
    cell = table.shape[1] - 1
    for t in range(copies.size - 1, -1, -1):
        weights = merged.weights[merged.column[copies[t]]]
        u = rng.random() * table[t + 1, cell] - table[t, cell]
        chosen = -1
        for g in range(left.size):
            # Rounding may leave u a little above zero after the last group that fits.
            if u >= 0 and left[g] > 0 and weights[g] * table[t, cell - strides[g]] > 0:
                u -= weights[g] * table[t, cell - strides[g]]
                chosen = g
        if chosen >= 0:
            cell -= strides[chosen]
            deal[_random_free_slot(deal, merged.group, chosen, left[chosen], rng)] = copies[t]
            left[chosen] -= 1


@njit(cache=True, allocates=True)
def _random_free_slot(deal, group, chosen, n_free, rng):
    skip = rng.integers(0, n_free)
    for i in range(deal.size):
        if group[i] == chosen and deal[i] < 0:
            if skip == 0:
                return i
            skip -= 1
    return -1
