"""Small problems for the tests of NRPA, and a problem seen as an object."""

import os
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.nrpa import Problem, Rules, bundled_board, bundled_tsptw, replay
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import groups_of, samegame
from gameai_lib.nrpa.game.tsptw import tsptw

DATA = Path(os.environ.get("GAMEAI_DATA") or "unset")
needs_data = pytest.mark.skipif(not DATA.exists(), reason="GAMEAI_DATA names no folder")
GAMES = {
    "morpion": morpion("5T"),
    "samegame": samegame(bundled_board()),
    "tsptw": tsptw(bundled_tsptw("medium")),
    "leftmove": leftmove(9),
}


class Walk:
    """A `Problem` as a game object, played by its rules in plain Python."""

    def __init__(self, problem):
        self._rules = [getattr(f, "py_func", f) for f in problem.rules]
        self._ints, self._floats = problem.ints.copy(), problem.floats.copy()
        self._codes = np.zeros(problem.max_legal, np.int64)
        self._rules[0](self._ints, self._floats)

    def legal(self):
        n = self._rules[1](self._ints, self._floats, self._codes, 0)
        return [int(code) for code in self._codes[:n]]

    def play(self, code):
        n = self._rules[1](self._ints, self._floats, self._codes, 0)
        k = [int(c) for c in self._codes[:n]].index(code)
        self._rules[2](self._ints, self._floats, k, code)

    def score(self):
        return self._rules[3](self._ints, self._floats)


def choices_at(problem, cells):
    """Choices of the groups of SameGame that hold these cells (column, row)."""
    choices = []
    for cell in map(tuple, cells):
        *_, end = replay(problem, choices)
        choices.append(next(k for k, group in enumerate(groups_of(end.ints)) if cell in group))
    return choices


def _reset(ints, floats):
    ints[0] = 0


def _legal(ints, floats, codes, start):
    if ints[0] > 0:
        return 0
    for i in range(3):
        codes[start + i] = i
    return 3


def _play(ints, floats, k, code):
    ints[0] = code + 1


def _score(ints, floats):
    return floats[ints[0] - 1]


def one_move(**changed):
    """One choice among three moves, of which the second is best, by rules of one's own."""
    rules = Rules(_reset, _legal, _play, _score)._replace(**changed)
    return Problem("one move", rules, [0], [0.0, 1.0, 0.0], 3, 1, 3)


def press_at(monkeypatch, place, name, n):
    """Press control-C where a function, or a method, is called for the n-th time."""
    original, calls = getattr(place, name), []

    def press(*arguments, **options):
        calls.append(name)
        if len(calls) == n:
            raise KeyboardInterrupt
        return original(*arguments, **options)

    monkeypatch.setattr(place, name, press)


def bars_of(monkeypatch, module):
    """What the bars of a module are made with and show, from now on."""
    shown = []

    class Bar(module.Bar):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            shown.append(arguments)

        def __call__(self, n_done, note=""):
            shown.append((n_done, note))

    monkeypatch.setattr(module, "Bar", Bar)
    return shown
