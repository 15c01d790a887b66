"""Compiled rules of a reader's own, kept on disk under a number of their content."""

import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any
from weakref import WeakSet

from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.content import (
    UnknownContentError,
    content_of,
    is_compiled,
    plain_of,
    values_in,
)
from gameai_lib.nrpa.problem.rules import Rules

DAYS = 14  # for which the compiled rules of a reader are kept
_RENAMED: WeakSet[Any] = WeakSet()


@lru_cache(maxsize=256)
def stamp_of(rules: Rules) -> str | None:
    """`content_of` all four rules; None if it cannot be told."""
    try:
        return content_of(*rules)
    except UnknownContentError:
        return None


@lru_cache(maxsize=256)
def kept_stamp(rules: Rules) -> str | None:
    """The stamp under which checked rules are kept on disk; None if they cannot be.

    Compiled functions get it into their names: the compiler keeps functions of one name apart
    by a count that starts again in each process. Read back from disk, two problems would then
    share one machine code.
    """
    stamp = stamp_of(rules)
    for rule in rules if stamp else ():
        _rename(rule, stamp)
    return stamp


def _rename(function, stamp):
    if not is_compiled(function) or function in _RENAMED:
        return
    _RENAMED.add(function)
    plain = plain_of(function)
    plain.__qualname__ = f"{plain.__qualname__}_{stamp}"
    for value in values_in(plain).values():
        _rename(value, stamp)


def kept(compiled, call, name, stamp):
    """A copy of the function `call` that calls `compiled`, and is kept on disk together with it.

    Numba finds nothing again that has a compiled function in its closure, since the key to it
    would be another one in each process; but a global may be one: `call` names it `kernel`. The
    name of the copy is that of its file, and numba's cache looks only at the file where `call`
    stands; so all that `compiled` is made from has to be in the stamp.
    """
    function = FunctionType(call.__code__, {"__name__": call.__module__, "kernel": compiled})
    function.__name__ = name
    function.__qualname__ = f"{name}_{stamp}"
    return njit(cache=True, nogil=True)(function)


def is_kept(caller, stamp) -> bool:
    """Whether anything of this stamp was compiled before; what is too old is removed if not."""
    folder = Path(caller.stats.cache_path)
    if any(folder.glob(f"*{stamp}*.nbi")):
        return True
    for path in folder.glob("*own_*.nb?"):
        with suppress(OSError):  # another process may have removed it
            if path.stat().st_mtime < time.time() - 86400 * DAYS:
                path.unlink()
    return False


def _call_two(ints, floats):
    return kernel(ints, floats)  # noqa: F821 - each copy of this function has its own


def _call_four(ints, floats, third, fourth):
    return kernel(ints, floats, third, fourth)  # noqa: F821


@lru_cache(maxsize=64)
def kept_rules(rules: Rules) -> Rules:
    """Checked rules as a game calls them one by one: kept on disk where they can be."""
    stamp = kept_stamp(rules) if is_compiled(rules.reset) else None
    if stamp is None:
        return rules
    calls = {"legal": _call_four, "play": _call_four}
    return Rules(
        *(
            kept(rule, calls.get(name, _call_two), f"own_{name}", stamp)
            for name, rule in rules._asdict().items()
        )
    )
