"""`njit` from numba where it is installed, else a decorator that changes nothing.

The kernels of this package are plain Python over arrays: without numba the same
source runs and gives the same results, only slower, and a warning says so once. So it
does, without a warning, where NUMBA_DISABLE_JIT is set. In the built page there is no
numba to install, but a module with most of them, compiled beforehand
(`gameai_lib.base.wasm`). Numba takes longer to load than all rooms together, so that it
is loaded when a kernel is first called.
"""

import functools
import importlib.util
import os
import warnings

from gameai_lib.base import wasm
from gameai_lib.base.interrupts import held

SWITCHED_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

try:
    COMPILED = importlib.util.find_spec("numba") is not None and not SWITCHED_OFF
except ImportError:  # where a finder refuses it
    COMPILED = False


FAST = COMPILED or wasm.works()  # whether the kernels of this package run compiled


class Kernel:
    """A function that numba compiles when it is first called; it has all that numba's have."""

    def __init__(self, function, options):
        functools.update_wrapper(self, function)
        self.py_func, self._options = function, options

    @functools.cached_property
    def compiled(self):
        """What numba makes of the function."""
        numba = _numba()
        kernel = numba.njit(**self._options)(self.py_func)
        compiled = kernel._compile_for_args  # asked for once for each kind of arguments

        def undisturbed(*args, **kwargs):
            with held():
                return compiled(*args, **kwargs)

        kernel._compile_for_args = undisturbed
        return kernel

    def __call__(self, *args, **kwargs):
        return self.compiled(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):  # those are asked for by copying and by `inspect`
            raise AttributeError(name)
        return getattr(self.compiled, name)

    def __reduce__(self):
        return self.compiled.__reduce__()


@functools.cache
def _numba():
    """Load numba, and tell it that a kernel which another one calls is what it makes of it."""
    with held():  # an interrupt would leave its registries half filled
        import numba
        from numba.extending import typeof_impl

        @typeof_impl.register(Kernel)
        def typeof_kernel(kernel, context):
            return numba.typeof(kernel.compiled)

    return numba


if COMPILED:

    def njit(function=None, **options):
        """As `numba.njit`; an interrupt waits until numba has compiled or loaded a kernel.

        It would leave numba's registries half filled, and no kernel could be loaded any more.
        """
        if function is None:
            return lambda function: njit(function, **options)
        return Kernel(function, options)

else:
    if not wasm.IN_A_PAGE and not SWITCHED_OFF:
        warnings.warn(
            "numba is not installed: searches, fits and games take 30 to 500 times as long. "
            "With it they are compiled: pip install 'gameai_lib[fast]'",
            stacklevel=2,
        )

    def njit(function=None, **_options):
        """Return `function` as it is, in a page its kernel; accepts and ignores numba's options."""
        if function is None:
            return njit
        return wasm.compiled(function) if wasm.IN_A_PAGE else function


__all__ = ["COMPILED", "FAST", "njit"]
