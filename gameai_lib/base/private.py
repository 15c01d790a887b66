"""All that the library uses of the private parts of others, each in one function.

Nobody promises that they stay. They were tried with numba 0.68, tqdm 4.70 and CPython 3.11;
``tests/base/test_private.py`` names the one that has gone.
"""

# The C functions: `signal.signal` costs seven times as much, which a search step would notice.
import _signal as c_signal  # type: ignore[import-not-found]  # noqa: F401

# Options of numba: whether a kernel counts who holds which array. One that does says so, else it
# would do as the kernel that calls it.
COUNTED, UNCOUNTED = {"_nrt": True}, {"_nrt": False}


def compile_within(kernel, block):
    """Let numba compile or load a kernel inside of ``with block():`` only."""
    compiled = kernel._compile_for_args  # asked for once for each kind of arguments

    def without_trace(*args, **kwargs):
        with block():
            return compiled(*args, **kwargs)

    kernel._compile_for_args = without_trace


def cache_locator():
    """The class of what tells numba where kernels are kept."""
    from numba.core.caching import _CacheLocator

    return _CacheLocator


def start_earlier(bar, seconds):
    """Let a bar of tqdm, which has none if it is off, count from some seconds ago."""
    bar.start_t = getattr(bar, "start_t", 0) - seconds
