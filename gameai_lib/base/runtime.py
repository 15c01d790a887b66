"""Who runs compiled kernels where numba is not.

A page has no numba to install, but may bring the kernels compiled beforehand, and something that
calls them: that registers itself here before a room is imported, and `gameai_lib.base.jit` asks.
"""

import sys
from collections.abc import Callable

_registered: list[Callable] = []


def register(compiled: Callable) -> None:
    """Let ``compiled(function)`` give what is called in the place of each kernel."""
    if "gameai_lib.base.jit" in sys.modules:
        raise RuntimeError("kernels have been made already: register before importing a room")
    _registered[:] = [compiled]


def registered() -> Callable | None:
    """What was registered; None if nothing was."""
    return _registered[0] if _registered else None
