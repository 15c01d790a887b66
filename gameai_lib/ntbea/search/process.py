"""A Gaussian process on n-tuples that learns which parameters matter, and whether order does.

Additive kernels of first and second order (Duvenaud, Nickisch and Rasmussen 2011) with a relevance
for each parameter (MacKay 1994). A draw from it is a sum of tables, one for each parameter and
pair (Matheron's rule, Wilson et al. 2020), so that it can be climbed over the whole space.
"""

import math
from collections.abc import Callable
from functools import partial
from itertools import islice

import numpy as np

from gameai_lib.base.threads import one_thread
from gameai_lib.base.types import Floats, Ints
from gameai_lib.ntbea.game.space import SearchSpace, distinct, latest
from gameai_lib.ntbea.search.recommend import highest_allowed
from gameai_lib.ntbea.search.regression import unit_of

MOST_VALUES = 400  # of all parameters together; a table of pairs has the square of them
_MOST_FITTED, _MOST_LEARNED = 300, 500  # distinct points behind hyperparameters, and behind all
_N_STEPS = 15
_CONSTANT = 0.3  # variance of what all points share
_LENGTH = 0.35  # of the range of a parameter, over which ordered values are alike
# Logarithms of the variances of pairs, points and noise in that of the results; the log-odds of
# order. They are where the fit starts, and the means of normal priors of these deviations.
_START = math.log(0.5), math.log(0.3), math.log(3.0), -1.0
_SPREAD, _SPREAD_OF_RELEVANCE = 1.5, 1.0
_NOWHERE = -1e300  # the height of a point that is not allowed


def _precision_of(std):
    """Return 1 / std^2 of results, (n,), in units of their spread; nan as the others' mean square.

    A deviation below a millionth of the spread, or beyond a million of it, counts as that much.
    """
    std = np.clip(std, 1e-6, 1e6)
    told = std[~np.isnan(std)]
    return 1 / np.where(np.isnan(std), np.mean(told**2) if len(told) else 1.0, std**2)


