"""What the frame asks of its arguments: each error names the value that it refuses.

A value of a wrong kind is a TypeError, one out of its range a ValueError. True and False are not
numbers.
"""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any


def short(value, length=100):
    """The `repr` of a value on one line, cut in the middle if it is long."""
    try:
        if isinstance(value, str | bytes | list | tuple) and len(value) > 4 * length:
            value = value[: 2 * length] + value[-2 * length :]  # what is between is cut anyway
        text = " ".join(repr(value).split())
    except Exception:  # of huge integers, and of objects whose class is broken
        text = f"<{type(value).__name__}>"
    return text if len(text) <= length else f"{text[: length * 2 // 3]} … {text[-length // 4 :]}"


def kind(name: str, value: Any, *kinds: type) -> Any:
    """Return `value` if it is an instance of one of the classes `kinds`."""
    if not isinstance(value, kinds):
        names = " or ".join(k.__name__ for k in kinds)
        raise TypeError(f"{name} must be of type {names}, got {short(value)}")
    return value


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, got {short(value)}")
    number = int(value)
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, got {short(value)}")
    return number


def number(name: str, value: Any, least: float = -math.inf, *, above: bool = False) -> float:
    """Return `value` as a float if it is a finite number of at least `least`, or `above` it."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {short(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result) or result < least or (above and result == least):
        low = "" if least == -math.inf else f" {'more than' if above else 'at least'} {least:g}"
        raise ValueError(f"{name} must be{low or ' a finite number'}, got {short(value)}")
    return result


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return `value` if it is one of the words `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {list(choices)}, got {short(value)}")
    return value
