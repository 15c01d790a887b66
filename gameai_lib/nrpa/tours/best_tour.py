"""Tours with time windows by one setting: NRPA with look-ahead, a learned bias and local search.

Short searches follow each other (Rosin, IJCAI 2011). Their bias (generalised NRPA, Cazenave 2020)
is against long ways, and for the ways of the best tours so far. The best tour of each search is
improved by local search, which is no part of NRPA. The setting was chosen on the instances of
Ascheuer and of Dumas et al.; those of Solomon, Potvin and Bengio were kept to measure it on
(`gameai_book.nrpa.measure.tours`).
"""

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.nrpa.game.tsptw import MOST_BIAS, Instance, evaluate, tour_of, tsptw
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout, choices_of, playout_of
from gameai_lib.nrpa.search.anytime import checked_limits
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.tours.local_search import improved

LEVEL, N_ITERATIONS = 2, 30
DISTANCE_BIAS = 2.0  # against a way that is one standard deviation longer
ELITE_BIAS, N_ELITE = 2.0, 5  # for a way of all elite tours; how many these are


def tour_problem(instance: Instance) -> Problem:
    """The game of touring `instance`, with the look-ahead and the first bias of the one setting.

    The bias of a move is -2 d / s with its distance d and the spread s of the distances from a
    city: their standard deviation, in the median of the cities.
    """
    distance = checks.kind("instance", instance, Instance).distance
    elsewhere = ~np.eye(len(distance), dtype=bool)
    spread = np.median([row[others].std() for row, others in zip(distance, elsewhere, strict=True)])
    strength = DISTANCE_BIAS * distance.max() / spread if spread > 0 else 0.0
    return tsptw(instance, min(strength, MOST_BIAS), look_ahead=True)


def tours(instance: Instance, rng: Seed) -> Iterator[tuple[int, Playout]]:
    """Yield (playouts so far, best game so far) after each short search, without end.

    A game depends on `rng` alone, so that the number of playouts after which it came names it.
    """
    problem, rng = tour_problem(instance), checks.generator(rng)
    n, biased, n_playouts, best = len(instance.windows), problem, 0, None
    first_bias = 0.0 if problem.bias is None else problem.bias
    elite: list[tuple[float, tuple[int, ...]]] = []  # cost and cities, the best first
    while True:
        search = NRPA(biased, rng, level=LEVEL, n_iterations=N_ITERATIONS)
        search.advance(N_ITERATIONS**LEVEL)
        found = search.best
        tour = improved(instance, tour_of(found.codes, n))
        cost, violations, *_ = evaluate(instance, tour)
        if violations == 0:
            elite = sorted({*elite, (cost, tuple(tour.tolist()))})[:N_ELITE]
            biased = replace(problem, bias=first_bias + elite_bias(elite, n))
            if best is None or -cost > best.score:
                # No move of a tour that meets all windows is forbidden by the look-ahead.
                best = playout_of(problem, choices_of(problem, codes_of(tour, n)))
        elif best is None or found.score > best.score:
            best = found
        n_playouts += search.n_playouts
        yield n_playouts, best


def codes_of(tour, n):
    """Codes of a tour of `n` cities with the depot."""
    return np.array([0, *tour[:-1]]) * n + tour


def elite_bias(elite, n):
    """For each way ELITE_BIAS times the share of the elite tours that take it; (n * n,)."""
    bias = np.zeros(n * n)
    for _, tour in elite:
        bias[codes_of(tour, n)] += ELITE_BIAS / len(elite)
    return bias


def best_tour(
    instance: Instance,
    rng: Seed,
    *,
    n_playouts: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
) -> Playout:
    """Best game of touring `instance` that is found up to the first limit, by one setting for all.

    Ten seconds do for 45 cities; for 125 to 231 they end up to 2.1 % above the best known cost. The
    game is one of ``tsptw(instance)``: `tour_of` has its cities in order. To `replay` it takes
    `tour_problem`. The limits are those of `NRPA.run`, looked at every 900 playouts; a ValueError
    says if there is none. The `~gameai_lib.base.interrupts.Interrupted` of Ctrl-C has the best game
    of the short searches so far as its `result`.

    Examples
    --------
    >>> instance = bundled_tsptw("medium")
    >>> best = best_tour(instance, 1, n_playouts=2000)
    >>> in_words(tsptw(instance), best)
    'score -573 (all windows met, cost 573)'
    """
    limits = checked_limits(n_playouts, seconds, target, "the search")
    found = tours(instance, rng)
    used, best = next(found)  # compiles
    until = time.perf_counter() + limits.seconds
    try:
        with Bar("best_tour", n_playouts, "playouts") as bar:
            bar(used, f"best {best.score:g}")
            while (
                used < limits.n_playouts
                and best.score < limits.target
                and time.perf_counter() < until
            ):
                used, best = next(found)
                bar(used, f"best {best.score:g}")
    except KeyboardInterrupt as stop:
        words = f"stopped after {used:,} playouts; the best tour is kept"
        raise Interrupted(words, best) from stop
    return best
