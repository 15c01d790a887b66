"""NRPA as a search that can be watched, paused and continued.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011; variants
after Cazenave (2020, generalised), Cazenave, Sevestre and Toulemont (2021, stabilised) and
Cazenave (2024, limited repetitions).
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Floats, Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout
from gameai_lib.nrpa.search import kernels
from gameai_lib.nrpa.search.anytime import MOST_LEVELS, NO_GAME, Search
from gameai_lib.nrpa.search.arrays import ADAPTS, COPIES, FINISHED, PLAYOUTS, Settings, new_nrpa
from gameai_lib.nrpa.search.policy import LARGEST_ALPHA, WEIGHT_LIMIT


class NRPA(Search):
    """One NRPA search (Rosin 2011), stopped after any number of playouts and continued.

    Parameters
    ----------
    problem : Problem
    rng : numpy.random.Generator or int
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

    Examples
    --------
    >>> search = NRPA(morpion("5D"), 7, level=2, n_iterations=30)
    >>> search.run(300).score
    61.0
    >>> search.run().score
    62.0
    >>> search
    NRPA(Morpion 5D: 900 playouts, best score 62, finished)
    """

    _kernel = kernels.nrpa

    def __init__(
        self,
        problem: Problem,
        rng: Seed,
        *,
        level: int = 3,
        n_iterations: int = 100,
        alpha: float = 1.0,
        n_playouts_per_adapt: int = 1,
        max_repeats: int = 0,
        clip: float = 300.0,
    ):
        super().__init__(problem, rng)
        self.level = checks.whole("level", level, 1, MOST_LEVELS)
        settings = Settings(
            checks.whole("n_iterations", n_iterations),
            checks.whole("n_playouts_per_adapt", n_playouts_per_adapt),
            checks.whole("max_repeats", max_repeats, 0),
            checks.number("alpha", alpha, 0, LARGEST_ALPHA, above=True),
            checks.number("clip", clip, 0, WEIGHT_LIMIT, above=True),
        )
        self._arrays = new_nrpa(problem, self.level, settings)

    def _parameters(self):
        return {"level": self.level} | self._arrays.settings._asdict()

    def _last_game(self):
        games = self._arrays.games
        return games.choices[games.slots[0]], (self._arrays.ints, self._arrays.floats)

    def _best_game(self):
        return self.best[:2]

    @property
    def best(self) -> Playout:
        """Best game so far, on whatever level it is kept."""
        games = self._arrays.games
        slots = games.slots[:0:-1]
        row = slots[np.argmax(games.scores[slots])]
        n_plies, score = games.lengths[row], games.scores[row]
        if score == -np.inf:
            return NO_GAME
        choices = games.choices[row, :n_plies].copy()
        codes = games.codes[row][games.offsets[row, :n_plies] + choices].astype(np.int64)
        return Playout(float(score), choices, codes)

    @property
    def policy(self) -> Floats:
        """Copy of the weights, (level, n_codes); row 0 is level 1."""
        return self._arrays.W[1:].copy()

    @property
    def n_playouts_planned(self) -> int:
        """Playouts of the whole search, P N^L; limited repetitions may end it earlier."""
        settings = self._arrays.settings
        return settings.n_playouts_per_adapt * settings.n_iterations**self.level

    @property
    def finished(self) -> bool:
        """Whether the top level has done its last iteration."""
        return bool(self._arrays.totals[FINISHED])

    @property
    def n_playouts(self) -> int:
        """Playouts done so far."""
        return int(self._arrays.totals[PLAYOUTS])

    @property
    def n_adapts(self) -> int:
        """Adapts done so far, of all levels."""
        return int(self._arrays.totals[ADAPTS])

    @property
    def n_copies(self) -> int:
        """Policies copied so far, from a level to the one below."""
        return int(self._arrays.totals[COPIES])
