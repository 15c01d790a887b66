"""Interrupts wait for the end of a block, and then come."""

import pickle
import signal
import threading

import pytest

from gameai_lib.base.interrupts import Interrupted, held


def interrupt():
    """Press control-C."""
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_comes_after_the_outermost_block():
    done = []

    def nested():
        with held():
            with held():
                interrupt()
                done.append("inner")
            done.append("outer")
        done.append("after")

    with pytest.raises(KeyboardInterrupt):
        nested()
    assert done == ["inner", "outer"]


def test_the_handler_of_before_is_back():
    before = signal.getsignal(signal.SIGINT)
    with held():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(ZeroDivisionError), held():
        print(1 / 0)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_ignored_interrupt_stays_ignored_and_other_threads_are_left_alone():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with held():
            interrupt()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    seen = []

    def elsewhere():
        with held():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [before]


def test_an_interrupt_holds_what_was_done_in_a_copy_too():
    stop = Interrupted("stopped after 2 of 9 games", [1, 2])
    assert isinstance(stop, KeyboardInterrupt)
    for error in (stop, pickle.loads(pickle.dumps(stop))):
        assert error.result == [1, 2]
        assert str(error).startswith("stopped after 2 of 9 games (`result` of ")
