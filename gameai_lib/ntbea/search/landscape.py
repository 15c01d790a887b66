"""The n-tuple landscape model: statistics of every combination of values seen so far.

Model and upper confidence bound of Lucas, Liu and Perez-Liebana (2018, section II), in the form
that the authors' Java code computes: ln(1 + N) in place of ln N, and the mean taken over the
n-tuples that hold data.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import LARGEST, short
from gameai_lib.base.interrupts import held
from gameai_lib.base.types import ArrayLike, FilePath, Floats, Ints
from gameai_lib.ntbea.game.space import Names, Space, space_of
from gameai_lib.ntbea.search.files import read_model, reading, write_model
from gameai_lib.ntbea.search.tuples import Counts, checked_sizes, tuples_of

_MOST_ARMS = 1_000_000  # of an n-tuple, in arrays
Sizes = Sequence[int | Literal["d"]]  # of n-tuples
SIZES: Sizes = (1, 2, "d")


class Arms(NamedTuple):
    """What one n-tuple has learned: arrays with one axis for each of its dimensions."""

    dims: tuple[int, ...]  #: the dimensions, ascending
    n: np.ndarray  #: int, evaluations of each arm
    mean: np.ndarray  #: float, mean fitness, nan where n is 0


class LandscapeModel:
    """Bandit statistics for all n-tuples of the chosen sizes; larger is always better.

    Parameters
    ----------
    space : SearchSpace or mapping of str to sequence
    sizes : tuple of int or "d"
        Of at most 20,000 n-tuples; "d" stands for the number of dimensions, and larger ones are
        left out.
    epsilon : float
        Added to the count of every arm; from 1e-100, which keeps the bound of unseen arms finite,
        to 1e9.

    Attributes
    ----------
    tuples : tuple of tuples of int
        The n-tuples, each a tuple of dimensions, smaller ones first.

    Examples
    --------
    >>> model = LandscapeModel(SearchSpace({"a": (0, 1), "b": (0, 1)}), sizes=(1, 2))
    >>> for point, fitness in (((0, 0), 1.0), ((0, 1), 3.0), ((1, 0), 2.0)):
    ...     model.add(point, fitness)
    >>> model.mean([0, 0]).item(), round(model.ucb([1, 1], k=1.0).item(), 6)
    (1.5, 3.695937)
    """

    def __init__(self, space: Space, sizes: Sizes = SIZES, epsilon: float = 0.5) -> None:
        self.space = space_of(space)
        self.epsilon = checks.number("epsilon", epsilon, 1e-100, 1e9)
        self.sizes = checked_sizes(sizes, self.space.n_dims)
        self.tuples = tuples_of(self.space.n_dims, self.sizes)
        self._points, self._fitness = np.zeros((64, self.space.n_dims), np.int64), np.zeros(64)
        self._std = np.zeros(64)  # nan where it was not told
        self._n = 0
        self._counts = Counts(self.space.n_values, self.tuples, self.epsilon)
        self._failed: dict[tuple[int, ...], str] = {}  # why, of each point that a `Tuner` gave up
        self._lowest, self._highest = math.inf, -math.inf

    def __repr__(self) -> str:
        seen = f"{self._n} evaluations of {self.space.size} points"
        return f"LandscapeModel({seen}; {len(self.tuples)} n-tuples of sizes {self.sizes})"

    @property
    def n_evaluations(self) -> int:
        """Number of evaluations learned from, N."""
        return self._n

    @property
    def points(self) -> Ints:
        """All points evaluated, (N, n_dims) int, in order; a copy."""
        return self._points[: self._n].copy()

    @property
    def fitness(self) -> Floats:
        """Fitness of each evaluation, (N,) float, in order; a copy."""
        return self._fitness[: self._n].copy()

    @property
    def std(self) -> Floats:
        """Standard deviation of each evaluation, (N,) float, nan where none was told; a copy."""
        return self._std[: self._n].copy()

    @property
    def fitness_range(self) -> float:
        """Largest minus smallest fitness seen; 0 before the first evaluation."""
        return self._highest - self._lowest if self._n else 0.0

    @property
    def failed(self) -> list[tuple[dict[str, Any], str]]:
        """Combinations given up, a list of (values by name, reason), of which no mean knows."""
        return [(self.space.values_of(point), why) for point, why in [*self._failed.items()]]

    def add(self, point: ArrayLike, fitness: float, std: float | None = None) -> None:
        """Learn one noisy evaluation of `point`, (n_dims,) int: all of it or nothing.

        `std` is the standard deviation of its noise where that is known, such as the standard error
        of a mean of several games. Means then weigh evaluations by 1 / std^2, and those without one
        as the first that had one. ValueError, if the fitness is not a finite number up to 1e250,
        beyond which sums overflow, or `std` is not above 0.
        """
        point = self.space.check_point(point)
        fitness = fitness_of(fitness)
        std = math.nan if std is None else checks.number("std", std, 0.0, above=True)
        with held():
            if self._n == len(self._fitness):  # full
                old = self._points, self._fitness, self._std
                more = (np.concatenate([a, np.zeros_like(a)]) for a in old)
                self._points, self._fitness, self._std = more
            self._points[self._n], self._fitness[self._n] = point, fitness
            self._std[self._n] = std
            self._n += 1
            self._lowest = min(self._lowest, fitness)
            self._highest = max(self._highest, fitness)

    def _last_point(self):
        return self._points[self._n - 1]

    def mean(self, points: ArrayLike) -> Floats:
        """Mean over the n-tuples with data of the mean fitness of a point's arms.

        Of points, (n_dims,) or (n_points, n_dims) int, an array without axes or (n_points,); 0
        where no n-tuple has data.
        """
        return self.mean_and_explore(points)[0]

    def explore(self, points: ArrayLike) -> Floats:
        """Mean over all n-tuples of sqrt(ln(1 + N) / (n + epsilon)); shapes as for `mean`."""
        return self.mean_and_explore(points)[1]

    def ucb(self, points: ArrayLike, k: float) -> Floats:
        """Upper confidence bound, ``mean + k * explore``; shapes as for `mean`."""
        k = checks.number("k", k)
        mean, explore = self.mean_and_explore(points)
        return mean + k * explore

    def mean_and_explore(self, points: ArrayLike) -> tuple[Floats, Floats]:
        """Return `mean` and `explore` of the points, computed together."""
        points = self.space.check(points)
        with held():  # an interrupt while it is compiled would be swallowed
            mean, explore = self._score(points.reshape(-1, self.space.n_dims))
        return mean.reshape(points.shape[:-1]), explore.reshape(points.shape[:-1])

    def _score(self, points):
        """`mean_and_explore` of (n_points, n_dims) int64 points; counts first what was added."""
        if (first := self._counts.n_evaluations) < self._n:
            for row, weight in enumerate(self._weights()[first:].tolist(), first):
                self._counts.add(self._points[row], self._fitness[row], weight)
        return self._counts.score(points)

    def _weights(self):
        """How much each evaluation counts, (N,): as much as one of the first std that was told."""
        std = self._std[: self._n]
        told = ~np.isnan(std)
        if not told.any():
            return np.ones(self._n)
        ratio = np.where(told, std, 1.0) / np.where(told, std[told.argmax()], 1.0)
        return np.clip(ratio, 1e-6, 1e6) ** -2.0

    def arms(self, dims: Names) -> Arms:
        """Return what the n-tuple over `dims`, names or numbers from 0, has learned, an `Arms`.

        ValueError, if the model has no such n-tuple, or it has more than a million arms.
        """
        axes = tuple(self.space.dims_of(dims))
        if axes not in self.tuples:
            raise ValueError(f"no n-tuple {short(axes)} in a model with sizes {short(self.sizes)}")
        shape = tuple(self.space.n_values[list(axes)].tolist())
        if (n_arms := math.prod(shape)) > _MOST_ARMS:
            raise ValueError(f"n-tuple {short(axes)} has too many arms, {short(n_arms)}")
        which = np.ravel_multi_index(self._points[: self._n, axes].T, shape)
        weights = self._weights()
        n = np.bincount(which, minlength=n_arms)
        weight, total = (
            np.bincount(which, x, n_arms) for x in (weights, weights * self._fitness[: self._n])
        )
        mean = np.divide(total, weight, out=np.full(n_arms, np.nan), where=n > 0)
        return Arms(axes, n.reshape(shape), mean.reshape(shape))

    def save(self, path: FilePath) -> None:
        """Write the model to one file, whole or not at all; `load` reads it."""
        write_model(path, self)

    @classmethod
    def load(cls, path: FilePath, space: Space | None = None) -> Self:
        """Return the model that `save` wrote.

        The file holds the space but for values that JSON cannot hold, such as functions: then
        `space` must be given. A file that is damaged, or of another space, is a ValueError.
        """
        with reading(path, "a landscape model") as file:
            return read_model(file, space, cls)[0]


def fitness_of(value, said="got fitness"):
    """Return a number of whatever type, or whether a game was won, as a float; no text."""
    if type(value) is not float:
        try:
            if isinstance(value, str | bytes | bytearray) or getattr(value, "shape", ()) != ():
                raise TypeError
            value = float(value)
        except Exception as error:
            raise ValueError(f"{said} {short(value)}, which is not a number") from error
    if not -LARGEST <= value <= LARGEST:
        what = f"beyond {LARGEST:g}" if math.isfinite(value) else "not finite"
        raise ValueError(f"{said} {value}, which is {what}")
    return value
