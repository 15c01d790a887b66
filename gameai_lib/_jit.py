"""`njit` from numba where it is installed, else a decorator that changes nothing.

The kernels of this package are plain Python over arrays: without numba the same
source runs and gives the same results, only slower.
"""

try:
    from numba import njit
except ImportError:

    def njit(function=None, **_options):
        """Return `function` as it is; accepts and ignores numba's options."""
        return function if function is not None else njit


__all__ = ["njit"]
