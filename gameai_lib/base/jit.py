"""`njit` from numba where it is installed, else a decorator that changes nothing.

The kernels of this package are plain Python over arrays: without numba the same
source runs and gives the same results, only slower. A warning says so once, but for
the built page, where there is no numba to install.
"""

import sys
import warnings

from gameai_lib.base.interrupts import held

try:
    import numba
except ImportError:
    numba = None

if numba is not None:

    def njit(function=None, **options):
        """As `numba.njit`; an interrupt waits until numba has compiled or loaded a kernel.

        It would leave numba's registries half filled, and no kernel could be loaded any more.
        """
        if function is None:
            return lambda function: njit(function, **options)
        kernel = numba.njit(**options)(function)
        if kernel is function:  # NUMBA_DISABLE_JIT is set
            return function
        compiled = kernel._compile_for_args  # asked for once for each kind of arguments

        def undisturbed(*args, **kwargs):
            with held():
                return compiled(*args, **kwargs)

        kernel._compile_for_args = undisturbed
        return kernel

else:
    if sys.platform != "emscripten":
        warnings.warn(
            "numba is not installed: searches, fits and games take 30 to 500 times as long. "
            "With it they are compiled: pip install 'gameai_lib[fast]'",
            stacklevel=2,
        )

    def njit(function=None, **_options):
        """Return `function` as it is; accepts and ignores numba's options."""
        return function if function is not None else njit


__all__ = ["njit"]
