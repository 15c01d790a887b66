"""Search spaces: named parameters, each with a short list of values.

Points are arrays of value indices, as in Lucas, Liu and Perez-Liebana (2018, section II).
"""

import math
from collections.abc import Mapping, Sequence
from enum import EnumType
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Ints, Seed

Values = Sequence[Any] | EnumType
Parameters = Mapping[str, Values] | Sequence[tuple[str, Values]]
Names = str | Sequence[str | int]  # of parameters, by name or by number from 0

_MOST_DIMS = 10_000
_MOST_VALUES = 100_000  # of one parameter
_MOST_POINTS = 10_000_000  # that are listed


class SearchSpace:
    """Named parameters and the values that each may take.

    Parameters
    ----------
    parameters : mapping of str to sequence, or sequence of (str, sequence) pairs
        For every parameter its values in order, as a list, tuple, range or 1-D array of
        numbers, booleans, words or whatever else is hashable: None, tuples, members of an enum,
        functions; or an enum. Numpy's scalars become Python's.

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
        values are not a sequence, empty, more than 100,000, repeated, not hashable, NaN or too
        long a number.

    Examples
    --------
    >>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
    >>> space.size
    6
    >>> space.values_of([2, 0])
    {'speed': 4, 'shield': False}
    """

    def __init__(self, parameters: Parameters) -> None:
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
    def n_dims(self) -> int:
        """Number of parameters."""
        return len(self.names)

    @cached_property
    def size(self) -> int:
        """Number of points, an exact int."""
        return math.prod(int(n) for n in self.n_values)

    def __repr__(self) -> str:
        lists = ", ".join(
            f"{name}: {list(v)}" for name, v in zip(self.names, self.values, strict=True)
        )
        return f"SearchSpace({lists})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SearchSpace):
            return NotImplemented
        return (self.names, self.values) == (other.names, other.values)

    def __hash__(self) -> int:
        return hash((self.names, self.values))

    def dims_of(self, names: Names) -> list[int]:
        """Return the numbers of parameters that are given by name, or by number from 0, as a list.

        Raises
        ------
        ValueError
            If one is unknown or comes twice, there is none, or `names` is neither a name nor a
            sequence.
        """
        if isinstance(names, str):
            names = (names,)
        try:
            dims = [self._dim(name) for name in islice(names, _MOST_DIMS + 1)]
        except TypeError as error:
            raise ValueError(
                f"parameters are given by name or number, got {short(names)}"
            ) from error
        if not dims or len(set(dims)) < len(dims):
            raise ValueError(f"need different parameters, got {short(names)}")
        return dims

    def _dim(self, name):
        """Return the number of a parameter that is given by number or name."""
        if isinstance(name, str):
            if name not in self.names:
                raise ValueError(f"no parameter {short(name)} among {short(list(self.names))}")
            return self.names.index(name)
        return checks.whole("a dimension", name, 0, self.n_dims - 1)

    def check(self, points: ArrayLike) -> Ints:
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

    def check_point(self, point: ArrayLike) -> Ints:
        """Return one point as an (n_dims,) int array; errors as for `check`."""
        array = self.check(point)
        if array.ndim != 1:
            raise ValueError(f"need one point of {self.n_dims} indices, got shape {array.shape}")
        return array

    def values_of(self, point: ArrayLike) -> dict[str, Any]:
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

    def point_of(self, values: Mapping[str, Any]) -> Ints:
        """Return the point (n_dims,) at which the parameters take `values`, a mapping by name.

        Raises
        ------
        ValueError
            If a name is missing or unknown, or a value is not in its list.
        """
        checks.kind("values", values, Mapping)
        if unknown := [name for name in values if name not in self.names]:
            raise ValueError(f"no parameter {short(unknown[0])} among {short(list(self.names))}")
        if missing := [name for name in self.names if name not in values]:
            raise ValueError(f"no value for {short(missing[0])} in {short(values)}")
        pairs = zip(self.names, self.values, strict=True)
        return np.array(
            [_index(name, values[name], allowed) for name, allowed in pairs], dtype=np.int64
        )

    def random_points(self, n_points: int, rng: Seed) -> Ints:
        """Return (n_points, n_dims) points drawn uniformly with `rng`."""
        rng = checks.generator(rng)
        size = checks.whole("n_points", n_points, 0, _MOST_POINTS), self.n_dims
        return rng.integers(0, self.n_values, size=size)

    def all_points(self) -> Ints:
        """Return every point, (size, n_dims), the last parameter running fastest.

        Raises
        ------
        ValueError
            If there are more than ten million points.
        """
        if self.size > _MOST_POINTS:
            raise ValueError(f"{short(self.size)} points are too many to list")
        return np.indices(self.n_values.tolist(), np.int64).reshape(self.n_dims, -1).T.copy()


