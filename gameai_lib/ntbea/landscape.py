"""The n-tuple landscape model: statistics of every combination of values seen so far.

Model and upper confidence bound of Lucas, Liu and Perez-Liebana (2018, section II), in the
form that the authors' Java code computes: ln(1 + N) in place of ln N, and the mean taken
over the n-tuples that hold data.
"""

import itertools
import json
import math
import operator
from typing import NamedTuple

import numpy as np

from gameai_lib._files import write_whole
from gameai_lib.ntbea._arms import SQUARES, SUM, Layout, N, add_point, rehash, score_points
from gameai_lib.ntbea.space import SearchSpace

# N-tuples with more arms than this are hashed, smaller ones own a slot for every arm.
_MAX_DENSE_ARMS = 4096


class Arms(NamedTuple):
    """What one n-tuple has learned: arrays with one axis for each of its dimensions."""

    dims: tuple  # the dimensions, ascending
    n: np.ndarray  # int, evaluations of each arm
    mean: np.ndarray  # float, mean fitness, nan where n is 0
    std: np.ndarray  # float, sample standard deviation, nan where n is below 2


class Arm(NamedTuple):
    """One arm that holds data."""

    values: dict  # value of each of the n-tuple's parameters, by name
    n: int  # evaluations
    mean: float  # mean fitness
    std: float  # sample standard deviation, nan where n is 1


