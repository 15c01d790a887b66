"""Algorithm 7.7 as the source prints it, faults included, for the chapter's last section.

Perez-Liebana et al., General Video Game Artificial Intelligence (2019), section 7.3.1. The search
here is small and plain, apart from the library's own, so that each fault is one line of it.
"""

import math
from typing import NamedTuple

import numpy as np

from gameai_lib.ntbea.search.tuples import tuples_of

# What is printed, in the order of the source's text, and wrong.
FAULTS = "no ε", "mean over all tuples", "no copy", "loop inside the if", "any value"
_SIZES, _K, _EPSILON, _MUTATION = (1, 2), 0.3, 0.5, 0.5


class PrintedRun(NamedTuple):
    """What a small search looked at, and the point that its model's mean recommends."""

    points: np.ndarray  #: (n_evaluations, n_dims) int, in order
    recommended: np.ndarray  #: (n_dims,) int, the evaluated point of the largest model mean

    @property
    def n_points(self):
        """How many different points were evaluated."""
        return len(np.unique(self.points, axis=0))

    @property
    def n_again(self):
        """How often a point was evaluated twice in a row."""
        return int((self.points[1:] == self.points[:-1]).all(axis=1).sum())


def small_search(
    evaluate, space, n_evaluations, rng, fault=None, *, n_neighbours=8, flip_once=True
):
    """Run NTBEA with one of the printed `FAULTS`, or none, and return a `PrintedRun`.

    A neighbour may repeat another one. "loop inside the if" shows only where `flip_once` is
    off. Every parameter of the `space` has two values or more.
    """
    model = _Model(tuples_of(space.n_dims, _SIZES), fault)
    current, points = space.random_points(1, rng)[0], []
    for _ in range(n_evaluations):
        points.append(current.copy())
        model.learn(current, float(evaluate(current.copy(), rng)))
        how = n_neighbours, _MUTATION, flip_once, rng, fault
        population = _population(current, space.n_values, *how)
        bounds = [model.bound(x, _K) + 1e-9 * rng.random() for x in population]
        current = population[int(np.argmax(bounds))]
    return PrintedRun(np.array(points), max(points, key=lambda x: model.bound(x, 0.0)))


def fault_runs(problem, fault, version, n_evaluations=25, n_runs=2):
    """Return the `PrintedRun` of each of `n_runs` searches; run r draws from generator r.

    The `version` is "printed", with the fault, or "right". Both versions of "loop inside the if"
    do without `flip_once`: only there the fault shows.
    """
    options = {"n_neighbours": 40, "flip_once": fault != "loop inside the if"}
    options["fault"] = fault if version == "printed" else None
    game = problem.evaluate, problem.space, n_evaluations
    rngs = map(np.random.default_rng, range(n_runs))
    return [small_search(*game, rng, **options) for rng in rngs]


class _Model:
    """The arms of all n-tuples in a dictionary: count and sum of results."""

    def __init__(self, tuples, fault):
        self.tuples, self.fault = tuples, fault
        self.epsilon = 0.0 if fault == "no ε" else _EPSILON
        self.arms, self.n = {}, 0

    def _arms_of(self, x):
        values = x.tolist()  # lists are read one by one at a fifth of the time
        return [(t, tuple([values[d] for d in t])) for t in self.tuples]

    def learn(self, x, fitness):
        self.n += 1
        for arm in self._arms_of(x):
            n, total = self.arms.get(arm, (0, 0.0))
            self.arms[arm] = n + 1, total + fitness

    def bound(self, x, k):
        counts = [self.arms.get(arm, (0, 0.0)) for arm in self._arms_of(x)]
        means = [total / n for n, total in counts if n]
        n_means = len(counts) if self.fault == "mean over all tuples" else max(len(means), 1)
        bound = sum(means) / n_means
        if k:
            log_n = float(np.log(1 + self.n))
            widths = [
                math.sqrt(log_n / (n + self.epsilon)) if n + self.epsilon else 1e9
                for n, _ in counts
            ]
            bound += k * sum(widths) / len(widths)
        return bound


def _population(x, n_values, n, p, flip_once, rng, fault):
    """The neighbours of `x`, with one fault or none."""
    population = []
    for _ in range(n):
        y = x if fault == "no copy" else x.copy()
        i = rng.integers(len(x)) if flip_once else -1
        for j in range(len(x)):
            if fault == "loop inside the if" and not flip_once:
                break  # the loop is skipped
            if i == j or rng.random() < p:
                if fault == "any value":
                    y[j] = rng.integers(n_values[j])
                else:
                    other = rng.integers(n_values[j] - 1)
                    y[j] = other + (other >= y[j])
        # The parent is not a neighbour; where the printed lines make copies, copies remain.
        if fault in ("no copy", "loop inside the if", "any value") or (y != x).any():
            population.append(y)
    if not population:  # without a forced change all may be copies
        return _population(x, n_values, n, p, True, rng, fault)
    return population
