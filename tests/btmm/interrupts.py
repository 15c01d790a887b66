"""Ctrl-C in the middle of a computation."""

import signal
from itertools import count


def interrupt_calls(monkeypatch, owner, name, *numbers):
    """Let an interrupt arrive when ``owner.name`` is called for the numbers-th time from now."""
    function, calls = getattr(owner, name), count(1)

    def interrupt(*arguments):
        if next(calls) in numbers:
            signal.raise_signal(signal.SIGINT)
        return function(*arguments)

    monkeypatch.setattr(owner, name, interrupt)
