"""The front door: what it offers, and what it does not load."""

import inspect
import subprocess
import sys

import gameai_lib.btmm as front


# Each sub-room may import what stands before it, and board and show not each other.
def test_all_are_functions_and_classes_with_docstrings():
    assert front.__all__ == sorted(front.__all__)
    for name in front.__all__:
        value = getattr(front, name)
        assert inspect.isfunction(value) or inspect.isclass(value), name
        assert value.__doc__
        assert value.__module__.startswith("gameai_lib.btmm."), name


def test_no_name_is_hidden_by_a_module_even_when_all_are_loaded():
    code = (
        "import pkgutil, importlib, inspect, gameai_lib.btmm as front\n"
        "for found in pkgutil.walk_packages(front.__path__, front.__name__ + '.'):\n"
        "    importlib.import_module(found.name)\n"
        "assert not any(inspect.ismodule(getattr(front, name)) for name in front.__all__)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
