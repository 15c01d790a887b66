"""Checks of arguments at the doors of this room; every message names what was given."""

import os
import reprlib
from numbers import Integral, Real
from pathlib import Path

import numpy as np

_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = _SHORT.maxlong = 60


def shown(value):
    """Return `value` as an error message shows it: its repr, shortened where it is long."""
    try:
        return " ".join(_SHORT.repr(value).split())[:120]
    except Exception:  # a whole number too long to print, an object that cannot show itself
        return f"<{type(value).__name__}>"


def count(name, value, least=1, most=2**31 - 1):
    """Return `value` as an int if it is a whole number in the range, else raise."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, got {shown(value)}")
    if not least <= value <= most:
        wanted = f"{least} or more" if value < least else f"{most} or less"
        raise ValueError(f"{name} must be {wanted}, got {shown(value)}")
    return int(value)


def number(name, value, least=0.0, most=1e300, above=False):
    """Return `value` as a float if it is a number in the range, else raise; 1e-300 is 0."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    if not isinstance(value, Integral):
        value = float(value) if abs(value) >= 1e-300 or value != value else 0.0
    if not least <= value <= most or (above and value == least):
        wanted = f"more than {least:g}" if above else f"{least:g} or more"
        wanted = f"{most:g} or less" if value > most else wanted
        raise ValueError(f"{name} must be {wanted}, got {shown(value)}")
    return float(value)


def flag(name, value):
    """Return `value` if it is True or False, else raise."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def one_of(name, value, choices):
    """Return `value` if it is one of the texts `choices`, else raise."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {list(choices)}, got {shown(value)}")
    return value


def listed(name, values, error=TypeError):
    """Return `values` as a list if it is a sequence or comes one by one, else raise."""
    if isinstance(values, (str, bytes, range, dict)) or not hasattr(values, "__iter__"):
        raise error(f"{name} must be a list, got {shown(values)}")
    try:
        return list(values)
    except TypeError as cause:  # an array of no dimensions
        raise error(f"{name} must be a list, got {shown(values)}") from cause


def file_path(path):
    """Return `path` as a `pathlib.Path` if it is a path, else raise."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a path of a file, got {shown(path)}")
    return Path(path)


def passable(data):
    """Return `data` if passes can be made over it: `Competitions` or `Shards`; raise else."""
    if not (hasattr(data, "tally") and hasattr(data, "n_features")) or isinstance(data, type):
        raise TypeError(f"data must be Competitions or Shards, got {shown(data)}")
    return data


def array(name, values, ndim=None, error=ValueError):
    """Return `values` as a numpy array of numbers, of `ndim` dimensions; raise `error` else."""
    if any(
        isinstance(v, range) for v in (values if isinstance(values, list | tuple) else [values])
    ):
        # numpy would make a list of it, however long.
        raise error(f"{name} must be an array of numbers, got {shown(values)}")
    try:
        found = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as cause:
        raise error(f"{name} must be an array of numbers, got {shown(values)}") from cause
    if found.dtype.kind not in "iuf":
        odd = found.ravel()[0] if found.size else values
        if found.dtype.kind == "O":
            odd = next((v for v in found.ravel() if not isinstance(v, (int, float))), odd)
        raise error(f"{name} must be numbers, got {shown(odd)}")
    if ndim is not None and found.ndim != ndim:
        raise error(f"{name} must have {ndim} dimensions, got {found.ndim}: {shown(values)}")
    return found


def whole(name, values, dtype, ndim=1, error=ValueError):
    """Return `values` as a contiguous array of a whole-number `dtype`; raise `error` else.

    Never truncates: 1.0 passes for 1, and 1.5, True or a number out of range for nothing.
    """
    if type(values) is np.ndarray and values.dtype == dtype and values.ndim == ndim:
        return np.ascontiguousarray(values)
    found = array(name, values, ndim, error)
    limits = np.iinfo(dtype)
    if found.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            odd = (found % 1 != 0) | (np.abs(found) > 2.0**53)
        if odd.any():
            raise error(f"{name} must be whole numbers, got {shown(found[odd].item(0))}")
    if found.size and (found.max() > limits.max or found.min() < limits.min):
        odd = found.max() if found.max() > limits.max else found.min()
        raise error(f"{name} must be from {limits.min} to {limits.max}, got {odd}")
    return np.ascontiguousarray(found, dtype=dtype)


def generator(rng):
    """Return `rng` if it is a `numpy.random.Generator`, else raise."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {shown(rng)}")
    return rng
