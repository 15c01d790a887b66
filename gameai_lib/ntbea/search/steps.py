"""The N-tuple bandit evolutionary algorithm: one noisy evaluation a step.

Lucas, Liu and Perez-Liebana (2018), algorithm 1; it is printed again as Algorithm 7.7 of
Perez-Liebana et al., General Video Game Artificial Intelligence (2019), with errors that
the chapter shows. Defaults are those of the authors' Java code where it sets them.
"""

import math
import warnings
from typing import NamedTuple

import numpy as np

from gameai_lib._checks import flag, function, generator, kind, number, short, whole
from gameai_lib._interrupts import held
from gameai_lib._jit import njit
from gameai_lib.ntbea._checks import fitness_of
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.space import SearchSpace

# Neighbours equal to an earlier one are drawn again, at most so often for each one wanted.
_MAX_DRAWS = 200
_MAX_NEIGHBOURS = 10_000  # each is compared with all others


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

    # None: 50, or a quarter of the space if that is less; at least the size of a batch. Never
    # more than there are.
    n_neighbours: int | None = None
    mutation: float | None = None  # p; None: 2 / n_dims
    flip_once: bool = True  # one random dimension changes whatever p is
    k: float | None = None
    k_scale: float = 0.3


DEFAULTS = Settings()


def search_steps(evaluate, model, rng, settings=DEFAULTS, *, start=None):
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
    TypeError
        At the call, if `evaluate`, `model`, `rng` or `settings` are of another kind.

    Warns
    -----
    UserWarning
        At the call, if a point has fewer neighbours than are wanted.
    """
    kind("model", model, LandscapeModel)
    settings = completed(settings, model.space)
    start = _checked_start(model.space, start)
    function("evaluate", evaluate)
    generator(rng)
    return _steps(evaluate, model, rng, settings, start)


def _steps(evaluate, model, rng, settings, start):
    point, choice = _first_choice(model, rng, settings, start)
    while True:
        fitness = evaluate_once(evaluate, point, rng, model)
        model.add(point, fitness)
        yield Step(point.copy(), fitness, *choice)
        point, choice = _next_point(model, point, rng, settings)


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

    The first batch is one point, as in `search_steps`; a model that already holds evaluations
    is searched on with a full batch around its last point. If an evaluation fails, those
    of its batch that have not started are cancelled, the others are awaited, learned
    and yielded in the order of the batch, and then the first failure is raised. An interrupt
    waits for none, but those that have ended are learned.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Runs ``evaluate(point, rng)``; a process pool needs an evaluator it can pickle.
    batch_size : int
        Evaluations at a time; at most as many as the population holds.
    n_evaluations : int, optional
        Calls of `evaluate` after which the search stops, the last batch being shorter if
        need be; by default it has no end.

    Other parameters, and errors, as for `search_steps`.
    """
    kind("model", model, LandscapeModel)
    batch_size = whole("batch_size", batch_size)
    if n_evaluations is not None:
        n_evaluations = whole("n_evaluations", n_evaluations)
    settings = completed(settings, model.space, batch_size)
    start = _checked_start(model.space, start)
    function("evaluate", evaluate)
    function("the `submit` of the executor", getattr(executor, "submit", None))
    spawning(rng)
    return _batch_steps(evaluate, model, rng, executor, batch_size, settings, start, n_evaluations)


def spawning(rng):
    """Return `rng` if it is a numpy Generator that can spawn others."""
    generator(rng)
    if not hasattr(rng.bit_generator.seed_seq, "spawn"):
        raise TypeError(f"rng must have a seed that can spawn others, got {short(rng)}")
    return rng


def _batch_steps(evaluate, model, rng, executor, batch_size, settings, start, n_evaluations):
    left = math.inf if n_evaluations is None else n_evaluations
    if start is None and model.n_evaluations:
        batch, choice = _next_batch(model, model.points[-1], rng, settings, min(batch_size, left))
    else:
        point, choice = _first_choice(model, rng, settings, start)
        batch = point[None]
    while True:
        for point, fitness in run_batch(evaluate, model, rng, executor, batch, model.add):
            yield Step(point, fitness, *choice)
        left -= len(batch)
        if not left:
            return
        batch, choice = _next_batch(model, batch[0], rng, settings, min(batch_size, left))


def _next_batch(model, parent, rng, settings, n_points):
    """Return the neighbours of `parent` with the highest bounds and the choice behind them."""
    with held():
        choice = scored_neighbours(model, parent, rng, settings)
        return choice[0][np.argsort(-noisy_bounds(choice, rng))[:n_points]], choice


def run_batch(evaluate, model, rng, executor, batch, learn):
    """Evaluate points together; call ``learn(point, fitness)`` and yield the two, in order.

    Then the first failure is raised if there is one; what an interrupt finds ended is learned.
    """
    futures, failure, n_read = [], None, 0
    try:
        for point, child in zip(batch, rng.spawn(len(batch)), strict=True):
            futures.append(_submit(executor, evaluate, point, child, model))
    except EvaluationError as error:
        failure = error
        _cancel(futures)
    try:
        for point, future in zip(batch, futures, strict=False):
            n_read += 1
            if failure is not None and future.cancelled():
                continue
            try:
                fitness = evaluate_once(lambda *_, f=future: f.result(), point, rng, model)
            except EvaluationError as error:
                failure = failure or error
                _cancel(futures)
                continue
            except BaseException:  # an interrupt, here or in the evaluator
                _learn_ended(learn, batch[n_read - 1 :], futures[n_read - 1 :])
                raise
            learn(point, fitness)
            yield point.copy(), fitness
    finally:
        _cancel(futures)
    if failure is not None:
        raise failure


