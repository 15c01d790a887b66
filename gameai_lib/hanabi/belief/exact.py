"""Exact marginals of the public belief in Hanabi, and exact samples of whole deals.

A deal gives each slot a card, no card more often than it has copies. With
``M_i(f) = HM_i(f) L_i(f)`` its weight is ``prod_f C_f! / (C_f - n_f)! prod_i M_i(f_i)``,
where ``n_f`` slots hold card f. Because a slot holds one card, the weights of all deals add
up to a coefficient of a polynomial in one variable per slot with ``x_i x_i = 0``::

    Z = [x_1 ... x_n] prod_f (1 + sum_i M_i(f) x_i) ** C_f

(a rectangular permanent). The polynomial is built copy by copy over subsets of filled slots.
Slots with the same row of M are one variable that counts them, and cards with the same column
are one factor. Foerster et al. 2019 approximate these marginals by V1 and BB.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gameai_lib.base import checks
from gameai_lib.base.interrupts import held
from gameai_lib.base.jit import njit
from gameai_lib.base.types import Seed
from gameai_lib.hanabi.belief.state import check_state, one_state, unbatched

# Numbers in the table of one state (512 MB): 20 different slots and 50 copies fit.
MAX_TABLE = 2**26


class InconsistentState(ValueError):
    """No deal agrees with the counts and the hints, although every slot has candidates.

    With a likelihood, a weight too small for a float counts as none.
    """


def exact_belief(
    candidates: npt.ArrayLike, hint_mask: npt.ArrayLike, likelihood: npt.ArrayLike | None = None
) -> npt.NDArray[np.float64]:
    """Probability of each card in each slot, the same for V0, V1 and BB to be measured by.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        As in `v0_belief`: (..., n_cards) and twice (..., n_slots, n_cards).

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1
        Cells that no deal reaches are exactly 0.

    Raises
    ------
    InconsistentState
        If no deal is possible.
    ValueError
        As in `v0_belief`, or if the table of a state would exceed `MAX_TABLE` numbers.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(exact_belief(C, HM).round(3))
    [[0.667 0.333 0.   ]
     [0.444 0.222 0.333]]

    What a player knows of their own hand, before the first move:

    >>> belief = exact_belief(*State.new(3, 7).view(0))
    >>> belief.shape, card_name(belief[0].argmax())
    ((5, 26), 'W1')
    """
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief, _ = _marginals(counts, factor, n_axes)
    return unbatched(belief, n_axes)


def n_deals(candidates: npt.ArrayLike, hint_mask: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Number of deals Z that agree with counts and hints; copies of a card are told apart.

    Parameters and errors are those of `exact_belief`; a number that no float can hold is a
    ValueError, too.

    Returns
    -------
    (...) float array
        A whole number, exact up to ``2 ** 53``.
    """
    counts, factor, n_axes = check_state(candidates, hint_mask)
    _, total = _marginals(counts, factor, n_axes)
    if not np.isfinite(total).all():
        raise ValueError(_TOO_MANY)
    return unbatched(total, n_axes)


