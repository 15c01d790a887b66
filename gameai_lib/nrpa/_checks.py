"""What the doors of this room ask of their arguments; every error names the value."""

import math
import operator
import reprlib

import numpy as np

LONGEST = 2**26  # of lists
LARGEST = 2**40  # of counts: more playouts than a machine plays, and far from the end of int64


def shown(value) -> str:
    """The `repr` of a value, shortened."""
    try:
        text = reprlib.repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else f"{text[:60]} … {text[-15:]}"


def is_number(value) -> bool:
    """Whether a value is a real number of Python or numpy; flags and text are not."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def as_float(value) -> float:
    """A number as a float; infinity where it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _number(name, value, what):
    if not is_number(value):
        raise TypeError(f"{name} must be {what}, got {shown(value)}")
    # A number of Python, which can be compared with any other.
    return value.item() if isinstance(value, np.generic) else value


def whole(name: str, value, low: int = 1, high: int = LARGEST) -> int:
    """Return `value` as an int, if it is a whole number from `low` to `high`."""
    value = _number(name, value, "a whole number")
    if not value >= low:
        raise ValueError(f"{name} must be at least {low}, got {shown(value)}")
    if not value <= high:
        raise ValueError(f"{name} must be at most {high}, got {shown(value)}")
    if value != int(value):
        raise ValueError(f"{name} must be a whole number, got {shown(value)}")
    return int(value)


def positive(name: str, value, high: float = math.inf) -> float:
    """Return `value` as a float, if it is a number greater than 0, finite and at most `high`."""
    value = _number(name, value, "a number")
    if not 0 < value <= min(high, np.finfo(float).max):
        bound = f"at most {high:g}" if high < math.inf else "finite"
        raise ValueError(f"{name} must be positive and {bound}, got {shown(value)}")
    return float(value)


def of_type(name: str, value, kind: type, article: str = "a"):
    """Return `value`, if it is of the type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {article} {kind.__name__}, got {shown(value)}")
    return value


def generator(rng) -> np.random.Generator:
    """Return `rng`, if it is a numpy Generator."""
    return of_type("rng", rng, np.random.Generator)


def _refuse_long(name, values):
    # A range may be short to write and long to list.
    if isinstance(values, range) and len(values[:LONGEST]) == LONGEST:
        raise ValueError(f"{name} must have fewer than {LONGEST} entries, got {shown(values)}")


def numbers(name: str, values, dtype, ndim: int = 1) -> np.ndarray:
    """A fresh array of `values`, if they are numbers that `dtype` holds unchanged.

    Whole floats may become integers; 1.7, text, None and flags may not.
    """
    _refuse_long(name, values)
    try:
        array = np.asarray(values)
    except Exception as error:  # ragged, or an object that pretends to be an array
        raise ValueError(f"{name} must be an array of numbers, got {shown(values)}") from error
    if array.ndim != ndim:
        raise ValueError(f"{name} must be an array of {ndim} dimensions, got {shown(values)}")
    if not array.size:
        return np.zeros(array.shape, dtype)  # an empty list has no type of its own
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold numbers, got {shown(values)}")
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


def index(value) -> int | None:
    """`value` as an int if it is a whole number by type, else None."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def real(name: str, value, limit: float = 1e9) -> float:
    """Return `value` as a float, if it is a number within ± `limit`."""
    value = _number(name, value, "a number")
    if not -limit <= value <= limit:
        raise ValueError(f"{name} must be within ±{limit:g}, got {shown(value)}")
    return float(value)


def pairs(name: str, values) -> np.ndarray:
    """A fresh (n, 2) int64 array of `values`, if they are pairs of whole numbers."""
    if isinstance(values, list | tuple) and not values:
        return np.zeros((0, 2), np.int64)
    array = numbers(name, values, np.int64, 2)
    if array.shape[1] != 2:
        raise ValueError(f"{name} must be pairs, got {shown(values)}")
    return array


def items(name: str, values) -> list:
    """The list of what an iterable holds."""
    _refuse_long(name, values)
    try:
        return list(values)
    except Exception as error:
        raise TypeError(f"{name} must be a list, got {shown(values)}") from error
