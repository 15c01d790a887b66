"""What public functions ask of their arguments: each error names the value it refuses.

A value of a wrong kind is a TypeError, one out of its range a ValueError. True and False are
not numbers, numbers are not flags, and nothing is rounded or cut to fit.
"""

import math
import os
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from gameai_lib.base.types import FilePath, Seed

LARGEST = 1e250  # sums and squares of differences stay below the largest float, 1.8e308

ENDLESS = 2**62  # the most that anything is counted


def short(value, length=100):
    """The `repr` of a value on one line, cut in the middle if it is long."""
    try:
        if isinstance(value, str | bytes | list | tuple) and len(value) > 4 * length:
            value = value[: 2 * length] + value[-2 * length :]  # what is between is cut anyway
        text = " ".join(repr(value).split())
    except Exception:  # of huge integers, and of objects whose class is broken
        text = f"<{type(value).__name__}>"
    return text if len(text) <= length else f"{text[: length * 2 // 3]} … {text[-length // 4 :]}"


def is_whole(value: object) -> bool:
    """Whether `value` is a whole number by its type; True and False are not."""
    # An int first, for games that ask this of every move.
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def whole(name: str, value: Any, least: int = 1, most: int = ENDLESS) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`."""
    if not is_whole(value):
        raise TypeError(f"{name} must be a whole number, got {short(value)}")
    if not least <= value <= most:
        open_ended = value < least and most == ENDLESS
        wanted = f"at least {least}" if open_ended else f"from {least} to {most}"
        raise ValueError(f"{name} must be {wanted}, got {short(value)}")
    return int(value)


def number(
    name: str, value: Any, least: float = -LARGEST, most: float = LARGEST, *, above: bool = False
) -> float:
    """Return `value` as a float if it is a number from `least` (or `above` it) to `most`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {short(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf if value > 0 else -math.inf  # type: ignore[operator]
    if not least <= result <= most or (above and result == least):  # NaN is nowhere
        if math.isnan(result) and least == -math.inf:
            raise ValueError(f"{name} must be a number, got {short(value)}")
        low = "more than" if above else "at least"
        wanted = f"{low} {least:g}" + (f" and at most {most:g}" if most < LARGEST else "")
        raise ValueError(f"{name} must be {wanted}, got {short(value)}")
    return result


def flag(name: str, value: Any) -> bool:
    """Return `value` as Python's True or False if it is one of them."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {short(value)}")
    return bool(value)


def one_of(name, value, choices):
    """Return `value` if it is one of the words `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {list(choices)}, got {short(value)}")
    return value


def kind(name: str, value: Any, *kinds: type) -> Any:
    """Return `value` if it is an instance of one of the classes `kinds`."""
    if not isinstance(value, kinds):
        names = " or ".join(k.__name__ for k in kinds)
        raise TypeError(f"{name} must be of type {names}, got {short(value)}")
    return value


def function(name, value):
    """Return `value` if it can be called."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {short(value)}")
    return value


def generator(rng: Seed) -> np.random.Generator:
    """Return `rng` if it is a numpy Generator, or a new one of it if it is a seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    if not is_whole(rng) or rng < 0:
        raise TypeError(
            f"rng must be a numpy.random.Generator, or a whole number as its seed, got {short(rng)}"
        )
    return np.random.default_rng(int(rng))


def file_path(path: FilePath) -> Path:
    """Return the path of a file as a `pathlib.Path`; a number would be an open file."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be the path of a file, got {short(path)}")
    text = os.fsdecode(path)
    if "\0" in text or not text:
        raise ValueError(f"{short(path)} is not the path of a file")
    return Path(text)
