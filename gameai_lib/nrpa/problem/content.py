"""What rules are compiled from, as one number: the same rules are found again on disk.

Numba finds a function again by its file and its place there, but a reader's rules may stand in a
notebook, see other functions through a closure, and use numbers that have changed since.
"""

import hashlib
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any
from weakref import WeakSet

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.rules import Rules, is_compiled, names_in, plain_of

DAYS = 14  # for which the compiled rules of a reader are kept
LARGEST_ARRAY = 10**6  # bytes: a larger one numba leaves where it is, and keeps nothing
_ATOMS = NoneType, bool, int, float, complex, str, bytes, EllipsisType, slice
_KNOWN_MODULES = "builtins", "math", "cmath", "numpy", "numba"
_RENAMED: WeakSet[Any] = WeakSet()


class _UnknownError(Exception):
    """A value whose content cannot be told."""


@lru_cache(maxsize=256)
def stamp_of(rules: Rules) -> str | None:
    """Sixteen hex digits of all that rules are compiled from; None if that cannot be told.

    It counts the code of the functions and of those that they call, and the numbers and arrays
    that they use, as they are when it is first asked for. It does not count where the functions
    stand, nor comments. Python of another version compiles to other code.
    """
    seen: dict[FunctionType, int] = {}
    try:
        told = [_content(rule, seen) for rule in rules]
    except _UnknownError:
        return None
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _content(value, seen):
    """Nested tuples of what a value is."""
    if isinstance(value, FunctionType) or is_compiled(value):
        return _of_function(plain_of(value), seen)
    if isinstance(value, CodeType):
        parts = [getattr(value, f"co_{part}") for part in _CODE]
        return "code", *parts, *(_content(const, seen) for const in value.co_consts)
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc":
        if value.nbytes > LARGEST_ARRAY:
            raise _UnknownError
        # An array in another order of memory is of another type for the compiler.
        order = value.flags.f_contiguous, value.flags.c_contiguous
        digest = hashlib.sha256(value.tobytes()).hexdigest()
        return type(value).__name__, value.dtype.str, value.shape, order, digest
    if type(value) is tuple:
        return "tuple", *(_content(part, seen) for part in value)
    if isinstance(value, _ATOMS):
        return type(value).__name__, repr(value)
    if isinstance(value, ModuleType) and value.__name__ in _KNOWN_MODULES:
        return "module", value.__name__
    if isinstance(value, np.ufunc):
        return "ufunc", value.__name__
    if isinstance(value, BuiltinFunctionType | type) and value.__module__ in _KNOWN_MODULES:
        return value.__module__, value.__qualname__
    raise _UnknownError


_CODE = (
    "code", "names", "varnames", "freevars", "cellvars", "argcount", "kwonlyargcount", "flags",
    "exceptiontable",
)  # fmt: skip


def _of_function(function, seen):
    if function in seen:
        return "again", seen[function]
    seen[function] = len(seen)
    used = sorted(names_in(function.__code__) & function.__globals__.keys())
    looked_up = [(name, _content(function.__globals__[name], seen)) for name in used]
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(_content(cell.cell_contents, seen))
        except ValueError:  # a name that is not assigned yet
            cells.append("empty")
    defaults = function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items()))
    return "function", _content(function.__code__, seen), _content(defaults, seen), looked_up, cells


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
    values = [plain.__globals__.get(name) for name in names_in(plain.__code__)]
    for cell in plain.__closure__ or ():
        with suppress(ValueError):
            values.append(cell.cell_contents)
    for value in values:
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
