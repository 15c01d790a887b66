"""Search spaces: named parameters, each with a short list of values.

Points are arrays of value indices, as in Lucas, Liu and Perez-Liebana (2018, section II).
"""

import math
from collections.abc import Mapping, Sequence
from enum import EnumType
from functools import cached_property
from typing import Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import held
from gameai_lib.base.types import ArrayLike, Ints, Seed

Values = Sequence[Any] | EnumType
Parameters = Mapping[str, Values] | Sequence[tuple[str, Values]]
Names = str | Sequence[str | int]  # of parameters, by name or by number from 0

_MOST_VALUES = 100_000  # of one parameter
_MOST_POINTS = 10_000_000  # that are listed


class SearchSpace:
    """Named parameters and the values that each may take.

    Parameters
    ----------
    parameters : mapping of str to sequence, or sequence of (str, sequence) pairs
        For every parameter its values in order: a list, tuple, range, enum or 1-D array of
        up to 100,000 different numbers, booleans, words or whatever else is hashable, such as
        None, tuples or functions. Numpy's scalars become Python's.

    Attributes
    ----------
    names : tuple of str
    values : tuple of tuples
    n_values : (n_dims,) int array
        Read only.

    Examples
    --------
    >>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
    >>> space.size
    6
    >>> space.values_of([2, 0])
    {'speed': 4, 'shield': False}
    """

    def __init__(self, parameters: Parameters) -> None:
        try:
            named = dict(parameters)
        except Exception:
            what = "a mapping of names to values, or (name, values) pairs"
            raise ValueError(f"a search space is {what}, got {short(parameters)}") from None
        if not named:
            raise ValueError("a search space needs at least one parameter, got none")
        self.names = tuple(named)
        self.values = tuple(_checked_values(name, values) for name, values in named.items())
        self.n_values = np.array([len(values) for values in self.values], dtype=np.int64)
        self.n_values.setflags(write=False)

    @property
    def n_dims(self) -> int:
        """Number of parameters."""
        return len(self.names)

    @cached_property
    def size(self) -> int:
        """Number of points, an exact int."""
        return math.prod(self.n_values.tolist())

    def __repr__(self) -> str:
        pairs = zip(self.names, self.values, strict=True)
        return f"SearchSpace({', '.join(f'{name}: {list(values)}' for name, values in pairs)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SearchSpace):
            return NotImplemented
        return (self.names, self.values) == (other.names, other.values)

    def __hash__(self) -> int:
        return hash((self.names, self.values))

    def dims_of(self, names: Names) -> list[int]:
        """Return the numbers of parameters given by name or number, all different, as a list."""
        names = (names,) if isinstance(names, str) else names
        try:
            dims = [self._dim(name) for name in names]
        except TypeError as error:
            what = f"parameters are given by name or number, got {short(names)}"
            raise ValueError(what) from error
        if not dims or len(set(dims)) < len(dims):
            raise ValueError(f"need different parameters, got {short(names)}")
        return dims

    def _dim(self, name):
        if not isinstance(name, str):
            return checks.whole("a dimension", name, 0, self.n_dims - 1)
        if name not in self.names:
            raise ValueError(f"no parameter {short(name)} among {short(list(self.names))}")
        return self.names.index(name)

    def check(self, points: ArrayLike) -> Ints:
        """Return points, (n_dims,) or (n_points, n_dims), as an int array; none may be outside."""
        array = arrays.array("points", points, "iu")
        if array.ndim not in (1, 2) or array.shape[-1] != self.n_dims:
            raise ValueError(f"points need {self.n_dims} indices each, got shape {array.shape}")
        array = array.astype(np.int64, copy=False)  # which makes huge ones negative
        outside = (array < 0) | (array >= self.n_values)
        if outside.any():
            row = np.atleast_2d(points)[np.atleast_2d(outside).any(axis=1)][0]
            size = short(self.n_values.tolist())
            raise ValueError(f"point {short(row.tolist())} lies outside the {size} grid")
        return array

    def check_point(self, point: ArrayLike) -> Ints:
        """Return one point as an (n_dims,) int array; errors as for `check`."""
        array = self.check(point)
        if array.ndim != 1:
            raise ValueError(f"need one point of {self.n_dims} indices, got shape {array.shape}")
        return array

    def values_of(self, point: ArrayLike) -> dict[str, Any]:
        """Return a dict from parameter name to value for one point (n_dims,)."""
        indices = self.check_point(point)
        triples = zip(self.names, self.values, indices, strict=True)
        return {name: values[i] for name, values, i in triples}

    def point_of(self, values: Mapping[str, Any]) -> Ints:
        """Return the point (n_dims,) at which the parameters take `values`, a mapping by name."""
        checks.kind("values", values, Mapping)
        if unknown := [name for name in values if name not in self.names]:
            raise ValueError(f"no parameter {short(unknown[0])} among {short(list(self.names))}")
        if missing := [name for name in self.names if name not in values]:
            raise ValueError(f"no value for {short(missing[0])} in {short(values)}")
        pairs = zip(self.names, self.values, strict=True)
        return np.array([_index(name, values[name], allowed) for name, allowed in pairs], np.int64)

    def random_points(self, n_points: int, rng: Seed) -> Ints:
        """Return (n_points, n_dims) points drawn uniformly with `rng`."""
        rng = checks.generator(rng)
        size = checks.whole("n_points", n_points, 0, _MOST_POINTS), self.n_dims
        return rng.integers(0, self.n_values, size=size)

    def all_points(self) -> Ints:
        """Return every point, (size, n_dims), of ten million at most, the last dim fastest."""
        if self.size > _MOST_POINTS:
            raise ValueError(f"{short(self.size)} points are too many to list")
        return np.indices(self.n_values.tolist(), np.int64).reshape(self.n_dims, -1).T.copy()


