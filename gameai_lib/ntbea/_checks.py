"""Checks at the room's front doors: each error names the value it refuses."""

import math
import numbers
import operator
import os

import numpy as np

# Sums and ranges of numbers up to this size stay far from the largest float, 1.8e308.
LARGEST = 1e250


def short(value, length=120):
    """The `repr` of a value, cut in the middle if it is long."""
    try:
        text = repr(value)
    except Exception:  # of huge integers, and of objects whose class is broken
        text = f"a {type(value).__name__}"
    return text if len(text) <= length else f"{text[: length // 2]} … {text[-length // 3 :]}"


def whole(name, value, least=1, most=None):
    """Return an integer of whatever type as an int; a boolean is none."""
    try:
        if isinstance(value, bool):
            raise TypeError
        count = operator.index(value)
    except Exception:
        raise ValueError(f"{name} must be an integer, got {short(value)}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, got {short(count)}")
    if most is not None and count > most:
        raise ValueError(f"{name} must be at most {most}, got {short(count)}")
    return count


def number(name, value, low=-LARGEST, high=LARGEST, what=None):
    """Return a real number between two bounds as a float; `what` says what it must be."""
    try:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError
        result = float(value)
    except Exception:
        result = math.nan
    if not low <= result <= high:
        what = what or f"must be a number from {low:g} to {high:g}"
        raise ValueError(f"{name} {what}, got {short(value)}")
    return result


def flag(name, value):
    """Return a boolean as Python's; no number is one."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is True or False, got {short(value)}")
    return bool(value)


def fitness_of(value, said="got fitness"):
    """Return a number of whatever type as a float; the text of a number is none.

    A boolean is one: many an evaluator returns whether a game was won.
    """
    if type(value) is not float:
        if isinstance(value, str | bytes | bytearray) or getattr(value, "shape", ()) != ():
            raise ValueError(f"{said} {short(value)}, which is not a number")
        try:
            value = float(value)
        except Exception as error:
            raise ValueError(f"{said} {short(value)}, which is not a number") from error
    if not -LARGEST <= value <= LARGEST:
        what = f"beyond {LARGEST:g}" if math.isfinite(value) else "not finite"
        raise ValueError(f"{said} {value}, which is {what}")
    return value


def kind(name, value, *kinds):
    """Raise a TypeError unless `value` is an instance of one of `kinds`."""
    if not isinstance(value, kinds):
        names = " or ".join(k.__name__ for k in kinds)
        raise TypeError(f"{name} must be of type {names}, got {short(value)}")


def function(name, value):
    """Raise a TypeError unless `value` can be called."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {short(value)}")


def generator(value):
    """Raise a TypeError unless `value` is a numpy Generator."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"rng must be a numpy Generator, as of default_rng, got {short(value)}")


def file_path(value):
    """Return a path as text; numbers would be open files."""
    try:
        if not isinstance(value, str | os.PathLike):
            raise TypeError
        path = os.fsdecode(value)
        path.encode()
    except Exception:
        raise TypeError(f"need the path of a file, got {short(value)}") from None
    if "\0" in path or not path:
        raise ValueError(f"{short(path)} is not the path of a file")
    return path


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
