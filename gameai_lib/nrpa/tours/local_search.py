"""Local search on tours with time windows: parts are moved or turned round while that is better.

2-opt (Croes 1958) and or-opt (Or 1976), first improvement. Of two tours the one that is less late
is better, after the way to a first tour of da Silva and Urrutia (2010), and of equals the shorter.
"""

import numpy as np

from gameai_lib.base import arrays
from gameai_lib.base.jit import njit, plain_at_first
from gameai_lib.base.types import ArrayLike, Ints
from gameai_lib.nrpa.game.tsptw import Instance, evaluate

LONGEST_PART = 3  # cities that or-opt moves at once
ENOUGH = 1e-7  # a gain that is more than rounding
FEW_CITIES = 24  # a tour of so many is improved in less time than `improve` is compiled in


@njit(cache=True)
def measure(distance, windows, tour, first, before, most_late, most):
    """Lateness of a tour from the depot and back, summed over its cities, and its cost.

    Infinite, both, as soon as it is later than `most_late`, or as late and costs `most`. Up to the
    city at `first` it is the tour of which `before` is the time, lateness and cost at each city.
    """
    here = tour[first - 1] if first > 0 else 0
    now, late, cost = before[first]
    for i in range(first, tour.size + 1):
        city = tour[i] if i < tour.size else 0
        cost += distance[here, city]
        now = max(now + distance[here, city], windows[city, 0])
        late += max(now - windows[city, 1], 0.0)
        if late > most_late or (late == most_late and cost >= most):
            return np.inf, np.inf
        here = city
    return late, cost


@njit(cache=True)
def follow(distance, windows, tour, before):
    """Write time, lateness and cost before each city of a tour; its lateness and cost."""
    before[0] = windows[0, 0], 0.0, 0.0
    here = 0
    for i in range(tour.size):
        now, late, cost = before[i]
        cost += distance[here, tour[i]]
        now = max(now + distance[here, tour[i]], windows[tour[i], 0])
        before[i + 1] = now, late + max(now - windows[tour[i], 1], 0.0), cost
        here = tour[i]
    return measure(distance, windows, tour, tour.size, before, np.inf, np.inf)


@njit(cache=True, inline="always")
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


@njit(cache=True, inline="always")
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


@njit(cache=True, inline="always")
def turn_round(tour, start, stop, turned):
    """Write the tour with the part from `start` to `stop` in the other direction."""
    for i in range(tour.size):
        turned[i] = tour[start + stop - 1 - i] if start <= i < stop else tour[i]


@njit(cache=True)
def taken_if_better(distance, windows, tour, other, first, before, late, cost):
    """Put another tour into `tour` if it is less late, or costs less; return what is there then.

    The tours are the same before `first`.
    """
    found = measure(distance, windows, other, first, before, late, cost - ENOUGH)
    if found[0] < late - ENOUGH or (found[0] <= late and found[1] < cost):
        for i in range(tour.size):
            tour[i] = other[i]
        return follow(distance, windows, tour, before)
    return late, cost


@njit(cache=True, allocates=True)
def improve(distance, windows, ways, tour):
    """Change a tour in place by or-opt and 2-opt moves as long as one makes it better.

    `ways` are the distances, infinite where no tour in time can go.
    """
    n, other, before = tour.size, np.empty_like(tour), np.empty((tour.size + 1, 3))
    late, cost = follow(distance, windows, tour, before)
    last = np.inf, np.inf
    while (late, cost) != last:
        last = late, cost
        for start in range(n):
            can_turn = True
            for stop in range(start + 1, n + 1):
                length = stop - start
                for to in range(n - length + 1 if length <= LONGEST_PART else 0):
                    # A tour that is in time is left for shorter ones only.
                    if to != start and (
                        late > 0 or gain_of_move(ways, tour, start, length, to) > ENOUGH
                    ):
                        move_part(tour, start, length, to, other)
                        late, cost = taken_if_better(
                            distance, windows, tour, other, min(start, to), before, late, cost
                        )
                back = ways[tour[stop - 1], tour[stop - 2]] if length > 1 else 0.0
                can_turn = can_turn and back < np.inf
                if length > 1 and (late > 0 or can_turn):
                    turn_round(tour, start, stop, other)
                    late, cost = taken_if_better(
                        distance, windows, tour, other, start, before, late, cost
                    )


def improved(instance: Instance, tour: ArrayLike) -> Ints:
    """A tour that no move of local search makes less late, or as late and shorter."""
    evaluate(instance, tour)  # refuses what is not a tour
    better = np.array(arrays.whole("tour", tour))
    distance, windows = instance.distance, instance.windows
    ways = np.where(windows[:, :1] + distance > windows[:, 1], np.inf, distance)
    with plain_at_first(better.size <= FEW_CITIES):
        improve(distance, windows, ways, better)
    return better