Space = SearchSpace | Mapping[str, Any]


def space_of(space: Space) -> SearchSpace:
    """Return a search space; one is made of a mapping of names to values."""
    checks.kind("space", space, SearchSpace, Mapping)
    return space if isinstance(space, SearchSpace) else SearchSpace(space)


def distinct(points, **wanted):
    """Return the distinct rows of points, (n, n_dims), and what else `np.unique` is asked for."""
    with held():  # while it compares rows numpy makes a TypeError of an interrupt
        return np.unique(points, axis=0, **wanted)


def latest(points, most):
    """Return which evaluations, (n,) bool, are of the `most` distinct points played last."""
    if len(points) <= most:
        return np.ones(len(points), bool)
    which = distinct(points, return_inverse=True)[1].ravel()
    last = np.zeros(which.max() + 1, np.int64)
    np.maximum.at(last, which, np.arange(len(points)))
    return np.isin(which, np.argsort(-last)[:most])


def n_equal(points, others):
    """Number of dimensions in which points agree with others, (n_points, n_others)."""
    count = np.zeros((len(points), len(others)), np.uint8 if points.shape[1] < 256 else np.uint16)
    for own, other in zip(points.T, others.T, strict=True):
        count += own[:, None] == other
    return count


def _checked_values(name, values):
    """Return the values of one parameter as a tuple, with Python's scalars in place of numpy's."""
    if not isinstance(name, str) or not 0 < len(name) <= 100:
        raise ValueError(f"a parameter name is a non-empty word, got {short(name)}")
    is_list = isinstance(values, Sequence | EnumType | np.ndarray)
    is_one = isinstance(values, str | bytes) or getattr(values, "shape", None) == ()
    if not is_list or is_one or not 0 < len(values) <= _MOST_VALUES:
        wanted = f"a list of 1 to {_MOST_VALUES} values"
        raise ValueError(f"parameter {name!r} needs {wanted}, got {short(values)}")
    plain = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    try:
        n_different = len({value for value in plain if value == value})  # NaN is not
    except Exception:
        what = "numbers, words or hashable categories"
        raise ValueError(f"values of {name!r} are {what}, got {short(values)}") from None
    if n_different < len(plain):
        raise ValueError(f"parameter {name!r} repeats a value, or has NaN: {short(values)}")
    return plain


def _index(name, value, allowed):
    """Return where `value` stands in `allowed`; a float may differ in its last digits."""
    try:
        return allowed.index(value)
    except ValueError:
        near = [i for i, other in enumerate(allowed) if _is_near(value, other)]
        if len(near) == 1:
            return near[0]
        among = short(list(allowed))
        raise ValueError(f"{name}={short(value)} is not one of {among}") from None


def _is_near(value, other):
    """Whether two floats differ by rounding, as .3 and np.linspace(0, 1, 11)[3] do."""
    return isinstance(value, float) and type(other) is float and math.isclose(value, other)
