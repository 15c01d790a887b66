"""Which n-tuples a model has, and what their arms have learned: counting and scoring.

An arm is one combination of values in one n-tuple; a slot holds its statistics. Small n-tuples own
a slot for each arm. Arms of large ones get a slot when first seen, and a dictionary says which.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit

# N-tuples with more arms than this are large, and so are those for which all smaller ones
# together leave no slots.
_MAX_DENSE_ARMS, _MAX_DENSE_SLOTS = 4096, 4_000_000
_MAX_TUPLES = 20_000

# Columns of a slot; the last two are what scoring reads: SUM / N, and 1 / sqrt(N + epsilon).
N, SUM, MEAN, WIDTH = range(4)
UNSEEN = 0  # the slot of all arms of large n-tuples that were not seen yet


class Layout(NamedTuple):
    """Where the n-tuples' arms lie; m n-tuples over D dimensions in all."""

    start: np.ndarray  #: (m + 1,) int, first entry of each n-tuple in dims and stride
    dims: np.ndarray  #: (D,) int, dimensions of all n-tuples, one after the other
    stride: np.ndarray  #: (D,) int, slots from one value of that dimension to the next
    offset: np.ndarray  #: (m,) int, first slot of the n-tuple, -1 if it is large


def checked_sizes(sizes, n_dims):
    """Return sizes of n-tuples, as a tuple of int and "d"; those beyond `n_dims` are left out."""
    if not isinstance(sizes, list | tuple):
        raise ValueError(f"sizes of n-tuples are a tuple such as (1, 2, 'd'), got {short(sizes)}")
    checked = [size if size == "d" else checks.whole("a size", size) for size in sizes]
    existing = tuple(size for size in checked if size == "d" or size <= n_dims)
    if not existing:
        raise ValueError(f"no n-tuples of {n_dims} dimensions have the sizes {short(sizes)}")
    return existing


def tuples_of(n_dims, sizes):
    """Return the n-tuples of the given sizes, each a tuple of dimensions, smaller ones first."""
    orders = sorted({n_dims if size == "d" else size for size in sizes})
    n_tuples = sum(math.comb(n_dims, order) for order in orders)
    if n_tuples > _MAX_TUPLES:
        what = f"sizes {short(sizes)} make {short(n_tuples)} n-tuples of {n_dims} dimensions"
        raise ValueError(f"{what}, {_MAX_TUPLES} at most")
    return tuple(dims for order in orders for dims in itertools.combinations(range(n_dims), order))


def layout_of(n_values, tuples):
    """Return the `Layout` of the n-tuples and the number of slots of the small ones."""
    start, dims, strides, offsets = [0], [], [], []
    n_slots = UNSEEN + 1
    for t in tuples:
        n_arms = math.prod(int(n_values[d]) for d in t)
        dense = n_arms <= _MAX_DENSE_ARMS and n_slots + n_arms <= _MAX_DENSE_SLOTS
        offsets.append(n_slots if dense else -1)
        # A large n-tuple has no strides; its product may not even fit an int64.
        strides += [math.prod(int(n_values[d]) for d in t[i + 1 :]) * dense for i in range(len(t))]
        dims += t
        start.append(len(dims))
        n_slots += n_arms * dense
    return Layout(*(np.array(a, np.int64) for a in (start, dims, strides, offsets))), n_slots


class Counts:
    """Statistics of all arms."""

    def __init__(self, n_values, tuples, epsilon):
        self.layout, self.n_slots = layout_of(n_values, tuples)
        self.epsilon, self.n_evaluations = epsilon, 0
        self.arms = self._make_arms(self.n_slots)
        large = np.flatnonzero(self.layout.offset < 0)
        self.large = [(list(tuples[t]), {}) for t in large]  # dimensions, and slot by values

    def _make_arms(self, n_slots):
        return np.tile([0.0, 0.0, 0.0, 1.0 / math.sqrt(self.epsilon)], (n_slots, 1))

    def add(self, point, fitness, weight):
        """Learn one evaluation of a point, (n_dims,), that counts as `weight` of them."""
        if self.n_slots + len(self.large) > len(self.arms):
            more = self._make_arms(len(self.arms) + len(self.large))
            self.arms = np.concatenate([self.arms, more])
        seen = []
        for dims, slots in self.large:
            key = point[dims].tobytes()
            if key not in slots:
                slots[key], self.n_slots = self.n_slots, self.n_slots + 1
            seen.append([slots[key]])
        large_slots = np.array(seen, np.int64).reshape(-1, 1)
        add_point(self.layout, self.arms, large_slots, point, fitness, weight, self.epsilon)
        self.n_evaluations += 1

    def _large_slots(self, points):
        """Slots of points, (n_large, n_points), in the large n-tuples."""
        found = []
        for dims, slots in self.large:
            keys, width = points[:, dims].tobytes(), points.itemsize * len(dims)
            starts = range(0, len(keys), width)
            found.append([slots.get(keys[k : k + width], UNSEEN) for k in starts])
        return np.array(found, np.int64).reshape(len(self.large), len(points))

    def score(self, points):
        """Return `mean` and `explore` of points, (n_points, n_dims), as (n_points,) arrays."""
        mean, explore = np.zeros((2, len(points)))
        score_points(self.layout, self.arms, self._large_slots(points), points, mean, explore)
        explore *= math.sqrt(math.log(1.0 + self.n_evaluations)) / len(self.layout.offset)
        return mean, explore


@njit(cache=True)
def add_point(layout, arms, large_slots, point, fitness, weight, epsilon):
    """Count one evaluation of `point`, as `weight` of them, in each n-tuple."""
    start, dims, stride, offset = layout
    n_large = 0
    for t in range(offset.size):
        slot = offset[t]
        if slot < 0:
            slot = large_slots[n_large, 0]
            n_large += 1
        for j in range(start[t], start[t + 1]):
            slot += stride[j] * point[dims[j]]
        arm = arms[slot]
        arm[N] += weight
        arm[SUM] += weight * fitness
        arm[MEAN] = arm[SUM] / arm[N]
        arm[WIDTH] = 1.0 / math.sqrt(arm[N] + epsilon)


@njit(cache=True, allocates=True)
def score_points(layout, arms, large_slots, points, mean, explore):
    """Add means, and sums of widths, of `points`, (n_points, n_dims), to zeros."""
    start, dims, stride, offset = layout
    values = np.ascontiguousarray(points.T)
    slots = np.empty(mean.size, np.int64)
    n_seen = np.zeros(mean.size, np.int64)
    n_large = 0
    # One n-tuple at a time for all points: its few arms stay in the fastest cache.
    for t in range(offset.size):
        for q in range(mean.size):
            slots[q] = offset[t] if offset[t] >= 0 else large_slots[n_large, q]
        n_large += offset[t] < 0
        for j in range(start[t], start[t + 1]):
            factor = stride[j]
            column = values[dims[j]]
            for q in range(mean.size):
                slots[q] += factor * column[q]
        for q in range(mean.size):
            arm = arms[slots[q]]
            mean[q] += arm[MEAN]  # 0 if unseen
            explore[q] += arm[WIDTH]
            n_seen[q] += arm[N] > 0
    for q in range(mean.size):
        if n_seen[q] > 0:
            mean[q] /= n_seen[q]
