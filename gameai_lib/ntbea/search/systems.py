"""Linear systems of many points, whose covariance depends on how many of their values agree.

Solved at once, n points take n^3 operations and several matrices of n^2 doubles. Conjugate
gradients (Hestenes and Stiefel 1952) take some hundred products with one matrix in single
precision; what they leave, found in double precision, is solved for again.
"""

from itertools import count

import numpy as np

from gameai_lib.base.progress import Bar
from gameai_lib.base.threads import one_thread

_ROWS = 128  # of a matrix that are made at a time
_COLUMNS = 64  # solved for at a time
_MOST_STEPS, _MOST_ROUNDS = 1000, 12
_SMALL, _RIGHT = 1e-4, 1e-10  # what is left of the right-hand side after a round, and at the end


class System:
    """The covariance of the means of n points, to be solved for.

    Parameters
    ----------
    kernel : (n_dims + 1,) float array
        Covariance of two points that agree in 0 ... n_dims values.
    agree : (n, n) int array
        In how many values each two agree.
    noise : (n,) float array
        Variance of each mean.
    """

    def __init__(self, kernel, agree, noise):
        self.kernel, self.agree, self.noise = kernel, agree, noise
        self.root = 1 / np.sqrt(kernel[-1] + noise)
        self.scaled = np.empty(agree.shape, np.float32)
        for rows in self._blocks():
            self.scaled[rows] = kernel[agree[rows]] * self.root[rows, None] * self.root
        np.fill_diagonal(self.scaled, 1.0)

    def _blocks(self):
        return (slice(at, at + _ROWS) for at in range(0, len(self.noise), _ROWS))

    def solve(self, right):
        """Solve for (n, n_columns) right-hand sides."""
        # One thread, for the time goes into reading the matrix.
        with one_thread(0), Bar("regression", unit="steps") as bar:
            steps = map(bar, count(1))
            starts = range(0, right.shape[1], _COLUMNS)
            parts = [self._refine(right[:, at : at + _COLUMNS], steps) for at in starts]
        return np.concatenate(parts, axis=1)

    def _refine(self, right, steps):
        found, left = np.zeros_like(right), right
        wanted = _RIGHT * np.linalg.norm(right, axis=0)
        for _ in range(_MOST_ROUNDS):
            found += self.root[:, None] * self._descend(self.root[:, None] * left, steps)
            left = right - self._product(found)
            if (np.linalg.norm(left, axis=0) <= wanted).all():
                return found
        return np.linalg.solve(self.kernel[self.agree] + np.diag(self.noise), right)

    def _product(self, columns):
        product = self.noise[:, None] * columns
        for rows in self._blocks():
            product[rows] += self.kernel[self.agree[rows]] @ columns
        return product

    def _descend(self, right, steps):
        """Solve the scaled system roughly, all columns side by side."""
        size = np.linalg.norm(right, axis=0)
        size[size == 0] = 1.0
        left = right / size
        found, ahead = np.zeros_like(left), left.copy()
        square = (left * left).sum(axis=0)
        for _ in range(_MOST_STEPS):
            product = (self.scaled @ ahead.astype(np.float32)).astype(float)
            next(steps)
            step = square / np.maximum((ahead * product).sum(axis=0), 1e-30)
            found += step * ahead
            left -= step * product
            before, square = square, (left * left).sum(axis=0)
            if square.max() < _SMALL**2:
                break
            ahead = left + square / np.maximum(before, 1e-30) * ahead
        return found * size
