"""Local search on tours with time windows: parts are moved or turned round while that is shorter.

2-opt (Croes 1958) and or-opt (Or 1976), first improvement; a tour that misses a window is no
neighbour.
"""

import numpy as np
import numpy.typing as npt

from gameai_lib.base import arrays
from gameai_lib.base.jit import njit
from gameai_lib.nrpa.game.tsptw import Instance, evaluate

LONGEST_PART = 3  # cities that or-opt moves at once
ENOUGH = 1e-7  # a gain that is more than rounding


@njit(cache=True)
def cost_of(distance, windows, tour, most):
    """Cost of a tour, from the depot and back; infinite if it misses a window or costs `most`."""
    here, now, cost = 0, windows[0, 0], 0.0
    for i in range(tour.size + 1):
        city = tour[i] if i < tour.size else 0
        cost += distance[here, city]
        now = max(now + distance[here, city], windows[city, 0])
        if now > windows[city, 1] or cost >= most:
            return np.inf
        here = city
    return cost


@njit(cache=True)
def gain_of_move(distance, tour, start, length, to):
    """How much shorter `move_part` makes a tour, whatever the windows say."""
    n = tour.size
    stop, gap = start + length, to if to < start else to + length
    before = tour[start - 1] if start > 0 else 0
    after = tour[stop] if stop < n else 0
    left = tour[gap - 1] if gap > 0 else 0
    right = tour[gap] if gap < n else 0
    first, last = tour[start], tour[stop - 1]
    taken = distance[before, first] + distance[last, after] + distance[left, right]
    return taken - distance[before, after] - distance[left, first] - distance[last, right]


@njit(cache=True)
def move_part(tour, start, length, to, moved):
    """Write the tour with the part from `start` on taken out and put in at `to` of the rest."""
    k = 0
    for i in range(tour.size - length + 1):
        if i == to:
            for j in range(length):
                moved[k] = tour[start + j]
                k += 1
        if i < tour.size - length:
            moved[k] = tour[i] if i < start else tour[i + length]
            k += 1


@njit(cache=True)
def turn_round(tour, start, stop, turned):
    """Write the tour with the part from `start` to `stop` in the other direction."""
    for i in range(tour.size):
        turned[i] = tour[start + stop - 1 - i] if start <= i < stop else tour[i]


@njit(cache=True)
def taken_if_better(distance, windows, tour, other, cost):
    """Put another tour into `tour` if it costs less; return the cost of what is there then."""
    found = cost_of(distance, windows, other, cost - ENOUGH)
    if found < cost:
        tour[:] = other
        return found
    return cost


@njit(cache=True)
def improve(distance, windows, tour):
    """Shorten a tour in place by or-opt and 2-opt moves until none does; return its cost."""
    n, other = tour.size, np.empty_like(tour)
    cost, before = cost_of(distance, windows, tour, np.inf), np.inf
    while cost < before:
        before = cost
        for start in range(n):
            for stop in range(start + 1, n + 1):
                length = stop - start
                for to in range(n - length + 1 if length <= LONGEST_PART else 0):
                    if to != start and gain_of_move(distance, tour, start, length, to) > ENOUGH:
                        move_part(tour, start, length, to, other)
                        cost = taken_if_better(distance, windows, tour, other, cost)
                if length > 1:
                    turn_round(tour, start, stop, other)
                    cost = taken_if_better(distance, windows, tour, other, cost)
    return cost


def improved(instance: Instance, tour: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """A tour that no move of local search shortens, made from one that meets all windows.

    Raises
    ------
    ValueError
        If a city is missing, repeated or unknown, or a window is missed.
    """
    if evaluate(instance, tour).violations:
        raise ValueError(f"{instance.name}: the tour misses a window")
    better = np.array(arrays.whole("tour", tour))
    improve(instance.distance, instance.windows, better)
    return better
