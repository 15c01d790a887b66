"""What functions are compiled from, as one number, by which the same rules are recognised.

Numba finds a function by its file and line, but a reader's rules may stand in a notebook, see other
functions through a closure, and use numbers that have changed since.
"""

import dis
import hashlib
from contextlib import suppress
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

LARGEST_ARRAY = 10**6  # bytes: numba does not keep code with a larger one
_ATOMS = NoneType, bool, int, float, complex, str, bytes, EllipsisType, slice
_KNOWN_MODULES = "builtins", "math", "cmath", "numpy", "numba"
_CODE = (
    "code", "names", "varnames", "freevars", "cellvars", "argcount", "kwonlyargcount", "flags",
    "exceptiontable",
)  # fmt: skip


class UnknownContentError(Exception):
    """A value whose content cannot be compared between processes."""


@lru_cache(maxsize=256)
def stamp_of(rules: tuple[Any, ...]) -> str | None:
    """`content_of` all four rules; None if they use a value that cannot be compared."""
    try:
        return content_of(*rules)
    except UnknownContentError:
        return None


def content_of(*functions, unknown=None) -> str:
    """Sixteen hex digits of all that functions, plain or compiled, are compiled from.

    These are their code, the functions that they call, and the numbers and arrays that they use,
    as they are now, but not where they stand, nor comments. ``unknown(value)`` stands for a value
    that another process may not have; without it such a value is an `UnknownContentError`.
    """
    seen: dict[FunctionType, int] = {}
    parts = [_content(function, seen, unknown or _refuse) for function in functions]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _refuse(value):
    raise UnknownContentError(value)


def _content(value, seen, unknown):
    """Nested tuples of what a value is."""
    if isinstance(plain_of(value), FunctionType):
        return _content_of_function(plain_of(value), seen, unknown)
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


def _content_of_function(function, seen, unknown):
    if function in seen:
        return "again", seen[function]
    seen[function] = len(seen)
    defaults = function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items()))
    code, defaults = (_content(part, seen, unknown) for part in (function.__code__, defaults))
    used = values_in(function).items()
    return "function", code, defaults, [(name, _content(v, seen, unknown)) for name, v in used]


def values_in(function) -> dict[str, Any]:
    """By name, the assigned globals that a function of Python looks up, and its closure."""
    known = function.__globals__
    values = {name: known[name] for name in names_in(function.__code__) if name in known}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not assigned yet
            values[name] = cell.cell_contents
    return values


def names_in(code) -> list[str]:
    """Names of globals that a function, or one inside it, looks up, in order."""
    looked_up = "LOAD_GLOBAL", "LOAD_NAME"
    names = {step.argval for step in dis.get_instructions(code) if step.opname in looked_up}
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return sorted(names.union(*map(names_in, inner)))


def is_known(module: str | None) -> bool:
    """Whether the compiler knows the functions of a module by its name."""
    return (module or "").partition(".")[0] in _KNOWN_MODULES


def is_function(value) -> bool:
    """Whether a value is a function of Python, compiled or not, that the compiler does not know."""
    plain = plain_of(value)
    return isinstance(plain, FunctionType) and not is_known(plain.__module__)


def plain_of(function):
    """The function of Python behind a compiled one; any other as it is."""
    return getattr(function, "py_func", function)
