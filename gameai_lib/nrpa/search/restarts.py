"""Independent restarts of a search, in parallel if wished; each is yielded when it has finished."""

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import starmap
from typing import Any, NamedTuple

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.executors import run_in_order
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout
from gameai_lib.nrpa.search.anytime import Search, checked_limits
from gameai_lib.nrpa.search.nrpa import NRPA

MOST_RUNS = 10**6


class Run(NamedTuple):
    """One independent restart."""

    best: Playout
    n_playouts: int
    finished: bool  #: whether it came to its end; not if a limit cut it short


def restarts(
    problem: Problem,
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

    A run is yielded as soon as it and those before it have finished: an interrupt, or the error of
    a run, loses only what comes after. What a killed worker process had not finished is done
    again. But for `seconds`, the result depends on `rng` and `n_runs` alone, not on the executor.

    The `search` is `NRPA`, `NMCS` or `FlatMonteCarlo`, and `parameters` are its own. Each has the
    limits `n_playouts` and `seconds` of its `run`; the first that reaches the `target` is the last
    to be yielded. Flat Monte Carlo needs a limit.

    Searches run where the `executor` lets them, or in this process. Threads will do, for compiled
    searches run side by side; processes can only be sent rules at the top level of a module.

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
    search(problem, generator, **parameters)  # refuses here what every run would refuse
    limits: dict[str, Any] = {"n_playouts": n_playouts, "seconds": seconds, "target": target}
    checked = checked_limits(**limits, endless="" if search._ends else search.__name__)
    if executor is not None:
        checks.kind("executor", executor, Executor)
    n_runs = checks.whole("n_runs", n_runs, 1, MOST_RUNS)
    tasks = [(search, problem, child, limits, parameters) for child in generator.spawn(n_runs)]
    runs = starmap(_run, tasks) if executor is None else run_in_order(executor, _run, tasks)
    return _up_to(checked.target, runs, n_runs)


def _run(kind, problem, rng, limits, parameters):
    search = kind(problem, rng, **parameters)
    return Run(search.run(**limits), search.n_playouts, search.finished)


def _up_to(enough, runs, n_runs):
    """Yield runs until one scores enough, with a progress bar."""
    best = -math.inf
    with Bar("restarts", n_runs, "runs") as bar:
        for n_done, run in enumerate(runs, 1):
            best = max(best, run.best.score)
            bar(n_done, f"best {best:g}")
            yield run
            if best >= enough:
                return
