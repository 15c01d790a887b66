"""Everything at a front door says the types of what it takes and returns."""

import dataclasses
import importlib
import inspect
import pydoc

import pytest

from tests.base.test_borders import ROOMS

DOORS = [f"gameai_lib.{room}" for room in (*ROOMS, "tables")]
DOORS += ["touchbook.widgets", "touchbook.boards", "touchbook.exercises"]


def callables(thing):
    """A function itself; of a class all that it defines and shows, and how it is made."""
    if not inspect.isclass(thing):
        yield thing.__name__, getattr(thing, "py_func", thing)
        return
    made = dataclasses.is_dataclass(thing) or hasattr(thing, "_fields")
    for name, member in vars(thing).items():
        if name.startswith("_") and (name != "__init__" or made):
            continue
        if isinstance(member, property):
            member = member.fget
        member = getattr(member, "__func__", getattr(member, "func", member))
        if inspect.isfunction(member) and member.__module__ == thing.__module__:
            yield f"{thing.__name__}.{name}", member


@pytest.mark.parametrize("door", DOORS)
def test_every_name_at_the_door_is_typed_and_help_names_its_types(door):
    module = importlib.import_module(door)
    untyped = []
    for export in module.__all__:
        thing = getattr(module, export)
        if not inspect.isroutine(thing) and not inspect.isclass(thing):
            continue
        for name, function in callables(thing):
            signature = inspect.signature(function)
            bare = [
                p.name
                for p in signature.parameters.values()
                if p.annotation is p.empty and p.name not in ("self", "cls")
            ]
            if signature.return_annotation is signature.empty and not name.endswith("__init__"):
                bare.append("return")
            untyped += [f"{name}: {', '.join(bare)}"] if bare else []
        hints = inspect.get_annotations(thing) if inspect.isclass(thing) else {}
        untyped += [f"{export}.{f}" for f in getattr(thing, "_fields", ()) if f not in hints]
    assert not untyped, "\n".join(["without types:", *untyped])
    text = pydoc.plain(pydoc.render_doc(module))  # which does not write them out
    assert "numpy._typing" not in text
    assert "numpy.ndarray[" not in text
