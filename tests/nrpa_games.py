"""Small problems for the tests of NRPA, and a problem seen as an object."""

import numpy as np

from gameai_lib.nrpa.problem import Problem, Rules


class Walk:
    """A `Problem` as a game object, played by its rules in plain Python."""

    def __init__(self, problem):
        self._rules = [getattr(f, "py_func", f) for f in problem.rules]
        self._ints, self._floats = problem.ints.copy(), problem.floats.copy()
        self._codes = np.zeros(2 * problem.max_legal, np.int64)
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


def one_move(values=(0.0, 1.0, 0.0), bias=None):
    """One choice among three moves with the given values: the node of the chapter."""
    return Problem("one move", Rules(_reset, _legal, _play, _score), [0], values, 3, 1, 3, bias)


def _no_legal(ints, floats, codes, start):
    return 0


def no_moves():
    """A game that is over before it begins."""
    return Problem("no moves", Rules(_reset, _no_legal, _play, _score), [1], [0.0], 1, 1, 1)


def replaced_score(ints, floats):
    """A score that no game of this package counts."""
    return -17.0


def verdict_of(problem, playout):
    """What the referee says of a game, as text: to be asked in another process."""
    from gameai_lib.nrpa.referee import judge

    try:
        return f"accepted with {judge(problem, playout).score:g}"
    except ValueError as error:
        return f"refused: {error}"


def kernels_are_built_in(problem):
    """Whether this process takes the rules for those of this package."""
    from gameai_lib.nrpa.compiled import _BUILT_IN

    return problem.rules in _BUILT_IN