class TupleProcess:
    """What results say of all points: a mean, how sure it is, and what else may be true.

    With z_i = r_i ((1 - o) [x_i = y_i] + o exp(-(x_i - y_i)^2 / 2 l^2)) for parameter i, where
    values count as evenly spaced from 0 to 1, the covariance of points x and y is

        c + sum_i z_i + a sum_{i < j} z_i z_j + b [x = y].

    The relevances r_i, a, b, the noise and the share o of order are those of largest posterior
    density, found by fifteen steps along the signs of the gradient from the same start
    (Riedmiller and Braun 1993), on at most 300 distinct points; or those of another process
    `like` it. Of `points`, (n, n_dims) int, and their `fitness`, (n,) float, those of the 500
    distinct points played last count. If `std`, (n,) float, has a standard deviation of the noise
    of any of them (nan: as large as those of the others, in the root of their mean square), the
    noise is known and not fitted, and results of one point count as their weighted mean told once.
    """

    def __init__(
        self,
        space: SearchSpace,
        points: Ints,
        fitness: Floats,
        like: "TupleProcess | None" = None,
        std: Floats | None = None,
    ) -> None:
        self.space = space
        is_told = std is not None and not np.isnan(std).all()
        self._std: Floats | None = std if is_told else None
        n_values = space.n_values
        self._starts = np.cumsum(n_values) - n_values  # of each parameter among all values
        self._dim = np.repeat(np.arange(space.n_dims, dtype=np.intp), n_values.astype(np.intp))
        self._apart = self._dim[:, None] != self._dim
        self._equal, self._near = np.eye(len(self._dim)), np.zeros(self._apart.shape)
        for at, n in zip(self._starts.tolist(), n_values.tolist(), strict=True):
            level = np.arange(n) / max(n - 1, 1)
            near = np.exp(-(((level[:, None] - level) / _LENGTH) ** 2) / 2) if n > 2 else np.eye(n)
            self._near[at : at + n, at : at + n] = near
        with one_thread(0):
            self._learn(points, fitness, _MOST_LEARNED if like else _MOST_FITTED)
            self._log: Floats = self._fit() if like is None else like._log
            if like is None and len(points) > _MOST_FITTED:
                self._learn(points, fitness, _MOST_LEARNED)
            self._inverse = np.linalg.inv(self._covariance()[0])

    def _learn(self, points, fitness, most):
        """Keep the means of the `most` distinct points played last."""
        unit = unit_of(fitness)
        fitness = fitness / unit
        centre, scale = float(fitness.mean()), float(fitness.std()) or 1.0
        known = latest(points, most)
        kept, which, self._n = distinct(points[known], return_inverse=True, return_counts=True)
        which, self._points, self._n_played = which.ravel(), kept, int(known.sum())
        if self._std is None:
            scaled = ((fitness - centre) / scale)[known]
            self._means = np.bincount(which, weights=scaled) / self._n
            self._within = float(((scaled - self._means[which]) ** 2).sum())
        else:
            precision = _precision_of(self._std[known] / unit)
            weight = np.bincount(which, precision)
            means = np.bincount(which, precision * fitness[known]) / weight
            centre = float(np.average(means, weights=weight))
            scale = math.sqrt(np.average((means - centre) ** 2, weights=weight)) or 1.0
            # A noise of 1 over this `n` is what was told, in the units of the means.
            self._means, self._n = (means - centre) / scale, weight * scale**2
        self._unit, self._centre, self._scale = unit, centre, scale
        self._columns = kept + self._starts
        self._one_hot = np.zeros((len(kept), len(self._dim)))
        np.put_along_axis(self._one_hot, self._columns, 1.0, axis=1)

    def _hyperparameters(self):
        """Relevances, weights of pairs and of points, noise, and the share of order."""
        d = self.space.n_dims
        pairs, own, noise = np.exp(self._log[d : d + 3])
        # So that `pairs` is their variance where all relevances are one part in d.
        pairs *= 2 * d / max(d - 1, 1)
        return np.exp(self._log[:d]) / d, pairs, own, noise, 1 / (1 + math.exp(-self._log[-1]))

    def _kernel(self):
        """z between all values, (n_values, n_values), zero between those of two parameters."""
        relevance, *_, order = self._hyperparameters()
        return relevance[self._dim] * ((1 - order) * self._equal + order * self._near)

    def _covariance(self):
        """Covariance of the means, its sum over parameters, and its sum over pairs."""
        _, pairs, own, noise, _ = self._hyperparameters()
        kernel, hot = self._kernel(), self._one_hot
        single = hot @ kernel @ hot.T
        double = (single**2 - hot @ kernel**2 @ hot.T) / 2
        covariance = _CONSTANT + single + pairs * double
        covariance[np.diag_indices(len(hot))] += own + noise / self._n
        return covariance, single, double

    def _fit(self):
        """Hyperparameters, as logarithms, of largest posterior density."""
        d = self.space.n_dims
        start = np.append(np.zeros(d), _START)
        if self._std is not None:
            start[d + 2] = 0.0
        spread = np.append(np.full(d, _SPREAD_OF_RELEVANCE), np.full(4, _SPREAD))
        self._log, step, before = start, np.full(d + 4, 0.3), np.zeros(d + 4)
        for _ in range(_N_STEPS):
            gradient = self._gradient() - (self._log - start) / spread**2
            turn = gradient * before
            step = np.clip(step * np.where(turn > 0, 1.3, np.where(turn < 0, 0.5, 1.0)), 0.01, 1.0)
            self._log = np.clip(self._log + np.sign(gradient) * step, start - 8, start + 6)
            before = np.where(turn < 0, 0.0, gradient)
        return self._log

    def _gradient(self):
        """Of the logarithm of the marginal likelihood (Rasmussen and Williams 2006, eq. 5.9)."""
        d, hot = self.space.n_dims, self._one_hot
        relevance, pairs, own, noise, order = self._hyperparameters()
        covariance, single, double = self._covariance()
        inverse = np.linalg.inv(covariance)
        alpha = inverse @ self._means
        outer = (np.multiply.outer(alpha, alpha) - inverse) / 2
        kernel = self._kernel()
        by_value = kernel * (hot.T @ (outer + pairs * outer * single) @ hot)
        by_value -= kernel**2 * (pairs * (hot.T @ outer @ hot))
        by_dim = np.bincount(self._dim, weights=by_value.sum(axis=1), minlength=d)
        # Where the kernel is 0, the derivative by the order is, too.
        turned = relevance[self._dim] * (self._near - self._equal) * order * (1 - order)
        share = np.divide(turned, kernel, out=np.zeros_like(kernel), where=kernel > 1e-300)
        diagonal = np.diag(outer)
        of_noise = 0.0
        if self._std is None:
            repeats = self._within / noise - (self._n.sum() - len(self._n))
            of_noise = noise * (diagonal / self._n).sum() + repeats / 2
        return np.append(
            by_dim,
            [
                pairs * (outer * double).sum(),
                own * diagonal.sum(),
                of_noise,
                (by_value * share).sum(),
            ],
        )

    def _tables(self, rng=None, spread=1.0):
        """What each value, pair and known point adds: expected, or drawn, `spread` times as far."""
        _, pairs, own, noise, _ = self._hyperparameters()
        kernel, hot, n = self._kernel(), self._one_hot, len(self._n)
        values, couples = np.zeros(len(kernel)), np.zeros(kernel.shape)
        known, left = 0.0, self._means
        if rng is not None:  # a draw from the prior, and how far it is from what was seen
            root = np.linalg.cholesky(kernel + 1e-9 * self._equal)
            values = spread * (root @ rng.standard_normal(len(root)))
            drawn = np.triu(self._apart) * rng.standard_normal(kernel.shape)
            couples = spread * math.sqrt(pairs) * (root @ drawn @ root.T)
            couples = couples + couples.T
            known = spread * math.sqrt(own) * rng.standard_normal(n)
            shared = spread * math.sqrt(_CONSTANT) * rng.standard_normal()
            error = spread * np.sqrt(noise / self._n) * rng.standard_normal(n)
            left = left - self._sums(values, couples) - known - shared - error
        alpha = self._inverse @ left
        values = values + kernel @ (hot.T @ alpha)
        couples = couples + self._apart * (pairs * (kernel @ (hot.T * alpha @ hot) @ kernel))
        return values, couples, known + own * alpha

    def _sums(self, values, couples):
        """Sums of the tables at the known points."""
        hot = self._one_hot
        return hot @ values + ((hot @ couples) * hot).sum(axis=1) / 2

    def best(
        self,
        rng: np.random.Generator | None = None,
        is_allowed: Callable[[Ints], bool] = lambda point: True,
    ) -> Ints:
        """The point (n_dims,) where the mean is largest, or with `rng` a draw.

        Climbs that change one value at a time start at the three best known points, and in a draw
        also at two random ones. Draws are tempered: up to 200 evaluations they differ from the
        mean by half of what the posterior says, from 400 by all of it. A climb goes only to allowed
        points; where it finds none it ends where it starts.
        """
        with one_thread(0):
            tables = self._tables(rng, min(1.0, max(0.5, self._n_played / 400)))
            at_known = self._sums(*tables[:2]) + tables[2]
        known = self._points[np.argsort(-at_known, kind="stable")]
        starts = [*islice(filter(is_allowed, known), 3)] or [*known[:3]]
        if rng is not None:
            starts += [*self.space.random_points(2, rng)]
        own = dict(zip(map(tuple, self._points.tolist()), tables[2].tolist(), strict=True))
        ends = [self._climb(start, own, tables, is_allowed) for start in starts]
        return max(ends, key=lambda end: end[1])[0]

    def _climb(self, point, known, tables, is_allowed):
        """Where a climb ends, and its height."""
        (values, couples, own), starts = tables, self._starts
        columns = point + starts
        plain = values[columns].sum() + couples[np.ix_(columns, columns)].sum() / 2
        height = plain + known.get(tuple(point.tolist()), 0.0)
        if not is_allowed(point):
            height = _NOWHERE
        while True:
            parts = values + couples[:, columns].sum(axis=1)
            heights = plain + parts - parts[columns][self._dim]
            differ = self._columns != columns
            for i in np.flatnonzero(differ.sum(axis=1) == 1):
                heights[self._columns[i, np.argmax(differ[i])]] += own[i]
            heights[columns] = -np.inf
            moved = partial(self._move, columns)
            top = highest_allowed(heights, height, lambda at, m=moved: is_allowed(m(at) - starts))
            if heights[top] <= height + 1e-12 * max(1.0, abs(height)):
                return columns - starts, height
            plain = plain + parts[top] - parts[columns[self._dim[top]]]
            columns, height = moved(top), heights[top]

    def _move(self, columns, top):
        """The columns of a point where one value is that of column `top`."""
        moved = columns.copy()
        moved[self._dim[top]] = top
        return moved

    def expected(self, point: Ints) -> tuple[float, float]:
        """Mean and standard deviation of the expected fitness of one point, (n_dims,)."""
        _, pairs, own, _, _ = self._hyperparameters()
        kernel, columns = self._kernel(), point + self._starts
        z = kernel[columns, self._columns]
        total = z.sum(axis=1)
        cross = _CONSTANT + total + pairs * (total**2 - (z**2).sum(axis=1)) / 2
        cross = cross + own * (self._points == point).all(axis=1)
        z = kernel[columns, columns]
        variance = _CONSTANT + z.sum() + pairs * (z.sum() ** 2 - (z**2).sum()) / 2 + own
        variance -= cross @ self._inverse @ cross
        mean = self._centre + self._scale * float(cross @ self._inverse @ self._means)
        return self._unit * mean, self._unit * self._scale * math.sqrt(max(variance, 0.0))