def _submit(executor, evaluate, point, rng, model):
    """Start an evaluation; return its future, or raise an `EvaluationError`."""
    try:
        future = executor.submit(evaluate, point.copy(), rng)
    except Exception as error:
        raise _failure(point, f"could not start, {short(error)}", model) from error
    if not all(hasattr(future, name) for name in ("result", "done", "cancel", "cancelled")):
        raise _failure(point, f"was given {short(future)} by the executor, no future", model)
    return future


def _learn_ended(learn, batch, futures):
    """Learn those evaluations that have ended with a number."""
    for point, future in zip(batch, futures, strict=False):
        if future.done() and not future.cancelled() and future.exception() is None:
            try:
                learn(point, future.result())
            except ValueError:  # no number: the interrupt is what the caller gets to see
                continue


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
        Number wanted, at most 10,000 of those there are.
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
    kind("space", space, SearchSpace)
    point = space.check_point(point)
    mutation = _checked_mutation(space, mutation, flip_once)
    wanted = whole("n_neighbours", n_neighbours)
    generator(rng)
    n = _limited(wanted, _n_possible(space, mutation))
    with held():
        found = draw_neighbours(space, point, n, rng, mutation, flip_once)
    if len(found) < wanted:
        _warn_of_few(len(found), wanted)
    return found


def _limited(wanted, possible):
    """Return how many neighbours to draw."""
    return whole("n_neighbours", min(wanted, possible), 1, _MAX_NEIGHBOURS)


def _warn_of_few(n_found, wanted, stacklevel=3):
    message = f"found {n_found} distinct neighbours where {short(wanted)} were asked for"
    warnings.warn(message, UserWarning, stacklevel)


def draw_neighbours(space, point, n_neighbours, rng, mutation, flip_once):
    """`neighbours` without its checks, which cost a search as much as the drawing.

    Whoever calls it holds interrupts.
    """
    free = np.flatnonzero(space.n_values > 1)
    found = np.empty((n_neighbours, space.n_dims), np.int64)
    n_found = _neighbours(found, point, space.n_values, free, mutation, flip_once, rng)
    if n_found == 0:
        raise ValueError(f"no neighbour of {short(point.tolist())} found with mutation={mutation}")
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


def _checked_mutation(space, mutation, flip_once):
    mutation = number("mutation", mutation, 0.0, 1.0)
    if not flag("flip_once", flip_once) and mutation == 0:
        raise ValueError("with mutation=0 and flip_once=False every neighbour is the parent")
    if space.size == 1:
        raise ValueError(f"the space has one point only, {short(space)}")
    return mutation


def _n_possible(space, mutation):
    """Return how many neighbours a point has; with p = 0 or 1 some points are out of reach."""
    others = [int(n) - 1 for n in space.n_values if n > 1]
    if mutation == 0:
        return sum(others)
    return math.prod(others) if mutation == 1 else space.size - 1


def _checked_start(space, start):
    return None if start is None else space.check_point(start).copy()


def completed(settings, space, batch_size=1):
    """Return the checked settings with the defaults that depend on the space filled in."""
    kind("settings", settings, Settings)
    mutation = min(1.0, 2 / space.n_dims) if settings.mutation is None else settings.mutation
    k = settings.k
    if k is not None:
        k = number("k", k, 0.0)
    k_scale = number("k_scale", settings.k_scale, 0.0, 1e6)
    mutation = _checked_mutation(space, mutation, settings.flip_once)
    wanted = settings.n_neighbours
    if wanted is None:
        wanted = max(batch_size, min(50, max(1, (space.size - 1) // 4)))
    wanted = whole("n_neighbours", wanted)
    possible = _n_possible(space, mutation)
    if batch_size > min(wanted, possible):
        most = f"a population has {min(wanted, possible)} neighbours at most"
        raise ValueError(f"batch_size is {short(batch_size)}, but {most}")
    if settings.n_neighbours is not None and wanted > possible:
        _warn_of_few(possible, wanted, stacklevel=4)
    n_neighbours = _limited(wanted, possible)
    return Settings(n_neighbours, mutation, bool(settings.flip_once), k, k_scale)


def _first_choice(model, rng, settings, start):
    """Return the first point to evaluate and the empty or real choice behind it."""
    if start is None and model.n_evaluations:
        return _next_point(model, model.points[-1], rng, settings)
    point = model.space.random_points(1, rng)[0] if start is None else start
    none = np.empty(0)
    return point, (np.empty((0, point.size), np.int64), none, none, 0.0)


def scored_neighbours(model, parent, rng, settings):
    """Return neighbours of `parent`, their model scores and the k to choose with."""
    population = draw_neighbours(
        model.space, parent, settings.n_neighbours, rng, settings.mutation, settings.flip_once
    )
    k = settings.k_scale * model.fitness_range if settings.k is None else settings.k
    return population, *model._score(population), k


def _next_point(model, parent, rng, settings):
    """Return the neighbour of `parent` with the highest bound and the choice behind it."""
    with held():
        choice = scored_neighbours(model, parent, rng, settings)
        return choice[0][np.argmax(noisy_bounds(choice, rng))].copy(), choice


def noisy_bounds(choice, rng):
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
        raise _failure(point, f"raised {short(error)}", model) from error
    try:
        return fitness_of(returned, "returned")
    except ValueError as error:
        raise _failure(point, error, model) from error


def _failure(point, what, model):
    message = f"evaluating {short(model.space.values_of(point), 200)} {what}"
    return EvaluationError(message, point.copy(), model)
