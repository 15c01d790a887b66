"""Independent restarts of a search, in parallel if wished; what has finished is never lost."""

import itertools
import math
import pickle
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, NamedTuple

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import first_line
from gameai_lib.nrpa.problem.walk import Playout
from gameai_lib.nrpa.search.anytime import Search, checked_limits
from gameai_lib.nrpa.search.nrpa import NRPA

MOST_RUNS = 10**6
MOST_FAILURES = 100  # then the others would fail, too
AHEAD = 128  # runs that are handed to an executor at once


class Run(NamedTuple):
    """One independent restart."""

    best: Playout
    n_playouts: int
    finished: bool  #: whether it came to its end; not if a limit cut it short


class RunsFailed(RuntimeError):
    """Some restarts failed; all others were yielded before.

    Attributes
    ----------
    failed : dict of int to Exception
        What became of each failed run, by its place.
    finished : list of Run
        The others, in order.
    """

    def __init__(self, failed: dict[int, Exception], finished: list[Run]):
        super().__init__(failed, finished)  # a pickled error is made again from these
        self.failed, self.finished = failed, finished

    def __str__(self):
        place, error = next(iter(self.failed.items()))
        return (
            f"{len(self.failed)} of {len(self.failed) + len(self.finished)} runs failed, first"
            f" run {place}: {type(error).__name__}: {first_line(error)}"
        )


def restarts(
    problem: Problem | Sequence[Problem],
    rng: Seed,
    n_runs: int,
    *,
    search: type[Search] = NRPA,
    executor: Executor | None = None,
    n_playouts: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    **parameters: Any,
) -> Iterator[Run]:
    """Yield independent searches, in order, each with its own stream spawned from `rng`.

    Other `parameters` are those of the search.

    A run is yielded as soon as it and those before it have finished: an interrupt loses only what
    is still running. A run that fails does not end the others, and those that a killed worker
    process has lost are done again. But for `seconds`, the result depends on `rng` and `n_runs`
    alone, not on the executor.

    Parameters
    ----------
    problem : Problem, or sequence of Problem
        Several take turns: the same tour under several biases, for example.
    search : class
        `NRPA`, `NMCS` or `FlatMonteCarlo`; the last needs a limit.
    executor : concurrent.futures.Executor, optional
        Where the searches run; in this process if absent. Threads will do, for compiled searches
        run side by side; processes can only be sent rules at the top level of a module.
    n_playouts, seconds : int and float, optional
        Limits for each search, as in its `run`.
    target : float, optional
        A score that is enough: the first run that reaches it is the last to be yielded.

    Raises
    ------
    RunsFailed
        After the last run, or the hundredth failure, if runs have failed; it holds the others.

    Examples
    --------
    >>> [run.best.score for run in restarts(leftmove(30), 1, 5, level=2, n_iterations=9)]
    [25.0, 23.0, 26.0, 25.0, 27.0]
    >>> runs = restarts(leftmove(30), 1, 100, search=NMCS, target=20)
    >>> [run.best.score for run in runs]
    [20.0]
    """
    if not (isinstance(search, type) and issubclass(search, Search)):
        raise TypeError(f"search must be NRPA, NMCS or FlatMonteCarlo, got {short(search)}")
    generator = checks.generator(rng)
    problems: list[Any] = [*problem] if isinstance(problem, list | tuple) else [problem]
    for each in problems:
        search(each, generator, **parameters)  # refuses here what every run would refuse
    if not problems:
        raise ValueError("problem must be one or more, got an empty list")
    if n_playouts is not None:
        checks.whole("n_playouts", n_playouts)
    limits: dict[str, Any] = {"n_playouts": n_playouts, "seconds": seconds, "target": target}
    checked = checked_limits(**limits, endless="" if search._ends else search.__name__)
    if executor is not None:
        checks.kind("executor", executor, Executor)
    if isinstance(executor, ProcessPoolExecutor):
        _refuse_what_stays_here(problems)
    n_runs = checks.whole("n_runs", n_runs, 1, MOST_RUNS)
    try:
        children = generator.spawn(n_runs)
    except TypeError as error:
        raise TypeError(f"rng must be able to spawn others: {error}") from error
    turns = itertools.cycle(problems)
    tasks = [
        (search, each, child, limits, parameters)
        for each, child in zip(turns, children, strict=False)
    ]
    outcomes = map(_outcome, tasks) if executor is None else _outcomes(executor, tasks)
    return _yield_runs(outcomes, n_runs, checked.target)


def _refuse_what_stays_here(problems):
    for problem in problems:
        try:
            pickle.dumps(problem)
        except Exception as error:
            raise TypeError(
                f"the rules of {problem.name} cannot be sent to another process"
                f" ({first_line(error)}): take a ThreadPoolExecutor, or write them as functions at"
                " the top level of a module"
            ) from error


def _yield_runs(outcomes, n_runs, enough):
    finished, failed, best = [], {}, -math.inf
    with Bar("restarts", n_runs, "runs") as bar:
        for place, outcome in enumerate(outcomes):
            if isinstance(outcome, Run):
                best = max(best, outcome.best.score)
                bar(place + 1, f"best {best:g}")
                finished.append(outcome)
                yield outcome
                if best >= enough:
                    break
                continue
            failed[place] = outcome
            if len(failed) == MOST_FAILURES:
                break
    if failed:
        raise RunsFailed(failed, finished) from next(iter(failed.values()))


def _outcome(task):
    """The run of a task, or its error."""
    kind, problem, rng, limits, parameters = task
    try:
        search = kind(problem, rng, **parameters)
        return Run(search.run(**limits), search.n_playouts, search.finished)
    except Exception as error:
        return error


def _outcomes(executor, tasks):
    """What became of each task, in order; after a worker was killed, the rest runs in another."""
    pool, futures = executor, {}
    try:
        for place in range(len(tasks)):
            outcome = None
            while outcome is None:
                try:
                    # One at a time in the other, so that it is clear which run was guilty.
                    stop = place + (AHEAD if pool is executor else 1)
                    for later in range(place, min(stop, len(tasks))):
                        if later not in futures:
                            futures[later] = pool.submit(_outcome, tasks[later])
                    outcome = futures.pop(place).result()
                except BrokenProcessPool as error:
                    outcome = None if pool is executor else error
                    warnings.warn(
                        "a worker process was killed: what it had not finished is done again",
                        stacklevel=3,
                    )
                    futures = {k: f for k, f in futures.items() if _has_result(f)}
                    pool = ProcessPoolExecutor(1, get_context("spawn"))
                except Exception as error:
                    outcome = error
            yield outcome
    finally:
        for future in futures.values():
            future.cancel()
        if pool is not executor:
            pool.shutdown(wait=False)


def _has_result(future):
    return future.done() and not future.cancelled() and future.exception() is None
