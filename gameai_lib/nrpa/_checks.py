"""What this room asks of arguments beyond `gameai_lib.base.checks`: arrays, and lists."""

import math
import operator

import numpy as np

from gameai_lib.base.checks import short

LONGEST = 2**26  # of lists


def _refuse_long(name, values):
    # A range may be short to write and long to list.
    if isinstance(values, range) and len(values[:LONGEST]) == LONGEST:
        raise ValueError(f"{name} must have fewer than {LONGEST} entries, got {short(values)}")


def numbers(name: str, values, dtype, ndim: int = 1) -> np.ndarray:
    """A fresh array of `values`, if they are numbers that `dtype` holds unchanged.

    Whole floats may become integers; 1.7, text, None and flags may not.
    """
    _refuse_long(name, values)
    try:
        array = np.asarray(values)
    except Exception as error:  # ragged, or an object that pretends to be an array
        raise ValueError(f"{name} must be an array of numbers, got {short(values)}") from error
    if array.ndim != ndim:
        raise ValueError(f"{name} must be an array of {ndim} dimensions, got {short(values)}")
    if not array.size:
        return np.zeros(array.shape, dtype)  # an empty list has no type of its own
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold numbers, got {short(values)}")
    with np.errstate(invalid="ignore", over="ignore"):
        result = np.array(array, dtype, order="C")
    if dtype == np.int64 and array.dtype.kind != "i":
        # 2^63 as a float becomes -2^63; neither way back may differ.
        same = (result == array) & (np.abs(array) < 2.0**63)
        if not same.all():
            wrong = array[~same].flat[0]
            raise ValueError(f"{name} must hold whole numbers of 64 bits, got {wrong}")
    return result


def finite(name: str, values, ndim: int = 1, limit: float = math.inf) -> np.ndarray:
    """A fresh float array of `values`, if they are finite numbers within ± `limit`."""
    array = numbers(name, values, np.float64, ndim)
    wrong = array[~(np.isfinite(array) & (np.abs(array) <= limit))]
    if wrong.size:
        within = "finite" if limit == math.inf else f"within ±{limit:g}"
        raise ValueError(f"{name} must be {within}, got {wrong[0]}")
    return array


def indices(name: str, values, size: int, what: str = "") -> np.ndarray:
    """A fresh int64 array of `values`, if they are whole numbers from 0 to ``size - 1``."""
    array = numbers(name, values, np.int64)
    wrong = array[(array < 0) | (array >= size)]
    if wrong.size:
        raise ValueError(f"{what or name} {wrong[0]} is outside 0 .. {size - 1}")
    return array


def pairs(name: str, values) -> np.ndarray:
    """A fresh (n, 2) int64 array of `values`, if they are pairs of whole numbers."""
    if isinstance(values, list | tuple) and not values:
        return np.zeros((0, 2), np.int64)
    array = numbers(name, values, np.int64, 2)
    if array.shape[1] != 2:
        raise ValueError(f"{name} must be pairs, got {short(values)}")
    return array


def items(name: str, values) -> list:
    """The list of what an iterable holds."""
    _refuse_long(name, values)
    try:
        return list(values)
    except Exception as error:
        raise TypeError(f"{name} must be a list, got {short(values)}") from error


def index(value) -> int | None:
    """`value` as an int if it is a whole number by type, else None: of what a rule returns."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
