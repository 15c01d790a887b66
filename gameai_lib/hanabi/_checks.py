"""What this room asks of arguments beyond `gameai_lib.base.checks`."""

import numpy as np

from gameai_lib.base.checks import short


def is_whole(value):
    """Whether `value` is an integer, and not a truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_array(name, value, kinds, what):
    """Return `value` as an array whose dtype is one of `kinds` (letters of ``dtype.kind``)."""
    if isinstance(value, np.ndarray):
        array = value
    elif isinstance(value, list | tuple) or hasattr(value, "__array__"):
        try:
            array = np.asarray(value)
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{name} must be {what}, got {short(value)}") from error
    else:
        raise TypeError(f"{name} must be an array of {what}, got {short(value)}")
    if array.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {what}, got {short(value)}")
    return array
