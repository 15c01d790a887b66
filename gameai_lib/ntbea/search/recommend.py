"""Which point to recommend when the evaluations are spent.

The published rules are `best_sampled` (the authors' Java code) and `best_by_model` (the
text of Lucas, Liu and Perez-Liebana 2018). `TupleRegression` is this library's own: it
reads the same n-tuples as one Gaussian-process model with a variance for each size.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.base.threads import one_thread
from gameai_lib.base.types import ArrayLike, Floats, Ints, Seed
from gameai_lib.ntbea.search._systems import MOST_DENSE, distinct, n_equal, system
from gameai_lib.ntbea.search.landscape import LandscapeModel

MOST_POINTS = 8000  # distinct ones; a regression on them takes 400 MB
_GRID = 500  # of more than `MOST_DENSE` points, those that say the weights
MOST_SAMPLED = 10_000
LEAST_CHANCE = 0.01  # of weights that are asked for what they would mean
_CHUNK = 2_000_000  # numbers in the largest array while predicting


def best_sampled(model: LandscapeModel) -> Ints:
    """Return the evaluated point (n_dims,) with the largest model mean.

    Raises
    ------
    ValueError
        If the model has learned nothing.
    """
    points = _evaluated(model)
    return points[np.argmax(model.mean(points))].copy()


def best_by_model(model: LandscapeModel) -> Ints:
    """Return the end of a climb on the model mean, one value at a time, from the best sampled.

    The point may never have been evaluated: the model extrapolates.

    Raises
    ------
    ValueError
        If the model has learned nothing.
    """
    return _climb(best_sampled(model), model.space.n_values, model.mean)


class TupleRegression:
    """Gaussian-process regression whose kernel counts the n-tuples two points share.

    Two points share C(e, s) of the C(d, s) n-tuples of size s if they agree in e of d
    dimensions. The kernel is the weighted sum of these shares over the sizes of the
    model, so a size's weight is the variance of the fitness that its n-tuples explain,
    and an arm seen a few times is shrunk towards what the smaller n-tuples say. Weights
    and noise are those of largest marginal likelihood on a small grid
    (Rasmussen and Williams 2006, eq. 2.30, on means of repeated evaluations). A fit costs
    O(n^3) time and O(n^2) memory for up to 1000 distinct points. Of more, 500 say the weights,
    and all the rest costs O(n^2).

    Parameters
    ----------
    model : LandscapeModel
        Gives the evaluations and the sizes of the n-tuples.
    like : TupleRegression, optional
        One of the same space and sizes, whose weights, noise and centre are taken over; fits
        36 times as fast, or 6 times with two sizes.

    Attributes
    ----------
    minimize : bool
        As of the model; here, too, larger is better.
    weights : (n_sizes,) float array
        Variance explained by each size of n-tuples; inf if it is beyond the largest float.
    noise : float
        Variance of one evaluation; inf as for `weights`.
    centre : float
        What is expected of a point that shares no n-tuple with those evaluated.

    Raises
    ------
    ValueError
        If the model has learned nothing, or from more than 8000 distinct points.
    """

    def __init__(self, model: LandscapeModel, *, like: Self | None = None) -> None:
        points = _all_points(model)
        self.space, self.minimize = model.space, model.minimize
        self.points, which, self.n = distinct(points, return_inverse=True, return_counts=True)
        if len(self.points) > MOST_POINTS:
            what = f"the regression takes {MOST_POINTS} distinct points at most"
            raise ValueError(f"{what}, the model has {len(self.points)}")
        which = which.ravel()
        self.orders = sorted({len(t) for t in model.tuples})
        if like is not None:
            checks.kind("like", like, TupleRegression)
            if (like.space, like.orders) != (self.space, self.orders):
                raise ValueError(f"`like` has sizes {like.orders} of {short(like.space)}")
        self._unit: float = _unit_of(model.fitness) if like is None else like._unit
        fitness = model.fitness / self._unit
        self._fitness = np.bincount(which, weights=fitness) / self.n
        agree = n_equal(self.points, self.points)
        self._fits: list[_Fit]
        if like is None:
            apart = (fitness - self._fitness[which]) ** 2
            among, of = agree, (self._fitness, self.n, float(apart.sum()), len(points))
            if len(self.n) > MOST_DENSE:
                some = np.linspace(0, len(self.n) - 1, _GRID).astype(int)
                within = float(np.bincount(which, weights=apart)[some].sum())
                of = self._fitness[some], self.n[some], within, int(self.n[some].sum())
                among = agree[np.ix_(some, some)]
            with one_thread(len(among)):
                self._fits = list(_fits(among, self._shares(), *of))
            best = max(self._fits, key=lambda fit: fit.likelihood)
        else:
            self._fits, best = like._fits, like._fit
        self._assume(best, agree)

    def _assume(self, fit, agree):
        """Take weights, noise and centre for the true ones; `agree` as of `n_equal`."""
        self._kernel = fit.weights @ self._shares()  # of points that agree in 0 ... d
        self._system = system(self._kernel, agree, fit.noise / self.n)
        if len(self.n) > MOST_DENSE:  # the centre that all points say
            own, ones = self._system.solve(np.array([self._fitness, np.ones(len(self.n))]).T).T
            fit = fit._replace(centre=float(own.sum() / ones.sum()))
            self._alpha = own - fit.centre * ones
        else:
            self._alpha = self._system.solve(self._fitness - fit.centre)
        self._fit = fit
        with np.errstate(over="ignore"):
            self.weights = fit.weights * self._unit * self._unit
            self.noise = float(np.float64(fit.noise) * self._unit * self._unit)
        self.centre = fit.centre * self._unit

    def plausible(self) -> Iterator[tuple[float, Self]]:
        """Yield regressions of the same evaluations with all weights and noises that may be true.

        Each comes with its chance: its marginal likelihood as a share of the whole grid's, those
        below one in a hundred left out. One regression alone cannot doubt its own weights.
        """
        for chance, fit in self._likely():
            other = copy(self)
            other._assume(fit, n_equal(self.points, self.points))
            yield chance, other

    def _likely(self):
        """Return a list of (chance, fit) of those fits that are likely enough."""
        likelihood = np.array([fit.likelihood for fit in self._fits])
        chances = np.exp(likelihood - likelihood.max())
        chances /= chances.sum()
        chances[chances < LEAST_CHANCE] = 0.0
        chances /= chances.sum()
        pairs = zip(chances.tolist(), self._fits, strict=True)
        return [(chance, fit) for chance, fit in pairs if chance]

    def __repr__(self) -> str:
        return (
            f"TupleRegression({self.n.sum()} evaluations of {len(self.points)} points; "
            f"centre {self.centre:.4g}, noise s.d. {self.noise**0.5:.4g})"
        )

    def mean(self, points: ArrayLike) -> Floats:
        """Expected fitness of points, (n_dims,) or (n_points, n_dims); shapes as for a model.

        Raises
        ------
        ValueError
            If a point lies outside the space.
        """
        return self._predict(points, lambda cross: self._fit.centre + cross @ self._alpha)

    def std(self, points: ArrayLike) -> Floats:
        """Standard deviation of that expectation; shapes and errors as for `mean`.

        Weights and noise are taken for the true ones: after a handful of evaluations it is too
        small.
        """

        def deviation(cross):
            variance = self._fit.weights.sum() - self._system.explained(cross)
            return np.sqrt(np.maximum(variance, 0.0))

        return self._predict(points, deviation)

    def sample(self, points: ArrayLike, rng: Seed) -> Floats:
        """Draw what the expected fitness of points could be, all of them together.

        Thompson (1933) evaluates where such a draw is largest.

        Parameters
        ----------
        points : (n_points, n_dims) int array
        rng : numpy.random.Generator
            Gives `n_points` normal numbers.

        Returns
        -------
        (n_points,) float array
            A draw from the normal distribution with this regression's mean and covariance.

        Raises
        ------
        ValueError
            If a point lies outside the space, or there are more than 10,000.
        """
        points = np.atleast_2d(self.space.check(points))
        if len(points) > MOST_SAMPLED:
            raise ValueError(f"a draw takes {MOST_SAMPLED} points at most, got {len(points)}")
        rng = checks.generator(rng)
        cross = self._kernel[n_equal(points, self.points)]
        covariance = self._kernel[n_equal(points, points)]
        with one_thread(max(cross.shape)):
            covariance -= cross @ self._system.solve(cross.T)
            # Of points evaluated often and of points that come twice only rounding is left.
            covariance[np.diag_indices(len(points))] += 1e-8 * self._kernel[-1]
            drawn = np.linalg.cholesky(covariance) @ rng.standard_normal(len(points))
        return self._unit * (self._fit.centre + cross @ self._alpha + drawn)

    def best(self, n_starts: int = 5) -> Ints:
        """Return the point (n_dims,) with the largest mean found by climbing.

        Climbs start at the `n_starts` evaluated points of largest mean and change one
        value at a time.
        """
        return self._best(self.points, checks.whole("n_starts", n_starts))

    def _best(self, points, n_starts=5, allowed=lambda point: True):
        """`best` of climbs that start at the best of `points` and go to `allowed` points alone."""
        order, tops = np.argsort(-self.mean(points))[:n_starts], []
        with Bar("best of a regression", len(order), "climbs") as bar:
            for start in points[order]:
                tops.append(_climb(start, self.space.n_values, self.mean, allowed))
                bar(len(tops))
        return tops[np.argmax(self.mean(np.array(tops)))]

    def averaged(self, cells: Ints, dims: Sequence[int]) -> tuple[Floats, Floats]:
        """Mean and covariance of the expected fitness, averaged over all but some parameters.

        Parameters
        ----------
        cells : (n_cells, k) int array
            Values of the parameters that are kept.
        dims : sequence of int
            Their k dimensions; over all others the mean is taken, each value weighing the same.

        Returns
        -------
        (n_cells,) and (n_cells, n_cells) float arrays
        """
        kernel = self._averaged_kernel(dims)
        cross = kernel[n_equal(cells, self.points[:, dims])]
        covariance = kernel[n_equal(cells, cells)] - self._system.between(cross)
        mean = self._fit.centre + cross @ self._alpha
        with np.errstate(over="ignore"):
            return self._unit * mean, self._unit * self._unit * covariance

    def _averaged_kernel(self, dims):
        """Mean kernel of points that agree in 0 ... k of `dims` and are random in all others.

        A random value of n agrees with any other with chance 1/n, whether one point is drawn or
        both. The expected number of common n-tuples of size s is then the coefficient of z^s in
        the product of (1 + z) for each dimension that agrees, and (1 + z/n) for each drawn.
        """
        n_dims = self.space.n_dims
        drawn = np.ones(1)
        for n in np.delete(self.space.n_values, dims):
            drawn = np.convolve(drawn, (1.0, 1.0 / n))
        kernel = np.zeros(len(dims) + 1)
        for agree in range(len(dims) + 1):
            for weight, size in zip(self._fit.weights, self.orders, strict=True):
                ways = [
                    math.comb(agree, i) * drawn[size - i]
                    for i in range(agree + 1)
                    if 0 <= size - i < len(drawn)
                ]
                kernel[agree] += weight * sum(ways) / math.comb(n_dims, size)
        return kernel

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

    def _shares(self):
        """Share of common n-tuples of each size if e dimensions agree, (n_sizes, d + 1)."""
        d = self.space.n_dims
        shares = [[math.comb(e, s) / math.comb(d, s) for e in range(d + 1)] for s in self.orders]
        return np.array(shares)


def _unit_of(fitness):
    """Return a power of two of the size of the spread: squares neither overflow nor vanish."""
    spread = float(np.ptp(fitness)) or float(np.abs(fitness).max()) or 1.0
    return 2.0 ** (math.frexp(spread)[1] - 1)


class _Fit(NamedTuple):
    """One point of the grid, in the regression's unit."""

    likelihood: float  # logarithm of the marginal likelihood, but for a constant
    weights: Floats
    noise: float
    centre: float


