"""The N-tuple bandit evolutionary algorithm: one noisy evaluation a step.

Lucas, Liu and Perez-Liebana (2018), algorithm 1; it is printed again as Algorithm 7.7 of
Perez-Liebana et al., General Video Game Artificial Intelligence (2019), with errors that
the chapter shows. Defaults are those of the authors' Java code where it sets them.
"""

import math
import operator
import warnings
from typing import NamedTuple

import numpy as np

from gameai_lib._jit import njit

# Neighbours equal to an earlier one are drawn again, at most so often for each one wanted.
_MAX_DRAWS = 200


class Step(NamedTuple):
    """One evaluation and the choice that led to it."""

    point: np.ndarray  # (n_dims,) int, the point evaluated
    fitness: float  # its noisy fitness
    neighbours: np.ndarray  # (n_neighbours, n_dims) int, the points it was chosen from
    mean: np.ndarray  # (n_neighbours,) float, the model's mean of each neighbour
    explore: np.ndarray  # (n_neighbours,) float, its exploration term
    k: float  # weight of the exploration term in this choice


class EvaluationError(RuntimeError):
    """An evaluator raised, or returned something that is not a finite number.

    Attributes
    ----------
    point : (n_dims,) int array
        The point that could not be evaluated.
    model : LandscapeModel
        All that was learned before.
    """

    def __init__(self, message, point, model):
        super().__init__(message)
        self.point = point
        self.model = model

    def __reduce__(self):
        # An exception pickles its message alone; a worker process must send all three.
        return type(self), (*self.args, self.point, self.model)


class Settings(NamedTuple):
    """How NTBEA chooses the next point; the names are those of the papers.

    With ``k=None`` the exploration weight is ``k_scale`` times the range of the fitness
    values seen so far, so that it fits a game scored 0 or 1 as well as one scored in
    thousands.
    """

    # None: 50, or a quarter of the space if that is less; at least the size of a batch
    n_neighbours: int | None = None
    mutation: float | None = None  # p; None: 2 / n_dims
    flip_once: bool = True  # one random dimension changes whatever p is
    k: float | None = None
    k_scale: float = 0.3


DEFAULTS = Settings()


def search(evaluate, model, rng, settings=DEFAULTS, *, start=None):
    """Yield one `Step` per evaluation, without end.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(point, rng)`` returns one noisy fitness, larger is better.
    model : LandscapeModel
        Learns every evaluation; one that already holds some is searched on.
    rng : numpy.random.Generator
        Source of every random number, the evaluator's included.
    settings : Settings
        Population, mutation and exploration.
    start : (n_dims,) int array, optional
        First point; by default a random one, or in a model with data the last one.

    Raises
    ------
    EvaluationError
        If the evaluator raises or does not return a finite number; the model keeps
        what it learned before.
    ValueError
        At the call, if a setting is out of range, the settings allow no neighbour, or
        `start` is not one point of the space.
    """
    settings = _complete(settings, model.space)
    return _steps(evaluate, model, rng, settings, _checked_start(model.space, start))


def _steps(evaluate, model, rng, settings, start):
    point, choice = _first_choice(model, rng, settings, start)
    while True:
        fitness = evaluate_once(evaluate, point, rng, model)
        model.add(point, fitness)
        yield Step(point.copy(), fitness, *choice)
        choice = _population(model, point, rng, settings)
        point = choice[0][_argmax(choice, rng)].copy()


def search_batches(
    evaluate,
    model,
    rng,
    executor,
    batch_size,
    settings=DEFAULTS,
    *,
    start=None,
    n_evaluations=None,
):
    """Yield `Step` objects of a search whose evaluations run `batch_size` at a time.

    Every batch holds the neighbours with the highest upper confidence bound. The
    parent of the next population is the first of the batch. Each evaluation has
    a generator of its own, spawned from `rng`, and results are learned in the order of
    the batch: the run depends on neither the executor nor its timing.

    The first batch is one point, as in `search`; a model that already holds evaluations
    is searched on with a full batch around its last point. If an evaluation fails, those
    of its batch that have not started are cancelled, the others are awaited, learned
    and yielded in the order of the batch, and then the first failure is raised.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Runs ``evaluate(point, rng)``; a process pool needs an evaluator it can pickle.
    batch_size : int
        Evaluations at a time; at most as many as the population holds.
    n_evaluations : int, optional
        Calls of `evaluate` after which the search stops, the last batch being shorter if
        need be; by default it has no end.

    Other parameters, and errors, as for `search`.
    """
    _check_count("batch_size", batch_size)
    if n_evaluations is not None:
        _check_count("n_evaluations", n_evaluations)
    settings = _complete(settings, model.space, batch_size)
    start = _checked_start(model.space, start)
    return _batch_steps(evaluate, model, rng, executor, batch_size, settings, start, n_evaluations)


