"""Which point to recommend when the evaluations are spent.

The published rules are `best_sampled` (the authors' Java code) and `best_by_model` (the
text of Lucas, Liu and Perez-Liebana 2018). `TupleRegression` is this library's own: it
reads the same n-tuples as one Gaussian-process model with a variance for each size.
"""

import itertools
import math

import numpy as np


def best_sampled(model):
    """Return the evaluated point (n_dims,) with the largest model mean.

    Raises
    ------
    ValueError
        If the model has learned nothing.
    """
    points = _evaluated(model)
    return points[np.argmax(model.mean(points))].copy()


def best_by_model(model):
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
    O(n^3) time and O(n^2) memory for n distinct points evaluated.

    Parameters
    ----------
    model : LandscapeModel
        Gives the evaluations and the sizes of the n-tuples.

    Attributes
    ----------
    weights : (n_sizes,) float array
        Variance explained by each size of n-tuples.
    noise : float
        Variance of one evaluation.

    Raises
    ------
    ValueError
        If the model has learned nothing.
    """

    def __init__(self, model):
        points = model.points
        if not len(points):
            raise ValueError("the model has learned nothing yet")
        self.points, which, self.n = np.unique(
            points, axis=0, return_inverse=True, return_counts=True
        )
        self.n_values = model.space.n_values
        self.orders = sorted({len(t) for t in model.tuples})
        total = np.bincount(which.ravel(), weights=model.fitness)
        self.mean_fitness = total / self.n
        within = float(((model.fitness - self.mean_fitness[which.ravel()]) ** 2).sum())
        shares = self._shares(self.points)
        self.weights, self.noise, self.centre = _fit(
            shares, self.mean_fitness, self.n, within, len(points)
        )
        covariance = np.tensordot(self.weights, shares, 1)
        self._inverse = np.linalg.inv(covariance + np.diag(self.noise / self.n))
        self._alpha = self._inverse @ (self.mean_fitness - self.centre)

    def mean(self, points):
        """Expected fitness of (n_points, n_dims) points, (n_points,) float."""
        return self.centre + np.tensordot(self.weights, self._shares(points), 1) @ self._alpha

    def std(self, points):
        """Standard deviation of that expectation, (n_points,) float."""
        cross = np.tensordot(self.weights, self._shares(points), 1)
        variance = self.weights.sum() - np.einsum("ij,jk,ik->i", cross, self._inverse, cross)
        return np.sqrt(np.maximum(variance, 0.0))

    def best(self, n_starts=5):
        """Return the point (n_dims,) with the largest mean found by climbing.

        Climbs start at the `n_starts` evaluated points of largest mean and change one
        value at a time.
        """
        order = np.argsort(-self.mean(self.points))[:n_starts]
        tops = np.array([_climb(p, self.n_values, self.mean) for p in self.points[order]])
        return tops[np.argmax(self.mean(tops))]

    def _shares(self, points):
        """Share of common n-tuples of each size, (n_sizes, n_points, n_evaluated)."""
        d = self.points.shape[1]
        equal = (points[:, None, :] == self.points[None, :, :]).sum(axis=2)
        share = np.array(
            [[math.comb(e, s) / math.comb(d, s) for e in range(d + 1)] for s in self.orders]
        )
        return share[:, equal]


def _fit(shares, fitness, n, within, n_evaluations):
    """Return weights, noise and centre of largest marginal likelihood on a grid.

    The scale of the covariance and the centre are those that maximise it at each grid
    point; `within` is the squared deviation of repeated evaluations from their means.
    """
    best = (-math.inf,)
    both = np.stack([fitness, np.ones(len(n))], axis=1)
    for mix in _mixes(len(shares)):
        covariance = np.tensordot(mix, shares, 1)
        for noise in (0.1, 0.3, 1.0, 3.0, 10.0, 100.0):
            lower = np.linalg.cholesky(covariance + np.diag(noise / n))
            white, ones = _forward(lower, both).T
            centre = white @ ones / (ones @ ones)
            residual = ((white - centre * ones) ** 2).sum() + within / noise
            scale = max(residual / n_evaluations, 1e-12)
            likelihood = (
                -0.5 * n_evaluations * math.log(scale)
                - np.log(np.diag(lower)).sum()
                - 0.5 * (n_evaluations - len(n)) * math.log(noise)
            )
            if likelihood > best[0]:
                best = (likelihood, scale * np.array(mix), scale * noise, centre)
    return best[1:]


def _forward(lower, right):
    """Solve ``lower @ x = right`` for a lower triangular matrix, (n, n) and (n, n_right)."""
    x = right.copy()
    for i in range(len(x)):
        x[i] = (x[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def _mixes(n_sizes, parts=3):
    """Yield weights that sum to 1, in steps of 1 / parts; the smallest size always has some."""
    for mix in itertools.product(range(parts + 1), repeat=n_sizes):
        if sum(mix) == parts and mix[0] > 0:
            yield tuple(part / parts for part in mix)


def _climb(point, n_values, score):
    """Return the local maximum of `score` above `point` when one value changes at a time."""
    point = point.copy()
    current = score(point[None])[0]
    while True:
        moves = [(i, v) for i in range(point.size) for v in range(n_values[i]) if v != point[i]]
        around = np.repeat(point[None], len(moves), axis=0)
        for row, (i, v) in zip(around, moves, strict=True):
            row[i] = v
        values = score(around)
        top = int(np.argmax(values))
        if values[top] <= current + 1e-12:
            return point
        point, current = around[top].copy(), values[top]


def _evaluated(model):
    if not model.n_evaluations:
        raise ValueError("the model has learned nothing yet")
    return np.unique(model.points, axis=0)
