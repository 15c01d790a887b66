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
_LISTS = (list, tuple)
_NESTED = (*_LISTS, range)


def array(name, values, kinds="iuf", ndim=None):
    """Return `values` as an array; one that is an array already is not copied.

    Parameters
    ----------
    name : str
        What an error calls the values.
    values : array or sequence
    kinds : {"iuf", "iu", "f", "b", "biuf"}
        Letters of ``dtype.kind``; i, u are whole numbers, f floats, b True and False.
    ndim : int, optional
        How many dimensions there must be; any without.

    Raises
    ------
    TypeError
        If the values are of another kind.
    ValueError
        If rows have different lengths, there are other dimensions, a whole number takes more
        than 64 bits, or a range is too long.
    """
    found = values
    if type(values) is not np.ndarray:
        if _n_listed(values) > LONGEST:
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


def _n_listed(values, depth=4):
    # How many numbers numpy would make of the ranges in nested lists.
    if isinstance(values, range):
        return len(values[: LONGEST + 1])
    if depth == 0 or not isinstance(values, _LISTS):
        return 0
    return sum(_n_listed(v, depth - 1) for v in values if isinstance(v, _NESTED))


def whole(name, values, least=None, most=None, *, dtype=np.int64, ndim=1):
    """Return `values` as a contiguous array of whole numbers; copied only where they have to be.

    Floats will do if they are whole, up to 2^53: 1.0 is 1, and 1.5 an error.

    Parameters
    ----------
    name, values, ndim
        As for `array`.
    least, most : int, optional
        The range of the numbers; that of the dtype without.
    dtype : numpy integer type
        What they become.

    Raises
    ------
    TypeError, ValueError
        As for `array`; for a number that is not whole or out of range, a ValueError.
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
    """Return `values` as an (n, 2) int64 array of whole numbers; an empty list holds none.

    Raises
    ------
    TypeError, ValueError
        As for `whole`; for rows of another length, a ValueError.
    """
    if isinstance(values, _LISTS) and not values:
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
    """Return `values` as a new array of 64-bit floats, finite and within ± `limit`.

    Raises
    ------
    TypeError, ValueError
        As for `array`; for NaN, infinity or a number beyond `limit`, a ValueError.
    """
    found = floats(name, values, ndim)
    odd = found[~(np.isfinite(found) & (np.abs(found) <= limit))]
    if odd.size:
        within = "finite" if limit == math.inf else f"within ±{limit:g}"
        raise ValueError(f"{name} must be {within}, got {odd[0]}")
    return found


def as_list(name, values):
    """Return what a sequence or iterator holds as a list; an error that it raises stays as it is.

    Raises
    ------
    TypeError
        If it is neither, or a text, a range or a dict.
    """
    try:
        if isinstance(values, str | bytes | range | dict):
            raise TypeError
        each = iter(values)
    except TypeError:  # of an array without dimensions, too
        raise TypeError(f"{name} must be a list, got {short(values)}") from None
    return list(each)
