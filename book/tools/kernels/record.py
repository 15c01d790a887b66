"""Which kernels are called from Python, with what: ``with recorded() as calls: ...``."""

import contextlib
import copy
import hashlib
import importlib
import inspect
import re
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base.jit import Kernel, stop_plain
from gameai_lib.nrpa.problem.content import names_in
from touchbook.page.wasm import kind

OURS = ("gameai_lib", "gameai_book")  # packages whose functions a kernel may be made of


class Call(NamedTuple):
    """The first call of a kernel with arguments of some kinds."""

    signature: tuple  #: numba's types
    before: Any  #: the arguments, copied
    after: Any  #: the same, once it had run
    result: Any


@contextlib.contextmanager
def record_calls():
    """Notes the calls inside: a dict of `Call` by address and kinds of arguments.

    What takes numbers alone is left out: to look a kernel up costs more than it does.
    """
    from numba import typeof

    calls, plain, signature_of = {}, Kernel.__call__, cache(inspect.signature)

    def noted(kernel, *args, **kwargs):
        bound = signature_of(kernel.py_func).bind(*args, **kwargs)
        bound.apply_defaults()
        place = address(kernel), ",".join(map(kind, bound.args))
        if place in calls or not {"C", "A", "F", "G"} & set(place[1]) or "?" in place[1]:
            return plain(kernel, *args, **kwargs)
        before = copy.deepcopy(bound.args)
        result = plain(kernel, *args, **kwargs)
        signature = tuple(map(typeof, bound.args))
        calls[place] = Call(signature, before, copy.deepcopy(bound.args), result)
        return result

    stop_plain()  # what runs as plain Python calls every helper from Python
    Kernel.__call__ = noted
    try:
        yield calls
    finally:
        Kernel.__call__ = plain


def address(kernel):
    """Where a kernel is found: its module and its name there."""
    # Not the qualified name: that of a search ends with what it was made from.
    return f"{kernel.py_func.__module__}:{kernel.py_func.__name__}"


def kernel_at(place):
    """The kernel of an address; None of what is made for a reader's own rules."""
    module, name = place.split(":")
    found = getattr(importlib.import_module(module), name, None)
    return found if hasattr(found, "py_func") else _searches().get(place)


@cache
def _searches():
    """The kernels that are made for the rules of a problem."""
    from book.tools.kernels.workload import problems
    from gameai_lib.nrpa.problem.compiled import ask, kernel_of
    from gameai_lib.nrpa.search.flat import flat
    from gameai_lib.nrpa.search.kernels import nrpa
    from gameai_lib.nrpa.search.nmcs import nmcs

    made = [kernel_of(p, search) for p in problems() for search in (ask, nrpa, nmcs, flat)]
    return {address(kernel): kernel for kernel in made}


def stamp_of(places):
    """A number of all that the kernels of these addresses are compiled from."""
    texts = {}
    for place in sorted(places):
        _read(kernel_at(place).py_func, texts)
    return hashlib.sha256("".join(sorted(texts.values())).encode()).hexdigest()[:16]


def _read(function, texts):
    """Add the text of a function, the values that it uses and the functions that it calls."""
    name = f"{function.__module__}:{function.__qualname__}"
    if name in texts:
        return
    texts[name] = inspect.getsource(function)
    values = {k: function.__globals__.get(k) for k in names_in(function.__code__)}
    for module in [value for value in values.values() if isinstance(value, ModuleType)]:
        if module.__name__.partition(".")[0] in OURS:
            attributes = {*function.__code__.co_names} & vars(module).keys()
            values |= {k: vars(module)[k] for k in attributes}
    values |= inspect.getclosurevars(function).nonlocals
    for variable, value in sorted(values.items()):
        inner = getattr(value, "py_func", value)
        if isinstance(inner, FunctionType):
            # A made name ends with numbers of the code, which is another in another Python.
            made = re.sub(r"(_[0-9a-f]{16})?_[0-9a-f]{8}$", "", inner.__qualname__)
            texts[name] += f"{variable} {inner.__module__}:{made}\n"
            if inner.__module__.partition(".")[0] in OURS:
                _read(inner, texts)
        elif isinstance(value, np.ndarray):
            texts[name] += f"{variable} {value.dtype} {value.shape} {value.tobytes().hex()}\n"
        elif isinstance(value, type):
            texts[name] += f"{variable} {value.__name__} {getattr(value, '_fields', '')}\n"
        elif value is not None and not isinstance(value, ModuleType) and not callable(value):
            texts[name] += f"{variable} {value!r}\n"
