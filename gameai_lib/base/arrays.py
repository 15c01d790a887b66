"""What public functions ask of arrays: the companion of `gameai_lib.base.checks`.

A list, a tuple or a short range will do for an array. A value of a wrong kind is a TypeError, a
wrong number, length or shape a ValueError. Nothing is rounded or cut to fit, and an array of
True and False is not one of numbers.
"""

import math

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short

LONGEST = 2**24  # of ranges, which are short to write and long to list
EXACT = 2**53  # larger floats leave out whole numbers

_WORDS = {
    "iuf": "numbers",
    "iu": "whole numbers",
    "f": "floats",
    "b": "True and False",
    "bf": "True and False, or of floats",
    "biuf": "numbers, or of True and False",
}


def array(name, values, kinds="iuf", ndim=None):
    """Return `values` as an array; one that is an array already is not copied.

    `name` is what an error calls the values, `kinds` are letters of ``dtype.kind``, one of the
    sets in `_WORDS`, and `ndim` says how many dimensions there must be, if there must. Values of
    another kind are a TypeError, rows of different lengths, other dimensions, a number of more
    than 64 bits and a long range a ValueError.
    """
    found = values
    if type(values) is not np.ndarray:
        if isinstance(values, range) and len(values[: LONGEST + 1]) > LONGEST:
            raise ValueError(f"{name} must have at most {LONGEST} entries, got {short(values)}")
        try:
            found = np.asarray(values)
        except Exception as error:  # ragged, or an object that pretends to be an array
            raise ValueError(_describe_wanted(name, kinds, values)) from error
    if found.dtype.kind not in kinds:
        if found.dtype.kind == "O" and all(map(checks.is_whole, found.flat)):
            raise ValueError(f"{name} must be numbers of 64 bits, got {short(values)}")
        raise TypeError(_describe_wanted(name, kinds, values))
    if ndim not in (None, found.ndim):
        plural = "" if ndim == 1 else "s"
        got = f"{found.ndim}: {short(values)}"
        raise ValueError(f"{name} must have {ndim} dimension{plural}, got {got}")
    return found


def _describe_wanted(name, kinds, values):
    return f"{name} must be an array of {_WORDS[kinds]}, got {short(values)}"


def whole(name, values, least=None, most=None, *, dtype=np.int64, ndim=1):
    """Return `values` as a contiguous array of whole numbers; copied only where they have to be.

    Floats will do if they are whole, up to 2^53: 1.0 is 1, and 1.5 an error. The numbers are from
    `least` to `most`, or what the dtype holds, and become of that dtype. Other arguments and
    errors are those of `array`; a number out of its range is a ValueError.
    """
    found = array(name, values, ndim=ndim)
    if found.size and (found.dtype != dtype or least is not None or most is not None):
        limits = np.iinfo(dtype)
        least, most = limits.min if least is None else least, limits.max if most is None else most
        if found.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                odd = found % 1 != 0  # NaN and infinity, too
            if odd.any():
                raise ValueError(f"{name} must be whole numbers, got {found[odd][0]}")
            least, most = max(least, -EXACT), min(most, EXACT)
        # As numbers of Python, which compare exactly whatever their types.
        lowest, highest = found.min().item(), found.max().item()
        if lowest < least or highest > most:
            odd = lowest if lowest < least else highest
            raise ValueError(f"{name} must be from {least} to {most}, got {odd}")
    return np.ascontiguousarray(found, dtype)


def pairs(name, values):
    """Return `values` as an (n, 2) int64 array of whole numbers; an empty list holds none."""
    if isinstance(values, list | tuple) and not values:
        return np.empty((0, 2), np.int64)
    found = whole(name, values, ndim=2)
    if found.shape[1] != 2:
        raise ValueError(f"{name} must be pairs, got {short(values)}")
    return found


def floats(name, values, ndim=None):
    """Return `values`, any numbers, as a new array of 64-bit floats; errors as for `array`."""
    with np.errstate(over="ignore"):  # of wider floats, which become infinite
        return array(name, values, ndim=ndim).astype(np.float64, order="C")


def finite(name, values, ndim=1, limit=math.inf):
    """Return `values` as a new array of 64-bit floats, finite and within ± `limit`."""
    found = floats(name, values, ndim)
    odd = found[~(np.isfinite(found) & (np.abs(found) <= limit))]
    if odd.size:
        within = "finite" if limit == math.inf else f"within ±{limit:g}"
        raise ValueError(f"{name} must be {within}, got {odd[0]}")
    return found


def as_list(name, values):
    """Return what a sequence or iterator holds as a list; an error that it raises stays as it is.

    A text, a range or a dict is a TypeError.
    """
    try:
        if isinstance(values, str | bytes | range | dict):
            raise TypeError
        each = iter(values)
    except TypeError:  # of an array without dimensions, too
        raise TypeError(f"{name} must be a list, got {short(values)}") from None
    return list(each)
