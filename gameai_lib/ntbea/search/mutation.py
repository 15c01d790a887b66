"""Neighbours of a point: how NTBEA moves through a space."""

import math

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import held
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Ints, Seed
from gameai_lib.ntbea.game.space import SearchSpace

# Neighbours equal to an earlier one are drawn again, at most so often for each one wanted.
_MAX_DRAWS = 200
_MAX_NEIGHBOURS = 10_000  # each is compared with all others


def neighbours(
    space: SearchSpace,
    point: ArrayLike,
    n_neighbours: int,
    rng: Seed,
    *,
    mutation: float,
    flip_once: bool = True,
) -> Ints:
    """Draw distinct neighbours, (n, n_dims), of a point, none of them the point itself.

    Every dimension changes with probability `mutation`, p of Algorithm 7.7, always to another
    value; with `flip_once` one random dimension changes in any case.

    Parameters
    ----------
    space : SearchSpace
    point : (n_dims,) int array
        The parent.
    n_neighbours : int
        At most 10,000; where there are fewer, all that were found are returned.
    mutation : float
        From 0 to 1. If no neighbour was found there is a ValueError.
    """
    checks.kind("space", space, SearchSpace)
    point = space.check_point(point)
    mutation = checked_mutation(space, mutation, flip_once)
    rng = checks.generator(rng)
    most = most_drawn(space, mutation, n_neighbours)
    with held():
        return draw_neighbours(space, point, most, rng, mutation, flip_once)


def checked_mutation(space, mutation, flip_once):
    """Return `mutation` as a float; ValueError where no point has a neighbour."""
    mutation = checks.number("mutation", mutation, 0.0, 1.0)
    if not checks.flag("flip_once", flip_once) and mutation == 0:
        raise ValueError("with mutation=0 and flip_once=False every neighbour is the parent")
    if space.size == 1:
        raise ValueError(f"the space has one point only, {short(space)}")
    return mutation


def most_drawn(space, mutation, wanted):
    """Return how many of the neighbours wanted there are; with p = 0 or 1 some are out of reach."""
    others = [int(n) - 1 for n in space.n_values if n > 1]
    possible = {0: sum(others), 1: math.prod(others)}.get(mutation, space.size - 1)
    possible = min(checks.whole("n_neighbours", wanted), possible)
    return checks.whole("n_neighbours", possible, 1, _MAX_NEIGHBOURS)


def draw_neighbours(space, point, n_neighbours, rng, mutation, flip_once):
    """`neighbours` without its checks, which cost as much as the drawing; hold interrupts."""
    free = np.flatnonzero(space.n_values > 1).astype(np.int64)
    found = np.empty((n_neighbours, space.n_dims), np.int64)
    n_found = _neighbours(found, point, space.n_values, free, mutation, flip_once, rng)
    if n_found == 0:
        raise ValueError(f"no neighbour of {short(point.tolist())} found with mutation={mutation}")
    return found[:n_found]


@njit(cache=True, allocates=True)
def _neighbours(found, parent, n_values, free, mutation, flip_once, rng):
    """Fill rows of `found` with distinct neighbours; returns how many there are."""
    n_found = 0
    for _ in range(_MAX_DRAWS * found.shape[0]):
        child = found[n_found]
        for i in range(parent.size):
            child[i] = parent[i]
        flipped = free[rng.integers(0, free.size)] if flip_once else -1
        changed = False
        for i in free:
            if i == flipped or rng.random() < mutation:
                other = rng.integers(0, n_values[i] - 1)
                child[i] = other + 1 if other >= parent[i] else other
                changed = True
        if changed and not _is_repeated(found, n_found):
            n_found += 1
            if n_found == found.shape[0]:
                break
    return n_found


@njit(cache=True)
def _is_repeated(rows, last):
    """True if row `last` equals an earlier one."""
    for r in range(last):
        i = 0
        while i < rows.shape[1] and rows[r, i] == rows[last, i]:
            i += 1
        if i == rows.shape[1]:
            return True
    return False
