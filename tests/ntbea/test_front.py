"""The front door: a newcomer's ten lines, and nothing hidden behind a name."""

import inspect

import numpy as np

from gameai_lib import ntbea
from gameai_lib.ntbea import SearchSpace, Tuner, tune

SPACE = SearchSpace({"speed": (1, 2, 3, 4), "shield": (False, True), "lives": (1, 3, 5)})


def play(values, rng):
    """One noisy game: won or lost."""
    good = values["speed"] / 8 + 0.3 * values["shield"] - 0.1 * abs(values["lives"] - 3)
    return rng.random() < good


def test_the_front_door_has_functions_and_classes_only():
    for name in ntbea.__all__:
        thing = getattr(ntbea, name)
        assert inspect.isfunction(thing) or inspect.isclass(thing)
        assert thing.__doc__
    assert ntbea.__all__ == sorted(ntbea.__all__, key=lambda name: (name[0].islower(), name))


def test_ten_lines_tune_a_small_game():
    best = {"speed": 4, "shield": True, "lives": 3}
    assert tune(play, SPACE, 200, np.random.default_rng(1), named=True).values == best
    tuner = Tuner(SPACE, np.random.default_rng(1))
    for _ in range(200):
        values = tuner.ask()
        tuner.tell(values, play(values, tuner.rng))
    assert tuner.best().values == best
