"""Steps of a range, for a parameter that has more values than a search can tell apart."""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short


def between(
    low: float, high: float, n_steps: int = 9, *, log: bool = False
) -> tuple[int, ...] | tuple[float, ...]:
    """Return steps from `low` to `high`, both included, as the values of a parameter.

    Two whole numbers give whole numbers, fewer than `n_steps` where there are not as many. Other
    steps are rounded to three digits, or to as many as tell them apart. With `log` each step is by
    the same factor, and both ends are positive. There are 2 to 1000 steps; a search learns of
    neighbouring ones that they are alike, but it is quicker with ten than with a hundred. Ends that
    do not rise, or are beyond 1e100, are a ValueError.

    Examples
    --------
    >>> between(1e-3, 1, 7, log=True)
    (0.001, 0.00316, 0.01, 0.0316, 0.1, 0.316, 1.0)
    >>> between(1, 100, 5, log=True), between(0, 3)
    ((1, 3, 10, 32, 100), (0, 1, 2, 3))
    """
    is_whole = checks.is_whole(low) and checks.is_whole(high)
    first = checks.number("low", low, -1e100, 1e100)
    last = checks.number("high", high, -1e100, 1e100)
    n_steps = checks.whole("n_steps", n_steps, 2, 1000)
    if first >= last:
        raise ValueError(f"low must be below high, got {short(low)} and {short(high)}")
    if checks.flag("log", log) and first <= 0:
        raise ValueError(f"steps by a factor need a positive low, got {short(low)}")
    space = np.geomspace if log else np.linspace
    if is_whole:
        n_steps = min(n_steps, int(high) - int(low) + 1)
    steps = space(first, last, n_steps).tolist()
    if is_whole:
        return tuple(sorted({int(low), *map(round, steps[1:-1]), int(high)}))
    for n_digits in (3, 6, 9, 17):
        rounded = [first, *(float(f"{step:.{n_digits}g}") for step in steps[1:-1]), last]
        if sorted(set(rounded)) == rounded:
            return tuple(rounded)
    raise ValueError(f"no {n_steps} different floats lie between {short(low)} and {short(high)}")
