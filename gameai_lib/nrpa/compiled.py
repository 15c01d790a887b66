"""Kernels of a problem, compiled once and kept on disk for the problems of this package.

Numba cannot keep closures on disk, but it keeps a plain function together with the closures
that it calls; hence the short wrappers. They know the source files they depend on, because
numba's cache looks only at the file of the wrapper itself.
"""

from functools import lru_cache
from inspect import CO_VARARGS
from pathlib import Path
from typing import NamedTuple
from weakref import WeakSet
from zlib import crc32

from gameai_lib._jit import njit
from gameai_lib.nrpa import leftmove, morpion, samegame, tsptw
from gameai_lib.nrpa.kernels import make_flat, make_nmcs, make_nrpa
from gameai_lib.nrpa.problem import Problem
from gameai_lib.nrpa.rules import Rules, RulesError, first_line

try:
    import numba
except ImportError:
    numba = None


class Kernels(NamedTuple):
    """The three searches for one problem."""

    nrpa: object
    nmcs: object
    flat: object


def _fingerprint():
    names = ("kernels", "leftmove", "morpion", "samegame", "tsptw")
    folder = Path(__file__).parent
    return crc32(b"".join((folder / f"{name}.py").read_bytes() for name in names))


_leftmove_nrpa = make_nrpa("leftmove", leftmove.RULES)
_leftmove_nmcs = make_nmcs("leftmove", leftmove.RULES)
_leftmove_flat = make_flat("leftmove", leftmove.RULES)
_morpion_nrpa = make_nrpa("morpion", morpion.RULES)
_morpion_nmcs = make_nmcs("morpion", morpion.RULES)
_morpion_flat = make_flat("morpion", morpion.RULES)
_samegame_nrpa = make_nrpa("samegame", samegame.RULES)
_samegame_nmcs = make_nmcs("samegame", samegame.RULES)
_samegame_flat = make_flat("samegame", samegame.RULES)
_tsptw_nrpa = make_nrpa("tsptw", tsptw.RULES)
_tsptw_nmcs = make_nmcs("tsptw", tsptw.RULES)
_tsptw_flat = make_flat("tsptw", tsptw.RULES)


def _built_in(stamp):
    # `stamp` is a closure variable, and those are part of the key of numba's cache.

    @njit(cache=True)
    def leftmove_nrpa(*arguments):
        return _leftmove_nrpa(*arguments), stamp

    @njit(cache=True)
    def leftmove_nmcs(*arguments):
        return _leftmove_nmcs(*arguments), stamp

    @njit(cache=True)
    def leftmove_flat(*arguments):
        return _leftmove_flat(*arguments), stamp

    @njit(cache=True)
    def morpion_nrpa(*arguments):
        return _morpion_nrpa(*arguments), stamp

    @njit(cache=True)
    def morpion_nmcs(*arguments):
        return _morpion_nmcs(*arguments), stamp

    @njit(cache=True)
    def morpion_flat(*arguments):
        return _morpion_flat(*arguments), stamp

    @njit(cache=True)
    def samegame_nrpa(*arguments):
        return _samegame_nrpa(*arguments), stamp

    @njit(cache=True)
    def samegame_nmcs(*arguments):
        return _samegame_nmcs(*arguments), stamp

    @njit(cache=True)
    def samegame_flat(*arguments):
        return _samegame_flat(*arguments), stamp

    @njit(cache=True)
    def tsptw_nrpa(*arguments):
        return _tsptw_nrpa(*arguments), stamp

    @njit(cache=True)
    def tsptw_nmcs(*arguments):
        return _tsptw_nmcs(*arguments), stamp

    @njit(cache=True)
    def tsptw_flat(*arguments):
        return _tsptw_flat(*arguments), stamp

    return {
        leftmove.RULES: Kernels(leftmove_nrpa, leftmove_nmcs, leftmove_flat),
        morpion.RULES: Kernels(morpion_nrpa, morpion_nmcs, morpion_flat),
        samegame.RULES: Kernels(samegame_nrpa, samegame_nmcs, samegame_flat),
        tsptw.RULES: Kernels(tsptw_nrpa, tsptw_nmcs, tsptw_flat),
    }


_BUILT_IN = _built_in(_fingerprint())


def kernels_of(problem: Problem) -> Kernels:
    """Searches for a problem; they leave their results in the arrays they are given.

    A problem of this package starts within a second once it has been compiled on a machine;
    other rules are compiled once in each process.

    Raises
    ------
    RulesError
        If a rule cannot be compiled, or returns what it should not.
    """
    if not problem.checked and problem.rules in _BUILT_IN:
        return _BUILT_IN[problem.rules]
    try:
        return _compile(problem.rules, problem.checked)
    except RulesError as error:
        raise RulesError(problem.name, *error.args[1:]) from error


@lru_cache(maxsize=64)
def _compile(rules, checked):
    if checked and numba is not None:
        check_types(rules)
    return Kernels(*(make("own", rules, checked) for make in (make_nrpa, make_nmcs, make_flat)))


def check_types(rules: Rules) -> None:
    """Compile each of a reader's own rules by itself, so that an error can name it.

    Raises
    ------
    RulesError
    """
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
    if numba is None or kernel in _READY:
        return
    signature = tuple(map(numba.typeof, arguments))
    if kernel.py_func.__code__.co_flags & CO_VARARGS:
        signature = (numba.types.BaseTuple.from_types(signature),)
    kernel.compile(signature)
    _READY.add(kernel)  # the types are the same in every search
