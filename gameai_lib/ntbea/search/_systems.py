"""Linear systems of the regression: covariances of points are a kernel of how many values agree.

Up to `MOST_DENSE` points they are solved at once. Beyond, that takes 2 n^3 operations and several
matrices of n^2 numbers; `Iterated` holds one of half precision, takes some hundred products with
it, and corrects what it found until it is right.
"""

from functools import cached_property
from itertools import count

import numpy as np

from gameai_lib.base.interrupts import held
from gameai_lib.base.progress import Bar
from gameai_lib.base.threads import one_thread

MOST_DENSE = 1000
_ROWS = 128  # of a matrix that are made at a time
_COLUMNS = 64  # solved for at a time
_MOST_STEPS = 1000
_MOST_ROUNDS = 12
_SMALL, _RIGHT = 1e-4, 1e-10  # what is left of the right-hand side after a round, and at the end


def distinct(points, **wanted):
    """Return the distinct rows of points, (n, n_dims), and what else `np.unique` is asked for.

    While it compares rows numpy makes a TypeError of an interrupt: it has to wait.
    """
    with held():
        return np.unique(points, axis=0, **wanted)


def n_equal(points, others):
    """Number of dimensions in which points agree with others, (n_points, n_others)."""
    kind = np.uint8 if points.shape[1] < 256 else np.uint16
    count = np.zeros((len(points), len(others)), kind)
    for own, other in zip(points.T, others.T, strict=True):
        count += own[:, None] == other
    return count


def system(kernel, agree, noise):
    """The covariances of the means of points, ready to be solved for.

    Parameters
    ----------
    kernel : (n_dims + 1,) float array
        Covariance of two points that agree in 0 ... n_dims values.
    agree : (n_points, n_points) int array
        As of `n_equal`.
    noise : (n_points,) float array
        Variance of each mean.
    """
    return (Dense if len(noise) <= MOST_DENSE else Iterated)(kernel, agree, noise)


class Dense:
    """All covariances."""

    def __init__(self, kernel, agree, noise):
        self.matrix = kernel[agree]
        self.matrix[np.diag_indices(len(noise))] += noise

    def solve(self, right):
        """Solve for (n_points,) or (n_points, n) right-hand sides."""
        with one_thread(len(self.matrix)):
            return np.linalg.solve(self.matrix, right)

    @cached_property
    def _inverse(self):
        with one_thread(len(self.matrix)):
            return np.linalg.inv(self.matrix)

    def explained(self, cross):
        """Variance that is explained of each row of `cross`, (n, n_points)."""
        return ((cross @ self._inverse) * cross).sum(axis=1)

    def between(self, cross):
        """Covariance that is explained between the rows of `cross`."""
        with one_thread(max(cross.shape)):
            return cross @ self._inverse @ cross.T


class Iterated:
    """The same by conjugate gradients in single precision, refined in double."""

    def __init__(self, kernel, agree, noise):
        self.kernel, self.agree, self.noise = kernel, agree, noise
        self.root = 1 / np.sqrt(kernel[-1] + noise)
        self.small = np.empty(agree.shape, np.float32)  # scaled to ones on the diagonal
        for rows in self._blocks():
            block = kernel[agree[rows]]
            block *= self.root[rows, None]
            block *= self.root
            self.small[rows] = block
        np.fill_diagonal(self.small, 1.0)

    def _blocks(self):
        n_points = len(self.agree)
        return (slice(at, min(at + _ROWS, n_points)) for at in range(0, n_points, _ROWS))

    def _product(self, columns):
        product = self.noise[:, None] * columns
        for rows in self._blocks():
            product[rows] += self.kernel[self.agree[rows]] @ columns
        return product

    def solve(self, right):
        """Solve for (n_points,) or (n_points, n) right-hand sides."""
        columns = right.reshape(len(right), -1)
        # One thread, for the time goes into reading the matrix.
        with one_thread(0), Bar("regression", unit="steps") as bar:
            numbers = count(1)
            parts = [
                self._solved(columns[:, at : at + _COLUMNS], lambda: bar(next(numbers)))
                for at in range(0, columns.shape[1], _COLUMNS)
            ]
        return np.concatenate(parts, axis=1).reshape(right.shape)

    def _solved(self, right, done):
        found, left = np.zeros_like(right), right
        wanted = _RIGHT * np.linalg.norm(right, axis=0)
        for _ in range(_MOST_ROUNDS):
            found += self.root[:, None] * self._descended(self.root[:, None] * left, done)
            left = right - self._product(found)
            if (np.linalg.norm(left, axis=0) <= wanted).all():
                return found
        return Dense(self.kernel, self.agree, self.noise).solve(right)

    def _descended(self, right, done):
        """Conjugate gradients (Hestenes and Stiefel 1952) for all columns side by side."""
        size = np.linalg.norm(right, axis=0)
        size[size == 0] = 1.0
        left = right / size
        found, ahead = np.zeros_like(left), left.copy()
        square = (left * left).sum(axis=0)
        for _ in range(_MOST_STEPS):
            product = (self.small @ ahead.astype(np.float32)).astype(float)
            done()
            step = square / np.maximum((ahead * product).sum(axis=0), 1e-30)
            found += step * ahead
            left -= step * product
            before, square = square, (left * left).sum(axis=0)
            if square.max() < _SMALL**2:
                break
            ahead = left + square / np.maximum(before, 1e-30) * ahead
        return found * size

    def explained(self, cross):
        """Variance that is explained of each row of `cross`, (n, n_points)."""
        return (cross * self.solve(cross.T).T).sum(axis=1)

    def between(self, cross):
        """Covariance that is explained between the rows of `cross`."""
        return cross @ self.solve(cross.T)