class LandscapeModel:
    """Bandit statistics for all n-tuples of the chosen sizes.

    Parameters
    ----------
    space : SearchSpace
        The space whose points are evaluated.
    sizes : tuple of int or "d"
        Sizes of the n-tuples; "d" stands for the number of dimensions. A size named
        twice counts once.
    epsilon : float
        Added to the count of every arm; it keeps the bound of unseen arms finite.

    Attributes
    ----------
    tuples : tuple of tuples of int
        The n-tuples, each a tuple of dimensions, smaller ones first.

    Raises
    ------
    ValueError
        If a size does not lie between 1 and the number of dimensions, or epsilon is
        not positive.

    Examples
    --------
    >>> model = LandscapeModel(SearchSpace({"a": (0, 1), "b": (0, 1)}), sizes=(1, 2))
    >>> for point, fitness in (((0, 0), 1.0), ((0, 1), 3.0), ((1, 0), 2.0)):
    ...     model.add(point, fitness)
    >>> model.mean([0, 0]).item(), round(model.ucb([1, 1], k=1.0).item(), 6)
    (1.5, 3.695937)
    """

    def __init__(self, space, sizes=(1, 2, "d"), epsilon=0.5):
        if not 0 < epsilon < math.inf:
            raise ValueError(f"epsilon must be positive, got {epsilon}")
        self.space = space
        self.sizes = tuple(size if size == "d" else _whole(size) for size in sizes)
        self.epsilon = float(epsilon)
        self.tuples = _tuples(space.n_dims, self.sizes)
        self._layout, self._n_slots = _layout(space.n_values, self.tuples)
        self._n_hashed = int((self._layout.offset < 0).sum())
        self._arms = np.zeros((self._n_slots, 3))
        self._scores = self._unseen(self._n_slots)
        self._table = np.full((64, 3), -1, np.int64)
        self._points = np.zeros((64, space.n_dims), np.int64)
        self._fitness = np.zeros(64)
        self._n = 0
        self._lowest, self._highest = math.inf, -math.inf

    @property
    def n_evaluations(self):
        """Number of evaluations learned from, N."""
        return self._n

    @property
    def points(self):
        """All points evaluated, (N, n_dims) int, in order; a copy."""
        return self._points[: self._n].copy()

    @property
    def fitness(self):
        """Fitness of each evaluation, (N,) float, in order; a copy."""
        return self._fitness[: self._n].copy()

    @property
    def fitness_range(self):
        """Largest minus smallest fitness seen; 0 before the first evaluation."""
        return self._highest - self._lowest if self._n else 0.0

    def add(self, point, fitness):
        """Learn one noisy evaluation of `point`, (n_dims,) int.

        Raises
        ------
        ValueError
            If the point lies outside the space or the fitness is not a finite number.
        """
        point = self.space.check_point(point)
        fitness = float(fitness)
        if not math.isfinite(fitness):
            raise ValueError(f"fitness {fitness} of point {point.tolist()} is not finite")
        self._reserve()
        self._points[self._n] = point
        self._fitness[self._n] = fitness
        self._n_slots = add_point(
            self._layout,
            self._arms,
            self._scores,
            self._table,
            self._points,
            self._n,
            fitness,
            self.epsilon,
            self._n_slots,
        )
        self._n += 1
        self._lowest = min(self._lowest, fitness)
        self._highest = max(self._highest, fitness)

    def mean(self, points):
        """Mean over the n-tuples with data of the mean fitness of a point's arms.

        Parameters
        ----------
        points : (n_dims,) or (n_points, n_dims) int array

        Returns
        -------
        (n_points,) float array, or one without axes for a single point
            0 where no n-tuple has data.
        """
        return self.mean_and_explore(points)[0]

    def explore(self, points):
        """Mean over all n-tuples of sqrt(ln(1 + N) / (n + epsilon)); shapes as for `mean`."""
        return self.mean_and_explore(points)[1]

    def ucb(self, points, k):
        """Upper confidence bound, ``mean + k * explore``; shapes as for `mean`."""
        mean, explore = self.mean_and_explore(points)
        return mean + k * explore

    def mean_and_explore(self, points):
        """Return `mean` and `explore` of the points, computed together."""
        points = self.space.check(points)
        queries = points.reshape(-1, self.space.n_dims)
        mean, explore = np.empty((2, len(queries)))
        score_points(
            self._layout,
            self._scores,
            self._table,
            self._points,
            self._n,
            self.epsilon,
            queries,
            mean,
            explore,
        )
        return mean.reshape(points.shape[:-1]), explore.reshape(points.shape[:-1])

    def arms(self, dims):
        """Return what the n-tuple over `dims` has learned, an `Arms`.

        Raises
        ------
        ValueError
            If the model has no such n-tuple, or it has too many arms for an array.
        """
        dims = tuple(int(d) for d in dims)
        if dims not in self.tuples:
            raise ValueError(f"no {len(dims)}-tuple {dims} in a model with sizes {self.sizes}")
        offset = self._layout.offset[self.tuples.index(dims)]
        if offset < 0:
            raise ValueError(f"n-tuple {dims} has too many arms for an array; use `table`")
        shape = tuple(self.space.n_values[list(dims)])
        rows = self._arms[offset : offset + math.prod(shape)]
        n, mean, std = _statistics(rows)
        return Arms(dims, n.reshape(shape), mean.reshape(shape), std.reshape(shape))

    def table(self, dims):
        """Return the arms of the n-tuple over `dims` that hold data, best mean first.

        Returns
        -------
        list of Arm

        Raises
        ------
        ValueError
            If the model has no such n-tuple.
        """
        dims = tuple(int(d) for d in dims)
        if dims not in self.tuples:
            raise ValueError(f"no {len(dims)}-tuple {dims} in a model with sizes {self.sizes}")
        seen = self._points[: self._n][:, dims]
        keys, which = np.unique(seen, axis=0, return_inverse=True)
        rows = np.zeros((len(keys), 3))
        fitness = self._fitness[: self._n]
        for column, weight in ((N, np.ones_like(fitness)), (SUM, fitness), (SQUARES, fitness**2)):
            rows[:, column] = np.bincount(which.ravel(), weights=weight, minlength=len(keys))
        n, mean, std = _statistics(rows)
        names, values = self.space.names, self.space.values
        return [
            Arm(
                {names[d]: values[d][v] for d, v in zip(dims, keys[i], strict=True)},
                int(n[i]),
                float(mean[i]),
                float(std[i]),
            )
            for i in np.argsort(-mean, kind="stable")
        ]

    def save(self, path):
        """Write the model to one file, whole or not at all; `load` reads it."""
        about = {
            "parameters": list(zip(self.space.names, self.space.values, strict=True)),
            "sizes": self.sizes,
            "epsilon": self.epsilon,
        }
        arrays = {"about": json.dumps(about), "points": self.points, "fitness": self.fitness}
        write_whole(path, lambda file: np.savez(file, **arrays))

    @classmethod
    def load(cls, path):
        """Return the model that `save` wrote; it has learned the same evaluations in order.

        Raises
        ------
        ValueError
            If the file was not written by `save`, or is damaged.
        OSError
            If the file cannot be opened.
        """
        with open(path, "rb") as file:
            try:
                return cls._read(file)
            # A flipped byte comes out of zip, numpy or JSON as almost any kind of error.
            except Exception as error:
                raise ValueError(f"{path} does not hold a landscape model") from error

    @classmethod
    def _read(cls, file):
        with np.load(file) as arrays:
            about = json.loads(str(arrays["about"]))
            points, fitness = arrays["points"], arrays["fitness"]
        space = SearchSpace(about["parameters"])
        model = cls(space, tuple(about["sizes"]), about["epsilon"])
        if points.ndim != 2 or fitness.shape != points.shape[:1]:
            raise ValueError(f"shapes {points.shape} and {fitness.shape} do not fit")
        for point, value in zip(points, fitness, strict=True):
            model.add(point, value)
        return model

    def _unseen(self, n_slots):
        """Return (n_slots, 2) scores of arms without data: mean 0 and the widest bound."""
        return np.tile([0.0, 1.0 / math.sqrt(self.epsilon)], (n_slots, 1))

    def _reserve(self):
        """Make room for one more evaluation, doubling what is full."""
        if self._n == len(self._points):
            self._points = np.concatenate([self._points, np.zeros_like(self._points)])
            self._fitness = np.concatenate([self._fitness, np.zeros_like(self._fitness)])
        if self._n_slots + self._n_hashed > len(self._arms):
            spare = max(64, self._n_hashed, len(self._arms))
            self._arms = np.concatenate([self._arms, np.zeros((spare, 3))])
            self._scores = np.concatenate([self._scores, self._unseen(spare)])
        # At most half full, or probing gets long. N evaluations make N arms a tuple at most.
        if 2 * (self._n + 1) * self._n_hashed > len(self._table):
            table = np.full((4 * (self._n + 1) * self._n_hashed, 3), -1, np.int64)
            rehash(self._layout, self._table, table, self._points)
            self._table = table


