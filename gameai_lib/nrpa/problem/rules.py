"""The rules of a problem, and how those of a reader's own are made safe to run.

Compiled code does not check the bounds of arrays by itself: a rule that writes beyond them ends
the process. So rules of your own are compiled anew with such checks.
"""

import builtins
import dis
import importlib
import inspect
import math
import sys
from collections.abc import Callable
from functools import lru_cache
from types import CellType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.content import content_of, is_function, plain_of, values_in

# What the rules of this package write their codes into: unsigned, so that compiled code need not
# ask of each code whether it counts from the end. Rules of a reader's own write into int64, and
# what they write is checked.
CODE = np.uint32


class Rules(NamedTuple):
    """The four functions of a problem; plain Python or already compiled.

    A position is two arrays, ``ints`` (whole numbers of 64 bits) and ``floats``, that the functions
    change in place. They are compiled: they use numbers, arrays, tuples and other functions, no
    lists, no objects. What they use stays as it is when the `Problem` is made: a number that is
    changed later counts for the next problem. Compiled code cuts 1.7 to 1 where a whole number is
    wanted, goes on after 64 bits are full, and cannot be interrupted in a loop without end:
    `try_out` finds what of this it meets.

    Attributes
    ----------
    reset : callable
        ``reset(ints, floats)`` puts the first position into the arrays. They begin as the
        problem's ``ints`` and ``floats`` and are as the last game left them.
    legal : callable
        ``n = legal(ints, floats, codes, start)`` writes the codes of the n legal moves to
        ``codes[start]``, ..., ``codes[start + n - 1]`` and returns n; 0 ends the game. A code
        is a whole number from 0 to the problem's ``n_codes - 1``, and the policy has a weight
        for each; n is ``max_legal`` at most. Moves of the same code share what is learned.
    play : callable
        ``play(ints, floats, k, code)`` plays the k-th move, k from 0, that `legal` has just
        written, with its code.
    score : callable
        ``score(ints, floats)`` returns the value of a finished game, a finite float; larger is
        better. Neither it nor `legal` changes the position: to ask twice makes no difference.

    Examples
    --------
    Take one, two or three of ten matches; the best game takes them in as few moves as it can:

    >>> import numpy as np
    >>> from gameai_lib.nrpa import NRPA, Problem, Rules
    >>> def reset(ints, floats):
    ...     ints[0], ints[1] = 10, 0  # matches left, moves made
    >>> def legal(ints, floats, codes, start):
    ...     n = min(3, ints[0])
    ...     for k in range(n):
    ...         codes[start + k] = 3 * ints[0] + k - 3  # another code for each number left
    ...     return n
    >>> def play(ints, floats, k, code):
    ...     ints[0] -= k + 1
    ...     ints[1] += 1
    >>> def score(ints, floats):
    ...     return -float(ints[1])
    >>> problem = Problem("matches", Rules(reset, legal, play, score), np.zeros(2, int),
    ...                   np.zeros(0), n_codes=30, max_plies=10, max_legal=3)
    >>> NRPA(problem, np.random.default_rng(1), level=2, n_iterations=10).run().score
    -4.0
    """

    reset: Callable[..., Any]
    legal: Callable[..., Any]
    play: Callable[..., Any]
    score: Callable[..., Any]

    def __reduce__(self):
        # Another process takes the very functions of its own modules: a compiled copy would be
        # compiled again there.
        return _rules_from, tuple(map(_reference, self))


def _reference(function):
    """Where a function can be imported from, else the function itself; and its content, if copied.

    A checked copy stands for the function that it was made from.
    """
    function, content = getattr(plain_of(function), "copied_from", (function, ""))
    module, name = (getattr(function, part, None) for part in ("__module__", "__name__"))
    if module != "__main__" and getattr(sys.modules.get(module), name or "", None) is function:
        return (module, name), content
    return function, content


def _rules_from(*references):
    functions = []
    for function, content in references:
        if isinstance(function, tuple):
            module, name = function
            function = getattr(importlib.import_module(module), name)
        if content and content != content_of(function, unknown=type):
            fault = (
                "uses a number or a function that is another one in this process: what changes"
                " belongs into `ints` or `floats`"
            )
            raise RulesError("rules", function.__name__, fault)
        functions.append(function)
    return Rules(*functions)


