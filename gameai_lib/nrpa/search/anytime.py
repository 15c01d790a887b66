"""What all searches share: to be watched, paused, interrupted and continued.

An anytime search (Dean and Boddy 1988) has its best game so far ready whenever it is stopped.
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.interrupts import held
from gameai_lib.base.progress import Bar
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import RulesError
from gameai_lib.nrpa.problem.tryout import explained, forgetful
from gameai_lib.nrpa.problem.walk import Playout, playout_of
from gameai_lib.nrpa.search.compiled import compile_for, kernels_of

AT_ONCE = 0.02  # seconds of compiled code, within which no interrupt can come
MOST_AT_ONCE = 1 << 16
MOST_BYTES = 4 << 30  # of one search
MOST_LEVELS = 64
NO_GAME = Playout(-np.inf, np.zeros(0, np.int64), np.zeros(0, np.int64))


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
        self.problem = checks.kind("problem", problem, Problem)
        self._rng = checks.generator(rng)

    def __repr__(self):
        best = f"best score {self.best.score:g}" if self.n_playouts else "not begun"
        return (
            f"{type(self).__name__}({self.problem.name}: {self.n_playouts} playouts, {best}"
            f"{', finished' if self.finished else ''})"
        )

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

    def _call(self, name, todo):
        """Call a kernel on the search's arrays; an error of the rules ends it, explained."""
        if self._fault is not None:
            raise RulesError(*self._fault.args)
        kernel = getattr(kernels_of(self.problem), name)
        arguments = self._arrays, self._rng, todo
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
            again = playout_of(self.problem, choices).score
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
            Called every `every` playouts. Without one, a progress bar appears after two seconds.

        Raises
        ------
        ValueError
            If `every` is less than 1.
        """
        every = checks.whole("every", every)
        left = None if n_playouts is None else checks.whole("n_playouts", n_playouts, 0)
        if report is not None:
            checks.function("report", report)
        first, total = self.n_playouts, left or self.n_playouts_planned
        with Bar(type(self).__name__, total, "playouts") as bar:
            while not self.finished and (left is None or left > 0):
                self.advance(every if left is None else min(every, left))
                left = None if left is None else left - every
                if report is not None:
                    report(self)
                elif self.n_playouts > first:
                    bar(self.n_playouts - first, f"best {self.best.score:g}")
        return self.best

    n_playouts_planned = None  # of a whole search, where that is known beforehand

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


def fits_memory(problem: Problem, n_rows: int, bytes_each: int) -> None:
    """Refuse a search whose arrays would be too large."""
    if n_rows * bytes_each > MOST_BYTES:
        raise ValueError(
            f"{problem.name}: a search of level {n_rows - 1} needs"
            f" {n_rows * bytes_each / 2**30:,.1f} GiB, more than {MOST_BYTES >> 30}"
        )