def _fits(agree, share, fitness, n, within, n_evaluations):
    """Yield the `_Fit` of every weights and noise on a grid.

    The scale of the covariance and the centre are those that maximise the marginal likelihood;
    `within` is the squared deviation of repeated evaluations from their means.
    """
    size = len(n)
    # With `fitness` and ones below the covariance, the last two rows of its Cholesky factor
    # are these two, solved against the factor of the covariance.
    bordered = np.zeros((size + 2, size + 2))
    bordered[-2, :size], bordered[-1, :size] = fitness, 1.0
    diagonal = np.einsum("ii->i", bordered)
    for mix in _mixes(len(share)):
        bordered[:size, :size] = (mix @ share)[agree]
        own = diagonal[:size].copy()
        for noise in (0.1, 0.3, 1.0, 3.0, 10.0, 100.0):
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
            yield _Fit(likelihood, scale * np.array(mix), scale * noise, centre)


def _mixes(n_sizes, parts=3):
    """Yield weights that sum to 1, in steps of 1 / parts; the smallest size always has some."""
    for mix in itertools.product(range(parts + 1), repeat=n_sizes):
        if sum(mix) == parts and mix[0] > 0:
            yield tuple(part / parts for part in mix)


def _climb(point, n_values, score, allowed=lambda point: True):
    """Return the local maximum of `score` above `point` when one value changes at a time.

    It goes to points alone of which `allowed` is true.
    """
    point = point.copy()
    current = score(point[None])[0]
    while True:
        moves = [(i, v) for i in range(point.size) for v in range(n_values[i]) if v != point[i]]
        around = np.repeat(point[None], len(moves), axis=0)
        for row, (i, v) in zip(around, moves, strict=True):
            row[i] = v
        values = score(around)
        top = int(np.argmax(values))
        while values[top] > current and not allowed(around[top]):
            values[top] = -np.inf
            top = int(np.argmax(values))
        if values[top] <= current + 1e-12 * abs(values[top]):  # rounding of equal numbers
            return point
        point, current = around[top].copy(), values[top]


def _evaluated(model):
    return distinct(_all_points(model))


def _all_points(model):
    checks.kind("model", model, LandscapeModel)
    if not model.n_evaluations:
        raise ValueError("the model has learned nothing yet")
    return model.points
