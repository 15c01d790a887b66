"""Players whose strengths take random walks: what `climb` of `newton` needs to rate them.

Each player has one strength for each date of his games (Coulom 2008). Conjugate gradients solve
the equations of a step, and solve those of each player alone first, which are tridiagonal.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gameai_lib.base.types import Floats
from gameai_lib.btmm.model import conjugate
from gameai_lib.btmm.model.players.newton import Curvature, Results, Slopes, slopes_at


class Walk(NamedTuple):
    """Games between strengths, and what holds these together."""

    games: Results  #: its players are strengths, those of one player together and in order of time
    stiff: Floats  #: (n - 1,) float: one over the variance to the next one; 0 to the next player
    prior: float  #: virtual wins and losses that hold first strengths, and home advantage, to 1

    @property
    def first(self) -> np.ndarray:
        """(n_players,) int: each player's first strength."""
        return np.flatnonzero(np.append(True, self.stiff == 0))

    def pull(self, x: Floats) -> Floats:
        """Return the gradient of the walk's ln density, (size,) float, at parameters x."""
        flow = self.stiff * np.diff(x[: self.games.n])
        return np.append(np.diff(flow, prepend=0, append=0), 0 * x[self.games.n :])

    def slopes(self, beta: Floats) -> Slopes:
        """Return the `Slopes` at `beta`, the curvature without the walk's part."""
        n, n_free = self.games.n, self.games.n_free
        held = np.append(self.first, np.arange(n, n_free))
        value, gradient, seen = slopes_at(self.games, "davidson", self.prior, beta, held)
        value -= float((self.stiff * np.diff(beta[:n]) ** 2).sum()) / 2
        return Slopes(value, gradient + self.pull(beta), seen)

    def solver(self, seen: Curvature) -> Callable[[Floats], Floats]:
        """Return what the inverse of minus the Hessian makes of a (size,) vector."""
        product, diagonal = seen.operator()
        diagonal[: self.games.n] += np.append(self.stiff, 0) + np.append(0, self.stiff)
        nearly = self._alone(diagonal)
        return lambda wanted: conjugate.solve(
            lambda x: product(x) - self.pull(x), wanted, nearly, tol=1e-8, n_most=10_000
        )

    def _alone(self, pivot):
        """Return what solves the equations as if all other players stood still."""
        lengths = np.diff(np.append(self.first, self.games.n))
        rows = [self.first[lengths > k] + k for k in range(1, lengths.max())]  # of all players
        ratio = np.zeros(pivot.size)
        for i in rows:
            ratio[i] = self.stiff[i - 1] / pivot[i - 1]
            pivot[i] -= self.stiff[i - 1] * ratio[i]

        def solve(wanted):
            x = wanted.copy()
            for i in rows:
                x[i] += ratio[i] * x[i - 1]
            x /= pivot
            for i in reversed(rows):
                x[i - 1] += ratio[i] * x[i]
            return x

        return solve
