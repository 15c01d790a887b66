"""Noisy test problems whose true values are known.

OneMax and MaxM as in Lucas, Liu and Perez-Liebana (2018); the corner trap after Lucas's public
Java code; Hartmann's function after Dixon and Szego (1978).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Ints, Seed
from gameai_lib.ntbea.game.space import SearchSpace

_MOST_LISTED = 1_000_000  # points, among which the best is looked for


@dataclass(frozen=True)
class Problem:
    """A noisy problem that knows its true values.

    The function `true_values` gives (n_points, n_dims) points their (n_points,) expected fitness.
    Either `sigma` is given, the standard deviation of Gaussian noise, or `outcomes`, the two
    results of a game; the chance of the second, larger one is such that the true value is expected.
    The largest true value, `best`, is found by listing all points where it is not given and these
    are a million at most.
    """

    name: str
    space: SearchSpace
    true_values: Callable[[Ints], Any] = field(repr=False)
    sigma: float | None = None
    outcomes: tuple[float, float] | None = None
    best: float = math.nan

    def __post_init__(self):
        checks.kind("space", self.space, SearchSpace)
        checks.function("true_values", self.true_values)
        if (self.sigma is None) == (self.outcomes is None):
            raise ValueError("give either sigma or outcomes, one of them")
        if self.sigma is not None:
            checks.number("sigma", self.sigma, 0.0)
        if self.outcomes is not None:
            outcomes = arrays.finite("outcomes", self.outcomes).tolist()
            if outcomes != sorted(set(outcomes)) or len(outcomes) != 2:
                raise ValueError(f"outcomes are two rising numbers, got {short(self.outcomes)}")
        self._values(np.zeros((1, self.space.n_dims), np.int64))
        if math.isnan(self.best) and self.space.size <= _MOST_LISTED:
            best = float(self._values(self.space.all_points()).max())
            object.__setattr__(self, "best", best)

    def true_value(self, point: ArrayLike) -> float:
        """Expected fitness of one point (n_dims,), a float."""
        return float(self._values(self.space.check_point(point)[None])[0])

    def evaluate(self, point: ArrayLike, rng: Seed) -> float:
        """Draw one noisy fitness of `point` with `rng`, a float."""
        value = float(self.true_values(self.space.check_point(point)[None])[0])
        rng = checks.generator(rng)
        if self.sigma is not None:
            return value + self.sigma * rng.normal()
        assert self.outcomes is not None  # one of the two was given
        low, high = self.outcomes
        return high if rng.random() * (high - low) < value - low else low

    def _values(self, points):
        """True values of checked points, themselves checked."""
        values = arrays.finite("what true_values returns", self.true_values(points))
        if len(values) != len(points):
            what = f"one number for each of {len(points)} points"
            raise ValueError(f"true_values must give {what}, got {short(values)}")
        return values


def grid(n_dims, n_values):
    """Return a space of `n_dims` parameters x0, x1, ... with values 0 ... n_values - 1."""
    n_dims = checks.whole("n_dims", n_dims, 1, 10_000)
    n_values = checks.whole("n_values", n_values, 1, 100_000)
    return SearchSpace({f"x{i}": range(n_values) for i in range(n_dims)})


def one_max(n_dims=10, sigma=None):
    """OneMax: the number of ones; Gaussian noise, or wins with chance ones / n_dims."""
    return _sum_of_values("OneMax", grid(n_dims, 2), sigma)


def max_m(n_dims=5, n_values=5, sigma=None):
    """MaxM: the sum of the values; Gaussian noise, or wins with chance sum / largest sum."""
    return _sum_of_values("MaxM", grid(n_dims, checks.whole("n_values", n_values, 2)), sigma)


def _sum_of_values(name, space, sigma):
    top = int((space.n_values - 1).sum())
    if sigma is None:
        values = partial(_row_sums, unit=top)
        return Problem(f"{name}, win/lose", space, values, outcomes=(0.0, 1.0), best=1)
    return Problem(f"{name}, Gaussian", space, _row_sums, sigma=sigma, best=top)


def corner_trap(n_dims=5, n_values=4, sigma=1.0):
    """Lucas's trap: the sum of the values, but 0 where every value is the largest."""
    space = grid(n_dims, checks.whole("n_values", n_values, 2))
    top = n_dims * (n_values - 1)
    values = partial(_sums_but_the_corner, top=top)
    return Problem("Corner trap", space, values, sigma=sigma, best=top - 1)


def hartmann(n_values=10):
    """Hartmann-6 on a grid of [0, 1], divided by 4: the chance to win."""
    levels = np.linspace(0, 1, checks.whole("n_values", n_values, 2, 100_000))
    space = SearchSpace({f"x{i}": [round(float(v), 6) for v in levels] for i in range(6)})
    # Listing a million points takes a second; a test does it.
    best = 0.7948970745563096 if n_values == 10 else math.nan
    values = partial(_hartmann, levels)
    return Problem("Hartmann-6", space, values, outcomes=(0.0, 1.0), best=best)


# Functions of this module, so that a process pool can be sent a problem.


def _row_sums(points, unit=1):
    return points.sum(axis=1) / unit


def _sums_but_the_corner(points, top):
    total = points.sum(axis=1)
    return np.where(total == top, 0, total)


_HARTMANN_WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN_SCALES = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
_HARTMANN_CENTRES = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def _hartmann(levels, points):
    shift = levels[points][:, None, :] - _HARTMANN_CENTRES
    exponent = (_HARTMANN_SCALES * shift**2).sum(axis=2)
    return np.exp(-exponent) @ _HARTMANN_WEIGHTS / 4
