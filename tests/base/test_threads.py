"""The linear algebra of small matrices on one thread."""

import threading

import numpy as np
import pytest

from gameai_lib.base.threads import LARGE, one_thread

threadpoolctl = pytest.importorskip("threadpoolctl")


def n_threads():
    """Numbers of threads of the libraries of linear algebra."""
    np.ones((2, 2)) @ np.ones((2, 2))
    return {i["num_threads"] for i in threadpoolctl.threadpool_info() if i["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        yield
        assert n_threads() == {2}


def test_one_thread_inside_and_as_many_as_before_outside():
    with one_thread(10):
        with one_thread(10):
            pass
        assert n_threads() == {1}
    assert n_threads() == {2}
    with one_thread(LARGE):
        assert n_threads() == {2}
    with pytest.raises(ZeroDivisionError), one_thread(10):
        print(1 / 0)


def test_two_at_once_leave_as_many_as_before():
    inside, leave = threading.Event(), threading.Event()

    def work():
        with one_thread(10):
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=work)
    with one_thread(10):
        other.start()
        assert inside.wait(10)
    leave.set()
    other.join()
