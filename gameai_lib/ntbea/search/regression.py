"""Gaussian-process regression on n-tuples: what a landscape model expects, and how sure it is."""

import itertools
import math
from collections.abc import Iterator, Sequence
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from gameai_lib.base.threads import one_thread
from gameai_lib.base.types import ArrayLike, Floats, Ints
from gameai_lib.ntbea.game.space import distinct, latest, n_equal
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import climb, points_of

_MOST_LEARNED = 1000  # distinct points
_NOISES = 0.1, 0.3, 1.0, 3.0, 10.0, 100.0  # in the variance of the fitness
_LEAST_CHANCE = 0.01  # of weights that count as plausible
_N_STARTS = 5  # of the climbs to the best point
_CHUNK = 2_000_000  # numbers in the largest array while predicting


class Fit(NamedTuple):
    """One point of the grid of weights and noises; fitness counts in the regression's unit."""

    likelihood: float  #: logarithm of the marginal likelihood, up to a constant
    weights: Floats  #: (n_sizes,), variance explained by each size
    noise: float  #: variance of one evaluation
    centre: float


class TupleRegression:
    """Gaussian-process regression on a `LandscapeModel`: its kernel counts common n-tuples.

    Two points share C(e, s) of the C(d, s) n-tuples of size s if they agree in e of d dimensions.
    The kernel is the weighted sum of these shares over the sizes of the model, so that a size's
    weight is the variance that its n-tuples explain. Weights and noise are those of largest
    marginal likelihood on a small grid (Rasmussen and Williams 2006, eq. 2.30, on means of
    repeated evaluations). A fit costs O(n^3) time and O(n^2) memory. Beyond 1000 distinct points
    the oldest are forgotten. Of a model that has learned nothing there is none, but a ValueError.

    Attributes
    ----------
    weights : (n_sizes,) float array
        Variance explained by each size of n-tuples; inf if it is beyond the largest float.
    noise : float
        Variance of one evaluation, of the first standard deviation that was told where one was;
        inf as for `weights`.
    centre : float
        What is expected of a point that shares no n-tuple with those evaluated.
    """

    def __init__(self, model: LandscapeModel) -> None:
        points = points_of(model)
        self.space = model.space
        self._unit = unit_of(model.fitness)
        known = latest(points, _MOST_LEARNED)
        points, fitness = points[known], model.fitness[known] / self._unit
        self.points, which = distinct(points, return_inverse=True)
        which, weights = which.ravel(), model._weights()[known]
        self.n = np.bincount(which, weights)  # evaluations of each point
        self.orders = sorted({len(t) for t in model.tuples})
        d = self.space.n_dims
        # Share of common n-tuples of each size if e dimensions agree, (n_sizes, d + 1).
        shares = [[math.comb(e, s) / math.comb(d, s) for e in range(d + 1)] for s in self.orders]
        self._shares = np.array(shares)
        self._fitness = np.bincount(which, weights * fitness) / self.n
        self._agree = n_equal(self.points, self.points)
        apart = np.sqrt(weights) * (fitness - self._fitness[which])
        with one_thread(len(self.n)):
            self._fits = list(_fits(self._agree, self._shares, self._fitness, self.n, apart))
        self._assume(max(self._fits, key=lambda fit: fit.likelihood))

    def _assume(self, fit):
        """Take weights, noise and centre as given, and solve for all points."""
        self._kernel = fit.weights @ self._shares  # of points that agree in 0 ... d
        covariance = self._kernel[self._agree] + np.diag(fit.noise / self.n)
        with one_thread(len(self.n)):
            self._inverse = np.linalg.inv(covariance)
            self._alpha = np.linalg.solve(covariance, self._fitness - fit.centre)
        self._fit = fit
        with np.errstate(over="ignore"):
            self.weights = fit.weights * self._unit * self._unit
            self.noise = float(np.float64(fit.noise) * self._unit * self._unit)
        self.centre = fit.centre * self._unit

    def plausible(self) -> Iterator[tuple[float, Self]]:
        """Yield regressions of the same evaluations with all weights and noises that may be true.

        Each comes with its chance: its marginal likelihood as a share of the whole grid's, those
        below one in a hundred left out.
        """
        likelihood = np.array([fit.likelihood for fit in self._fits])
        chances = np.exp(likelihood - likelihood.max())
        chances /= chances.sum()
        chances[chances < _LEAST_CHANCE] = 0.0
        chances /= chances.sum()
        for chance, fit in zip(chances.tolist(), self._fits, strict=True):
            if chance:
                other = copy(self)
                other._assume(fit)
                yield chance, other

    def mean(self, points: ArrayLike) -> Floats:
        """Expected fitness of points, (n_dims,) or (n_points, n_dims); shapes as for a model."""
        return self._predict(points, lambda cross: self._fit.centre + cross @ self._alpha)

    def std(self, points: ArrayLike) -> Floats:
        """Standard deviation of that expectation; shapes as for `mean`.

        Weights and noise count as known: after a handful of evaluations it is too small.
        """

        def deviation(cross):
            with one_thread(max(cross.shape)):
                explained = (cross @ self._inverse * cross).sum(axis=1)
            return np.sqrt(np.maximum(self._fit.weights.sum() - explained, 0.0))

        return self._predict(points, deviation)

    def _predict(self, points, read):
        """Return what `read` makes of the covariances of points with those evaluated."""
        points = self.space.check(points)
        rows = points.reshape(-1, self.space.n_dims)
        size = max(1, _CHUNK // len(self.points))
        parts = [
            self._unit * read(self._kernel[n_equal(rows[i : i + size], self.points)])
            for i in range(0, max(len(rows), 1), size)
        ]
        return np.concatenate(parts).reshape(points.shape[:-1])

    def best(self) -> Ints:
        """Return the point (n_dims,) with the largest mean found by climbing one value at a time.

        Climbs start at the five evaluated points of largest mean.
        """
        return self._best_from(self.points)

    def _best_from(self, points, is_allowed=lambda point: True):
        """`best` of climbs that start at the best of `points` and go only to allowed points."""
        starts = points[np.argsort(-self.mean(points))[:_N_STARTS]]
        tops = [climb(start, self.space.n_values, self.mean, is_allowed) for start in starts]
        return tops[np.argmax(self.mean(np.array(tops)))]

    def averaged(self, cells: Ints, dims: Sequence[int]) -> tuple[Floats, Floats]:
        """Mean and covariance of the expected fitness, averaged over all parameters but `dims`.

        Of cells, (n_cells, k) values of the k parameters `dims`.
        """
        kernel = self._averaged_kernel(dims)
        cross = kernel[n_equal(cells, self.points[:, dims])]
        with one_thread(max(cross.shape)):
            covariance = kernel[n_equal(cells, cells)] - cross @ self._inverse @ cross.T
        mean = self._fit.centre + cross @ self._alpha
        with np.errstate(over="ignore"):
            return self._unit * mean, self._unit * self._unit * covariance

    def _averaged_kernel(self, dims):
        """Mean kernel of points that agree in 0 ... k of `dims` and are random in all others.

        A random value of n agrees with any other with chance 1/n. The expected number of common
        n-tuples of size s is the coefficient of z^s in the product of (1 + z) for each dimension
        that agrees, and (1 + z/n) for each random one.
        """
        random = np.ones(1)
        for n in np.delete(self.space.n_values, dims):
            random = np.convolve(random, (1.0, 1.0 / n))
        n_common = np.zeros(self.space.n_dims + 1)
        n_tuples = [math.comb(self.space.n_dims, size) for size in self.orders]
        kernel = []
        for agree in range(len(dims) + 1):
            given = [math.comb(agree, i) for i in range(agree + 1)]
            n_common[: len(random) + agree] = np.convolve(random, given)
            kernel.append(self._fit.weights @ (n_common[self.orders] / n_tuples))
        return np.array(kernel)


def unit_of(fitness):
    """Return a power of two of the size of the spread of `fitness`: squares of it stay floats."""
    spread = float(np.ptp(fitness)) or float(np.abs(fitness).max()) or 1.0
    return 2.0 ** (math.frexp(spread)[1] - 1)


def _fits(agree, shares, fitness, n, apart):
    """Yield the `Fit` of every weights and noise on a grid.

    The scale of the covariance and the centre are those that maximise the marginal likelihood;
    `apart` is the distance of each evaluation from the mean of its point.
    """
    size, n_evaluations, within = len(n), len(apart), float((apart**2).sum())
    # With `fitness` and ones below the covariance, the last two rows of its Cholesky factor
    # are these two, solved against the factor of the covariance.
    bordered = np.zeros((size + 2, size + 2))
    bordered[-2, :size], bordered[-1, :size] = fitness, 1.0
    diagonal = np.einsum("ii->i", bordered)
    for mix in _mixes(len(shares)):
        bordered[:size, :size] = (mix @ shares)[agree]
        own = diagonal[:size].copy()
        for noise in _NOISES:
            diagonal[:size] = own + noise / n
            # Large enough for the whole to be positive definite.
            diagonal[size:] = 2 * (fitness @ fitness + size) * n.max() / noise
            lower = np.linalg.cholesky(bordered)
            white, ones = lower[-2:, :size]
            centre = white @ ones / (ones @ ones)
            residual = ((white - centre * ones) ** 2).sum() + within / noise
            scale = max(residual / n_evaluations, 1e-12)
            likelihood = (
                -0.5 * n_evaluations * math.log(scale)
                - np.log(np.diag(lower)[:size]).sum()
                - 0.5 * (n_evaluations - size) * math.log(noise)
            )
            yield Fit(likelihood, scale * np.array(mix), scale * noise, centre)


def _mixes(n_sizes, parts=3):
    """Yield weights that sum to 1, in steps of 1 / parts; the smallest size always has some."""
    for mix in itertools.product(range(parts + 1), repeat=n_sizes):
        if sum(mix) == parts and mix[0] > 0:
            yield tuple(part / parts for part in mix)
