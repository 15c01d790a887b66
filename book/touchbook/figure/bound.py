"""Functions of a notebook that keep what they need, whatever later cells assign.

A function reads the global names of its notebook when it is called. A figure calls its view
each time a control moves, and by then a later cell may have given another value to a name.
"""

import dis
import functools
import sys
from types import CodeType, FunctionType


def bind(function):
    """Return a copy of a notebook's function that keeps the values its names have now.

    Functions that it calls are bound with it, if they too were written in the notebook; a
    value that is changed in place later is seen changed. Functions of modules, other
    callables, and functions that assign global names are returned as they are.
    """
    if isinstance(function, functools.partial):
        return functools.partial(bind(function.func), *function.args, **function.keywords)
    return _bind(function, vars(sys.modules["__main__"]), {})


def _bind(function, notebook, copies):
    if not isinstance(function, FunctionType) or function.__globals__ is not notebook:
        return function
    if function in copies:
        return copies[function]
    read, assigned = _global_names(function.__code__)
    if assigned:
        return function
    kept = {name: notebook[name] for name in ("__builtins__", "__name__") if name in notebook}
    copy = FunctionType(
        function.__code__, kept, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    # A function may call itself, or two each other.
    copies[function] = functools.update_wrapper(copy, function)
    del copy.__wrapped__
    for name in read & notebook.keys():
        kept[name] = _bind(notebook[name], notebook, copies)
    return copy


def _global_names(code: CodeType):
    """The global names that code, and code inside it, reads and assigns."""
    read, assigned = set(), set()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            read.add(step.argval)
        elif step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            assigned.add(step.argval)
        elif isinstance(step.argval, CodeType):
            inner_read, inner_assigned = _global_names(step.argval)
            read |= inner_read
            assigned |= inner_assigned
    return read, assigned
