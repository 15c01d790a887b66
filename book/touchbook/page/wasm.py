"""Compiled kernels where numba is not: in a page, from one WebAssembly module.

A book that has such a module, and a list of the kernels in it, loads them (`load`). A kernel is
found by its name and the kinds of its arguments; what is not in the list runs as Python, and
`MISSED` counts it. Arrays are handed over by address and Generators by numpy's own interface to bit
generators: nothing is copied.
"""

import ctypes
import functools
import inspect
import json
import operator
import pickle
import struct
import sys
from array import array
from collections import Counter
from pathlib import Path

import numpy as np

IN_A_PAGE = sys.platform == "emscripten"

_pointer_at = ctypes.c_size_t.from_address
_FLOAT, _WHOLE = struct.Struct("<d"), struct.Struct("<q")
MISSED: Counter[str] = Counter()  #: calls that ran as Python, by name and kinds


class _Excinfo(ctypes.Structure):
    """How numba tells of an error: a pickled (class, arguments, place)."""

    _fields_ = (("pickled", ctypes.c_void_p), ("n_bytes", ctypes.c_int32))


def kind(value) -> str:
    """The kind of an argument, as far as compiled code depends on it."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return f"{value.dtype.str}{value.ndim}{order}"  # kernels do not write to what is read-only
    if isinstance(value, tuple):
        return f"({','.join(map(kind, value))})"
    if isinstance(value, bool | np.bool_):
        return "b"
    if isinstance(value, int | np.integer):
        return "i"
    if isinstance(value, float):  # float64 is one
        return "f"
    if isinstance(value, np.random.Generator):
        return "G"
    return f"?{type(value).__name__}"


def _read(value, seen, words):
    """Append what says the kind of an argument, and the 8-byte words that a kernel reads it from.

    Each call of a kernel does this, so that it asks for as little as it can: an array's address
    is what stands first in it (`PyArrayObject` of numpy's C-API).
    """
    if isinstance(value, np.ndarray):
        flags = value.flags
        order = flags.c_contiguous or (2 if flags.f_contiguous else 3)
        seen += (value.dtype, value.ndim, order)
        address = _pointer_at(id(value) + object.__basicsize__).value  # to its numbers
        words += (0, 0, value.size, value.itemsize, address, *value.shape, *value.strides)
        return
    seen.append(type(value))
    if isinstance(value, float):
        words.append(_WHOLE.unpack(_FLOAT.pack(value))[0])
    elif isinstance(value, tuple):
        seen.append(len(value))
        for one in value:
            _read(one, seen, words)
    elif isinstance(value, np.random.Generator):
        bits = value.bit_generator.ctypes.bit_generator.value
        words += (0, bits, bits, 0, 0, 0, bits, 0, 0)
    elif isinstance(value, np.bool_):
        words.append(int(value))
    else:  # a whole number, or a kind that no kernel is listed for
        words.append(value)


def _decode(shape, words):
    """The value that a kernel has returned, from its words; `shape` stands in the list."""
    if isinstance(shape, dict):  # a named tuple
        ((made, fields),) = shape.items()
        return _class_at(made)(*(_decode(one, words) for one in fields))
    if isinstance(shape, list):
        return tuple(_decode(one, words) for one in shape)
    if shape == "f":
        return _FLOAT.unpack(_WHOLE.pack(next(words)))[0]
    if shape == "i":
        return next(words)
    if shape == "b":
        return bool(next(words) & 1)
    if shape == "N":
        return None
    owner, _, n, n_bytes, data = (next(words) for _ in range(5))
    dtype, n_axes = shape[:-1], int(shape[-1])
    lengths = [next(words) for _ in range(2 * n_axes)][:n_axes]  # all are in C order
    numbers = np.frombuffer(bytearray(ctypes.string_at(data, n * n_bytes)), dtype)
    _module().release(owner)
    return numbers.reshape(lengths)


def _reader(shape):
    """What makes a value of the words that a kernel has returned."""
    if shape == "i":
        return operator.itemgetter(0)
    if isinstance(shape, list) and all(part == "i" for part in shape):
        return tuple
    return lambda words: _decode(shape, iter(words))


@functools.cache
def _class_at(address):
    module, _, name = address.partition(":")
    return getattr(sys.modules[module], name)


class Kernel:
    """A function that runs compiled where its arguments are of a listed kind."""

    def __init__(self, function, listed):
        functools.update_wrapper(self, function)
        self.py_func, self._listed, self._found = function, listed, {}
        self._name = f"{function.__module__}:{function.__qualname__}"
        self._parameters = inspect.signature(function)

    def __call__(self, *args, **kwargs):
        if kwargs:
            bound = self._parameters.bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        seen, words = [], []
        for value in args:
            _read(value, seen, words)
        found = self._found.get(seen := tuple(seen)) or self._find(seen, args)
        if found is None:
            return self.py_func(*args)
        call, returned, result = found
        words = array("q", words)
        if call(words.buffer_info()[0], result) > 0:
            raise _error(result[0])
        return returned(result)

    def _find(self, seen, args):
        kinds = ",".join(map(kind, args))
        if kinds not in self._listed:
            MISSED[f"{self._name}|{kinds}"] += 1
            return None
        export, shape, n_words = self._listed[kinds]
        call = getattr(_module(), export)
        call.argtypes, call.restype = (ctypes.c_void_p, ctypes.c_void_p), ctypes.c_int32
        self._found[seen] = call, _reader(shape), (ctypes.c_int64 * n_words)()
        return self._found[seen]

    def __reduce__(self):
        return self.__qualname__  # as a function's


def _error(address):
    """The error that a kernel has raised."""
    about = _Excinfo.from_address(address)
    kind, arguments, _ = pickle.loads(ctypes.string_at(about.pickled, about.n_bytes))
    return kind(*arguments)


_loaded: dict = {}  # ``module``, and of its kernels the ``list`` by name


def _module():
    return _loaded["module"]


def load(module: Path, listed: Path) -> bool:
    """Load the kernels of a book; whether this is a page that could.

    `listed` is JSON: under ``kernels``, by name, the kinds of arguments that each is compiled for.
    """
    if not IN_A_PAGE:
        return False
    try:
        library = ctypes.CDLL(str(module))
    except OSError as error:  # such as in a browser of before 2021
        MISSED[f"no kernel could be loaded: {error}"] += 1
        return False
    library.release.argtypes, library.release.restype = (ctypes.c_void_p,), None
    _loaded["module"] = library
    _loaded["list"] = json.loads(listed.read_text(encoding="utf-8"))["kernels"]
    return True


def compiled_kernel(function):
    """The kernel of a function; the function itself where the list has none of its name."""
    listed = _loaded["list"].get(f"{function.__module__}:{function.__qualname__}")
    return Kernel(function, listed) if listed else function


__all__ = ["IN_A_PAGE", "MISSED", "Kernel", "compiled_kernel", "kind", "load"]
