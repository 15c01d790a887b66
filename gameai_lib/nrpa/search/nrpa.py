"""NRPA as a search that can be watched, paused and continued.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011; variants
after Cazenave (2020, generalised), Cazenave, Sevestre and Toulemont (2021, stabilised) and
Cazenave (2024, limited repetitions).
"""

from dataclasses import asdict

import numpy as np

from gameai_lib.nrpa import _checks as checks
from gameai_lib.nrpa.search import kernels
from gameai_lib.nrpa.search.anytime import MOST_LEVELS, NO_GAME, Search, fits_memory
from gameai_lib.nrpa.search.policy import LARGEST_ALPHA, NO_FAULTS, WEIGHT_LIMIT, Faults
from gameai_lib.nrpa.search.problem import CODE, Problem
from gameai_lib.nrpa.search.walk import Playout


class NRPA(Search):
    """One NRPA search (Rosin 2011), stopped after any number of playouts and continued.

    Parameters
    ----------
    problem : Problem
    rng : numpy.random.Generator
        Drawn from once for each move played, and for nothing else.
    level : int
        Nesting level L; level 1 adapts after each playout.
    n_iterations : int
        N, iterations of each level; a whole search plays N^L playouts.
    alpha : float
        Step of Adapt.
    n_playouts_per_adapt : int
        P; more than 1 gives stabilised NRPA, with P N^L playouts.
    max_repeats : int
        R; a level stops once its best game has come back R times; 0 for never.
    clip : float
        Weights stay within ±clip.
    faults : Faults
        Faults of the source to reproduce.

    Attributes
    ----------
    finished : bool
    n_playouts, n_adapts, n_copies : int
        Playouts and adapts done, policies copied.

    Raises
    ------
    ValueError
        If a parameter is out of its range.
    """

    def __init__(
        self,
        problem: Problem,
        rng: np.random.Generator,
        *,
        level: int = 3,
        n_iterations: int = 100,
        alpha: float = 1.0,
        n_playouts_per_adapt: int = 1,
        max_repeats: int = 0,
        clip: float = 300.0,
        faults: Faults = NO_FAULTS,
    ):
        super().__init__(problem, rng)
        checks.of_type("faults", faults, Faults)
        numbers = [
            checks.whole("n_iterations", n_iterations),
            checks.whole("n_playouts_per_adapt", n_playouts_per_adapt),
            checks.whole("max_repeats", max_repeats, 0),
            *asdict(faults).values(),
        ]
        self.level = checks.whole("level", level, 1, MOST_LEVELS)
        self._params = np.array(numbers, np.int64)
        self._alpha = checks.positive("alpha", alpha, LARGEST_ALPHA)
        self._clip = checks.positive("clip", clip, WEIGHT_LIMIT)
        self._allocate()

    def _allocate(self):
        rows, problem = self.level + 1, self.problem
        n_codes, max_plies = problem.n_codes, problem.max_plies
        fits_memory(problem, rows, 21 * n_codes + 4 * (max_plies + 1) * (problem.max_legal + 4))
        self._ints, self._floats = problem.ints.copy(), problem.floats.copy()
        # Policies: row l belongs to level l; row 0 is unused.
        self._W = np.zeros((rows, n_codes))
        if problem.bias is not None:
            self._W[:] = np.clip(problem.bias, -self._clip, self._clip)
        self._E = np.exp(self._W)
        self._scratch = (
            np.zeros(n_codes),
            np.zeros(n_codes, np.uint8),
            np.zeros(n_codes, CODE),
        )
        self._changed = (
            np.zeros((rows, n_codes), CODE),
            np.zeros((rows, n_codes), np.uint8),
            np.zeros(rows, np.int64),
        )
        # Games: `slots[l]` is the row that holds the best game of level l, or for 0 the playout.
        self._codes = np.zeros((rows, (max_plies + 1) * problem.max_legal), CODE)
        self._offsets = np.zeros((rows, max_plies + 1), np.int64)
        self._choices = np.zeros((rows, max_plies), np.int64)
        self._lengths = np.zeros(rows, np.int64)
        self._scores = np.full(rows, -np.inf)
        self._slots = np.arange(rows)
        self._counts = np.zeros((rows, 2), np.int64)
        self._totals = np.array([0, 0, self.level, 0])  # columns: see `kernels`

    def _play(self, n_playouts):
        self._call(
            "nrpa", n_playouts, self._ints, self._floats, self._rng, self._W, self._E,
            *self._scratch, *self._changed, self._codes, self._offsets, self._choices,
            self._lengths, self._scores, self._slots, self._counts, self._totals,
            self._params, self._alpha, self._clip,
        )  # fmt: skip

    def _is_broken(self):
        return np.isnan(self._scores[self._slots[0]])

    def _last_game(self):
        return self._choices[self._slots[0]], (self._ints, self._floats)

    def _kept(self):
        return self.best[:2]

    @property
    def best(self) -> Playout:
        """Best game so far, on whatever level it is kept."""
        slots = self._slots[:0:-1]
        row = slots[np.argmax(self._scores[slots])]
        n_plies, score = self._lengths[row], self._scores[row]
        if score == -np.inf:
            return NO_GAME
        choices = self._choices[row, :n_plies].copy()
        codes = self._codes[row][self._offsets[row, :n_plies] + choices].astype(np.int64)
        return Playout(float(score), choices, codes)

    @property
    def policy(self) -> np.ndarray:
        """Copy of the weights, (level, n_codes); row 0 is level 1."""
        if self._params[kernels.SHARED_POLICY]:
            return np.tile(self._W[1], (self.level, 1))
        return self._W[1:].copy()

    @property
    def n_playouts_planned(self) -> int:
        """Playouts of the whole search, P N^L; limited repetitions may end it earlier."""
        n_iterations, n_per_adapt = map(int, self._params[:2])
        return n_per_adapt * n_iterations**self.level

    finished = property(lambda self: bool(self._totals[kernels.FINISHED]))
    n_playouts = property(lambda self: int(self._totals[kernels.PLAYOUTS]))
    n_adapts = property(lambda self: int(self._totals[kernels.ADAPTS]))
    n_copies = property(lambda self: int(self._totals[kernels.COPIES]))
