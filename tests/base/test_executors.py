"""Tasks on an executor come back in order, and a killed worker loses none of them."""

import os
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import pytest

from gameai_lib.base.executors import AHEAD, run_in_order


def processes(n):
    return ProcessPoolExecutor(n, mp_context=get_context("spawn"))


def slow_first(i):
    time.sleep(0.05 if i == 0 else 0)
    return i


def kill_once(i, flag):
    """Square `i`; the fourth task ends its process the first time."""
    if i == 3 and not os.path.exists(flag):
        with open(flag, "w"):
            os._exit(1)
    return i * i


def kill_each(i):
    return os._exit(1) if i == 1 else i


def test_results_come_in_order_and_no_more_is_handed_out_than_is_waited_for():
    asked = []

    def tasks():
        for i in range(3 * AHEAD):
            asked.append(i)
            yield (i,)

    with ThreadPoolExecutor(2) as pool:
        results = run_in_order(pool, slow_first, tasks())
        assert next(results) == 0
        assert len(asked) == AHEAD
        assert list(results) == [*range(1, 3 * AHEAD)]


def test_what_a_killed_worker_takes_along_is_run_again(tmp_path):
    tasks = [(i, str(tmp_path / "killed")) for i in range(2 * AHEAD)]
    with processes(2) as pool, pytest.warns(UserWarning, match="was killed"):
        assert list(run_in_order(pool, kill_once, tasks)) == [i * i for i in range(2 * AHEAD)]


def test_a_task_that_ends_every_process_raises_and_loses_none_before_it():
    results, tasks = [], [(i,) for i in range(3)]
    killed = pytest.warns(UserWarning, match="was killed")
    with processes(1) as pool, killed, pytest.raises(BrokenProcessPool):
        results.extend(run_in_order(pool, kill_each, tasks))
    assert results == [0]