def sample_deals(
    candidates: npt.ArrayLike,
    hint_mask: npt.ArrayLike,
    n_samples: int,
    rng: Seed,
    likelihood: npt.ArrayLike | None = None,
) -> npt.NDArray[np.int64]:
    """Draw whole deals, without replacement, each with its exact probability.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        One state, as in `exact_belief`.
    n_samples : int
        How many deals to draw, at most `MAX_TABLE` cards.
    rng : numpy.random.Generator

    Returns
    -------
    (n_samples, n_slots) int array of card indices

    Raises
    ------
    ValueError
        As in `exact_belief`, or if the state is a batch.
    """
    counts, factor = one_state("sample_deals takes", candidates, hint_mask, likelihood)
    n_slots = len(factor)
    n_samples = checks.whole("n_samples", n_samples, 0, MAX_TABLE // n_slots)
    rng = checks.generator(rng)
    deals = np.empty((n_samples, n_slots), dtype=np.int64)
    with held():
        total, n_numbers = _sample(counts, factor, MAX_TABLE, deals, rng)
    _check_table(n_numbers, n_slots)
    if total == 0:
        raise InconsistentState(_NO_DEAL)
    if not np.isfinite(total):
        raise ValueError(_TOO_MANY)
    return deals


_NO_DEAL = "no deal agrees with candidates, hint_mask and likelihood"
_TOO_MANY = "there are more deals than a float can count"


def _check_table(n_numbers, n_slots):
    if n_numbers > MAX_TABLE:
        raise ValueError(
            f"{n_slots} slots that differ so much need a table of {n_numbers:.3g} "
            f"numbers, more than {MAX_TABLE}"
        )


def _marginals(counts, factor, n_axes):
    belief, total = np.empty_like(factor), np.empty(len(factor))
    state, n_numbers = _exact_batch(counts, factor, MAX_TABLE, belief, total)
    _check_table(n_numbers, factor.shape[1])
    if state >= 0:
        raise InconsistentState(_NO_DEAL + (f" in state {state}" if n_axes == 2 else ""))
    if not np.isfinite(belief).all():
        raise ValueError(_TOO_MANY)
    return belief, total


@njit(cache=True)
def _exact_batch(counts, factor, max_table, belief, total):
    # Fills the last two. Returns the first state without a deal, or -1, and the numbers in the
    # table of the first state that needs more than there may be, or 0.
    buffer = np.empty(0)
    for state in range(len(counts)):
        order = _most_candidates_last(factor[state])
        merged = _merge(counts[state], factor[state][order])
        n_numbers = _n_numbers(merged)
        if n_numbers > max_table:
            return -1, n_numbers
        if n_numbers > buffer.size:
            buffer = np.empty(int(n_numbers))
        n_cells, n_rows = merged.strides[-1], merged.n_copies.sum() + 3
        table = buffer[: n_rows * n_cells].reshape(n_rows, n_cells)
        _fill(table, merged)
        z = table[n_rows - 3, n_cells - 1]
        if z == 0:
            return state, 0.0
        share = _shares(table, merged)
        for i in range(merged.group.size):
            row = belief[state, order[i]]
            for f in range(merged.column.size):
                row[f] = counts[state, f] * share[merged.column[f], merged.group[i]] / z
        total[state] = z
        for n in merged.n_in_group:
            total[state] *= math.gamma(n + 1.0)
    return -1, 0.0


@njit(cache=True)
def _most_candidates_last(factor):
    # An order of the slots in which the loops of `_multiply` are longest for those that come last.
    n_slots, n_cards = factor.shape
    order = np.arange(n_slots)
    n_left = np.zeros(n_slots, dtype=np.int64)
    for i in range(n_slots):
        for f in range(n_cards):
            n_left[i] += factor[i, f] > 0
        k = i
        while k > 0 and n_left[order[k - 1]] > n_left[i]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    return order


@njit(cache=True)
def _n_numbers(merged):
    # One row before and one after each copy, and two for the way back; a float, because the
    # product may exceed every integer.
    return (merged.n_copies.sum() + 3) * np.prod(merged.n_in_group + 1.0)


class _Merged(NamedTuple):
    """A state in which slots with equal rows are a group, cards with equal columns a column."""

    group: np.ndarray  # (n_slots,) int, of each slot
    n_in_group: np.ndarray  # (n_groups,) int
    # (n_groups + 1,) int: a cell of the table says how many slots of each group are filled,
    # as digits of mixed radix.
    strides: np.ndarray
    column: np.ndarray  # (n_cards,) int, of each card
    weights: np.ndarray  # (n_columns, n_groups) float, M with both merged
    n_copies: np.ndarray  # (n_columns,) int, 0 if no slot can hold one


@njit(cache=True)
def _merge(counts, factor):
    n_slots, n_cards = factor.shape
    group, slots = _classes(factor)
    n_in_group = np.zeros(slots.size, dtype=np.int64)
    for i in range(n_slots):
        n_in_group[group[i]] += 1
    by_card = np.empty((n_cards, slots.size))
    for f in range(n_cards):
        for g in range(slots.size):
            by_card[f, g] = factor[slots[g], f]
    column, cards = _classes(by_card)
    weights = by_card[cards]
    n_copies = np.zeros(cards.size, dtype=np.int64)
    for f in range(n_cards):
        if weights[column[f]].max() > 0:
            n_copies[column[f]] += int(counts[f])
    return _Merged(group, n_in_group, _strides(n_in_group), column, weights, n_copies)


@njit(cache=True)
def _classes(rows):
    # The class of each row, and the first row of each class.
    n_rows, n_columns = rows.shape
    label = np.empty(n_rows, dtype=np.int64)
    first = np.empty(n_rows, dtype=np.int64)
    n_classes = 0
    for i in range(n_rows):
        label[i] = n_classes
        for c in range(n_classes):
            k = 0
            while k < n_columns and rows[i, k] == rows[first[c], k]:
                k += 1
            if k == n_columns:
                label[i] = c
                break
        if label[i] == n_classes:
            first[n_classes] = i
            n_classes += 1
    return label, first[:n_classes].copy()


@njit(cache=True)
def _strides(n_in_group):
    strides = np.ones(n_in_group.size + 1, dtype=np.int64)
    for g in range(n_in_group.size):
        strides[g + 1] = strides[g] * (n_in_group[g] + 1)
    return strides


@njit(cache=True)
def _fill(table, merged):
    # Row t of the table is the product over the first t copies.
    table[0] = 0.0
    table[0, 0] = 1.0
    t = 0
    for c in range(merged.n_copies.size):
        for _ in range(merged.n_copies[c]):
            _multiply(table[t], table[t + 1], merged.weights[c], merged.strides)
            t += 1


@njit(cache=True)
def _multiply(source, target, weight, strides):
    # target = source * (1 + sum_g weight_g x_g), dropping powers above the sizes of groups.
    target[:] = source
    for g in range(weight.size):
        factor, step, block = weight[g], strides[g], strides[g + 1]
        if factor == 0:
            continue
        for start in range(0, source.size, block):
            # Views that are counted from 0, else the loop compiles to scalar code.
            fewer = source[start : start + block - step]
            more = target[start + step : start + block]
            for k in range(fewer.size):
                more[k] += factor * fewer[k]


@njit(cache=True)
def _shares(table, merged):
    # For one copy of column c in one slot of group g: weight of all deals that have it there.
    weights, n_copies, strides = merged.weights, merged.n_copies, merged.strides
    share = np.zeros(weights.shape)
    n_rows = len(table)
    t = n_rows - 3
    suffix, other = table[n_rows - 2], table[n_rows - 1]
    suffix[:] = 0.0
    suffix[0] = 1.0
    for c in range(n_copies.size - 1, -1, -1):
        t -= n_copies[c]
        for left in range(n_copies[c], 0, -1):
            if left == 1:
                # All copies but one: the last may go to any slot.
                for g in range(merged.n_in_group.size):
                    if weights[c, g] > 0:
                        without = _top_without(table[t], suffix, strides[g], strides[g + 1])
                        share[c, g] = weights[c, g] * without / merged.n_in_group[g]
            _multiply(suffix, other, weights[c], strides)
            suffix, other = other, suffix
    return share


# The order of this sum is free, so that it too becomes vector code.
@njit(cache=True, fastmath={"reassoc"})
def _top_without(prefix, suffix, step, block):
    # Coefficient, in prefix * suffix, of every slot filled but one of the group of `step`.
    total = 0.0
    for start in range(0, prefix.size, block):
        end = prefix.size - start - step
        here = prefix[start : start + block - step]
        rest = suffix[end - here.size : end][::-1]
        for k in range(here.size):
            total += here[k] * rest[k]
    return total


@njit(cache=True)
def _sample(counts, factor, max_table, deals, rng):
    # Fills `deals`. Returns the weight of all deals, and the numbers in a table that is too large.
    merged = _merge(counts, factor)
    n_copies, n_numbers = merged.n_copies, _n_numbers(merged)
    if n_numbers > max_table:
        return 0.0, n_numbers
    table = np.empty((n_copies.sum() + 1, merged.strides[-1]))
    _fill(table, merged)
    total = table[-1, -1]
    if total == 0 or not np.isfinite(total):
        return total, 0.0
    copies = np.empty(n_copies.sum(), dtype=np.int64)
    t = 0
    for c in range(n_copies.size):
        for f in range(merged.column.size):
            if merged.column[f] == c and n_copies[c] > 0:
                copies[t : t + int(counts[f])] = f
                t += int(counts[f])
    deals[:] = -1
    for deal in deals:
        _sample_one(table, merged, copies, deal, rng)
    return total, 0.0


@njit(cache=True)
def _sample_one(table, merged, copies, deal, rng):
    # From the last copy to the first: leave it in the deck, or put it into a group.
    left, strides = merged.n_in_group.copy(), merged.strides
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


@njit(cache=True)
def _random_free_slot(deal, group, chosen, n_free, rng):
    skip = rng.integers(0, n_free)
    for i in range(deal.size):
        if group[i] == chosen and deal[i] < 0:
            if skip == 0:
                return i
            skip -= 1
    return -1