class RulesError(ValueError):
    """The rules of a problem broke their contract; `args` are problem, function and fault."""

    def __init__(self, problem: str, function: str, fault: str):
        super().__init__(problem, function, fault)  # a pickled error is made again from these

    def __str__(self) -> str:
        problem, function, fault = self.args
        return f"{problem}: {function} {fault}"


_ARGUMENTS = {
    "reset": ("ints", "floats"),
    "legal": ("ints", "floats", "codes", "start"),
    "play": ("ints", "floats", "k", "code"),
    "score": ("ints", "floats"),
}
MOST_INLINED = 20_000  # bytes of code of Python; SameGame has 6,736 in its longest rule


def checked_rules(name: str, rules) -> Rules:
    """The same rules, compiled with a check of every array index; errors as for `Problem`."""
    if not isinstance(rules, tuple | list) or len(rules) != len(Rules._fields):
        raise TypeError(
            f"{name}: rules must be Rules(reset, legal, play, score), got {short(rules)}"
        )
    for rule, function in zip(Rules._fields, rules, strict=True):
        plain = plain_of(function)
        if not isinstance(plain, FunctionType):
            raise TypeError(f"{name}: {rule} must be a function, got {short(function)}")
        try:
            inspect.signature(plain).bind(*_ARGUMENTS[rule])
        except TypeError as error:
            wanted = ", ".join(_ARGUMENTS[rule])
            fault = f"must take ({wanted}), not {inspect.signature(plain)}"
            raise RulesError(name, rule, fault) from error
    return Rules(*map(_with_bounds, rules))


def _with_bounds(function):
    # The same function must give the same copy, or its searches compile again; with other values
    # of the names that it uses, it is not the same. Unknown values are told apart by their places.
    return _copy_of(function, content_of(function, unknown=id))


@lru_cache(maxsize=256)
def _copy_of(function, _content):
    return _bounded_copy(function, {})


def _bounded_copy(function, made):
    """A compiled copy with checked bounds, of the values that it uses and of its helpers.

    Numba's option holds for one function alone. With checks a function looks too long to be
    inlined, and calling it costs more than its checks do: so all are inlined, but where that would
    write out too much. `made` has the copies so far: helpers may call each other.
    """
    if hasattr(plain_of(function), "copied_from"):
        return function
    if function in made:
        return made[function]
    plain = plain_of(function)
    cells = {name: CellType() for name in plain.__code__.co_freevars}
    # A module that every process can import; numpy looks for the builtins when it warns.
    looked_up = {"__name__": __name__, "__builtins__": builtins}
    parts = plain.__code__, looked_up, plain.__name__, plain.__defaults__, tuple(cells.values())
    copy = FunctionType(*parts)
    copy.__kwdefaults__ = plain.__kwdefaults__
    copy.copied_from = function, content_of(function, unknown=type)
    # Numba tells functions of one name apart by a count that starts again in each process: read
    # back from disk, two would share one machine code.
    copy.__qualname__ = f"{plain.__name__}_{content_of(function, unknown=id)}"
    inlined = size_inlined(function, {}) <= MOST_INLINED
    made[function] = njit(copy, allocates=True, boundscheck=True, forceinline=inlined)
    for name, value in values_in(plain).items():
        if isinstance(value, np.ndarray):  # as the compiler does: it stays as it is now
            value = value.copy(order="K")
            value.flags.writeable = False
        elif is_function(value):
            value = _bounded_copy(value, made)
        if name in cells:
            cells[name].cell_contents = value
        else:
            looked_up[name] = value
    return made[function]


def size_inlined(function, known) -> float:
    """Bytes of a function's code with all its helpers written out in it."""
    if function not in known:
        known[function] = math.inf  # until it is known: of one that comes back to itself
        plain = plain_of(function)
        names = [step.argval for step in dis.get_instructions(plain.__code__)]
        values = values_in(plain)
        helpers = [values[n] for n in names if isinstance(n, str) and is_function(values.get(n))]
        inner = sum(size_inlined(helper, known) for helper in helpers)
        known[function] = len(plain.__code__.co_code) + inner
    return known[function]


def first_line(error) -> str:
    """The first line of an error's message, shortened."""
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else "without a word"
