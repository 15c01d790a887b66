"""Search spaces: named parameters, each with a short list of values.

Points are arrays of value indices, as in Lucas, Liu and Perez-Liebana (2018, section II).
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np


class SearchSpace:
    """Named parameters and the values that each may take.

    Parameters
    ----------
    parameters : mapping of str to sequence, or sequence of (str, sequence) pairs
        For every parameter its values in order, as a list, tuple, range or 1-D array of
        numbers, booleans or words. Numpy's scalars become Python's.

    Attributes
    ----------
    names : tuple of str
        Names of the parameters, in the order given.
    values : tuple of tuples
        Values of each parameter.
    n_values : (n_dims,) int array
        Number of values of each parameter; read only.

    Raises
    ------
    ValueError
        If there is no parameter, a name is repeated or empty, or the values are no
        sequence, none, repeated or something that is not a number, boolean or word.

    Examples
    --------
    >>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
    >>> space.size
    6
    >>> space.values_of([2, 0])
    {'speed': 4, 'shield': False}
    """

    def __init__(self, parameters: Mapping[str, Sequence]):
        items = list(parameters.items() if isinstance(parameters, Mapping) else parameters)
        if not items:
            raise ValueError("a search space needs at least one parameter, got none")
        self.names = tuple(name for name, _ in items)
        self.values = tuple(_checked_values(name, values) for name, values in items)
        for name in self.names:
            if self.names.count(name) > 1:
                raise ValueError(f"parameter name {name!r} is repeated")
        self.n_values = np.array([len(values) for values in self.values], dtype=np.int64)
        self.n_values.setflags(write=False)

    @property
    def n_dims(self):
        """Number of parameters."""
        return len(self.names)

    @cached_property
    def size(self):
        """Number of points, an exact int."""
        return math.prod(int(n) for n in self.n_values)

    def __repr__(self):
        lists = ", ".join(
            f"{name}: {list(v)}" for name, v in zip(self.names, self.values, strict=True)
        )
        return f"SearchSpace({lists})"

    def __eq__(self, other):
        if not isinstance(other, SearchSpace):
            return NotImplemented
        return (self.names, self.values) == (other.names, other.values)

    def __hash__(self):
        return hash((self.names, self.values))

    def check(self, points):
        """Return `points` as an int array after checking that all lie in the space.

        Parameters
        ----------
        points : (n_dims,) or (n_points, n_dims) array of int
            Value indices.

        Raises
        ------
        ValueError
            If the shape does not fit, an index is no integer, or a point lies outside.
        """
        array = np.asarray(points)
        if array.ndim not in (1, 2) or array.shape[-1] != self.n_dims:
            raise ValueError(f"points need {self.n_dims} indices each, got shape {array.shape}")
        if array.dtype.kind not in "iu":
            raise ValueError(f"points are integer indices, got {array.dtype} in {points!r}")
        outside = (array < 0) | (array >= self.n_values)
        if outside.any():
            row = np.atleast_2d(array)[np.atleast_2d(outside).any(axis=1)][0]
            raise ValueError(f"point {row.tolist()} lies outside the {self.n_values.tolist()} grid")
        return array.astype(np.int64, copy=False)

    def check_point(self, point):
        """Return one point as an (n_dims,) int array; errors as for `check`."""
        array = self.check(point)
        if array.ndim != 1:
            raise ValueError(f"need one point of {self.n_dims} indices, got shape {array.shape}")
        return array

    def values_of(self, point):
        """Return a dict from parameter name to value for one point (n_dims,).

        Raises
        ------
        ValueError
            If `point` is not one point of the space.
        """
        point = self.check_point(point)
        return {
            name: values[i] for name, values, i in zip(self.names, self.values, point, strict=True)
        }

    def point_of(self, values):
        """Return the point (n_dims,) at which the parameters take `values`, a mapping by name.

        Raises
        ------
        ValueError
            If a name is missing or unknown, or a value is not in its list.
        """
        if set(values) != set(self.names):
            raise ValueError(f"need values for {list(self.names)}, got {list(values)}")
        for name, allowed in zip(self.names, self.values, strict=True):
            if values[name] not in allowed:
                raise ValueError(f"{name}={values[name]!r} is not one of {list(allowed)}")
        return np.array(
            [v.index(values[name]) for name, v in zip(self.names, self.values, strict=True)],
            dtype=np.int64,
        )

    def random_points(self, n_points, rng):
        """Return (n_points, n_dims) points drawn uniformly with `rng`."""
        return rng.integers(0, self.n_values, size=(n_points, self.n_dims))

    def all_points(self):
        """Return every point, (size, n_dims), the last parameter running fastest.

        Raises
        ------
        ValueError
            If there are more than ten million points.
        """
        if self.size > 10_000_000:
            raise ValueError(f"{self.size} points are too many to list")
        return np.indices(self.n_values).reshape(self.n_dims, -1).T.copy()


def _checked_values(name, values):
    """Return the values of one parameter as a tuple of Python's numbers, booleans and words."""
    if not isinstance(name, str) or not name:
        raise ValueError(f"a parameter name is a non-empty word, got {name!r}")
    is_list = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    if isinstance(values, np.ndarray):
        is_list = values.ndim == 1
    if not is_list or len(values) == 0:
        raise ValueError(f"parameter {name!r} needs a list of values, got {values!r}")
    values = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    for value in values:
        if not isinstance(value, bool | int | float | str) or value != value:
            raise ValueError(f"{name}={value!r} is not a number, boolean or word")
    if len(set(values)) < len(values):
        raise ValueError(f"parameter {name!r} repeats a value in {list(values)}")
    return values
