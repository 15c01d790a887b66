"""The N-tuple bandit evolutionary algorithm: one noisy evaluation a step.

Lucas, Liu and Perez-Liebana (2018), algorithm 1; it is printed again as Algorithm 7.7 of
Perez-Liebana et al., General Video Game Artificial Intelligence (2019), with errors that the
chapter shows. Defaults are those of the authors' Java code where it sets them.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import held
from gameai_lib.base.types import Ints, Seed
from gameai_lib.ntbea.search.landscape import LandscapeModel, fitness_of
from gameai_lib.ntbea.search.mutation import checked_mutation, draw_neighbours, most_drawn


class Step(NamedTuple):
    """One evaluation and the choice that led to it."""

    point: np.ndarray  #: (n_dims,) int, the point evaluated
    fitness: float  #: its noisy fitness
    neighbours: np.ndarray  #: (n_neighbours, n_dims) int, the points it was chosen from
    mean: np.ndarray  #: (n_neighbours,) float, the model's mean of each neighbour
    explore: np.ndarray  #: (n_neighbours,) float, its exploration term
    k: float  #: weight of the exploration term in this choice


class Choice(NamedTuple):
    """Points to choose from, their scores, and the weight of exploration: the end of a `Step`."""

    points: np.ndarray
    mean: np.ndarray
    explore: np.ndarray
    k: float


class EvaluationError(RuntimeError):
    """An evaluator raised, or returned something that is not a finite number."""

    point: Ints  #: (n_dims,), could not be evaluated
    model: LandscapeModel  #: holds all that was learned before


class Settings(NamedTuple):
    """How NTBEA chooses the next point; the names are those of the papers."""

    #: points drawn around the current one, never more than there are; by default 50, or a
    #: quarter of the space if that is less, but at least the size of a batch
    n_neighbours: int | None = None
    mutation: float | None = None  #: chance p of each dimension to change, by default 2 / n_dims
    flip_once: bool = True  #: whether one random dimension changes whatever p is
    k: float | None = None  #: weight of the exploration term; by default `k_scale` says it
    k_scale: float = 0.3  #: the same weight in ranges of the fitness seen so far, for any unit


DEFAULTS = Settings()


def search_steps(
    evaluate: Callable[[Ints, np.random.Generator], float],
    model: LandscapeModel,
    rng: Seed,
    settings: Settings = DEFAULTS,
) -> Iterator[Step]:
    """Yield one `Step` per evaluation, without end.

    The first point is a random one; in a model with data it is a neighbour of the last one.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(point, rng)`` returns one noisy fitness, larger is better; `EvaluationError`
        if it raises or the number is not finite.
    model : LandscapeModel
        Learns every evaluation; one that already holds some is searched on.
    rng : numpy.random.Generator
        Source of every random number, the evaluator's included.
    """
    checks.kind("model", model, LandscapeModel)
    settings = complete_settings(settings, model.space)
    rng = checks.generator(rng)
    number = partial(number_of, checks.function("evaluate", evaluate))
    play = partial(play_here, number, model, rng, model.add)
    return steps_of(play, model, rng, settings)


def steps_of(play, model, rng, settings, batch_size=1, n_left=math.inf):
    """Yield the `Step` objects of a search; ``play`` learns points and yields their fitness."""
    points, choice = first_choice(model, rng, settings, min(batch_size, n_left))
    while True:
        for point, fitness in play(points):
            yield Step(point, fitness, *choice)
        n_left -= len(points)
        if not n_left:
            return
        n_points = min(batch_size, n_left)
        points, choice = _next_choice(model, points[0], rng, settings, n_points)


def first_choice(model, rng, settings, n_points=1):
    """Return the first points to evaluate, and the choice behind them, which may be empty."""
    if model.n_evaluations:
        return _next_choice(model, model._last_point(), rng, settings, n_points)
    points = model.space.random_points(1, rng)
    return points, Choice(points[:0], np.empty(0), np.empty(0), 0.0)


def _next_choice(model, parent, rng, settings, n_points):
    """Return the neighbours of `parent` with the highest bounds, and the choice behind them."""
    with held():
        choice = scored_neighbours(model, parent, rng, settings)
        bounds = noisy_bounds(choice, rng)
        if n_points == 1:  # without an order, which takes a twentieth of a step
            top = bounds.argmax()
            return choice.points[top : top + 1].copy(), choice
        return choice.points[np.argsort(-bounds)[:n_points]], choice


def scored_neighbours(model, parent, rng, settings):
    """Return neighbours of `parent` as a `Choice`."""
    n_neighbours, mutation, flip_once, *_ = settings
    points = draw_neighbours(model.space, parent, n_neighbours, rng, mutation, flip_once)
    return score_points(model, points, settings)


def score_points(model, points, settings):
    """Return points as a `Choice`."""
    k = settings.k_scale * model.fitness_range if settings.k is None else settings.k
    return Choice(points, *model._score(points), k)


def noisy_bounds(choice, rng):
    """Return upper confidence bounds with noise far below their spread, to break ties."""
    bound = choice.mean + choice.k * choice.explore
    low, high = bound.min(), bound.max()
    # Equal bounds may differ by rounding; the second term keeps the noise above that.
    scale = max(high - low, 1e-6 * max(-low, high)) or 1.0
    return bound + 1e-6 * scale * rng.random(len(bound))


def complete_settings(settings, space, batch_size=1):
    """Return the checked settings with the defaults that depend on the space filled in."""
    checks.kind("settings", settings, Settings)
    k = None if settings.k is None else checks.number("k", settings.k, 0.0)
    k_scale = checks.number("k_scale", settings.k_scale, 0.0, 1e6)
    if k is not None and k_scale != DEFAULTS.k_scale:
        raise ValueError(f"give k or k_scale, not both: got {k} and {k_scale}")
    mutation = min(1.0, 2 / space.n_dims) if settings.mutation is None else settings.mutation
    mutation = checked_mutation(space, mutation, settings.flip_once)
    wanted = settings.n_neighbours
    if wanted is None:
        wanted = max(batch_size, min(50, max(1, (space.size - 1) // 4)))
    n_neighbours = most_drawn(space, mutation, wanted)
    if batch_size > n_neighbours:
        most = f"a population has {n_neighbours} neighbours at most"
        raise ValueError(f"batch_size is {short(batch_size)}, but {most}")
    return Settings(n_neighbours, mutation, bool(settings.flip_once), k, k_scale)


def play_here(evaluate, model, rng, learn, points):
    """Evaluate one point after another; call ``learn(point, fitness)`` and yield the two."""
    for point in points:
        fitness = fitness_at(point, model, partial(evaluate, point.copy(), rng))
        learn(point, fitness)
        yield point.copy(), fitness


def number_of(evaluate, point, rng):
    """Return what an evaluator says of a point, in a worker maybe: a finite number."""
    return fitness_of(evaluate(point, rng), "returned")


def fitness_at(point, model, evaluate):
    """Return what ``evaluate()`` says of `point`; an `EvaluationError` if it raises."""
    try:
        return evaluate()
    except Exception as error:
        values = short(model.space.values_of(point), 200)
        failure = EvaluationError(f"at point {short(point.tolist())}, {values}: {short(error)}")
        failure.point, failure.model = point.copy(), model
        raise failure from error
