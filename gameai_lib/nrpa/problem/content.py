"""What functions are compiled from, as one number: the same rules are known again.

Numba finds a function again by its file and its place there, but a reader's rules may stand in a
notebook, see other functions through a closure, and use numbers that have changed since.
"""

import dis
import hashlib
from contextlib import suppress
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

LARGEST_ARRAY = 10**6  # bytes: a larger one numba leaves where it is, and keeps nothing
_ATOMS = NoneType, bool, int, float, complex, str, bytes, EllipsisType, slice
_KNOWN_MODULES = "builtins", "math", "cmath", "numpy", "numba"


class UnknownContentError(Exception):
    """A value whose content cannot be told."""


def content_of(*values, unknown=None) -> str:
    """Sixteen hex digits of all that functions are compiled from.

    It counts their code and that of the functions that they call, and the numbers and arrays that
    they use, as they are now. It does not count where the functions stand, nor comments. Python of
    another version compiles to other code.

    Parameters
    ----------
    *values
        Functions, plain or compiled.
    unknown : function of one value, optional
        What stands for a value that another process may not have, or whose content cannot be
        told.

    Raises
    ------
    UnknownContentError
        If there is such a value, and nothing stands for it.
    """
    seen: dict[FunctionType, int] = {}
    told = [_content(value, seen, unknown or _refused) for value in values]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _refused(value):
    raise UnknownContentError(value)


def _content(value, seen, unknown):
    """Nested tuples of what a value is."""
    if isinstance(value, FunctionType) or is_compiled(value):
        return _of_function(plain_of(value), seen, unknown)
    if isinstance(value, CodeType):
        parts = [getattr(value, f"co_{part}") for part in _CODE]
        return "code", *parts, *(_content(const, seen, unknown) for const in value.co_consts)
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc":
        if value.nbytes > LARGEST_ARRAY:
            unknown(value)
        # An array in another order of memory is of another type for the compiler.
        order = value.flags.f_contiguous, value.flags.c_contiguous
        digest = hashlib.sha256(value.tobytes()).hexdigest()
        return type(value).__name__, value.dtype.str, value.shape, order, digest
    if type(value) is tuple:
        return "tuple", *(_content(part, seen, unknown) for part in value)
    if isinstance(value, _ATOMS):
        return type(value).__name__, repr(value)
    if isinstance(value, ModuleType) and is_known(value.__name__):
        return "module", value.__name__
    if isinstance(value, np.ufunc):
        return "ufunc", value.__name__
    if isinstance(value, BuiltinFunctionType | type) and is_known(value.__module__):
        return value.__module__, value.__qualname__
    return unknown(value)


_CODE = (
    "code", "names", "varnames", "freevars", "cellvars", "argcount", "kwonlyargcount", "flags",
    "exceptiontable",
)  # fmt: skip


def _of_function(function, seen, unknown):
    if function in seen:
        return "again", seen[function]
    seen[function] = len(seen)

    def told(value):
        return _content(value, seen, unknown)

    used = values_in(function)
    defaults = function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items()))
    return "function", told(function.__code__), told(defaults), [(k, told(used[k])) for k in used]


def values_in(function) -> dict[str, Any]:
    """The globals that a function of Python looks up and what is in its closure, by name.

    Those that are not assigned yet are left out.
    """
    used = {
        k: function.__globals__[k] for k in names_in(function.__code__) if k in function.__globals__
    }
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not assigned yet
            used[name] = cell.cell_contents
    return used


def is_known(module: str | None) -> bool:
    """Whether the compiler knows the functions of a module by its name."""
    return (module or "").partition(".")[0] in _KNOWN_MODULES


def is_compiled(value) -> bool:
    """Whether a value is a compiled function."""
    return isinstance(getattr(value, "py_func", None), FunctionType)


def is_function(value) -> bool:
    """Whether a value is a function of Python, compiled or not, that the compiler does not know."""
    plain = plain_of(value)
    return isinstance(plain, FunctionType) and not is_known(plain.__module__)


def plain_of(function):
    """The function of Python behind a compiled one; any other as it is."""
    return getattr(function, "py_func", function)


def names_in(code) -> list[str]:
    """Names of globals that a function, or one inside it, looks up, in order."""
    found = {s.argval for s in dis.get_instructions(code) if s.opname in _LOOKUPS}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return sorted(found.union(*map(names_in, inner)))


_LOOKUPS = "LOAD_GLOBAL", "LOAD_NAME"
