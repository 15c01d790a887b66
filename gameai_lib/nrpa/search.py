"""NRPA as a search that can be watched, paused and continued.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011; variants
after Cazenave (2020, generalised), Cazenave, Sevestre and Toulemont (2021, stabilised) and
Cazenave (2024, limited repetitions).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from gameai_lib._interrupts import held
from gameai_lib.nrpa import checks, kernels
from gameai_lib.nrpa.compiled import compile_for, kernels_of
from gameai_lib.nrpa.problem import CODE, Playout, Problem, explained, forgetful, game
from gameai_lib.nrpa.rules import RulesError

AT_ONCE = 0.02  # seconds of compiled code, within which no interrupt can come
MOST_AT_ONCE = 1 << 16
MOST_BYTES = 4 << 30  # of one search
MOST_LEVELS = 64
MOST_SCORES = 10**8
LARGEST_ALPHA = 1e100
WEIGHT_LIMIT = 300.0  # e^300 is far from the largest float, and so is the sum of many


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

    def __post_init__(self):
        for name, flag in asdict(self).items():
            checks.of_type(name, flag, bool)


NO_FAULTS = Faults()


class Snapshot(NamedTuple):
    """State of a search between two playouts."""

    n_playouts: int
    best: Playout  # best game so far; score -inf and no moves before the first playout
    policy: np.ndarray | None  # (level, n_codes) weights, row 0 is level 1; None if none is learned


class Search:
    """What NRPA, NMCS and flat Monte Carlo share: to be watched, paused and interrupted.

    A subclass has ``_play(n_playouts)``, ``best``, ``n_playouts`` and ``finished``. An interrupt
    (control-C) comes between two playouts, within some hundredths of a second or one playout,
    and loses nothing: `best` holds, and the search goes on. Nor does an error in a reader's own
    rules lose the games before it, but such a search does not go on.
    """

    policy = None
    _fault = None  # what ended the search
    _n_at_once = 8  # playouts between two moments at which an interrupt can come
    _compared = None  # best game that came back on fresh arrays

    def __init__(self, problem: Problem, rng: np.random.Generator):
        self.problem = checks.of_type("problem", problem, Problem)
        self._rng = checks.generator(rng)

    def advance(self, n_playouts: int) -> bool:
        """Play up to `n_playouts` more playouts; returns whether the search has finished.

        Raises
        ------
        RulesError
            If the problem's own rules break their contract; `best` still holds.
        """
        n_playouts = checks.whole("n_playouts", n_playouts, 0)
        while n_playouts > 0 and not self.finished:
            n = min(n_playouts, self._n_at_once)
            self._play_at_once(n)
            n_playouts -= n
        return self.finished

    def _play_at_once(self, n_playouts):
        """Play in one call of compiled code; then choose a better number for the next."""
        started = time.perf_counter()
        result = self._play(n_playouts)
        seconds = time.perf_counter() - started
        if seconds > 2 * AT_ONCE:
            self._n_at_once = max(1, self._n_at_once // 2)
        elif n_playouts == self._n_at_once and seconds < AT_ONCE / 2:
            self._n_at_once = min(2 * self._n_at_once, MOST_AT_ONCE)
        return result

    def _call(self, name, *arguments):
        """Call a kernel; an error of the rules is explained, and ends the search."""
        if self._fault is not None:
            raise RulesError(*self._fault.args)
        kernel = getattr(kernels_of(self.problem), name)
        compile_for(kernel, arguments)  # takes long at first, and may be interrupted
        error = None
        try:
            with held():
                kernel(*arguments)
        except Exception as caught:
            if not self.problem.checked:
                raise
            error = caught
        if error is not None or self._is_broken():
            self._fault = explained(self.problem, *self._last_game(), error)
            raise self._fault from error
        if self.problem.checked:
            self._compare_best()

    def _compare_best(self):
        """Play a new best game again on fresh arrays: it must score the same."""
        score, choices = self._kept()
        best = score, choices.tobytes()
        if score == -np.inf or best == self._compared:
            return
        try:
            again = game(self.problem, choices).score
        except ValueError:
            again = None
        if again != score:
            self._fault = forgetful(self.problem, score)
            raise self._fault
        self._compared = best

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
            Playouts between two reports.
        report : function of this search, optional
            Called every `every` playouts.

        Raises
        ------
        ValueError
            If `every` is less than 1.
        """
        every = checks.whole("every", every)
        left = None if n_playouts is None else checks.whole("n_playouts", n_playouts, 0)
        if report is not None and not callable(report):
            raise TypeError(f"report must be a function, got {checks.shown(report)}")
        while not self.finished and (left is None or left > 0):
            self.advance(every if left is None else min(every, left))
            left = None if left is None else left - every
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
        every = checks.whole("every", every)
        while not self.finished:
            self.advance(every)
            yield Snapshot(self.n_playouts, self.best, self.policy)


