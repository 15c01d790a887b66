"""The examples in docstrings give what they show: of all front doors, and where rooms meet."""

import doctest
import importlib
import inspect

import numpy as np
import pytest

from gameai_lib.hanabi import State
from gameai_lib.nrpa import NRPA
from tests.base.test_borders import LIBRARY, ROOMS, name_of

SHOWN = {"btmm": 34, "hanabi": 45, "nrpa": 55, "ntbea": 18}  # lines that are run, at least
JOINS = [name_of(path) for path in sorted((LIBRARY / "together").glob("[!_]*.py"))]


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_examples_in_docstrings_give_what_they_show(room):
    door = importlib.import_module(f"gameai_lib.{room}")
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(door.__doc__, {}, room, door.__file__, 0))
    for name in door.__all__:
        thing = getattr(door, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            for example in finder.find(thing, name, globs={"np": np} | vars(door)):
                runner.run(example)
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries >= SHOWN.get(room, 1)


@pytest.mark.parametrize("name", JOINS)
def test_examples_where_rooms_meet(name):
    names = {"np": np, "NRPA": NRPA, "State": State}
    found = doctest.testmod(importlib.import_module(name), extraglobs=names)
    assert (found.failed, found.attempted > 0) == (0, True)