def _batch_steps(evaluate, model, rng, executor, batch_size, settings, start, n_evaluations):
    left = math.inf if n_evaluations is None else n_evaluations
    if start is None and model.n_evaluations:
        batch, choice = _next_batch(model, model.points[-1], rng, settings, min(batch_size, left))
    else:
        point, choice = _first_choice(model, rng, settings, start)
        batch = point[None]
    while True:
        yield from _run_batch(evaluate, model, rng, executor, batch, choice)
        left -= len(batch)
        if not left:
            return
        batch, choice = _next_batch(model, batch[0], rng, settings, min(batch_size, left))


def _next_batch(model, parent, rng, settings, n_points):
    """Return the neighbours of `parent` with the highest bounds and the choice behind them."""
    choice = _population(model, parent, rng, settings)
    return choice[0][np.argsort(-_noisy_bounds(choice, rng))[:n_points]], choice


def _run_batch(evaluate, model, rng, executor, batch, choice):
    """Evaluate a batch and yield its steps, then raise the first failure if there is one."""
    futures, failure = [], None
    try:
        for point, generator in zip(batch, rng.spawn(len(batch)), strict=True):
            futures.append(executor.submit(evaluate, point.copy(), generator))
        for point, future in zip(batch, futures, strict=True):
            if failure is not None and future.cancelled():
                continue
            try:
                fitness = evaluate_once(lambda *_, f=future: f.result(), point, rng, model)
            except EvaluationError as error:
                failure = failure or error
                _cancel(futures)
                continue
            model.add(point, fitness)
            yield Step(point.copy(), fitness, *choice)
    finally:
        _cancel(futures)
    if failure is not None:
        raise failure


def _cancel(futures):
    """Cancel the evaluations that have not started."""
    for future in futures:
        future.cancel()


def neighbours(space, point, n_neighbours, rng, *, mutation, flip_once=True):
    """Draw distinct neighbours of a point, none of them the point itself.

    Every dimension changes with probability `mutation`, always to another value; with
    `flip_once` one random dimension changes in any case. Draws that repeat
    are drawn again.

    Parameters
    ----------
    space : SearchSpace
        The space of `point`.
    point : (n_dims,) int array
        The parent; it is not changed.
    n_neighbours : int
        Number wanted.
    mutation : float
        Probability p of Algorithm 7.7, from 0 to 1.

    Returns
    -------
    (n_found, n_dims) int array
        Fewer than wanted, after a `UserWarning`, if no more were found.

    Raises
    ------
    ValueError
        If a setting is out of range or no neighbour was found.
    """
    point = space.check_point(point)
    _check_count("n_neighbours", n_neighbours)
    _check_mutation(space, mutation, flip_once)
    return _draw(space, point, n_neighbours, rng, mutation, flip_once)


def _draw(space, point, n_neighbours, rng, mutation, flip_once):
    """`neighbours` without its checks, which cost a search as much as the drawing."""
    free = np.flatnonzero(space.n_values > 1)
    found = np.empty((n_neighbours, space.n_dims), np.int64)
    n_found = _neighbours(found, point, space.n_values, free, mutation, flip_once, rng)
    if n_found == 0:
        raise ValueError(f"no neighbour of {point.tolist()} found with mutation={mutation}")
    if n_found < n_neighbours:
        warnings.warn(
            f"found {n_found} distinct neighbours where {n_neighbours} were asked for",
            UserWarning,
            stacklevel=3,
        )
    return found[:n_found]


@njit(cache=True)
def _neighbours(found, parent, n_values, free, mutation, flip_once, rng):
    """Fill rows of `found` with distinct neighbours; returns how many there are."""
    n_found = 0
    for _ in range(_MAX_DRAWS * found.shape[0]):
        child = found[n_found]
        child[:] = parent
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
        same = True
        for i in range(rows.shape[1]):
            if rows[r, i] != rows[last, i]:
                same = False
                break
        if same:
            return True
    return False


