"""`njit` from numba where it is installed, else a decorator that changes nothing.

The kernels of this package are plain Python over arrays: without numba the same
source runs and gives the same results, only slower, and a warning says so once. So it
does, without a warning, where NUMBA_DISABLE_JIT is set. Where something else runs kernels
that were compiled beforehand, as in a page, it has registered (`gameai_lib.base.runtime`).
Numba takes longer to load than all rooms together, so that it is loaded when a kernel is
first called.
"""

import functools
import importlib.util
import os
import sys
import threading
import time
import warnings
from contextlib import contextmanager
from types import FunctionType

import numpy as np

from gameai_lib.base import private, runtime
from gameai_lib.base.interrupts import held

SWITCHED_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

try:
    COMPILED = importlib.util.find_spec("numba") is not None and not SWITCHED_OFF
except ImportError:  # where a finder refuses it
    COMPILED = False

_ELSEWHERE = runtime.registered()
FAST = COMPILED or _ELSEWHERE is not None  # whether the kernels of this package run compiled

# Options of numba for a kernel that only kernels call: no entry from Python or C is compiled.
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

# Seconds of a process in which short jobs run as plain Python: compiling takes five to ten.
PLAIN_SECONDS = 0.25
_plain_left = PLAIN_SECONDS


class _Here(threading.local):
    is_plain = False  # of this thread alone: a search in another one may be long


_here = _Here()


@contextmanager
def plain_at_first(is_short=True):
    """Within it kernels run as plain Python, until that has taken `PLAIN_SECONDS` in all.

    For jobs that are short, a few milliseconds: the first ones need not wait for a compiler. The
    context is whether they run so.
    """
    global _plain_left
    if _here.is_plain or not is_short or _plain_left <= 0 or not COMPILED:
        yield _here.is_plain
        return
    started, _here.is_plain = time.perf_counter(), True
    try:
        with np.errstate(all="ignore"):  # compiled kernels do not warn
            yield True
    finally:
        _here.is_plain = False
        _plain_left -= time.perf_counter() - started


def stop_plain():
    """From now on, every kernel is compiled when it is first called."""
    global _plain_left
    _plain_left = 0.0


class Kernel:
    """A function that numba compiles when it is first called; it has all that numba's have."""

    def __init__(self, function, allocates, options):
        functools.update_wrapper(self, function)
        self.py_func, self._allocates, self._options = function, allocates, options

    @functools.cached_property
    def compiled(self):
        """What numba makes of the function for those who call it from Python."""
        return _compile(self.py_func, self._options | private.COUNTED)

    @functools.cached_property
    def called(self):
        """What it makes of it for other kernels: without counting who holds which array, if it can.

        Called from Python that would not do: arrays that come from there would never be freed.
        """
        if self._allocates:
            return self.compiled
        function = self.py_func
        parts = function.__code__, function.__globals__, function.__name__, function.__defaults__
        copy = functools.update_wrapper(FunctionType(*parts, function.__closure__), function)
        copy.__qualname__ += "_called"  # a name of its own on disk
        return _compile(copy, self._options | private.UNCOUNTED | INNER)

    def __call__(self, *args, **kwargs):
        return (self.py_func if _here.is_plain else self.compiled)(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):  # those are asked for by copying and by `inspect`
            raise AttributeError(name)
        return getattr(self.compiled, name)

    def __reduce__(self):
        return self.compiled.__reduce__()


def _compile(function, options):
    kernel = _numba().njit(**options)(function)
    private.compile_within(kernel, held)
    return kernel


@functools.cache
def _numba():
    """Load numba, and tell it what a kernel is to another one, which calls it."""
    with held():  # an interrupt would leave its registries half filled
        import numba
        from numba.extending import typeof_impl

        @typeof_impl.register(Kernel)
        def typeof_kernel(kernel, context):
            return numba.typeof(kernel.called)

    return numba


# In a page there is no numba to install.
if not FAST and not SWITCHED_OFF and sys.platform != "emscripten":
    warnings.warn(
        "numba is not installed: searches, fits and games take 30 to 500 times as long. "
        "With it they are compiled: pip install 'gameai_lib[fast]'",
        stacklevel=2,
    )


def njit(function=None, *, allocates=False, **options):
    """As `numba.njit`; an interrupt waits until numba has compiled or loaded a kernel.

    It would leave numba's registries half filled, and no kernel could be loaded any more.

    A kernel that makes arrays, or calls numpy's functions that do, says that it `allocates`. The
    others only borrow theirs: numba need not count who holds them, which can take longer than all
    that a short kernel does.

    Without numba it is the function as it is, or what was registered makes of it.
    """
    if function is None:
        return functools.partial(njit, allocates=allocates, **options)
    if COMPILED:
        return Kernel(function, allocates, options)
    return _ELSEWHERE(function) if _ELSEWHERE else function


@njit(cache=True)
def assign(target, source):
    """Write an array over another of its size, both contiguous, from the first number to the last.

    It is ``target[...] = source`` for kernels that do not allocate: numba makes a copy where the
    two may overlap.
    """
    to, of = target.reshape(-1), source.reshape(-1)
    for i in range(to.size):
        to[i] = of[i]


@njit(cache=True, allocates=True)
def draw(n, rng):
    """A random whole number from 0 to below `n`; numba's draw makes an array of one."""
    return rng.integers(0, n)


__all__ = ["COMPILED", "FAST", "assign", "draw", "njit", "plain_at_first", "stop_plain"]
