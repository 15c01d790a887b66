"""Fits and ratings in files: arrays by name, written whole, checked when they come back."""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole


def save(path, values):
    """Write arrays and numbers by name to one ``.npz`` file, whole or not at all."""
    write_whole(checks.file_path(path), lambda file: np.savez_compressed(file, **values))


def load(path, what, scalars, make):
    """Return ``make(values)`` of a file; a `ValueError` names one that does not hold `what`.

    `scalars` are the types of the values that are no arrays.
    """
    path = checks.file_path(path)
    try:
        with np.load(path, allow_pickle=False) as stored:
            values = {name: stored[name] for name in stored.files}
        for name, kind in scalars.items():
            values[name] = values[name].item()
            if type(values[name]) is not kind:
                raise ValueError(f"{name} is {short(values[name])}")
        return make(values)
    except FileNotFoundError:
        raise
    except Exception as error:  # zip, zlib and numpy's headers know many
        raise ValueError(f"{path} does not hold a {what}, or is damaged") from error
