"""What makes a fitness: the one check that only this room needs."""

import math

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
