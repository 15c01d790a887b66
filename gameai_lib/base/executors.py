"""Tasks on an executor: results in order, and what a killed worker takes along is run again."""

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import cache
from itertools import islice
from multiprocessing import get_context
from typing import Any

AHEAD = 128  # tasks that are handed out at once


def run_in_order(
    executor: Executor, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    """Yield ``function(*task)`` of each task, in order.

    When a worker process is killed, its pool is lost: a warning says so, and what the pool had not
    finished runs in one other process. A task that ends that one, too, raises its error.
    """
    left, waiting = iter(tasks), deque[tuple[tuple[Any, ...], Future[Any]]]()
    with ExitStack() as stack:

        @cache
        def spare() -> Executor:
            warnings.warn(
                "a worker process was killed: what it had not finished is done again", stacklevel=4
            )
            return stack.enter_context(ProcessPoolExecutor(1, get_context("spawn")))

        try:
            while True:
                for task in islice(left, AHEAD - len(waiting)):
                    waiting.append((task, _submit(executor, function, task)))
                if not waiting:
                    return
                task, future = waiting.popleft()
                try:
                    result = future.result()
                except BrokenProcessPool:
                    result = spare().submit(function, *task).result()
                yield result
        finally:
            for _, future in waiting:
                future.cancel()


def _submit(executor, function, task):
    """The future of a task; of a pool that is lost one that says so."""
    try:
        return executor.submit(function, *task)
    except BrokenProcessPool as error:
        future = Future()
        future.set_exception(error)
        return future
