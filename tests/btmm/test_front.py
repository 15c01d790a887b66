"""The front door: what it offers."""

import inspect
from pathlib import Path

import gameai_lib.btmm as front


def test_all_are_functions_and_classes_with_docstrings_that_no_module_hides():
    room = {path.stem for path in Path(front.__file__).parent.iterdir()}
    assert front.__all__ == sorted(front.__all__)
    for name in front.__all__:
        value = getattr(front, name)
        assert inspect.isfunction(value) or inspect.isclass(value), name
        assert value.__doc__
        assert value.__module__.startswith("gameai_lib.btmm."), name
        assert name not in room