def _whole(size):
    """Return a size of n-tuples, of whatever integer type, as an int."""
    try:
        return operator.index(size)
    except TypeError:
        raise ValueError(f"sizes of n-tuples are integers or 'd', got {size!r}") from None


def _tuples(n_dims, sizes):
    orders = [n_dims if size == "d" else size for size in sizes]
    for order in orders:
        if not 1 <= order <= n_dims:
            raise ValueError(f"n-tuples of size {order!r} do not exist in {n_dims} dimensions")
    if not orders:
        raise ValueError("a model needs at least one size of n-tuples, got none")
    return tuple(
        dims
        for order in sorted(set(orders))
        for dims in itertools.combinations(range(n_dims), order)
    )


def _layout(n_values, tuples):
    """Return the `Layout` of the n-tuples and the number of slots of the small ones."""
    start, dims, strides, offsets = [0], [], [], []
    n_slots = 0
    for t in tuples:
        n_arms = math.prod(int(n_values[d]) for d in t)
        dense = n_arms <= _MAX_DENSE_ARMS
        offsets.append(n_slots if dense else -1)
        # A hashed n-tuple has no strides; its product may not even fit an int64.
        strides += [math.prod(int(n_values[d]) for d in t[i + 1 :]) * dense for i in range(len(t))]
        dims += t
        start.append(len(dims))
        n_slots += n_arms * dense
    arrays = (np.array(a, dtype=np.int64) for a in (start, dims, strides, offsets))
    return Layout(*arrays), n_slots


def _statistics(rows):
    """Return n, mean and sample standard deviation of rows of arms; nan where undefined."""
    n = rows[:, N].astype(np.int64)
    mean = np.full(len(rows), np.nan)
    std = np.full(len(rows), np.nan)
    seen, twice = n > 0, n > 1
    mean[seen] = rows[seen, SUM] / n[seen]
    spread = rows[twice, SQUARES] - n[twice] * mean[twice] ** 2
    std[twice] = np.sqrt(np.maximum(spread, 0.0) / (n[twice] - 1))
    return n, mean, std
