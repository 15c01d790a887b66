"""Damaged files, wrong arguments, misbehaving rules and interrupts, thrown at every room.

``python -m benchmarks.fuzz`` tries 50,000 inputs a room and prints what became of them;
``tests/fuzz/test_fuzz.py`` tries a few of each. A room's module here has ``targets()``: what can
be thrown at that room. Every input is run in a process with a limit of memory and of time.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Fault(AssertionError):
    """An input was accepted, and what came of it is wrong."""


class Target(NamedTuple):
    """One thing to throw inputs at."""

    name: str
    make: Callable[[np.random.Generator], object]  # one input, from random numbers alone
    run: Callable[[object], None]  # gives it to the library; raises `Fault` if the result is wrong
    seconds: float = 10.0  # one input may take so long ...
    megabytes: float = 1024.0  # ... and so much memory beyond what the process has at first
    weight: float = 1.0  # its share of the room's inputs


ROOMS = ("hanabi", "ntbea", "btmm", "nrpa", "frame")
