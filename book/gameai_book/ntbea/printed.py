"""Algorithm 7.7 as the source prints it, faults included, for the chapter's last section.

Perez-Liebana et al., General Video Game Artificial Intelligence (2019), section 7.3.1. The search
here is small and plain, apart from the library's own, so that each fault is one line of it.
"""

import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.ntbea._checks import fitness_of
from gameai_lib.ntbea.game.problems import Problem
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.tuples import checked_sizes, tuples_of

# What is printed, in the order of the source's text, and wrong.
FAULTS = (
    "no ε",
    "mean over all tuples",
    "no copy",
    "loop inside the if",
    "any value",
)


class PrintedRun(NamedTuple):
    """What a small search looked at, and the point that its model's mean recommends."""

    points: np.ndarray  #: (n_evaluations, n_dims) int, in order
    fitness: np.ndarray  #: (n_evaluations,) float
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
    evaluate,
    space,
    n_evaluations,
    rng,
    *,
    fault=None,
    sizes=(1, 2),
    k=0.3,
    epsilon=0.5,
    n_neighbours=8,
    mutation=0.5,
    flip_once=True,
):
    """Run NTBEA with one of the printed faults, or none, and return a `PrintedRun`.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(point, rng)`` returns one noisy fitness.
    space : SearchSpace
        What is searched.
    n_evaluations : int
        The budget.
    rng : numpy.random.Generator
        Source of every random number.
    fault : str, optional
        One of `FAULTS`; "loop inside the if" shows only where `flip_once` is off.
    sizes, epsilon
        As for a `LandscapeModel`.
    k : float
        Weight of the bonus.
    n_neighbours, mutation, flip_once
        As for `neighbours`; but a neighbour may repeat another one.

    Raises
    ------
    ValueError
        If a number is out of range, or there is no such fault.
    """
    checks.function("evaluate", evaluate)
    checks.kind("space", space, SearchSpace)
    n_evaluations, n_neighbours = (
        checks.whole(name, value, 1, 100_000)
        for name, value in (("n_evaluations", n_evaluations), ("n_neighbours", n_neighbours))
    )
    k, mutation = checks.number("k", k, 0.0), checks.number("mutation", mutation, 0.0, 1.0)
    if space.n_values.min() < 2:
        raise ValueError(f"each dimension needs two values here, got {short(space)}")
    rng = checks.generator(rng)
    fault = None if fault is None else checks.one_of("fault", fault, FAULTS)
    model = _Model(tuples_of(space.n_dims, checked_sizes(sizes)), epsilon, fault)
    current, points, fitness = space.random_points(1, rng)[0], [], []
    for _ in range(n_evaluations):
        points.append(current.copy())
        fitness.append(fitness_of(evaluate(current.copy(), rng), "evaluate returned"))
        model.learn(current, fitness[-1])
        population = _population(
            current, space.n_values, n_neighbours, mutation, flip_once, rng, fault
        )
        bounds = [model.bound(x, k) + 1e-9 * rng.random() for x in population]
        current = population[int(np.argmax(bounds))]
    best = max(points, key=lambda x: model.bound(x, 0.0))
    return PrintedRun(np.array(points), np.array(fitness), best)


def fault_runs(problem, fault, version, n_evaluations=25, n_runs=2):
    """Return the `PrintedRun` of each of `n_runs` searches; run r draws from generator r.

    Both versions of "loop inside the if" do without `flip_once`: only there the fault shows.

    Parameters
    ----------
    problem : Problem
    fault : str
        One of `FAULTS`.
    version : str
        "printed", with the fault, or "right".
    n_evaluations, n_runs : int
    """
    checks.kind("problem", problem, Problem)
    checks.one_of("version", version, ("printed", "right"))
    options = {"flip_once": fault != "loop inside the if", "n_neighbours": 40}
    shown = checks.one_of("fault", fault, FAULTS) if version == "printed" else None
    return [
        small_search(
            problem.evaluate, problem.space, n_evaluations, np.random.default_rng(run),
            fault=shown, **options,
        )
        for run in range(checks.whole("n_runs", n_runs))
    ]  # fmt: skip


class _Model:
    """The arms of all n-tuples in a dictionary: count and sum of results."""

    def __init__(self, tuples, epsilon, fault):
        self.tuples, self.fault = tuples, fault
        self.epsilon = 0.0 if fault == "no ε" else checks.number("epsilon", epsilon, 1e-100, 1e9)
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


def population_as_printed(point, n_values, n, p, flip_once, rng):
    """Return the (n, n_dims) neighbours of `point` as the printed lines make them.

    The loop over the dimensions stands inside ``if flipOnce``: without `flip_once` every
    neighbour is a copy of the point, and the search never moves. "Randomly mutate"
    is read as any value, the old one included.

    Parameters
    ----------
    point : (n_dims,) int array
        Value indices.
    n_values : (n_dims,) int array
        Number of values of each dimension.
    n : int
        Neighbours wanted.
    p : float
        Mutation probability.
    flip_once : bool
        Whether one random dimension is mutated in any case.
    rng : numpy.random.Generator
        Source of randomness.

    Raises
    ------
    ValueError, TypeError
        If the point does not lie in the grid, or a number is out of range.
    """
    point, n_values = arrays.whole("point", point), arrays.whole("n_values", n_values)
    if point.shape != n_values.shape or not point.size:
        raise ValueError(f"need as many indices as values, got {short(point)}, {short(n_values)}")
    if not ((point >= 0) & (point < n_values)).all():
        raise ValueError(f"point {short(point)} lies outside the {short(n_values)} grid")
    n, p = checks.whole("n", n, 1, 100_000), checks.number("p", p, 0.0, 1.0)
    flip_once = checks.flag("flip_once", flip_once)
    rng = checks.generator(rng)
    population = []
    for _ in range(n):
        neighbour = np.array(point)
        if flip_once:
            i = rng.integers(len(point))
            for j in range(len(point)):
                if i == j or rng.random() < p:
                    neighbour[j] = rng.integers(n_values[j])
        population.append(neighbour)
    return np.array(population)
