"""Joint standard errors at the maximum: all other strengths may move, too.

The inverse Hessian C is the covariance where the games are as the model says. Where they may not
be, it is C S C, and S adds up the squares of each game's slope (Huber 1967, White 1980).
"""

from functools import cached_property

import numpy as np

from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Floats
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players.newton import DENSE, Curvature, slopes_of


def spread_at(games, ties, beta):
    """Return the squares of the slopes of single games, summed as a `Curvature` is: S."""
    _, by_d, by_tie, *_ = slopes_of(games, ties, beta, games.outcome)
    squares = (games.times * part for part in (by_d**2, by_d * by_tie, by_tie**2))
    return Curvature(games, *squares, np.zeros(games.n_free))


class Errors:
    """Errors in Elo points at a maximum of this `Curvature`, of Huber and White with a spread."""

    def __init__(self, curvature: Curvature, spread: Curvature | None = None) -> None:
        self.curvature, self.spread = curvature, spread

    @cached_property
    def covariance(self) -> Floats:
        """(size, size) float: of all parameters, those of strengths around their mean."""
        games, size = self.curvature.games, self.curvature.size
        if not self.curvature.dense:
            raise ValueError(
                f"{games.n} players, more than {DENSE}, have no matrix of errors; ask for single "
                "errors"
            )
        centre = np.eye(size)
        centre[: games.n_free][games.fixed[:-1]] = 0
        if games.even:
            centre[: games.n, : games.n] -= 1 / games.n
        joint = np.linalg.inv(self.curvature.matrix())
        if self.spread is not None:
            joint = joint @ self.spread.sums() @ joint
        joint = centre @ joint @ centre.T
        return (joint + joint.T) / 2

    @cached_property
    def _solve(self):
        return self.curvature.solver(1e-6)  # of which a variance has the square

    def of_contrast(self, contrast: Floats) -> float:
        """Return the error of the sum of ln gamma and of features with these (n_free,) weights."""
        games = self.curvature.games
        wide = np.append(contrast, 0.0)[: self.curvature.size]  # ln tie, if there is one, has none
        wide[: games.n_free][games.fixed[:-1]] = 0
        if games.even:
            wide[: games.n] -= wide[: games.n].mean()
        solution = self.covariance @ wide if self.curvature.dense else self._solve(wide)
        if self.spread is not None and not self.curvature.dense:
            wide = self.spread.operator()[0](solution)
        return float(ELO_PER_NAT * np.sqrt(max(wide @ solution, 0.0)))

    def of_players(self, numbers) -> Floats:
        """Return (n,) float: the errors of single players."""
        if self.curvature.dense:
            return ELO_PER_NAT * np.sqrt(np.diag(self.covariance)[numbers])
        found, n_free = np.empty(len(numbers)), self.curvature.penalty.size
        with Bar("errors", total=len(numbers), unit="players") as bar:
            for k, i in enumerate(numbers):
                found[k] = self.of_contrast(np.eye(1, n_free, i)[0])
                bar(k + 1)
        return found
