"""Which n-tuples a model has, and where the statistics of their arms lie."""

import itertools
import math

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.ntbea.search._arms import Layout

# N-tuples with more arms than this are hashed, smaller ones own a slot for every arm, as long
# as all of them together have no more slots than that.
_MAX_DENSE_ARMS, _MAX_DENSE_SLOTS = 4096, 4_000_000
_MAX_TUPLES = 20_000


def checked_sizes(sizes):
    """Return sizes of n-tuples, of whatever integer type, as a tuple of int and "d"."""
    try:
        sizes = tuple(itertools.islice(sizes, 10_001))
    except Exception:
        what = "sizes of n-tuples are a tuple such as (1, 2, 'd')"
        raise ValueError(f"{what}, got {short(sizes)}") from None
    return tuple("d" if isinstance(size, str) and size == "d" else _size(size) for size in sizes)


def _size(size):
    try:
        return checks.whole("a size", size, -math.inf, math.inf)
    except TypeError:
        raise ValueError(f"sizes of n-tuples are integers or 'd', got {short(size)}") from None


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