def _check_count(name, value):
    try:
        count = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer, got {value!r}") from None
    if count < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")


def _check_mutation(space, mutation, flip_once):
    if not 0 <= mutation <= 1:
        raise ValueError(f"mutation is a probability, got {mutation}")
    if not flip_once and mutation == 0:
        raise ValueError("with mutation=0 and flip_once=False every neighbour is the parent")
    if space.size == 1:
        raise ValueError(f"the space has one point only, {space!r}")


def _n_possible(space, mutation):
    """Return how many neighbours a point has; with p = 0 or 1 some points are out of reach."""
    others = [int(n) - 1 for n in space.n_values if n > 1]
    if mutation == 0:
        return sum(others)
    return math.prod(others) if mutation == 1 else space.size - 1


def _checked_start(space, start):
    return None if start is None else space.check_point(start).copy()


def _complete(settings, space, batch_size=1):
    """Return the checked settings with the defaults that depend on the space filled in."""
    n_neighbours, mutation = settings.n_neighbours, settings.mutation
    if mutation is None:
        mutation = min(1.0, 2 / space.n_dims)
    for name in ("k", "k_scale"):
        value = getattr(settings, name)
        if value is not None and not 0 <= value < math.inf:
            raise ValueError(f"{name} must be zero or more, got {value}")
    _check_mutation(space, mutation, settings.flip_once)
    if n_neighbours is None:
        n_neighbours = max(batch_size, min(50, max(1, (space.size - 1) // 4)))
    _check_count("n_neighbours", n_neighbours)
    possible = min(n_neighbours, _n_possible(space, mutation))
    if batch_size > possible:
        raise ValueError(
            f"batch_size is {batch_size}, but a population has {possible} neighbours at most"
        )
    return settings._replace(n_neighbours=n_neighbours, mutation=mutation)


def _first_choice(model, rng, settings, start):
    """Return the first point to evaluate and the empty or real choice behind it."""
    if start is None and model.n_evaluations:
        choice = _population(model, model.points[-1], rng, settings)
        return choice[0][_argmax(choice, rng)].copy(), choice
    point = model.space.random_points(1, rng)[0] if start is None else start
    none = np.empty(0)
    return point, (np.empty((0, point.size), np.int64), none, none, 0.0)


def _population(model, parent, rng, settings):
    """Return neighbours of `parent`, their model scores and the k to choose with."""
    population = _draw(
        model.space, parent, settings.n_neighbours, rng, settings.mutation, settings.flip_once
    )
    k = settings.k_scale * model.fitness_range if settings.k is None else settings.k
    return population, *model.mean_and_explore(population), k


def _argmax(choice, rng):
    """Return the index of the highest upper confidence bound, ties broken at random."""
    return np.argmax(_noisy_bounds(choice, rng))


def _noisy_bounds(choice, rng):
    """Return upper confidence bounds with noise far below their spread, to break ties."""
    _, mean, explore, k = choice
    bound = mean + k * explore
    _add_noise(bound, rng)
    return bound


@njit(cache=True)
def _add_noise(bound, rng):
    """Add noise to `bound` in place, on its own scale."""
    low, high, largest = bound[0], bound[0], 0.0
    for value in bound:
        low, high, largest = min(low, value), max(high, value), max(largest, abs(value))
    # Equal bounds may differ by rounding; the second term keeps the noise above that.
    scale = max(high - low, 1e-6 * largest)
    if scale == 0.0:
        scale = 1.0
    for i in range(bound.size):
        bound[i] += 1e-6 * scale * rng.random()


def evaluate_once(evaluate, point, rng, model):
    """Return one finite fitness of `point`, or raise an `EvaluationError`."""
    try:
        returned = evaluate(point.copy(), rng)
    except Exception as error:
        raise _failure(point, f"raised {error!r}", model) from error
    try:
        fitness = float(returned)
    except Exception as error:
        raise _failure(point, f"returned {returned!r}", model) from error
    if not math.isfinite(fitness):
        raise _failure(point, f"returned {fitness}", model)
    return fitness


def _failure(point, what, model):
    message = f"evaluating {model.space.values_of(point)} {what}"
    return EvaluationError(message, point.copy(), model)
