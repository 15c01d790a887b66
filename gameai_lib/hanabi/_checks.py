"""What the front doors of this room ask of arguments, each with an error that names the value."""

import numpy as np


def short(value, length=80):
    """The `repr` of a value on one line, cut in the middle if it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object may fail at that, too
        text = f"<{type(value).__name__}>"
    half = length // 2 - 2
    return text if len(text) <= length else f"{text[:half]} … {text[-half:]}"


def is_whole(value):
    """Whether `value` is an integer, and not a truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_whole(name, value, least, most):
    """Return `value` as an int if it is a whole number from `least` to `most`."""
    if not is_whole(value) or not least <= value <= most:
        raise ValueError(
            f"{name} must be a whole number from {least} to {most:,}, got {short(value)}"
        )
    return int(value)


def check_number(name, value, fits, what):
    """Return `value` as a float if it is a real number and ``fits(value)``."""
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool) or not fits(value):
        raise ValueError(f"{name} must be {what}, got {short(value)}")
    return float(value)


def check_flag(name, value):
    """Return `value` if it is True or False, and not merely something like it."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {short(value)}")
    return bool(value)


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


def check_is(name, value, kind):
    """Return `value` if it is an instance of the class `kind`."""
    if not isinstance(value, kind):
        wanted = getattr(kind, "__name__", kind)
        raise TypeError(f"{name} must be a {wanted}, got {short(value)}")
    return value


def check_rng(rng):
    """Return `rng` if it is a Generator."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {short(rng)}")
    return rng
