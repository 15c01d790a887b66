"""What makes a fitness, and the unit in which squares of it neither overflow nor vanish."""

import math

import numpy as np

from gameai_lib.base.checks import LARGEST, short


def fitness_of(value, said="got fitness"):
    """Return a number of whatever type as a float; the text of a number is refused.

    A boolean counts as a number: many evaluators return whether a game was won.
    """
    if type(value) is not float:
        try:
            if isinstance(value, str | bytes | bytearray) or getattr(value, "shape", ()) != ():
                raise TypeError
            value = float(value)
        except Exception as error:
            raise ValueError(f"{said} {short(value)}, which is not a number") from error
    if not -LARGEST <= value <= LARGEST:
        what = f"beyond {LARGEST:g}" if math.isfinite(value) else "not finite"
        raise ValueError(f"{said} {value}, which is {what}")
    return value


def unit_of(fitness):
    """Return a power of two of the size of the spread of `fitness`, a non-empty array."""
    spread = float(np.ptp(fitness)) or float(np.abs(fitness).max()) or 1.0
    return 2.0 ** (math.frexp(spread)[1] - 1)
