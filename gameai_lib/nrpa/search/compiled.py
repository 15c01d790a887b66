"""Kernels of a problem, compiled once and kept on disk for the problems of this package."""

from functools import lru_cache
from pathlib import Path
from types import FunctionType
from weakref import WeakSet
from zlib import crc32

from gameai_lib.base.jit import COMPILED, njit
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.registry import record_of
from gameai_lib.nrpa.problem.rules import Rules, RulesError, first_line
from gameai_lib.nrpa.search import arrays, kernels
from gameai_lib.nrpa.search.kernels import Kernels, make_kernels


def kernels_of(problem: Problem) -> Kernels:
    """Searches for a problem; they leave their results in the arrays they are given.

    A problem of this package starts within a second once it has been compiled on a machine;
    other rules are compiled once in each process.

    Raises
    ------
    RulesError
        If a rule cannot be compiled, or returns what it should not.
    """
    if record := record_of(problem):
        return _built_in(record)
    try:
        return _compile(problem.rules, problem.checked)
    except RulesError as error:
        raise RulesError(problem.name, *error.args[1:]) from error


@lru_cache
def _built_in(record):
    sources = Path(arrays.__file__), Path(kernels.__file__), record.source
    stamp = f"{crc32(b''.join(source.read_bytes() for source in sources)):08x}"
    made = make_kernels(record.source.stem, record.rules)
    return Kernels(*(_kept(kernel, stamp) for kernel in made))


def _call(arrays, rng, n):
    return kernel(arrays, rng, n)  # noqa: F821 - each copy of this function has its own


def _kept(kernel, stamp):
    """A function that calls `kernel` and is kept on disk together with it.

    Numba finds nothing again that has a compiled function in its closure, since the key to it
    would be another one in each process; but a global may be one. The name of the function is
    that of its file: it tells problems and searches apart, and the stamp of their sources has
    to be in it, because numba's cache looks only at the file where `_call` stands.
    """
    function = FunctionType(_call.__code__, {"__name__": __name__, "kernel": kernel})
    function.__name__ = kernel.__name__
    function.__qualname__ = f"{kernel.__qualname__}_{stamp}"
    return njit(cache=True)(function)


@lru_cache(maxsize=64)
def _compile(rules, checked):
    if checked and COMPILED:
        check_types(rules)
    return make_kernels("own", rules, checked)


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
        wanted = {"legal": numba.types.Integer, "score": numba.types.Number}.get(name)
        if wanted is not None and not isinstance(returned, wanted):
            what = "a whole number" if name == "legal" else "a number"
            nothing = isinstance(returned, numba.types.NoneType | numba.types.Optional)
            hint = ": is a `return` missing?" if nothing else ""
            raise RulesError("", name, f"returns {returned}, not {what}{hint}")


def _cause(error):
    """The part of numba's message that says what is wrong, and where."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During:"))]
    where = next((line for line in lines if line.startswith("File ")), "")
    return " ".join([first_line(lines[0] if lines else type(error).__name__), where]).strip()


_READY = WeakSet()


def compile_for(kernel, arguments) -> None:
    """Compile what a call would compile first, so that the call itself is short."""
    if not COMPILED or kernel in _READY:
        return
    import numba

    kernel.compile(tuple(map(numba.typeof, arguments)))
    _READY.add(kernel)  # the types are the same in every search
