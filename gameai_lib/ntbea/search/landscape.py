"""The n-tuple landscape model: statistics of every combination of values seen so far.

Model and upper confidence bound of Lucas, Liu and Perez-Liebana (2018, section II), in the
form that the authors' Java code computes: ln(1 + N) in place of ln N, and the mean taken
over the n-tuples that hold data.
"""

import json
import math
import zipfile
from collections.abc import Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.base.interrupts import held
from gameai_lib.base.types import ArrayLike, FilePath, Floats, Ints
from gameai_lib.ntbea._checks import fitness_of
from gameai_lib.ntbea.game.space import Names, Space, SpaceError, packed, space_of, unpacked
from gameai_lib.ntbea.search._arms import Memory, add_point, rehash, score_points
from gameai_lib.ntbea.search._systems import distinct
from gameai_lib.ntbea.search.tuples import checked_sizes, layout_of, tuples_of

Sizes = Sequence[int | Literal["d"]]  # of n-tuples


class Arms(NamedTuple):
    """What one n-tuple has learned: arrays with one axis for each of its dimensions."""

    dims: tuple[int, ...]  #: the dimensions, ascending
    n: np.ndarray  #: int, evaluations of each arm
    mean: np.ndarray  #: float, mean fitness, nan where n is 0
    std: np.ndarray  #: float, sample standard deviation, nan where n is below 2


class Arm(NamedTuple):
    """One arm that holds data."""

    values: dict[str, Any]  #: value of each of the n-tuple's parameters, by name
    n: int  #: evaluations
    mean: float  #: mean fitness
    std: float  #: sample standard deviation, nan where n is 1


