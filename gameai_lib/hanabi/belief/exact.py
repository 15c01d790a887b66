"""Exact marginals of the public belief in Hanabi.

A deal gives each slot a card, no card more often than it has copies. With
``M_i(f) = HM_i(f) L_i(f)`` its weight is ``prod_f C_f! / (C_f - n_f)! prod_i M_i(f_i)``,
where ``n_f`` slots hold card f. Because a slot holds one card, the weights of all deals add
up to a coefficient of a polynomial in one variable per slot with ``x_i x_i = 0``::

    Z = [x_1 ... x_n] prod_f (1 + sum_i M_i(f) x_i) ** C_f

(a rectangular permanent). It is built copy by copy over subsets of filled slots. Slots with the
same row of M are one variable that counts them, and cards with the same column one factor. A
variable is in the table from its first factor to its last (before, none of its slots is filled, and
after, all are), and the order of the factors keeps the table small. Slots that can hold anything
are in no table: like the deck, they draw from what the others leave over. Foerster et al. 2019
approximate these marginals by V1 and BB.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import jit
from gameai_lib.base.jit import assign, njit
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.hanabi.belief.state import FEW_STATES, as_given, check_state

# Numbers in the tables of one state (512 MB).
MAX_TABLE = 2**26
SMALL_TABLE = 2**11  # takes plain Python a moment


class InconsistentState(ValueError):
    """No deal agrees with counts, hints and likelihood, although every slot has candidates.

    A weight too small for a float counts as none.
    """


def exact_belief(
    candidates: ArrayLike, hint_mask: ArrayLike, likelihood: ArrayLike | None = None
) -> Floats:
    """Probability of each card in each slot, over all deals.

    Arguments, result and errors are those of `v0_belief`; cells that no deal reaches are exactly 0.
    No possible deal is an `InconsistentState`, and a table of more than `MAX_TABLE` numbers a
    ValueError.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(exact_belief(C, HM).round(3))
    [[0.667 0.333 0.   ]
     [0.444 0.222 0.333]]
    """
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief, _ = _marginals(counts, factor, n_axes)
    return as_given(belief, n_axes)


def n_deals(candidates: ArrayLike, hint_mask: ArrayLike) -> Floats:
    """Number of deals Z that agree with counts and hints; copies of a card are told apart.

    A (...) float array, exact up to ``2 ** 53``. Arguments and errors are those of `exact_belief`;
    a number that no float can hold is a ValueError, too.
    """
    counts, factor, n_axes = check_state(candidates, hint_mask)
    _, total = _marginals(counts, factor, n_axes)
    return as_given(_check_finite(total), n_axes)


def no_deal(state=0, n_axes=1):
    """An `InconsistentState`, which says which state it is if there are many."""
    where = f" in state {state}" if n_axes == 2 else ""
    return InconsistentState("no deal agrees with candidates, hint_mask and likelihood" + where)


def _marginals(counts, factor, n_axes):
    belief, total = np.empty_like(factor), np.empty(len(factor))
    with jit.plain_at_first(len(counts) <= FEW_STATES) as is_plain:
        most = SMALL_TABLE if is_plain else MAX_TABLE
        state, n_numbers = _exact_batch(counts, factor, most, belief, total)
    if n_numbers > 0 and is_plain:
        state, n_numbers = _exact_batch(counts, factor, MAX_TABLE, belief, total)
    if n_numbers > 0:
        raise ValueError(
            f"{factor.shape[1]} slots that differ so much need a table of {n_numbers:.3g} "
            f"numbers, more than {MAX_TABLE}"
        )
    if state >= 0:
        raise no_deal(state, n_axes)
    return _check_finite(belief), total


def _check_finite(weights):
    if not np.isfinite(weights).all():
        raise ValueError("there are more deals than a float can count")
    return weights


@njit(cache=True, allocates=True)
def _exact_batch(counts, factor, max_table, belief, total):
    # Fills the last two. Returns the first state without a deal, or -1, and the numbers in the
    # table of the first state that needs more than there may be, or 0.
    table = np.empty(0)
    for state in range(len(counts)):
        merged = _merge(counts[state], factor[state])
        plan = _plan(merged, max_table)
        if plan.n_numbers > max_table:
            return -1, plan.n_numbers
        if plan.n_numbers > table.size:
            table = np.empty(int(plan.n_numbers))
        z, share, left_over = _shares(table, merged, plan)
        total[state], n_drawn = z, 0
        for g in range(plan.is_free.size):
            for k in range(merged.n_in_group[g]):
                total[state] *= plan.n_left - n_drawn if plan.is_free[g] else k + 1.0
                n_drawn += plan.is_free[g]
        if z == 0 or n_drawn > plan.n_left:
            return state, 0.0
        for i in range(merged.group.size):
            row, g = belief[state, i], merged.group[i]
            for f in range(merged.column.size):
                c = merged.column[f]
                chance = left_over[c] / plan.n_left if plan.is_free[g] else share[c, g]
                row[f] = counts[state, f] * chance / z
    return -1, 0.0


class _Merged(NamedTuple):
    """A state in which slots with equal rows are a group, cards with equal columns a column."""

    group: np.ndarray  # (n_slots,) int, of each slot
    n_in_group: np.ndarray  # (n_groups,) int
    column: np.ndarray  # (n_cards,) int, of each card
    weights: np.ndarray  # (n_columns, n_groups) float, M with both merged
    n_copies: np.ndarray  # (n_columns,) int, 0 if no slot can hold one


@njit(cache=True, allocates=True)
def _merge(counts, factor):
    group, slots = _classes(factor)
    by_card = np.empty((counts.size, slots.size))
    for g in range(slots.size):
        for f in range(counts.size):
            by_card[f, g] = factor[slots[g], f]
    column, cards = _classes(by_card)
    n_in_group = np.zeros(slots.size, dtype=np.int64)
    for g in group:
        n_in_group[g] += 1
    n_copies = np.zeros(cards.size, dtype=np.int64)
    for f in range(column.size):
        g = 0
        while g < slots.size and by_card[f, g] == 0:
            g += 1
        if g < slots.size:
            n_copies[column[f]] += int(counts[f])
    weights = np.empty((cards.size, slots.size))
    for c in range(cards.size):
        assign(weights[c], by_card[cards[c]])
    return _Merged(group, n_in_group, column, weights, n_copies)


@njit(cache=True, allocates=True)
def _classes(rows):
    # The class of each row, and the first row of each class.
    n_classes = 0
    label, first = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
    for i in range(len(rows)):
        c = 0
        while c < n_classes and not _are_same(rows, i, first[c]):
            c += 1
        label[i] = c
        if c == n_classes:
            first[c] = i
            n_classes += 1
    return label, first[:n_classes].copy()


@njit(cache=True)
def _are_same(rows, i, j):
    k, n_columns = 0, rows.shape[1]
    while k < n_columns and rows[i, k] == rows[j, k]:
        k += 1
    return k == n_columns


class _Plan(NamedTuple):
    """In which order columns are multiplied, and which groups the table counts meanwhile."""

    is_free: np.ndarray  # (n_groups,) bool, groups that can hold anything: in no table
    order: np.ndarray  # (n_stages,) int, the column of each stage
    # (n_stages, n_groups) int, 0 if not in the table: an index says how many slots of each group
    # are filled, as digits of mixed radix.
    strides: np.ndarray
    n_cells: np.ndarray  # (n_stages,) int
    most_cells: int
    n_numbers: float  # that have to be kept; a float, because it may exceed every integer
    n_left: int  # copies that the table leaves to the free groups and the deck


@njit(cache=True, allocates=True)
def _plan(merged, max_table):
    n_groups, columns = merged.n_in_group.size, np.flatnonzero(merged.n_copies)
    is_free, n_left_over = np.ones(n_groups, dtype=np.bool_), merged.n_copies.sum()
    n_left = np.zeros(n_groups, dtype=np.int64)  # columns to come
    for g in range(n_groups):
        for c in columns:
            is_free[g] &= merged.weights[c, g] == merged.weights[columns[0], g]
            n_left[g] += merged.weights[c, g] > 0
        n_left_over -= 0 if is_free[g] else merged.n_in_group[g]
    has_begun = np.zeros(n_groups, dtype=np.bool_)
    strides = np.zeros((columns.size, n_groups), dtype=np.int64)
    n_cells = np.empty(columns.size, dtype=np.int64)
    n_numbers, largest = 0.0, 1.0
    for t in range(columns.size):
        k = t + _best_column(columns[t:], merged, is_free, has_begun, n_left)
        columns[t], columns[k] = columns[k], columns[t]
        cells = 1.0
        # Groups that the column multiplies come last: for them the loops are longest.
        for holds in (False, True):
            for g in range(n_groups):
                here = merged.weights[columns[t], g] > 0
                if here == holds and not is_free[g] and n_left[g] > 0 and (has_begun[g] or here):
                    strides[t, g] = int(min(cells, max_table))
                    cells *= merged.n_in_group[g] + 1
        for g in range(n_groups):
            if merged.weights[columns[t], g] > 0:
                has_begun[g] = True
                n_left[g] -= 1
        n_cells[t] = int(min(cells, max_table))
        n_numbers += cells
        largest = max(largest, cells)
    most_cells = int(min(largest, max_table))
    n_numbers += 2 * largest
    return _Plan(is_free, columns, strides, n_cells, most_cells, n_numbers, n_left_over)


@njit(cache=True)
def _best_column(columns, merged, is_free, has_begun, n_left):
    # Which of them leaves the smallest table, and of several, which costs least.
    best, least, cheapest = 0, np.inf, np.inf
    for k in range(columns.size):
        after, cost = 1.0, float(merged.n_copies[columns[k]])
        for g in range(is_free.size):
            here = merged.weights[columns[k], g] > 0
            if not is_free[g] and n_left[g] > 0 and (has_begun[g] or here):
                n = merged.n_in_group[g] + 1.0
                cost *= n
                after *= n if n_left[g] > here else 1.0
        if after < least or (after == least and cost < cheapest):
            best, least, cheapest = k, after, cost
    return best


@njit(cache=True)
def _multiply(source, target, weight, strides, n_in_group):
    # Sets target to source * (1 + sum_g weight_g x_g), up to the powers of the sizes of groups.
    assign(target, source)
    for g in range(weight.size):
        factor, step = weight[g], strides[g]
        if factor == 0 or step == 0:
            continue
        block = step * (n_in_group[g] + 1)
        # The longer loop inside.
        if block * (block - step) < source.size:
            for start in range(block - step):
                for k in range(start, source.size, block):
                    target[k + step] += factor * source[k]
            continue
        for start in range(0, source.size, block):
            # Views that are counted from 0, else the loop compiles to scalar code.
            fewer = source[start : start + block - step]
            more = target[start + step : start + block]
            for k in range(fewer.size):
                more[k] += factor * fewer[k]


@njit(cache=True, allocates=True)
def _carry(source, target, old, new, n_in_group):
    # From a table with strides `old` to one with `new`: what leaves is full, what enters is empty.
    stay, filled = np.empty(old.size, dtype=np.int64), np.zeros(old.size, dtype=np.int64)
    n_stay, at, to = 0, 0, 0
    for g in range(old.size):
        if new[g] == 0:
            at += old[g] * n_in_group[g]
        elif old[g] > 0:
            stay[n_stay] = g
            n_stay += 1
    target[:] = 0.0
    while True:
        target[to] = source[at]
        k = 0
        while k < n_stay and filled[k] == n_in_group[stay[k]]:
            at -= filled[k] * old[stay[k]]
            to -= filled[k] * new[stay[k]]
            filled[k] = 0
            k += 1
        if k == n_stay:
            return
        filled[k] += 1
        at += old[stay[k]]
        to += new[stay[k]]


@njit(cache=True, allocates=True)
def _shares(table, merged, plan):
    # Returns Z; for one copy of column c in one slot of group g the weight of all deals that have
    # it there; and the weight of all deals that leave that copy over.
    n_in_group, weights, n_copies = merged.n_in_group, merged.weights, merged.n_copies
    n_stages, most = plan.order.size, plan.most_cells
    one, other = table[:most], table[most : 2 * most]
    rows = table[2 * most :]  # of each stage, the product of all copies before its last
    strides, n_last, begin = np.zeros(n_in_group.size, dtype=np.int64), 1, 0  # of an empty table
    one[0] = 1.0
    for t in range(n_stages):
        c, n = plan.order[t], plan.n_cells[t]
        _carry(one[:n_last], other[:n], strides, plan.strides[t], n_in_group)
        one, other = other, one
        strides, n_last = plan.strides[t], n
        for _ in range(n_copies[c] - 1):
            _multiply(one[:n], other[:n], weights[c], strides, n_in_group)
            one, other = other, one
        row = rows[begin : begin + n]
        assign(row, one[:n])
        _multiply(row, one[:n], weights[c], strides, n_in_group)
        begin += n
    z = one[n_last - 1]
    share, left_over = np.zeros(weights.shape), np.zeros(len(weights))
    # The way back: the product of all copies after that one.
    strides, n_last = np.zeros(n_in_group.size, dtype=np.int64), 1
    one[0] = 1.0
    for t in range(n_stages - 1, -1, -1):
        c, n = plan.order[t], plan.n_cells[t]
        _carry(one[:n_last], other[:n], strides, plan.strides[t], n_in_group)
        one, other = other, one
        strides, n_last = plan.strides[t], n
        begin -= n
        row = rows[begin : begin + n]
        left_over[c] = _top_without(row, one[:n], 0, n)
        for g in range(n_in_group.size):
            if weights[c, g] > 0 and strides[g] > 0:
                block = strides[g] * (n_in_group[g] + 1)
                without = _top_without(row, one[:n], strides[g], block)
                share[c, g] = weights[c, g] * without / n_in_group[g]
        for _ in range(n_copies[c]):
            _multiply(one[:n], other[:n], weights[c], strides, n_in_group)
            one, other = other, one
    return z, share, left_over


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
