"""Search spaces: named parameters, each with a short list of values.

Points are arrays of value indices, as in Lucas, Liu and Perez-Liebana (2018, section II).
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short

_MOST_DIMS = 10_000
_MOST_VALUES = 100_000  # of one parameter
_MOST_POINTS = 10_000_000  # that are listed


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
        If there is no parameter or more than 10,000, a name is repeated or empty, or the
        values are not a sequence, empty, more than 100,000, repeated or something that is not a
        number, boolean or word.

    Examples
    --------
    >>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
    >>> space.size
    6
    >>> space.values_of([2, 0])
    {'speed': 4, 'shield': False}
    """

    def __init__(self, parameters: Mapping[str, Sequence]):
        items = _pairs(parameters)
        if not items:
            raise ValueError("a search space needs at least one parameter, got none")
        self.values = tuple(_checked_values(name, values) for name, values in items)
        self.names = tuple(name for name, _ in items)
        if len(set(self.names)) < len(self.names):
            name = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"parameter name {short(name)} is repeated")
        self.n_values = np.array([len(values) for values in self.values], dtype=np.int64)
        self.n_values.setflags(write=False)
        self._limits = self.n_values.astype(np.uint64)

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
        TypeError
            If an index is not an integer.
        ValueError
            If the shape does not fit, or a point lies outside.
        """
        array = arrays.array("points", points, "iu")
        if array.ndim not in (1, 2) or array.shape[-1] != self.n_dims:
            raise ValueError(f"points need {self.n_dims} indices each, got shape {array.shape}")
        if array.dtype.kind == "i":
            array = array.astype(np.int64, copy=False)
            outside = array.view(np.uint64) >= self._limits  # negative numbers are huge ones
        else:
            outside = array >= self._limits
        if np.count_nonzero(outside):
            row = np.atleast_2d(array)[np.atleast_2d(outside).any(axis=1)][0]
            size = short(self.n_values.tolist())
            raise ValueError(f"point {short(row.tolist())} lies outside the {size} grid")
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
        checks.kind("values", values, Mapping)
        if set(values) != set(self.names):
            raise ValueError(f"need values for {short(list(self.names))}, got {short(values)}")
        pairs = zip(self.names, self.values, strict=True)
        return np.array(
            [_index(name, values[name], allowed) for name, allowed in pairs], dtype=np.int64
        )

    def random_points(self, n_points, rng):
        """Return (n_points, n_dims) points drawn uniformly with `rng`."""
        rng = checks.generator(rng)
        size = checks.whole("n_points", n_points, 0, _MOST_POINTS), self.n_dims
        return rng.integers(0, self.n_values, size=size)

    def all_points(self):
        """Return every point, (size, n_dims), the last parameter running fastest.

        Raises
        ------
        ValueError
            If there are more than ten million points.
        """
        if self.size > _MOST_POINTS:
            raise ValueError(f"{short(self.size)} points are too many to list")
        return np.indices(self.n_values).reshape(self.n_dims, -1).T.copy()


def _pairs(parameters):
    """Return parameters as a list of (name, values) pairs."""
    items = parameters.items() if isinstance(parameters, Mapping) else parameters
    try:
        items = [(name, values) for name, values in islice(items, _MOST_DIMS + 1)]
    except Exception:
        what = "a mapping of names to values, or (name, values) pairs"
        raise ValueError(f"a search space is {what}, got {short(parameters)}") from None
    if len(items) > _MOST_DIMS:
        raise ValueError(f"a search space has {_MOST_DIMS} parameters at most, got more")
    return items


def _checked_values(name, values):
    """Return the values of one parameter as a tuple of Python's numbers, booleans and words."""
    if not _is_word(name) or not 0 < len(name) <= 100:
        raise ValueError(f"a parameter name is a non-empty word, got {short(name)}")
    is_list = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    if isinstance(values, np.ndarray):
        is_list = values.ndim == 1
    if not is_list or not _length(values):
        raise ValueError(f"parameter {name!r} needs a list of values, got {short(values)}")
    if _length(values) > _MOST_VALUES:
        most = f"{_MOST_VALUES} values at most"
        raise ValueError(f"parameter {name!r} may have {most}, got {short(values)}")
    values = tuple(_plain(value) for value in values)
    for value in values:
        # A thousand digits more, and a number could neither be printed nor be a float.
        fits = isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**300)
        if not (fits or _is_word(value)) or value != value:
            raise ValueError(f"{name}={short(value)} is not a number, boolean or word")
    if len(set(values)) < len(values):
        raise ValueError(f"parameter {name!r} repeats a value in {short(list(values))}")
    return values


def _is_word(value):
    """Whether `value` is text that can be stored; half a surrogate pair cannot."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def _plain(value):
    """Return numpy's scalars as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _length(values):
    """Return the length of a sequence; some ranges are too long for `len`."""
    try:
        return len(values)
    except OverflowError:
        return math.inf


def _index(name, value, allowed):
    """Return where `value` stands in `allowed`; True is not 1."""
    value = _plain(value)
    if isinstance(value, bool | int | float | str):
        for i, other in enumerate(allowed):
            if other == value and isinstance(other, bool) == isinstance(value, bool):
                return i
        # What was computed again may differ in the last digits: .3 for .30000000000000004.
        near = [i for i, other in enumerate(allowed) if _is_near(value, other)]
        if len(near) == 1:
            return near[0]
    raise ValueError(f"{name}={short(value)} is not one of {short(list(allowed))}")


def _is_near(value, other):
    """Whether two numbers, one of them with a fraction, differ by rounding."""
    return (
        float in (type(value), type(other))
        and not isinstance(value, str | bool)
        and (not isinstance(other, str | bool) and math.isclose(value, other, rel_tol=1e-12))
    )
