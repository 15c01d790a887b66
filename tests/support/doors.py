"""What is thrown at a door, as strategies of hypothesis, and what a door may answer.

A door accepts what it is given and returns what is right, or refuses it by an error that was
raised on purpose. `FUZZ` in the environment says how many inputs each door is given in place of
`INPUTS`, and draws other ones in each run: ``FUZZ=2000 pytest -k doors``.
"""

import copy
import dis
import faulthandler
import functools
import json
import math
import os
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gameai_book
import gameai_lib
import touchbook

INPUTS = 25
SECONDS = 300  # after which an input hangs; the first may have to compile
OURS = tuple(str(Path(p.__file__).parent) for p in (gameai_lib, gameai_book, touchbook))
LONGEST_MESSAGE = 500  # an error names a value; it does not print a file


def door(inputs, share=1.0, megabytes=1024):
    """Make a test of a function: it is given what `inputs` draws, and raises where that is wrong.

    The function raises `AssertionError` if what came of an accepted input is wrong; `share` says
    how many inputs it is given, as a multiple of the usual number.
    """

    def decorate(check):
        n_inputs = max(2, round(share * int(os.environ.get("FUZZ", INPUTS))))
        said = []

        @settings(
            max_examples=n_inputs, derandomize="FUZZ" not in os.environ, deadline=None,
            database=None, suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(inputs)
        def give(thing):
            said.append(is_accepted(check, thing, megabytes))

        @functools.wraps(check, assigned=("__name__", "__qualname__", "__doc__", "__module__"))
        def test():
            give()
            assert any(said) or n_inputs < 20, "every input was refused"

        del test.__wrapped__  # pytest would ask it for fixtures
        return test

    return decorate


def is_accepted(check, thing, megabytes):
    """Whether `check` accepts a thing; any error but one that was raised on purpose goes on."""
    with limited_memory(megabytes), warnings.catch_warnings(), np.errstate(under="ignore"):
        # The library's own warnings name their cause; numpy's of NaN and overflow do not.
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            check(thing)
        except Exception as error:
            if not is_named(error):
                raise
            return False
    return True


def is_named(error):
    """Whether a ``raise`` statement of ours made `error`, with a message of fit length."""
    never = AssertionError | MemoryError | RecursionError | NotImplementedError
    if isinstance(error, never) or not 0 < len(str(error)) <= LONGEST_MESSAGE:
        return False
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    raised = code.co_code[last.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return raised and code.co_filename.startswith(OURS)


@contextmanager
def limited_memory(megabytes):
    """End with a `MemoryError` what asks for more, and with a traceback what hangs; on Linux."""
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    soft = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (soft, before[1]))
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        resource.setrlimit(resource.RLIMIT_AS, before)


# Values that nobody should pass


class Odd:
    """An object that is nothing in particular."""

    def __repr__(self):
        return "<odd>"


_JUNK = (
    None, True, False, 0, 1, -1, 2, 3, 7, 0.5, 1.0, 1.5, 2.5, -0.0, math.nan, math.inf, -math.inf,
    1e-320, 1e200, 1e308, 2**31, 2**32 + 1, 2**53 + 1, 2**62, 2**63, 2**64, -(2**63), 10**400,
    1j, "", "9", "no", "x" * 5000, b"1", [], [[]], [1, [2, 3]], (), (1, 2), [None], ["a"], {},
    {"a": 1}, {1}, range(5), range(10**12), Odd(), Odd, len, ...,
)  # fmt: skip
_SHAPES = (), (0,), (1,), (3,), (2, 3), (0, 3), (3, 0), (2, 2, 2), (25,), (5, 25)
_DTYPES = "f8", "i8", "u1", "?", "i2", "f4", "c16", "U1", "O", "M8[s]"


@st.composite
def _junk_arrays(draw):
    array = np.zeros(draw(st.sampled_from(_SHAPES)), draw(st.sampled_from(_DTYPES)))
    if array.dtype.kind in "fi" and array.size:
        large = (-1, 1, 2, 100) if array.dtype.itemsize < 8 else (-1, 1, 2**40, 2**62)
        odd = (math.nan, math.inf, 3e38, 0.5) if array.dtype.kind == "f" else ()
        array.flat[draw(st.integers(0, array.size - 1))] = draw(st.sampled_from(large + odd))
    return array


def junk():
    """Values of a wrong type or an extreme size."""
    return st.sampled_from(_JUNK).map(copy.copy) | _junk_arrays()


_NEAR_NUMBERS = (
    lambda x: x + 1, lambda x: x - 1, lambda x: -x, lambda x: x + 0.5, float, str, bool,
    lambda x: [x], np.array, np.float32, lambda x: x * 10**6, lambda x: np.array([x]),
)  # fmt: skip
_NEAR_TEXTS = (
    lambda x: x + "x", lambda x: x[:-1], str.upper, lambda x: "", str.encode, lambda x: x * 50,
)  # fmt: skip
_NEAR_ARRAYS = (
    lambda a: a[..., :-1], lambda a: a[None], lambda a: a[:0], lambda a: a.T, np.ndarray.tolist,
    lambda a: a.astype(object), lambda a: a.astype(bool), lambda a: a.astype(float),
    lambda a: np.asfortranarray(a)[::-1], lambda a: np.concatenate([a, a]),
)  # fmt: skip


@st.composite
def near(draw, value):
    """Values close to a good one: another type, shape, sign or size."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _near(draw, value)
    except (TypeError, ValueError, OverflowError, IndexError):  # it has no such neighbour
        return draw(junk())


def _near(draw, value):
    def one_of(ways):
        return draw(st.sampled_from(ways))(value)

    if isinstance(value, bool):
        return one_of((int, str, np.bool_, float))
    if isinstance(value, int | float | np.number):
        return one_of(_NEAR_NUMBERS)
    if isinstance(value, str):
        return one_of(_NEAR_TEXTS)
    if isinstance(value, np.ndarray):
        if draw(st.booleans()):
            return one_of(_NEAR_ARRAYS)
        cell = draw(st.sampled_from((-1, math.nan, 0.5, 2**62)))
        changed = value.astype(np.result_type(value.dtype, np.asarray(cell).dtype))
        changed.flat[draw(st.integers(0, value.size - 1))] = cell
        return changed
    if isinstance(value, list | tuple) and value:
        changed = list(value)
        at = draw(st.integers(0, len(value) - 1))
        changed[at] = draw(near(value[at]) | junk())
        return draw(st.sampled_from((changed, changed[:-1], changed * 2, tuple(changed), value[0])))
    if isinstance(value, dict) and value:
        return draw(spoiled(value))
    return draw(junk())


@st.composite
def spoiled(draw, arguments):
    """Copies of keyword arguments in which none, one or two are junk, or close to good."""
    arguments = dict(arguments)
    for name in draw(st.lists(st.sampled_from(list(arguments)), max_size=2)):
        arguments[name] = draw(near(arguments[name]) | junk())
    return arguments


# Damaged copies of good files

# What breaks readers: long numbers, no numbers, quotes and brackets, other encodings.
_TOKENS = (
    b"\x00", b"\xff" * 8, b'"', b"'", b"[", b"]", b"{", b"}", b"(", b";", b",", b":", b"\\", b"\n",
    b"\r\n", b"\t", b" ", b"-1", b"1e400", b"NaN", b"Infinity", b"null", b"true", b"9" * 400,
    b"0x10", b"1.5", b"\xef\xbb\xbf", b"\xc3\x28", b"\xe2\x80\xa8", "١".encode(), b"[" * 20_000,
    b"(" * 20_000, b'{"a":' * 20_000, b"a" * 200_000,
)  # fmt: skip
_COUNTS = (0, 1, -1, 127, 128, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, -(2**31), 2**32, 2**62)


@st.composite
def damaged(draw, data):
    """Bytes after none to four small accidents: cuts, insertions, repetitions, other counts."""
    data = bytearray(data)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        part = slice(start, start + draw(st.integers(1, 64)))
        match draw(st.sampled_from(("byte", "count", "digit", "cut", "end", "repeat", "token"))):
            case "byte" if start < len(data):
                data[start] = draw(st.integers(0, 255))
            case "count":  # a header of a binary file begins with counts, which ask for memory
                at = min(start, 64)
                count = draw(st.sampled_from(_COUNTS)) & 0xFFFFFFFF
                data[at : at + 4] = count.to_bytes(4, "little")
            case "digit":
                digits = [at for at, byte in enumerate(data[part], start) if 48 <= byte <= 57]
                if digits:
                    data[draw(st.sampled_from(digits))] = draw(st.integers(48, 57))
            case "cut":
                del data[part]
            case "end":
                del data[start:]
            case "repeat":
                data[start:start] = data[part] * draw(st.integers(1, 3))
            case _:
                data[start:start] = draw(st.sampled_from(_TOKENS) | st.binary(max_size=16))
    return bytes(data)


@st.composite
def damaged_text(draw, text):
    """A text after small accidents, or junk."""
    is_text = draw(st.integers(0, 9)) > 0
    return draw(damaged(text.encode())).decode(errors="replace") if is_text else draw(junk())


_JSON_JUNK = (
    None, True, False, 0, -1, 1, 2.7, 1e308, math.inf, math.nan, 10**30, "", "x", "21", "9" * 5000,
    [], [[]], [1, [2]], {}, {"a": 1}, "\x00", "\ud83d\ude00",
)  # fmt: skip


@st.composite
def damaged_json(draw, value):
    """Texts of a JSON value in which none to three parts have another type or are gone."""
    value = json.loads(json.dumps(value))
    for _ in range(draw(st.integers(0, 3))):
        value = _damage_node(draw, value)
    depth = draw(st.sampled_from((0,) * 30 + (50, 900, 100_000)))
    return "[" * depth + json.dumps(value) + "]" * depth


def _damage_node(draw, value):
    # Walk down a random way; what stands at its end is replaced, removed or repeated.
    if isinstance(value, list | dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        match draw(st.integers(0, 11)):
            case 0:
                del value[key]
            case 1 if isinstance(value, list):
                value.insert(key, value[key])
            case _:
                value[key] = _damage_node(draw, value[key])
        return value
    if isinstance(value, int | float) and draw(st.booleans()):
        return value + draw(st.sampled_from((-1, 1, 100, -100)))
    return copy.deepcopy(draw(st.sampled_from(_JSON_JUNK)))
