"""Runs of entries one after another in a flat array: ``offsets[i]:offsets[i + 1]`` is run i."""

import numpy as np

from gameai_lib.base import arrays
from gameai_lib.base.checks import short


def repeat_runs(values, offsets):
    """Repeat each of `values` once for every entry of its run."""
    # Counts have to be as wide as an address, which in a browser has 32 bits.
    return np.repeat(values, np.diff(offsets).astype(np.intp))


def gather_runs(offsets, rows):
    """Return the offsets of the runs numbered `rows`, and where their entries are."""
    ends = np.concatenate([[0], np.cumsum(np.diff(offsets)[rows])])
    return ends, repeat_runs(offsets[rows] - ends[:-1], ends) + np.arange(ends[-1])


def row_numbers(rows, n):
    """Return the numbers that `rows` (indices, a slice or a mask) picks out of 0..n-1."""
    if isinstance(rows, (bool, np.bool_, type(None), range, tuple)):
        rows = arrays.whole("rows", rows)
    try:
        found = np.atleast_1d(np.arange(n)[rows])
        if found.ndim == 1:
            return found
        raise IndexError(f"{found.ndim} dimensions")
    except (IndexError, TypeError, ValueError) as cause:
        raise ValueError(f"rows must pick some of {n}, got {short(rows)}: {cause}") from cause