NO_GAME = Playout(-np.inf, np.zeros(0, np.int64), np.zeros(0, np.int64))


def move_probabilities(policy: np.ndarray, codes=None) -> np.ndarray:
    """Probabilities of the legal moves `codes` under a policy (all codes if left out).

    Raises
    ------
    ValueError
        If there is no move, a code does not exist, or a weight is not finite.
    """
    weights = checks.finite("policy", policy)
    if codes is not None:
        weights = weights[checks.indices("codes", codes, weights.size, "code")]
    if not weights.size:
        raise ValueError(f"there must be a move, got codes {checks.shown(codes)}")
    with np.errstate(over="ignore", under="ignore"):  # the farther from the largest, the nearer 0
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
        If `alpha` is not positive, a code or choice does not exist, or a weight is not within
        ±300.
    """
    alpha = checks.positive("alpha", alpha, LARGEST_ALPHA)
    clip = checks.positive("clip", clip, WEIGHT_LIMIT)
    checks.of_type("faults", faults, Faults)
    W = checks.finite("policy", policy, limit=WEIGHT_LIMIT)
    legal = checks.items("legal", legal)
    choices = checks.numbers("choices", choices, np.int64)
    if len(choices) != len(legal):
        raise ValueError(f"{len(choices)} choices for {len(legal)} plies")
    legal = [
        checks.indices(f"legal[{ply}]", row, W.size, f"ply {ply}: code")
        for ply, row in enumerate(legal)
    ]
    for codes, choice in zip(legal, choices, strict=True):
        if not 0 <= choice < len(codes):
            raise ValueError(f"choice {choice} of {len(codes)} legal moves")
    E, D, marked, touched = (
        np.exp(W),
        np.zeros(W.size),
        np.zeros(W.size, np.uint8),
        np.arange(W.size, dtype=CODE),
    )
    offsets = np.cumsum([0, *map(len, legal)])
    codes = np.concatenate([np.zeros(0, CODE), *(row.astype(CODE) for row in legal)])
    n_touched = kernels.gradient(
        E, codes, offsets, choices, len(choices),
        alpha, int(faults.last_normaliser), D, marked, touched,
    )  # fmt: skip
    kernels.apply_gradient(W, E, D, marked, touched, n_touched, clip)
    return W


def fits_memory(problem: Problem, n_rows: int, bytes_each: int) -> None:
    """Refuse a search whose arrays would be too large."""
    if n_rows * bytes_each > MOST_BYTES:
        raise ValueError(
            f"{problem.name}: a search of level {n_rows - 1} needs"
            f" {n_rows * bytes_each / 2**30:,.1f} GiB, more than {MOST_BYTES >> 30}"
        )


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
        super().__init__(problem, rng)
        E = np.ones(problem.n_codes)
        if policy is not None:
            weights = checks.finite("policy", policy)
            if weights.size != E.size:
                raise ValueError(f"policy must be {E.size} weights, got {weights.size}")
            E = np.exp(np.clip(weights, -WEIGHT_LIMIT, WEIGHT_LIMIT))
        self._ints, self._floats = problem.ints.copy(), problem.floats.copy()
        self._arrays = (
            E,
            np.zeros((problem.max_plies + 1) * problem.max_legal, CODE),
            np.zeros(problem.max_plies + 1, np.int64),
            np.zeros(problem.max_plies, np.int64),
        )
        self._best = np.zeros(problem.max_plies, np.int64)
        self._n_best, self._best_score = np.zeros(1, np.int64), np.full(1, -np.inf)
        self._done = np.zeros(1, np.int64)
        self._planned = 0  # what `_done` must come to

    def scores(self, n_playouts: int) -> np.ndarray:
        """Play `n_playouts` more playouts and return their scores, (n_playouts,) float."""
        n_playouts = checks.whole("n_playouts", n_playouts, 0, MOST_SCORES)
        scores, done = np.empty(n_playouts), 0
        while done < n_playouts:
            played = self._play_at_once(min(n_playouts - done, self._n_at_once))
            scores[done : done + played.size] = played
            done += played.size
        return scores

    def _play(self, n_playouts):
        scores = np.empty(n_playouts)
        self._planned = self.n_playouts + n_playouts
        self._call(
            "flat", scores, self._ints, self._floats, self._rng,
            *self._arrays, self._best, self._n_best, self._best_score, self._done,
        )  # fmt: skip
        return scores

    def _is_broken(self):
        return self.n_playouts < self._planned

    def _last_game(self):
        return self._arrays[3], (self._ints, self._floats)

    def _kept(self):
        return float(self._best_score[0]), self._best[: self._n_best[0]]

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
    scores = search.scores(checks.whole("n_playouts", n_playouts, 1, MOST_SCORES))
    return search.best, scores
