"""Which n-tuples a model has, where the statistics of their arms lie, learning and scoring.

An arm is one combination of values in one n-tuple. Small n-tuples own a block of slots, one for
each arm. Arms of large n-tuples get a slot when first seen and are found through a hash table with
linear probing, checked against an evaluated point that has the arm.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import assign, njit

# N-tuples with more arms than this are hashed, and so are those for which all smaller ones
# together leave no slots.
_MAX_DENSE_ARMS, _MAX_DENSE_SLOTS = 4096, 4_000_000
_MAX_TUPLES = 20_000

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


def checked_sizes(sizes):
    """Return sizes of n-tuples, of whatever integer type, as a tuple of int and "d"."""
    try:
        sizes = tuple(itertools.islice(sizes, 10_001))
    except Exception:
        what = "sizes of n-tuples are a tuple such as (1, 2, 'd')"
        raise ValueError(f"{what}, got {short(sizes)}") from None
    for size in sizes:
        if not checks.is_whole(size) and not (isinstance(size, str) and size == "d"):
            raise ValueError(f"sizes of n-tuples are integers or 'd', got {short(size)}")
    return tuple(size if isinstance(size, str) else int(size) for size in sizes)


def tuples_of(n_dims, sizes):
    """Return the n-tuples of the given sizes, each a tuple of dimensions, smaller ones first."""
    orders = sorted({n_dims if size == "d" else size for size in sizes})
    for order in orders:
        if not 1 <= order <= n_dims:
            raise ValueError(f"n-tuples of size {short(order)} do not exist in {n_dims} dimensions")
    if not orders:
        raise ValueError("a model needs at least one size of n-tuples, got none")
    n_tuples = sum(math.comb(n_dims, order) for order in orders)
    if n_tuples > _MAX_TUPLES:
        what = f"sizes {short(sizes)} make {short(n_tuples)} n-tuples of {n_dims} dimensions"
        raise ValueError(f"{what}, {_MAX_TUPLES} at most")
    return tuple(dims for order in orders for dims in itertools.combinations(range(n_dims), order))


def layout_of(n_values, tuples):
    """Return the `Layout` of the n-tuples and the number of slots of the small ones."""
    start, dims, strides, offsets = [0], [], [], []
    n_slots = 0
    for t in tuples:
        n_arms = math.prod(int(n_values[d]) for d in t)
        dense = n_arms <= _MAX_DENSE_ARMS and n_slots + n_arms <= _MAX_DENSE_SLOTS
        offsets.append(n_slots if dense else -1)
        # A hashed n-tuple has no strides; its product may not even fit an int64.
        strides += [math.prod(int(n_values[d]) for d in t[i + 1 :]) * dense for i in range(len(t))]
        dims += t
        start.append(len(dims))
        n_slots += n_arms * dense
    arrays = (np.array(a, dtype=np.int64) for a in (start, dims, strides, offsets))
    return Layout(*arrays), n_slots


def empty_memory(n_slots, epsilon):
    """Return a `Memory` of nothing, with `n_slots` slots."""
    return Memory(
        np.zeros((n_slots, 2)), _unseen_scores(n_slots, epsilon), np.full((64, 3), -1, np.int64)
    )


def _unseen_scores(n_slots, epsilon):
    """Return (n_slots, 2) scores of arms without data: mean 0 and the widest bound."""
    return np.tile([0.0, 1.0 / math.sqrt(epsilon)], (n_slots, 1))


def with_room(layout, memory, points, row, epsilon, n_slots):
    """Return a memory with room for the evaluation of `row`; what is full is doubled."""
    arms, scores, table = memory
    n_hashed = np.count_nonzero(layout.offset < 0)
    if n_slots + n_hashed > len(arms):
        spare = max(64, n_hashed, len(arms))
        arms = np.concatenate([arms, np.zeros((spare, 2))])
        scores = np.concatenate([scores, _unseen_scores(spare, epsilon)])
    # At most half full, or probing gets long. N evaluations make N arms a tuple at most.
    n_rows = 2 * (row + 1) * n_hashed
    if n_rows > len(table):
        old, table = table, np.full((2 * n_rows, 3), -1, np.int64)
        _rehash(layout, old, table, points)
    return Memory(arms, scores, table)


@njit(cache=True)
def _same_arm(layout, t, point, other):
    for j in range(layout.start[t], layout.start[t + 1]):
        if point[layout.dims[j]] != other[layout.dims[j]]:
            return False
    return True


@njit(cache=True)
def _probe(layout, t, point, table, points):
    """Return the table row that holds the arm of `point`, or the empty row it would take."""
    code = t + 1
    for j in range(layout.start[t], layout.start[t + 1]):
        code = (code * _MULTIPLIER + point[layout.dims[j]] + 1) % _PRIME
    row = code % table.shape[0]
    while table[row, SLOT] >= 0:
        if table[row, TUPLE] == t and _same_arm(layout, t, point, points[table[row, ROW]]):
            break
        row = (row + 1) % table.shape[0]
    return row


@njit(cache=True)
def add_point(layout, memory, points, row, epsilon, n_slots, fitness):
    """Learn the evaluation of `row` of `points`; returns the number of slots then in use."""
    start, dims, stride, offset = layout
    arms, scores, table = memory
    point = points[row]
    for t in range(offset.size):
        slot = offset[t]
        if slot >= 0:
            for j in range(start[t], start[t + 1]):
                slot += stride[j] * point[dims[j]]
        else:
            entry = table[_probe(layout, t, point, table, points)]
            if entry[SLOT] < 0:
                entry[SLOT], entry[TUPLE], entry[ROW] = n_slots, t, row
                n_slots += 1
            slot = entry[SLOT]
        arms[slot, N] += 1
        arms[slot, SUM] += fitness
        scores[slot, MEAN] = arms[slot, SUM] / arms[slot, N]
        scores[slot, WIDTH] = 1.0 / math.sqrt(arms[slot, N] + epsilon)
    return n_slots


@njit(cache=True)
def _rehash(layout, old, table, points):
    """Enter every arm of the table `old` into the empty, larger `table`."""
    for i in range(len(old)):
        entry = old[i]
        if entry[SLOT] >= 0:
            row = _probe(layout, entry[TUPLE], points[entry[ROW]], table, points)
            assign(table[row], entry)


@njit(cache=True, allocates=True)
def score_points(layout, memory, points, n_evaluations, epsilon, queries, mean, explore):
    """Add `mean` and `explore`, (n_queries,), of `queries`, (n_queries, n_dims), to zeros."""
    start, dims, stride, offset = layout
    _, scores, table = memory
    values = np.ascontiguousarray(queries.T)
    slots = np.empty(mean.size, np.int64)
    n_seen = np.zeros(mean.size, np.int64)
    unseen = 1.0 / math.sqrt(epsilon)
    # One n-tuple at a time for all queries: its few arms stay in the fastest cache.
    for t in range(offset.size):
        if offset[t] < 0:
            for q in range(mean.size):
                slots[q] = table[_probe(layout, t, queries[q], table, points), SLOT]
        else:
            for q in range(mean.size):
                slots[q] = offset[t]
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
