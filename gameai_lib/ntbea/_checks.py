"""Checks that only this room needs; the others are those of all rooms."""

import math

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short


def fitness_of(value, said="got fitness"):
    """Return a number of whatever type as a float; the text of a number is refused.

    A boolean counts as a number: many evaluators return whether a game was won.
    """
    if type(value) is not float:
        if isinstance(value, str | bytes | bytearray) or getattr(value, "shape", ()) != ():
            raise ValueError(f"{said} {short(value)}, which is not a number")
        try:
            value = float(value)
        except Exception as error:
            raise ValueError(f"{said} {short(value)}, which is not a number") from error
    if not -checks.LARGEST <= value <= checks.LARGEST:
        what = f"beyond {checks.LARGEST:g}" if math.isfinite(value) else "not finite"
        raise ValueError(f"{said} {value}, which is {what}")
    return value


def as_array(name, value):
    """Return lists of numbers, or whatever it is, as an array."""
    if isinstance(value, np.ndarray):
        return value
    try:
        if len(value) > 10_000_000:  # a range, say; it would be written out
            raise OverflowError
        return np.asarray(value)
    except Exception:
        raise ValueError(f"{name} cannot be made an array, got {short(value)}") from None
