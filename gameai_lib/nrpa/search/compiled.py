"""Kernels of a problem, compiled once and kept on disk."""

import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakSet
from zlib import crc32

from gameai_lib.base.jit import COMPILED
from gameai_lib.nrpa.problem.kept import is_kept, kept, kept_stamp
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.registry import record_of
from gameai_lib.nrpa.problem.rules import Rules, RulesError, first_line
from gameai_lib.nrpa.search import arrays, kernels
from gameai_lib.nrpa.search.kernels import make_kernels


def kernels_of(problem: Problem, make: Callable[..., Any] = make_kernels) -> Any:
    """Searches for a problem; they leave their results in the arrays they are given.

    They are `Kernels`, or others that ``make(name, rules, checked)`` writes around its rules.

    A problem starts within a second once it has been compiled on a machine. A reader's own rules
    are found again by their content, wherever they stand: in a file, a notebook or a closure.
    They are compiled in each process only where they use what has no content to compare: other
    objects than numbers, arrays up to a megabyte, tuples of these, functions, and what they name
    of numpy or math.

    Raises
    ------
    RulesError
        If a rule cannot be compiled, or returns what it should not.
    """
    if record := record_of(problem):
        return _built_in(record, make)
    try:
        return _compile(problem.rules, problem.checked, make)
    except RulesError as error:
        raise RulesError(problem.name, *error.args[1:]) from error


@lru_cache
def _built_in(record, make):
    made = make(record.source.stem, record.rules, False)
    return _kept_kernels(made, _stamp_of_sources(make, record.source)) if COMPILED else made


def _stamp_of_sources(make, *more):
    written = {Path(kernels.__file__), Path(make.__code__.co_filename)}
    sources = Path(arrays.__file__), *sorted(written), *more
    return f"{crc32(b''.join(source.read_bytes() for source in sources)):08x}"


def _kept_kernels(made, stamp):
    return type(made)(*(kept(kernel, _call, kernel.__qualname__, stamp) for kernel in made))


def _call(arrays, rng, n, target):
    return kernel(arrays, rng, n, target)  # noqa: F821 - each copy of this function has its own


@lru_cache(maxsize=64)
def _compile(rules, checked, make):
    if not COMPILED or not checked:
        return make("own", rules, checked)
    stamp = kept_stamp(rules)
    if stamp is None:
        check_types(rules)
        return make("own", rules, checked)
    stamp = f"{stamp}_{_stamp_of_sources(make)}"
    found = _kept_kernels(make(f"own_{stamp}", rules, checked), stamp)
    if not is_kept(found.nrpa, stamp):
        check_types(rules)
    return found


def check_types(rules: Rules) -> None:
    """Compile each of a reader's own rules by itself, so that an error can name it.

    Raises
    ------
    RulesError
    """
    import numba  # loaded where it is needed: it takes longer than all else

    whole, arrays = numba.int64, (numba.int64[::1], numba.float64[::1])
    arguments = {"legal": (numba.int64[::1], whole), "play": (whole, whole)}
    for name, rule in rules._asdict().items():
        signature = arrays + arguments.get(name, ())
        try:
            rule.compile(signature)
        except Exception as error:  # numba has many, not all of them its own
            fault = f"cannot be compiled: {_cause(error)}"
            raise RulesError("", name, fault) from error
        returned = rule.overloads[signature].signature.return_type
        wanted = {
            "legal": numba.types.Integer,
            "score": numba.types.Integer | numba.types.Float,
        }.get(name)
        if wanted is not None and not isinstance(returned, wanted):
            what = "a whole number" if name == "legal" else "a number"
            if isinstance(returned, numba.types.NoneType | numba.types.Optional):
                fault = f"does not always return {what}: is a `return` missing?"
                raise RulesError("", name, fault)
            raise RulesError("", name, f"returns {returned}, not {what}")


def _cause(error):
    """The part of numba's message that says what is wrong, and where."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During:"))]
    where = next((line for line in lines if line.startswith("File ")), "")
    return " ".join([first_line(lines[0] if lines else type(error).__name__), where]).strip()


_READY: WeakSet[Any] = WeakSet()
_COMPILING = threading.RLock()  # else each of several threads would compile the same


def compiled(problem: Problem, name: str, arguments, make: Callable[..., Any] = make_kernels):
    """The search of this name for a problem, compiled for such arguments; `make` as above.

    Its first call then is as short as any other.
    """
    with _COMPILING:
        kernel = getattr(kernels_of(problem, make), name)
        if COMPILED and kernel not in _READY:
            import numba

            kernel.compile(tuple(map(numba.typeof, arguments)))
            _READY.add(kernel)  # the types are the same in every search
    return kernel
