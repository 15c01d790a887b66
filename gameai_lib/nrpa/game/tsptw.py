"""Travelling salesman problem with time windows, as a game of choosing the next city.

Legal moves after Cazenave and Teytaud, "Application of the Nested Rollout Policy Adaptation
Algorithm to the Traveling Salesman Problem with Time Windows", LION 2012: cities that are
late already come first; otherwise no move may make another city late, if that can be helped.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Floats, Ints
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.registry import Verdict, register
from gameai_lib.nrpa.problem.rules import Rules

LATE_COST = 1e6  # one violated window weighs more than any tour
MOST_CITIES = 4096  # their pairs are the codes
MOST_BIAS = 1e9  # clipped to the largest weight anyway
FARTHEST = 1e12  # no sum of distances or of waits loses a digit before the point

# Layout of `ints`: sizes, then the open cities; of `floats`: state, windows, distances. To look
# ahead, `ints` goes on with 1 for each city done, a place in its row of the last part, and a row
# for each city of all cities, the one it must be left for first in front; `floats` with rows of the
# times by which it must be left for each.
N_CITIES, CITY, N_OPEN, AHEAD, OPEN = range(5)
TIME, COST, VIOLATIONS, WINDOWS = range(4)


@njit(cache=True, inline="always")
def travel(floats, n, here, there):
    """Cost, and time, of the way between two of `n` cities."""
    return floats[WINDOWS + 2 * n + here * n + there]


@njit(cache=True, inline="always")
def opens_at(floats, city):
    """When the window of a city opens."""
    return floats[WINDOWS + 2 * city]


@njit(cache=True, inline="always")
def closes_at(floats, city):
    """When the window of a city closes."""
    return floats[WINDOWS + 2 * city + 1]


@njit(cache=True)
def reset(ints, floats):
    n = ints[N_CITIES]
    ints[CITY] = 0
    ints[N_OPEN] = n - 1
    for i in range(n - 1):
        ints[OPEN + i] = i + 1
    if ints[AHEAD]:
        for i in range(OPEN + n, OPEN + 3 * n):
            ints[i] = 0
    floats[TIME] = opens_at(floats, 0)
    floats[COST] = 0.0
    floats[VIOLATIONS] = 0.0


@njit(cache=True, inline="always")
def legal_ahead(ints, floats, codes, start):
    """Write the moves after which every open city, and the depot, is still in reach, if any."""
    n, here, n_open, now = ints[N_CITIES], ints[CITY], ints[N_OPEN], floats[TIME]
    done, places, rows = OPEN + n, OPEN + 2 * n, OPEN + 3 * n
    times = WINDOWS + 2 * n + n * n
    n_kept = 0
    for i in range(n_open):
        city = ints[OPEN + i]
        row = city * n
        # The open city, or the depot, for which this one must be left first. None is opened
        # again, so the place only moves on.
        place = ints[places + city]
        while ints[done + ints[rows + row + place]]:
            place += 1
        ints[places + city] = place
        arrival = max(now + travel(floats, n, here, city), opens_at(floats, city))
        if arrival <= floats[times + row + place]:
            codes[start + n_kept] = here * n + city
            n_kept += 1
    return n_kept


@njit(cache=True)
def legal(ints, floats, codes, start):
    n, here, n_open = ints[N_CITIES], ints[CITY], ints[N_OPEN]
    if ints[AHEAD]:
        n_kept = legal_ahead(ints, floats, codes, start)
        if n_kept > 0:
            return n_kept
    now = floats[TIME]
    n_late = 0
    first, second, first_city = np.inf, np.inf, 0  # the two earliest deadlines
    for i in range(n_open):
        city = ints[OPEN + i]
        deadline = closes_at(floats, city)
        if now + travel(floats, n, here, city) > deadline:
            codes[start + n_late] = here * n + city
            n_late += 1
        if deadline < first:
            first, second, first_city = deadline, first, city
        elif deadline < second:
            second = deadline
    if n_late > 0:
        return n_late
    n_kept = 0
    for i in range(n_open):
        city = ints[OPEN + i]
        arrival = max(now + travel(floats, n, here, city), opens_at(floats, city))
        # Another city is made late exactly if the earliest other deadline is.
        if arrival <= (second if city == first_city else first):
            codes[start + n_kept] = here * n + city
            n_kept += 1
    if n_kept > 0:
        return n_kept
    for i in range(n_open):
        codes[start + i] = here * n + ints[OPEN + i]
    return n_open


@njit(cache=True, inline="always")
def travel_to(ints, floats, city):
    """Go to a city and wait there until its window opens."""
    leg = travel(floats, ints[N_CITIES], ints[CITY], city)
    floats[COST] += leg
    floats[TIME] = max(floats[TIME] + leg, opens_at(floats, city))
    if floats[TIME] > closes_at(floats, city):
        floats[VIOLATIONS] += 1.0
    ints[CITY] = city


@njit(cache=True)
def play(ints, floats, k, code):
    city = code % ints[N_CITIES]
    travel_to(ints, floats, city)
    n_open = ints[N_OPEN] - 1
    for i in range(n_open):
        if ints[OPEN + i] == city:
            ints[OPEN + i] = ints[OPEN + n_open]
            break
    ints[N_OPEN] = n_open
    if ints[AHEAD]:
        ints[OPEN + ints[N_CITIES] + city] = 1
    if n_open == 0:
        travel_to(ints, floats, 0)


@njit(cache=True)
def score(ints, floats):
    return -(LATE_COST * floats[VIOLATIONS] + floats[COST])


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """Cities, distances and time windows; city 0 is the depot.

    The `distance`, (n, n) float, is travel time, service included, so that it need not be
    symmetric; none is negative. The `windows`, (n, 2) float, are the opening and closing times of
    the cities; none closes before it opens.
    """

    name: str
    distance: Floats
    windows: Floats

    if TYPE_CHECKING:  # what becomes an array may come as a list

        def __init__(self, name: str, distance: ArrayLike, windows: ArrayLike) -> None: ...

    def __repr__(self) -> str:
        return f"Instance({self.name}: {len(self.windows)} cities)"

    def __post_init__(self) -> None:
        checks.kind("name", self.name, str)
        for name in ("distance", "windows"):
            array = arrays.finite(f"{self.name}: {name}", getattr(self, name), 2, FARTHEST)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        n, shapes = len(self.windows), (self.distance.shape, self.windows.shape)
        if not 2 <= n <= MOST_CITIES or shapes != ((n, n), (n, 2)):
            raise ValueError(
                f"{self.name}: distances {self.distance.shape} and windows {self.windows.shape}"
                f" do not describe the same cities, 2 to {MOST_CITIES}"
            )
        if (self.distance < 0).any():
            raise ValueError(f"{self.name}: negative distance {self.distance.min()}")
        shut = np.flatnonzero(self.windows[:, 1] < self.windows[:, 0])
        if shut.size:
            raise ValueError(f"{self.name}: city {shut[0]} closes before it opens")


class Tour(NamedTuple):
    """What a tour costs; times are those of the instance."""

    cost: float  #: travel alone; waiting is free
    violations: int  #: cities, and the depot at the end, reached after closing
    makespan: float  #: time of return to the depot
    arrival: Floats  #: (n,) time of service at each visited city, depot last


def evaluate(instance: Instance, tour: ArrayLike) -> Tour:
    """Follow a tour, all cities without the depot, independently of the rules above."""
    n = len(checks.kind("instance", instance, Instance).windows)
    cities = arrays.whole("tour", tour).tolist()
    if sorted(cities) != list(range(1, n)):
        raise ValueError(f"{instance.name}: the tour must visit cities 1 to {n - 1} once each")
    here, now, cost, late, arrival = 0, instance.windows[0, 0], 0.0, 0, []
    for city in [*cities, 0]:
        cost += instance.distance[here, city]
        now = max(now + instance.distance[here, city], instance.windows[city, 0])
        late += int(now > instance.windows[city, 1])
        arrival.append(now)
        here = city
    return Tour(float(cost), late, float(now), np.array(arrival))


def shortest_ways(distance: Floats) -> Floats:
    """Shortest times from city to city by way of any others (Floyd and Warshall); (n, n)."""
    ways = distance.copy()
    np.fill_diagonal(ways, 0.0)
    for k in range(len(ways)):
        np.minimum(ways, ways[:, k, None] + ways[k], out=ways)
    return ways


def tsptw(
    instance: Instance,
    distance_bias: float = 0.0,
    window_bias: float = 0.0,
    *,
    look_ahead: bool = False,
) -> Problem:
    """The game of touring `instance`; the score is -(10^6 violations + travel cost).

    A tour that misses a window is legal. Where every tour costs less than a million,
    ``target=-1e6`` ends a search with the first that misses none. `best_tour` has one setting for
    all tours.

    The bias (GNRPA) of a move, against far cities and those whose windows lie at another time, is
    minus `distance_bias` times its share of the largest distance, minus `window_bias` times its
    share of the longest time between middles of windows. With `look_ahead` moves are left out after
    which an open city could not be reached in time, even by the shortest way; the rule of Cazenave
    and Teytaud looks no further than the arrival.

    Examples
    --------
    >>> problem = tsptw(bundled_tsptw("medium"), distance_bias=10, window_bias=10)
    >>> search = NRPA(problem, 1)
    >>> in_words(problem, search.run(target=-1e6)), search.n_playouts
    ('score -574 (all windows met, cost 574)', 2855)
    """
    n = len(checks.kind("instance", instance, Instance).windows)
    floats = [np.zeros(3), instance.windows.ravel(), instance.distance.ravel()]
    ints = [np.array([n, 0, 0, checks.flag("look_ahead", look_ahead)]), np.zeros(n)]
    if look_ahead:
        closes = instance.windows[:, 1]
        leave = closes - shortest_ways(instance.distance)
        # A sum in another order differs in its last digits, and a window met just so counts.
        leave += 1e-9 * max(1.0, np.abs(closes).max())
        floats.append(np.sort(leave, axis=1).ravel())
        ints += [np.zeros(2 * n), leave.argsort(axis=1, kind="stable").ravel()]
    bias = _bias(instance, distance_bias, window_bias)
    parts = np.concatenate(ints), np.concatenate(floats)
    return seal(instance.name, RULES, *parts, n * n, n - 1, n, bias)


def _bias(instance, distance_bias, window_bias):
    distance_bias = checks.number("distance_bias", distance_bias, -MOST_BIAS, MOST_BIAS)
    window_bias = checks.number("window_bias", window_bias, -MOST_BIAS, MOST_BIAS)
    if not (distance_bias or window_bias):
        return None
    middle = instance.windows.mean(axis=1)
    apart = np.abs(middle - middle[:, None])
    apart /= max(apart[1:, 1:].max(), 1e-12)
    far = instance.distance / max(instance.distance.max(), 1e-12)
    with np.errstate(under="ignore"):
        return -(distance_bias * far + window_bias * apart).ravel()


def tour_of(codes: ArrayLike, n_cities: int) -> Ints:
    """Cities in the order of a game's codes; `n_cities` counts the depot.

    Examples
    --------
    >>> best = NRPA(tsptw(bundled_tsptw("small")), 1, level=2, n_iterations=20).run()
    >>> tour_of(best.codes, 9)
    array([3, 5, 6, 8, 2, 7, 1, 4])
    """
    codes, n = arrays.whole("codes", codes), checks.whole("n_cities", n_cities, 2, MOST_CITIES)
    start, tour = np.divmod(codes, n)
    if not np.array_equal(np.sort(tour), np.arange(1, n)) or (start != [0, *tour[:-1]]).any():
        raise ValueError(f"codes are not those of a tour of {n} cities with the depot")
    return tour


def instance_of(problem: Problem) -> Instance:
    """The instance a problem was made from."""
    if checks.kind("problem", problem, Problem).rules != RULES:
        raise ValueError(f"{problem.name} is not a tour")
    n = int(problem.ints[N_CITIES])
    windows = problem.floats[WINDOWS : WINDOWS + 2 * n].reshape(n, 2)
    distance = problem.floats[WINDOWS + 2 * n :][: n * n].reshape(n, n)
    return Instance(problem.name, distance, windows)


def _evaluate_game(problem, playout):
    instance = instance_of(problem)
    return evaluate(instance, playout.codes % len(instance.windows))


def _judge(problem, playout):
    tour = _evaluate_game(problem, playout)
    return Verdict(-(LATE_COST * tour.violations + tour.cost), 0)


def _words(problem, playout):
    tour = _evaluate_game(problem, playout)
    missed = {0: "all windows met", 1: "1 window missed"}
    return f"{missed.get(tour.violations, f'{tour.violations} windows missed')}, cost {tour.cost:g}"


RULES = register(Rules(reset, legal, play, score), _judge, _words)
