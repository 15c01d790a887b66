"""The likeliest strengths of players who take random walks: Newton's method on all of them at once.

Each player has one strength for each date of his games (Coulom 2008). Conjugate gradients solve
the equations of a step, and solve those of each player alone first, which are tridiagonal.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Floats
from gameai_lib.btmm.model import conjugate
from gameai_lib.btmm.model.players.newton import N_STEPS, Curvature, Results, slopes_at, start_of


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

    def slopes(self, beta: Floats) -> tuple[float, Floats, Curvature]:
        """Return the objective, its gradient, and its curvature without the walk's part."""
        games, prior, walked = self.games, self.prior, self.pull(beta)
        value, gradient, seen = slopes_at(games, "davidson", 0.0, beta)
        held = np.append(self.first, np.arange(games.n, beta.size - games.tied))
        x = beta[held]
        value -= prior * float((np.logaddexp(0, x) + np.logaddexp(0, -x)).sum())
        gradient += walked
        gradient[held] -= prior * np.tanh(x / 2)
        seen.penalty[held] += prior / (2 * np.cosh(x / 2) ** 2)
        return value + float(beta @ walked) / 2, gradient, seen

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

    def climb(self) -> Floats:
        """Return the likeliest parameters, (size,) float: strengths, ln home, ln tie."""
        beta = start_of(self.games, "davidson")
        value, gradient, seen = self.slopes(beta)
        with Bar("rate_history", unit="steps") as bar:
            for k in range(N_STEPS):
                step, length = self.solver(seen)(gradient), 1.0
                gain = float(gradient @ step)
                if gain < 1e-12 * self.games.times.sum():
                    return beta + step
                while (there := self.slopes(beta + length * step))[0] < value and length > 1e-9:
                    length /= 2
                beta, (value, gradient, seen) = beta + length * step, there
                bar(k + 1)
        raise ArithmeticError(f"no maximum found in {N_STEPS} steps of Newton's method")
