"""NRPA as a search that can be watched, paused, continued and restarted in parallel.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011; variants
after Cazenave (2020, generalised), Cazenave, Sevestre and Toulemont (2021, stabilised) and
Cazenave (2024, limited repetitions).
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from gameai_lib.nrpa import kernels
from gameai_lib.nrpa.compiled import kernels_of
from gameai_lib.nrpa.problem import CODE, Playout, Problem, game


@dataclass(frozen=True)
class Faults:
    """The faults of the source's program that change its results, each off by default.

    Parameters
    ----------
    shared_policy : bool
        All levels learn in one policy, passed by reference; nothing is nested any more.
    last_normaliser : bool
        The normaliser of Adapt is the weight of the last move instead of the sum.
    strict : bool
        A game as good as the best does not replace it.
    drop_last : bool
        The last legal move is never played, unless it is the only one.
    """

    shared_policy: bool = False
    last_normaliser: bool = False
    strict: bool = False
    drop_last: bool = False


NO_FAULTS = Faults()


class Snapshot(NamedTuple):
    """State of a search between two playouts."""

    n_playouts: int
    best: Playout  # best game so far; score -inf and no moves before the first playout
    policy: np.ndarray | None  # (level, n_codes) weights, row 0 is level 1; None if none is learned


class Search:
    """What NRPA, NMCS and flat Monte Carlo share: to be watched, paused and interrupted.

    A subclass has ``advance(n_playouts)``, which returns whether the search has finished,
    ``best``, ``n_playouts`` and ``finished``. An interrupt (control-C) comes after at most the
    playouts of one `advance`, and loses none of them: `best` holds, and the search goes on.
    Only without numba it may come in the middle of a playout or an update; `best` still holds.
    """

    policy = None

    def run(
        self,
        n_playouts: int | None = None,
        *,
        every: int = 1000,
        report: Callable[["Search"], None] | None = None,
    ) -> Playout:
        """Search to the end, or for at most `n_playouts` more playouts; return the best game.

        Parameters
        ----------
        n_playouts : int, optional
        every : int
            Playouts between two moments at which the search can be interrupted.
        report : function of this search, optional
            Called every `every` playouts.

        Raises
        ------
        ValueError
            If `every` is less than 1.
        """
        positive("every", every)
        while not self.finished and (n_playouts is None or n_playouts > 0):
            self.advance(every if n_playouts is None else min(every, n_playouts))
            if n_playouts is not None:
                n_playouts -= every
            if report is not None:
                report(self)
        return self.best

    def frames(self, every: int) -> Iterator[Snapshot]:
        """Yield the state every `every` playouts until the search has finished.

        Raises
        ------
        ValueError
            If `every` is less than 1.
        """
        positive("every", every)
        while not self.finished:
            self.advance(every)
            yield Snapshot(self.n_playouts, self.best, self.policy)


def positive(name, value):
    """Return `value` as an int, if it is a whole number of at least 1."""
    if not value >= 1:
        raise ValueError(f"{name} must be at least 1, got {value}")
    if value != int(value):
        raise ValueError(f"{name} must be a whole number, got {value}")
    return int(value)


NO_GAME = Playout(-np.inf, np.zeros(0, np.int64), np.zeros(0, np.int64))


def move_probabilities(policy: np.ndarray, codes=None) -> np.ndarray:
    """Probabilities of the legal moves `codes` under a policy (all codes if left out)."""
    weights = np.asarray(policy, float)[slice(None) if codes is None else np.asarray(codes)]
    weights = np.exp(weights - weights.max())
    return weights / weights.sum()


def adapt(
    policy: np.ndarray,
    legal: Sequence,
    choices: Sequence[int],
    *,
    alpha: float = 1.0,
    clip: float = 300.0,
    faults: Faults = NO_FAULTS,
) -> np.ndarray:
    """Return a copy of `policy` moved towards a game (Rosin 2011, Adapt).

    Parameters
    ----------
    policy : (n_codes,) float array
    legal : sequence of int sequences
        Codes of the legal moves at each ply.
    choices : (n_plies,) int sequence
        Index of the move played among them.
    alpha, clip, faults
        As for `NRPA`; of the faults only the normaliser matters here.

    Raises
    ------
    ValueError
        If `alpha` is not positive, or a code or choice does not exist.
    """
    if not 0 < alpha < np.inf:
        raise ValueError(f"alpha must be positive and finite, got {alpha}")
    if len(choices) != len(legal):
        raise ValueError(f"{len(choices)} choices for {len(legal)} plies")
    for codes, choice in zip(legal, choices, strict=True):
        if not 0 <= choice < len(codes):
            raise ValueError(f"choice {choice} of {len(codes)} legal moves")
        if min(codes) < 0 or max(codes) >= len(policy):
            raise ValueError(f"code {max(codes)} of a policy of {len(policy)} weights")
    W = np.array(policy, float)
    E, D, marked, touched = (
        np.exp(W),
        np.zeros(W.size),
        np.zeros(W.size, np.uint8),
        np.arange(W.size, dtype=CODE),
    )
    offsets = np.cumsum([0, *map(len, legal)])
    codes = np.concatenate([np.asarray(row, CODE) for row in legal])
    n_touched = kernels.gradient(
        E, codes, offsets, np.asarray(choices, np.int64), len(choices),
        alpha, int(faults.last_normaliser), D, marked, touched,
    )  # fmt: skip
    kernels.apply_gradient(W, E, D, marked, touched, n_touched, clip)
    return W


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
        level = positive("level", level)
        n_iterations = positive("n_iterations", n_iterations)
        n_playouts_per_adapt = positive("n_playouts_per_adapt", n_playouts_per_adapt)
        if not 0 < alpha < np.inf:
            raise ValueError(f"alpha must be positive and finite, got {alpha}")
        if max_repeats < 0 or max_repeats != int(max_repeats):
            raise ValueError(f"max_repeats must be a whole number from 0 on, got {max_repeats}")
        if not 0 < clip <= 300:
            raise ValueError(f"clip must be positive and at most 300, got {clip}")
        self.problem = problem
        self.level = level
        numbers = [n_iterations, n_playouts_per_adapt, max_repeats, *asdict(faults).values()]
        self._rng = rng
        self._params = np.array(numbers, np.int64)
        self._alpha, self._clip = float(alpha), float(clip)
        self._allocate()

    def _allocate(self):
        rows, problem = self.level + 1, self.problem
        n_codes, max_plies = problem.n_codes, problem.max_plies
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

    def advance(self, n_playouts: int) -> bool:
        """Play up to `n_playouts` more playouts; returns whether the search has finished."""
        if not self.finished and n_playouts > 0:
            kernels_of(self.problem.rules).nrpa(
                n_playouts, self._ints, self._floats, self._rng, self._W, self._E,
                *self._scratch, *self._changed, self._codes, self._offsets, self._choices,
                self._lengths, self._scores, self._slots, self._counts, self._totals,
                self._params, self._alpha, self._clip,
            )  # fmt: skip
        return self.finished

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


class FlatMonteCarlo(Search):
    """Independent playouts, uniform or with a fixed policy.

    It never finishes by itself: give `run` its `n_playouts`.

    Parameters
    ----------
    problem : Problem
    rng : numpy.random.Generator
    policy : (n_codes,) float array, optional
        Weights w; a move is played with probability proportional to exp(w).

    Attributes
    ----------
    n_playouts : int
        Playouts done so far.
    """

    finished = False

    def __init__(
        self, problem: Problem, rng: np.random.Generator, policy: np.ndarray | None = None
    ):
        self.problem = problem
        self._rng = rng
        E = np.ones(problem.n_codes) if policy is None else np.exp(np.clip(policy, -300, 300))
        self._arrays = (
            E,
            np.zeros((problem.max_plies + 1) * problem.max_legal, CODE),
            np.zeros(problem.max_plies + 1, np.int64),
            np.zeros(problem.max_plies, np.int64),
        )
        self._best = np.zeros(problem.max_plies, np.int64)
        self._n_best, self._best_score = np.zeros(1, np.int64), np.full(1, -np.inf)
        self._done = np.zeros(1, np.int64)

    def advance(self, n_playouts: int) -> bool:
        """Play `n_playouts` more playouts; returns False: there are always more."""
        self.scores(n_playouts)
        return self.finished

    def scores(self, n_playouts: int) -> np.ndarray:
        """Play `n_playouts` more playouts and return their scores, (n_playouts,) float."""
        scores = np.empty(n_playouts)
        kernels_of(self.problem.rules).flat(
            scores, self.problem.ints.copy(), self.problem.floats.copy(), self._rng,
            *self._arrays, self._best, self._n_best, self._best_score, self._done,
        )  # fmt: skip
        return scores

    @property
    def best(self) -> Playout:
        """Best game so far; score -inf before the first one."""
        if self._best_score[0] == -np.inf:
            return NO_GAME
        return game(self.problem, self._best[: self._n_best[0]])

    n_playouts = property(lambda self: int(self._done[0]))


def flat_monte_carlo(
    problem: Problem, rng: np.random.Generator, n_playouts: int, policy: np.ndarray | None = None
) -> tuple[Playout, np.ndarray]:
    """Play `n_playouts` of a `FlatMonteCarlo`: the best game, and all scores.

    Raises
    ------
    ValueError
        If `n_playouts` is not positive.
    """
    search = FlatMonteCarlo(problem, rng, policy)
    scores = search.scores(positive("n_playouts", n_playouts))
    return search.best, scores


class Run(NamedTuple):
    """One independent restart."""

    best: Playout
    n_playouts: int


def restarts(
    problem: Problem,
    rng: np.random.Generator,
    n_runs: int,
    *,
    executor: Executor | None = None,
    n_playouts: int | None = None,
    **parameters,
) -> Iterator[Run]:
    """Yield independent searches, in order, each with its own stream spawned from `rng`.

    A run is yielded as soon as it and those before it have finished, so that an interrupt
    loses only what is still running. The result depends on `rng` and `n_runs` alone, not on the
    executor or its workers.

    Parameters
    ----------
    problem : Problem
    rng : numpy.random.Generator
    n_runs : int
    executor : concurrent.futures.Executor, optional
        Where the searches run; in this process if absent.
    n_playouts : int, optional
        Limit for each search.
    **parameters
        Those of `NRPA`.
    """
    children = rng.spawn(positive("n_runs", n_runs))
    tasks = [(problem, child, n_playouts, parameters) for child in children]
    return iter((map if executor is None else executor.map)(_run_one, tasks))


def _run_one(task):
    problem, rng, n_playouts, parameters = task
    search = NRPA(problem, rng, **parameters)
    return Run(search.run(n_playouts), search.n_playouts)
