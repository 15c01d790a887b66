"""Kernels of the landscape model: where an arm's statistics lie, learning and scoring.

An arm is one combination of values in one n-tuple. Small n-tuples own a block of slots,
one for each arm. Arms of large n-tuples get a slot when first seen and are found through
a hash table with linear probing, checked against an evaluated point that has the arm.
"""

import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import assign, njit

# Columns of an arm's statistics, and of what scoring reads, derived from them.
N, SUM = range(2)
MEAN, WIDTH = range(2)  # SUM / N, 0 if unseen; 1 / sqrt(N + epsilon)
# Columns of the hash table.
SLOT, TUPLE, ROW = range(3)
_PRIME = 2_147_483_647  # products with the multiplier stay far below 2**63
_MULTIPLIER = 1_000_003


class Layout(NamedTuple):
    """Where the n-tuples' arms lie; m n-tuples over D dimensions in all."""

    start: np.ndarray  #: (m + 1,) int, first entry of each n-tuple in dims and stride
    dims: np.ndarray  #: (D,) int, dimensions of all n-tuples, one after the other
    stride: np.ndarray  #: (D,) int, slots from one value of that dimension to the next
    offset: np.ndarray  #: (m,) int, first slot of the n-tuple, -1 if it is hashed


class Memory(NamedTuple):
    """What has been learned; all of it has room for more."""

    arms: np.ndarray  #: (n_slots, 2) float, N and SUM of each arm
    scores: np.ndarray  #: (n_slots, 2) float, MEAN and WIDTH of each arm
    table: np.ndarray  #: (n_rows, 3) int, SLOT, TUPLE and ROW of hashed arms, -1 where empty
    points: np.ndarray  #: (n_rows, n_dims) int, the evaluated points in order


@njit(cache=True)
def _hash(layout, t, point):
    code = t + 1
    for j in range(layout.start[t], layout.start[t + 1]):
        code = (code * _MULTIPLIER + point[layout.dims[j]] + 1) % _PRIME
    return code


@njit(cache=True)
def _same_arm(layout, t, point, other):
    for j in range(layout.start[t], layout.start[t + 1]):
        if point[layout.dims[j]] != other[layout.dims[j]]:
            return False
    return True


@njit(cache=True)
def _probe(layout, t, point, table, points):
    """Return the table row that holds the arm of `point`, or the empty row it would take."""
    row = _hash(layout, t, point) % table.shape[0]
    while table[row, SLOT] >= 0:
        if table[row, TUPLE] == t and _same_arm(layout, t, point, points[table[row, ROW]]):
            break
        row = (row + 1) % table.shape[0]
    return row


@njit(cache=True)
def find_arm(layout, t, point, table, points):
    """Return the slot of the arm of `point` in n-tuple `t`, -1 if it has none."""
    slot = layout.offset[t]
    if slot < 0:
        return table[_probe(layout, t, point, table, points), SLOT]
    for j in range(layout.start[t], layout.start[t + 1]):
        slot += layout.stride[j] * point[layout.dims[j]]
    return slot


@njit(cache=True)
def add_point(layout, memory, row, fitness, epsilon, n_slots):
    """Learn evaluation `row` of the points; returns the number of slots then in use."""
    start, dims, stride, offset = layout
    arms, scores, table, points = memory
    point = points[row]
    for t in range(offset.size):
        slot = offset[t]
        if slot >= 0:  # as in `find_arm`; written out, it takes three quarters of the time
            for j in range(start[t], start[t + 1]):
                slot += stride[j] * point[dims[j]]
        else:
            slot = find_arm(layout, t, point, table, points)
        if slot < 0:
            slot = n_slots
            n_slots += 1
            free = _probe(layout, t, point, table, points)
            table[free, SLOT] = slot
            table[free, TUPLE] = t
            table[free, ROW] = row
        arms[slot, N] += 1
        arms[slot, SUM] += fitness
        scores[slot, MEAN] = arms[slot, SUM] / arms[slot, N]
        scores[slot, WIDTH] = 1.0 / math.sqrt(arms[slot, N] + epsilon)
    return n_slots


@njit(cache=True)
def rehash(layout, old, table, points):
    """Enter every arm of the table `old` into the empty, larger `table`."""
    for i in range(len(old)):
        entry = old[i]
        if entry[SLOT] >= 0:
            row = _probe(layout, entry[TUPLE], points[entry[ROW]], table, points)
            assign(table[row], entry)


@njit(cache=True, allocates=True)
def score_points(layout, memory, n_evaluations, epsilon, queries, mean, explore):
    """Fill `mean` and `explore`, (n_queries,), for `queries`, (n_queries, n_dims)."""
    start, dims, stride, offset = layout
    _, scores, table, points = memory
    unseen = 1.0 / math.sqrt(epsilon)
    values = np.ascontiguousarray(queries.T)
    slots = np.empty(mean.size, np.int64)
    n_seen = np.zeros(mean.size, np.int64)
    mean[:] = 0.0
    explore[:] = 0.0
    # One n-tuple at a time for all queries: its few arms stay in the fastest cache.
    for t in range(offset.size):
        if offset[t] < 0:
            for q in range(mean.size):
                slots[q] = find_arm(layout, t, queries[q], table, points)
        else:
            slots[:] = offset[t]
            for j in range(start[t], start[t + 1]):
                factor = stride[j]
                column = values[dims[j]]
                for q in range(mean.size):
                    slots[q] += factor * column[q]
        for q in range(mean.size):
            width = scores[slots[q], WIDTH] if slots[q] >= 0 else unseen
            value = scores[slots[q], MEAN] if slots[q] >= 0 else 0.0
            explore[q] += width
            mean[q] += value  # 0 if unseen
            n_seen[q] += width < unseen
    for q in range(mean.size):
        if n_seen[q] > 0:
            mean[q] /= n_seen[q]
        explore[q] *= math.sqrt(math.log(1.0 + n_evaluations)) / offset.size
