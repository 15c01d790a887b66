"""What all searches share: to be watched, paused, interrupted and continued.

An anytime search (Dean and Boddy 1988) has its best game so far ready whenever it is stopped.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.interrupts import held
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import FilePath, Floats, Seed
from gameai_lib.nrpa.problem.compiled import Template, kernel_of
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.registry import in_words
from gameai_lib.nrpa.problem.rules import RulesError
from gameai_lib.nrpa.problem.tryout import check_replay, explain, look_at
from gameai_lib.nrpa.problem.walk import Playout, playout_of
from gameai_lib.nrpa.search import saved

AT_ONCE = 0.02  # seconds of compiled code, within which no interrupt can come
MOST_AT_ONCE = 1 << 16
MOST_LEVELS = 64
NO_GAME = Playout(-np.inf, np.zeros(0, np.int64), np.zeros(0, np.int64))


class Snapshot(NamedTuple):
    """State of a search between two playouts."""

    n_playouts: int
    best: Playout  #: best game so far; score -inf and no moves before the first playout
    policy: Floats | None  #: (level, n_codes) weights, row 0 is level 1; None if none is learned


class Limits(NamedTuple):
    """Where a run stops; what is not limited is endless."""

    n_playouts: int
    seconds: float
    target: float


def checked_limits(
    n_playouts: int | None, seconds: float | None, target: float | None, endless: str = ""
) -> Limits:
    """The limits of `Search.run`, checked; what is `endless` by this name must have one."""
    if endless and n_playouts is seconds is target is None:
        raise ValueError(f"{endless} never ends: give n_playouts, seconds or target")
    return Limits(
        checks.ENDLESS if n_playouts is None else checks.whole("n_playouts", n_playouts, 0),
        np.inf if seconds is None else checks.number("seconds", seconds, 0),
        np.inf if target is None else checks.number("target", target),
    )


class Search(ABC):
    """What NRPA, NMCS and flat Monte Carlo share: to be watched, paused and interrupted.

    An interrupt (control-C) comes between two playouts, within some hundredths of a second or one
    playout, and loses nothing: `best` holds, and the search goes on. Nor does an error in a
    reader's own rules lose the games before it, but such a search does not go on.
    """

    _kernel: Template  # kernel(arrays, rng, scores, target) plays, and fills the scores
    _ends = True  # whether it finishes by itself
    _arrays: Any  # all that the search knows, so that it can stop after any playout
    _fault: RulesError | None = None  # what ended the search
    _n_at_once = 8  # playouts between two moments at which an interrupt can come
    _checked_best: tuple[float, bytes] | None = None  # best game that was played again

    def __init__(self, problem: Problem, rng: Seed):
        self.problem = checks.kind("problem", problem, Problem)
        self._rng = checks.generator(rng)

    def _best_game(self):
        """Score and choices of the best game so far."""
        choices, n_plies, scores = self._arrays.bests
        return float(scores[-1]), choices[-1, : n_plies[-1]]

    @abstractmethod
    def _last_game(self):
        """Choices of the last playout, and the arrays where it was played."""

    def _parameters(self):
        """What the search was made with, as JSON can hold it."""
        return {}

    @property
    def best(self) -> Playout:
        """Best game of all playouts so far; score -inf before the first one."""
        score, choices = self._best_game()
        return NO_GAME if score == -np.inf else playout_of(self.problem, choices)

    @property
    def n_playouts(self) -> int:
        """Playouts done so far."""
        return int(self._arrays.done[0])

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return False

    @property
    def n_playouts_planned(self) -> int | None:
        """Playouts of a whole search, where that is known beforehand."""
        return None

    @property
    def policy(self) -> Floats | None:
        """Copy of what is learned, (level, n_codes); None where nothing is."""
        return None

    def __repr__(self) -> str:
        best = f"best {in_words(self.problem, self.best)}" if self.n_playouts else "not begun"
        return (
            f"{type(self).__name__}({self.problem.name}: {self.n_playouts} playouts, {best}"
            f"{', finished' if self.finished else ''})"
        )

    def advance(self, n_playouts: int) -> bool:
        """Play up to `n_playouts` more playouts; returns whether the search has finished.

        A `RulesError` says if the problem's own rules break their contract; `best` still holds.
        """
        for _ in self._go_on(self.n_playouts + checks.whole("n_playouts", n_playouts, 0)):
            pass
        return self.finished

    def _go_on(self, last, until=np.inf, target=np.inf):
        """Play to the playout `last`, the moment `until` or the score `target`; yield on the way.

        It yields after each call of compiled code, and chooses a better length for the next.
        """
        while (
            self.n_playouts < last
            and not self.finished
            and self._best_game()[0] < target
            and time.perf_counter() < until
        ):
            n_playouts = min(last - self.n_playouts, self._n_at_once)
            started = time.perf_counter()
            self._play_at_once(n_playouts, target)
            seconds = time.perf_counter() - started
            if seconds > 2 * AT_ONCE:
                self._n_at_once = max(1, self._n_at_once // 2)
            elif n_playouts == self._n_at_once and seconds < AT_ONCE / 2:
                self._n_at_once = min(2 * self._n_at_once, MOST_AT_ONCE)
            yield

    def _play_at_once(self, n_playouts, target):
        """Play so many playouts, or until one scores the target; `_scores` are theirs.

        An error of a reader's own rules ends the search, explained.
        """
        if self._fault is not None:
            raise RulesError(*self._fault.args)
        self._scores = np.zeros(n_playouts)
        try:
            if self.problem.checked:
                look_at(self.problem)
            arguments = self._arrays, self._rng, self._scores, target
            kernel = kernel_of(self.problem, self._kernel, arguments)
            with held():
                kernel(*arguments)
            if self.problem.checked:
                self._check_best()
        except RulesError as fault:
            self._fault = fault
            raise
        except Exception as error:
            if not self.problem.checked:
                raise
            self._fault = explain(self.problem, *self._last_game(), error)
            raise self._fault from error

    def _check_best(self):
        """Play a new best game again."""
        score, choices = self._best_game()
        if score > -np.inf and (score, choices.tobytes()) != self._checked_best:
            check_replay(self.problem, choices, score)
            self._checked_best = score, choices.tobytes()

    def run(
        self,
        n_playouts: int | None = None,
        *,
        seconds: float | None = None,
        target: float | None = None,
    ) -> Playout:
        """Search to the end or to the first limit; return the best game so far.

        It plays at most `n_playouts` more, for so many `seconds` by the clock on the wall, which is
        looked at after some playouts and does not count compiling; the playout that scores the
        `target` is the last. A limit is a pause, and so is Ctrl-C: the search can go on, and finds
        what it would have found without. A ValueError says if nothing would end it; errors of rules
        as for `advance`.
        """
        endless = "" if self._ends else type(self).__name__
        limits = checked_limits(n_playouts, seconds, target, endless)
        first, total = self.n_playouts, n_playouts or self.n_playouts_planned
        last, target = first + limits.n_playouts, limits.target
        if seconds is not None:
            self._play_at_once(0, target)  # compiles
        until = time.perf_counter() + limits.seconds
        with Bar(type(self).__name__, total, "playouts") as bar:
            for _ in self._go_on(last, until, target):
                bar(self.n_playouts - first, f"best {self._best_game()[0]:g}")
        return self.best

    def save(self, path: FilePath) -> None:
        """Write the search to one file, whole or not at all; `load` reads it.

        It holds what the search has found and learned, and its random numbers, not the problem. The
        `rng` must be one of numpy's own with a seed; a `RulesError` that ended it is raised.
        """
        if self._fault is not None:
            raise RulesError(*self._fault.args)
        saved.write(self, path)

    @classmethod
    def load(cls, path: FilePath, problem: Problem) -> Self:
        """Return the search that `save` wrote; it goes on as if it had not been interrupted.

        The `problem` is the one that was searched: its sizes and numbers are compared, and by its
        rules the best game must have the same score. A ValueError says if the file is of another
        class of search, format or problem, or is damaged.
        """
        return saved.read(cls, path, problem)

    def frames(self, every: int) -> Iterator[Snapshot]:
        """Yield the state every `every` playouts until the search has finished."""
        every = checks.whole("every", every)
        while not self.finished:
            self.advance(every)
            yield Snapshot(self.n_playouts, self.best, self.policy)