class LandscapeModel:
    """Bandit statistics for all n-tuples of the chosen sizes.

    Parameters
    ----------
    space : SearchSpace or mapping of str to sequence
    sizes : tuple of int or "d"
        Sizes of the n-tuples; "d" stands for the number of dimensions. A size named
        twice counts once.
    epsilon : float
        Added to the count of every arm; it keeps the bound of unseen arms finite.
    minimize : bool
        Whether smaller is better of what was measured, and its negative is what the model is
        given: here larger is always better. `Tuner` and `tune` negate, and so do pictures.

    Attributes
    ----------
    tuples : tuple of tuples of int
        The n-tuples, each a tuple of dimensions, smaller ones first.

    Raises
    ------
    ValueError
        If a size does not lie between 1 and the number of dimensions, the sizes make more
        than 20,000 n-tuples, or epsilon is not between 1e-100 and 1e9.

    Examples
    --------
    >>> model = LandscapeModel(SearchSpace({"a": (0, 1), "b": (0, 1)}), sizes=(1, 2))
    >>> for point, fitness in (((0, 0), 1.0), ((0, 1), 3.0), ((1, 0), 2.0)):
    ...     model.add(point, fitness)
    >>> model.mean([0, 0]).item(), round(model.ucb([1, 1], k=1.0).item(), 6)
    (1.5, 3.695937)
    """

    def __init__(
        self,
        space: Space,
        sizes: Sizes = (1, 2, "d"),
        epsilon: float = 0.5,
        *,
        minimize: bool = False,
    ) -> None:
        space = space_of(space)
        self.minimize = checks.flag("minimize", minimize)
        self.epsilon = checks.number("epsilon", epsilon, 1e-100, 1e9)
        self.space = space
        self.sizes = checked_sizes(sizes)
        self.tuples = tuples_of(space.n_dims, self.sizes)
        self._layout, self._n_slots = layout_of(space.n_values, self.tuples)
        self._n_hashed = int((self._layout.offset < 0).sum())
        self._memory = Memory(
            np.zeros((self._n_slots, 2)),
            self._unseen(self._n_slots),
            np.full((64, 3), -1, np.int64),
            np.zeros((64, space.n_dims), np.int64),
        )
        self._fitness = np.zeros(64)
        self._n = 0
        self._failed: dict[tuple[int, ...], str] = {}  # why, of each point that a `Tuner` gave up
        self._lowest, self._highest = math.inf, -math.inf

    def __repr__(self) -> str:
        seen = f"{self.n_evaluations} evaluations of {self.space.size} points"
        if self._n:
            seen += f", fitness from {self._lowest:.4g} to {self._highest:.4g}"
        if self.minimize:
            seen += ", negated"
        return f"LandscapeModel({seen}; {len(self.tuples)} n-tuples of sizes {self.sizes})"

    @property
    def n_evaluations(self) -> int:
        """Number of evaluations learned from, N."""
        return self._n

    @property
    def points(self) -> Ints:
        """All points evaluated, (N, n_dims) int, in order; a copy."""
        return self._memory.points[: self._n].copy()

    @property
    def fitness(self) -> Floats:
        """Fitness of each evaluation, (N,) float, in order; a copy."""
        return self._fitness[: self._n].copy()

    @property
    def fitness_range(self) -> float:
        """Largest minus smallest fitness seen; 0 before the first evaluation."""
        return self._highest - self._lowest if self._n else 0.0

    @property
    def failed(self) -> list[tuple[dict[str, Any], str]]:
        """Combinations given up, a list of (values by name, reason), of which no mean knows."""
        return [(self.space.values_of(point), why) for point, why in [*self._failed.items()]]

    def add(self, point: ArrayLike, fitness: float) -> None:
        """Learn one noisy evaluation of `point`, (n_dims,) int: all of it or nothing.

        An interrupt that arrives meanwhile waits until the evaluation is learned.

        Raises
        ------
        ValueError
            If the point lies outside the space, or the fitness is not a finite number of a
            size up to 1e250, beyond which sums overflow.
        """
        point = self.space.check_point(point)
        fitness = fitness_of(fitness)
        with held():
            self._reserve()
            self._memory.points[self._n] = point
            self._fitness[self._n] = fitness
            self._n_slots = add_point(
                self._layout, self._memory, self._n, fitness, self.epsilon, self._n_slots
            )
            self._n += 1
            self._lowest = min(self._lowest, fitness)
            self._highest = max(self._highest, fitness)

    def mean(self, points: ArrayLike) -> Floats:
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
            scores = self._score(points.reshape(-1, self.space.n_dims))
        return tuple(column.reshape(points.shape[:-1]) for column in scores)

    def _copy(self):
        """Return a model that learns on its own, and shares what never changes."""
        other = copy(self)
        other._memory = Memory(*(array.copy() for array in self._memory))
        other._fitness = self._fitness.copy()
        return other

    def _score(self, queries):
        """`mean_and_explore` of (n_points, n_dims) int64 points known to lie in the space."""
        mean, explore = np.empty((2, len(queries)))
        score_points(self._layout, self._memory, self._n, self.epsilon, queries, mean, explore)
        return mean, explore

    def arms(self, dims: Names) -> Arms:
        """Return what the n-tuple over `dims`, names or numbers from 0, has learned, an `Arms`.

        Raises
        ------
        ValueError
            If the model has no such n-tuple, or it has too many arms for an array.
        """
        at = self._tuple(dims)
        axes = self.tuples[at]
        if self._layout.offset[at] < 0:
            raise ValueError(f"n-tuple {short(axes)} has too many arms for an array; use `table`")
        shape = tuple(self.space.n_values[list(axes)])
        seen = self._memory.points[: self._n, axes]
        which = np.ravel_multi_index(seen.T, shape)
        statistics = _statistics(which, self._fitness[: self._n], math.prod(shape))
        return Arms(axes, *(column.reshape(shape) for column in statistics))

    def table(self, dims: Names) -> list[Arm]:
        """Return a list of the `Arm` that hold data in the n-tuple over `dims`, best mean first.

        Raises
        ------
        ValueError
            If the model has no such n-tuple.
        """
        axes = self.tuples[self._tuple(dims)]
        seen = self._memory.points[: self._n, axes]
        keys, which = distinct(seen, return_inverse=True)
        n, mean, std = _statistics(which.ravel(), self._fitness[: self._n], len(keys))
        names, values = self.space.names, self.space.values
        return [
            Arm(
                {names[d]: values[d][v] for d, v in zip(axes, keys[i], strict=True)},
                int(n[i]),
                float(mean[i]),
                float(std[i]),
            )
            for i in np.argsort(-mean, kind="stable")
        ]

    def save(self, path: FilePath) -> None:
        """Write the model to one file, whole or not at all; `load` reads it."""
        self._write(path)

    def _write(self, path, **more):
        """`save` with more to say about the model: what JSON can hold, by name."""
        about = {
            "parameters": packed(self.space),
            "sizes": self.sizes,
            "epsilon": self.epsilon,
            "minimize": self.minimize,
            "failed": [*self._failed.items()],
        } | more
        arrays = {"about": json.dumps(about), "points": self.points, "fitness": self.fitness}
        write_whole(checks.file_path(path), lambda file: np.savez(file, **arrays))

    @classmethod
    def load(cls, path: FilePath, space: Space | None = None) -> Self:
        """Return the model that `save` wrote; it has learned the same evaluations in order.

        Parameters
        ----------
        space : SearchSpace or mapping of str to sequence, optional
            That of the model. The file has all of it but values that JSON cannot hold, such as
            functions. Of these it has the `repr`, and the space must be given.

        Raises
        ------
        ValueError
            If the file was not written by `save`, is damaged, has another space than the one
            given, or needs one.
        OSError
            If the file cannot be opened.
        """
        with open(checks.file_path(path), "rb") as file:
            try:
                return cls._read(file, space)[0]
            except SpaceError:
                raise
            # A flipped byte comes out of zip, numpy or JSON as almost any kind of error.
            except Exception as error:
                raise ValueError(f"{path} does not hold a landscape model") from error

    @classmethod
    def _read(cls, file, space):
        """Return the model and all that the file says about it."""
        # `save` packs nothing: a file that grows on reading is damaged.
        with zipfile.ZipFile(file) as members:
            if any(m.compress_type != zipfile.ZIP_STORED for m in members.infolist()):
                raise ValueError("its arrays are packed")
        file.seek(0)
        with np.load(file) as arrays:
            about = json.loads(str(arrays["about"]))
            points, fitness = arrays["points"], arrays["fitness"]
        space = unpacked(about["parameters"], space)
        minimize = about.get("minimize", False)
        model = cls(space, tuple(about["sizes"]), about["epsilon"], minimize=minimize)
        if points.ndim != 2 or fitness.shape != points.shape[:1] or fitness.dtype.kind != "f":
            raise ValueError(f"arrays {points.shape} and {fitness.shape} do not fit")
        for point, value in zip(points, fitness, strict=True):
            model.add(point, value)
        for point, why in about.get("failed", []):
            model._failed[tuple(space.check_point(point).tolist())] = checks.kind("why", why, str)
        return model, about

    def _tuple(self, dims):
        """Return the number of the n-tuple over `dims`."""
        wanted = tuple(self.space.dims_of(dims))
        if wanted not in self.tuples:
            what = f"no {len(wanted)}-tuple {short(wanted)}"
            raise ValueError(f"{what} in a model with sizes {short(self.sizes)}")
        return self.tuples.index(wanted)

    def _unseen(self, n_slots):
        """Return (n_slots, 2) scores of arms without data: mean 0 and the widest bound."""
        return np.tile([0.0, 1.0 / math.sqrt(self.epsilon)], (n_slots, 1))

    def _reserve(self):
        """Make room for one more evaluation, doubling what is full."""
        arms, scores, table, points = self._memory
        # Where memory ends, either both arrays grow or neither.
        if self._n == len(points):
            points, self._fitness = (
                np.concatenate([old, np.zeros_like(old)]) for old in (points, self._fitness)
            )
            self._memory = self._memory._replace(points=points)
        if self._n_slots + self._n_hashed > len(arms):
            spare = max(64, self._n_hashed, len(arms))
            self._memory = self._memory._replace(
                arms=np.concatenate([arms, np.zeros((spare, 2))]),
                scores=np.concatenate([scores, self._unseen(spare)]),
            )
        # At most half full, or probing gets long. N evaluations make N arms a tuple at most.
        if 2 * (self._n + 1) * self._n_hashed > len(table):
            larger = np.full((4 * (self._n + 1) * self._n_hashed, 3), -1, np.int64)
            rehash(self._layout, table, larger, points)
            self._memory = self._memory._replace(table=larger)


def _statistics(which, fitness, n_arms):
    """Return n, mean and sample standard deviation of each arm; nan where undefined.

    `which`, (N,) int, says which arm each evaluation belongs to.
    """
    n = np.bincount(which, minlength=n_arms)
    mean, std = np.full((2, n_arms), np.nan)
    seen, twice = n > 0, n > 1
    mean[seen] = np.bincount(which, weights=fitness, minlength=n_arms)[seen] / n[seen]
    # Squares of numbers about 1: those of huge results overflow.
    unit = np.abs(fitness).max(initial=0.0) or 1.0
    squares = np.bincount(which, ((fitness - mean[which]) / unit) ** 2, n_arms)
    std[twice] = unit * np.sqrt(squares[twice] / (n[twice] - 1))
    return n, mean, std