Space = SearchSpace | Mapping[str, Any]


def space_of(space: Space) -> SearchSpace:
    """Return a search space; one is made of a mapping of names to values."""
    checks.kind("space", space, SearchSpace, Mapping)
    return space if isinstance(space, SearchSpace) else SearchSpace(space)


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
    if isinstance(values, EnumType):
        values = tuple(values)
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
        if not _is_category(value):
            raise ValueError(f"{name}={short(value)} is not a number, word or hashable category")
    if len(set(values)) < len(values):
        raise ValueError(f"parameter {name!r} repeats a value in {short(list(values))}")
    return values


def _is_category(value):
    """Whether a value can be one of a parameter's: told apart from others, printed, stored."""
    if isinstance(value, float):
        return value == value  # NaN is not
    if isinstance(value, int):
        return abs(value) < 10**300  # a thousand digits can neither be printed nor be a float
    if isinstance(value, str):
        return _is_word(value)
    try:
        hash(value)
    except Exception:
        return False
    return True


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


_PLAIN = bool | int | float | str


def _index(name, value, allowed):
    """Return where `value` stands in `allowed`; True is not 1."""
    value = _plain(value)
    for i, other in enumerate(allowed):
        if other is value or (_is_like(value, other) and other == value):
            return i
    # What was computed again may differ in the last digits: .3 for .30000000000000004.
    near = [i for i, other in enumerate(allowed) if _is_near(value, other)]
    if len(near) == 1:
        return near[0]
    raise ValueError(f"{name}={short(value)} is not one of {short(list(allowed))}")


def _is_like(value, other):
    """Whether two values are of kinds that can be equal; a boolean and a number are not."""
    if isinstance(value, _PLAIN) and isinstance(other, _PLAIN):
        return isinstance(value, bool) == isinstance(other, bool)
    return type(value) is type(other)


def _is_near(value, other):
    """Whether two numbers, one of them with a fraction, differ by rounding."""
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (value, other))
    fraction = float in (type(value), type(other))
    return numbers and fraction and math.isclose(value, other, rel_tol=1e-12)


def packed(space):
    """Return the parameters as JSON can hold them; what it can't hold stands as its `repr`."""
    return [
        [name, [_packed(value) for value in values]]
        for name, values in zip(space.names, space.values, strict=True)
    ]


def _packed(value):
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is tuple:
        return {"tuple": [_packed(part) for part in value]}
    return {"repr": repr(value)}


class SpaceError(ValueError):
    """A file holds another space than the one given, or values that only its writer knows."""


def check_same(what, found, wanted):
    """Raise a `SpaceError` that says where the space `found` in `what` is not the one `wanted`."""
    if found != wanted:
        _refuse(what, *([*zip(s.names, s.values, strict=True)] for s in (found, wanted)))


def _refuse(what, found, wanted):
    """Raise a `SpaceError` for the first difference of two lists of (name, values)."""
    names, others = ([name for name, _ in parameters] for parameters in (found, wanted))
    if names != others:
        raise SpaceError(f"{what} has parameters {short(names)}, not {short(others)}")
    pairs = zip(found, wanted, strict=True)
    name, has, other = next((a[0], a[1], b[1]) for a, b in pairs if a != b)
    raise SpaceError(f"{what} has {name} in {short(list(has))}, not in {short(list(other))}")


def unpacked(parameters, space=None):
    """Return the space that `packed` wrote; the given one if it is the same.

    Raises
    ------
    SpaceError
        If it holds values of other kinds than numbers, booleans, words, None and tuples of these,
        and no space is given, or another one.
    """
    if space is not None:
        space = space_of(space)
        if packed(space) != parameters:
            _refuse("the file", parameters, packed(space))
        return space
    return SearchSpace([(name, [_unpacked(v) for v in values]) for name, values in parameters])


def _unpacked(value):
    if not isinstance(value, dict):
        return value
    if "tuple" in value:
        return tuple(_unpacked(part) for part in value["tuple"])
    raise SpaceError(f"pass `space`: the file knows a value only as {short(value['repr'])}")
