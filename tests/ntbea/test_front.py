"""The front door: a newcomer's ten lines, and nothing hidden behind a name."""

import inspect

from gameai_lib import ntbea


def test_the_front_door_has_functions_and_classes_only():
    for name in ntbea.__all__:
        thing = getattr(ntbea, name)
        assert inspect.isfunction(thing) or inspect.isclass(thing)
        assert thing.__doc__
    assert ntbea.__all__ == sorted(ntbea.__all__, key=lambda name: (name[0].islower(), name))
