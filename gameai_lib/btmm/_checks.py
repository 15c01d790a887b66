"""What this room asks of arguments beyond `gameai_lib.base.checks`."""

import numpy as np

from gameai_lib.base.checks import short

SMALLEST = 1e-300  # of strengths and what divides: of less, the inverse overflows


def listed(name, values, error=TypeError):
    """Return `values` as a list if it is a sequence or comes one by one, else raise."""
    if isinstance(values, (str, bytes, range, dict)) or not hasattr(values, "__iter__"):
        raise error(f"{name} must be a list, got {short(values)}")
    try:
        return list(values)
    except TypeError as cause:  # an array of no dimensions
        raise error(f"{name} must be a list, got {short(values)}") from cause


def passable(data):
    """Return `data` if passes can be made over it: `Competitions` or `Shards`, or raise."""
    if not (hasattr(data, "tally") and hasattr(data, "n_features")) or isinstance(data, type):
        raise TypeError(f"data must be Competitions or Shards, got {short(data)}")
    return data


def array(name, values, ndim=None, error=ValueError):
    """Return `values` as a numpy array of numbers, of `ndim` dimensions, or raise `error`."""
    if any(
        isinstance(v, range) for v in (values if isinstance(values, list | tuple) else [values])
    ):
        # numpy would make a list of it, however long.
        raise error(f"{name} must be an array of numbers, got {short(values)}")
    try:
        found = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as cause:
        raise error(f"{name} must be an array of numbers, got {short(values)}") from cause
    if found.dtype.kind not in "iuf":
        odd = found.ravel()[0] if found.size else values
        if found.dtype.kind == "O":
            odd = next((v for v in found.ravel() if not isinstance(v, (int, float))), odd)
        raise error(f"{name} must be numbers, got {short(odd)}")
    if ndim is not None and found.ndim != ndim:
        raise error(f"{name} must have {ndim} dimensions, got {found.ndim}: {short(values)}")
    return found


def whole_array(name, values, dtype, ndim=1, error=ValueError):
    """Return `values` as a contiguous array of a whole-number `dtype`, or raise `error`.

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
            raise error(f"{name} must be whole numbers, got {short(found[odd].item(0))}")
    if found.size and (found.max() > limits.max or found.min() < limits.min):
        odd = found.max() if found.max() > limits.max else found.min()
        raise error(f"{name} must be from {limits.min} to {limits.max}, got {odd}")
    return np.ascontiguousarray(found, dtype=dtype)
