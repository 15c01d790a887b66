"""Kernels that call the rules of a problem: compiled once, and kept on disk.

A `Template` is such a kernel, written once for every problem. In its text the rules are the names
`reset`, `legal`, `play` and `score`; `kernel_of` makes a copy in which these are the rules of a
problem, so that the compiler sees through them.
"""

import threading
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple
from weakref import WeakSet
from zlib import crc32

import numpy as np

from gameai_lib.base.jit import COMPILED, njit
from gameai_lib.nrpa.problem.content import stamp_of, values_in
from gameai_lib.nrpa.problem.rules import RulesError, first_line

LIBRARY = Path(__file__).parents[2]

# The names under which templates call the rules: `kernel_of` puts those of a problem here.
reset: Any = None
legal: Any = None
play: Any = None
score: Any = None


class Template(NamedTuple):
    """A kernel that calls rules by their names, or other templates; made by a decorator."""

    function: Any
    checked: Any = None  #: what takes its place where the rules may break their contract
    allocates: bool = False  #: as for `njit`


@Template
def ask(rule, ints, floats, codes, k, code):
    """Call the rule of this number; return its answer as a float."""
    answer = 0.0
    if rule == 0:
        reset(ints, floats)
    elif rule == 1:
        # For a plain 0 numba would compile the rule once more.
        answer = float(legal(ints, floats, codes, np.int64(0)))
    elif rule == 2:
        play(ints, floats, k, code)
    else:
        answer = float(score(ints, floats))
    return answer


_READY: WeakSet[Any] = WeakSet()
_COMPILING = threading.RLock()  # else each of several threads would compile the same


def kernel_of(problem, kernel: Template, arguments=()) -> Any:
    """A template with the rules of a problem; compiled for such arguments, if there are any.

    It is kept on disk. Rules are found again by their content, wherever they stand, unless they use
    what has no content to compare: other objects than numbers, arrays up to a megabyte, tuples of
    these, functions, and what they name of numpy or math. A `RulesError` says if a rule cannot be
    compiled, or returns what it should not.
    """
    with _COMPILING:
        made = _kernel(problem.rules, problem.checked, kernel)
        if arguments and COMPILED and made not in _READY:
            _compile(problem, made, arguments)
            _READY.add(made)  # the types are the same in every search
    return made


def _compile(problem, made, arguments):
    import numba  # loaded where it is needed: it takes longer than all else

    try:
        made.compile(tuple(map(numba.typeof, arguments)))
    except Exception as error:  # numba has many, not all of them its own
        if not problem.checked:
            raise
        _check_types(problem.name, problem.rules)
        fault = f"cannot be compiled: {_cause(error)}"
        raise RulesError(problem.name, "rules", fault) from error


@lru_cache(maxsize=64)
def _kernel(rules, checked, kernel):
    name = "own" if checked else rules.reset.__module__.rpartition(".")[2]
    content = stamp_of(rules)
    if content is None or not COMPILED:
        return _bind(kernel, name, "", rules, checked, {})
    # Numba looks for changes in one file only, and tells functions of one name apart by a count
    # that starts again in each process: hence all that a kernel is made of is in its name.
    stamp = f"{content}_{_stamp_of_templates(kernel)}"
    return _bind(kernel, name, stamp, rules, checked, {}, cache=True)


def _stamp_of_templates(kernel):
    """A number of the text of this room, and of the file of a template."""
    from gameai_lib.base.kept import text_of  # it loads numba

    file = Path(kernel.function.__code__.co_filename)
    return f"{crc32(text_of(LIBRARY, 'nrpa').encode() + file.read_bytes()):08x}"


def _bind(kernel, name, stamp, rules, checked, made, cache=False):
    """A copy of a template that calls these rules, and copies of the templates that it calls."""
    if checked and kernel.checked is not None:
        kernel = kernel.checked
    if kernel not in made:
        plain = kernel.function
        values = plain.__globals__ | rules._asdict()
        for variable, value in values_in(plain).items():
            if isinstance(value, Template):
                values[variable] = _bind(value, name, stamp, rules, checked, made)
        # What has other kernels in its closure would not be kept; in a copy they are globals.
        copy = FunctionType(plain.__code__, values, f"{name}_{plain.__name__}")
        copy.__qualname__ = f"{copy.__name__}_{stamp}" if stamp else copy.__name__
        made[kernel] = njit(copy, nogil=True, allocates=kernel.allocates, cache=cache)
    return made[kernel]


def _check_types(name, rules):
    """Compile each of a reader's own rules by itself, so that a `RulesError` can name it."""
    import numba

    whole, arrays = numba.int64, (numba.int64[::1], numba.float64[::1])
    arguments = {"legal": (numba.int64[::1], whole), "play": (whole, whole)}
    for rule, function in rules._asdict().items():
        signature = arrays + arguments.get(rule, ())
        try:
            function.compile(signature)
        except Exception as error:
            raise RulesError(name, rule, f"cannot be compiled: {_cause(error)}") from error
        if rule in ("legal", "score"):
            _check_returned(name, rule, function.overloads[signature].signature.return_type)


def _check_returned(name, rule, returned):
    from numba import types

    what = "a whole number" if rule == "legal" else "a number"
    wanted = types.Integer if rule == "legal" else (types.Integer, types.Float)
    if isinstance(returned, types.NoneType | types.Optional):
        raise RulesError(name, rule, f"does not always return {what}: is a `return` missing?")
    if not isinstance(returned, wanted):
        raise RulesError(name, rule, f"returns {returned}, not {what}")


def _cause(error):
    """The part of numba's message that says what is wrong, and where."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During:"))]
    where = next((line for line in lines if line.startswith("File ")), "")
    return " ".join([first_line(lines[0] if lines else type(error).__name__), where]).strip()
