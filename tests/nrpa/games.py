"""Small problems for the tests of NRPA, and a problem seen as an object."""

import numpy as np

from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules


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


def one_move(values=(0.0, 1.0, 0.0), bias=None, **changed):
    """One choice among three moves with the given values: the node of the chapter."""
    rules = Rules(_reset, _legal, _play, _score)._replace(**changed)
    return Problem("one move", rules, [0], values, 3, 1, 3, bias)


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
    from gameai_lib.nrpa.problem.registry import judge

    try:
        return f"accepted with {judge(problem, playout).score:g}"
    except ValueError as error:
        return f"refused: {error}"


def kernels_are_built_in(problem):
    """Whether this process takes the rules for those of this package."""
    from gameai_lib.nrpa.problem.registry import record_of

    return record_of(problem) is not None


def press_at(monkeypatch, place, name, n):
    """Press control-C where a function, or a method, is called for the n-th time."""
    original, calls = getattr(place, name), []

    def pressed(*arguments):
        calls.append(name)
        if len(calls) == n:
            raise KeyboardInterrupt
        return original(*arguments)

    monkeypatch.setattr(place, name, pressed)


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


FAULTS = (
    "none", "code too large", "code negative", "code far beyond", "code not written",
    "too many moves", "far too many moves", "a negative number of moves", "endless",
    "NaN", "infinity", "reset writes beyond", "legal writes beyond", "play writes beyond",
    "score reads beyond", "reset writes before", "reset forgets", "division by zero",
    "a code beyond 32 bits", "one move more than said",
)  # fmt: skip
N_CODES, MAX_PLIES, MAX_LEGAL = 20, 6, 3

# ints: the fault, when it comes, the ply, the sum of the codes; what `reset` may forget.
FAULT, WHEN, PLY, SUM, LEFT, N_INTS = range(6)


def faulty_reset(ints, floats):
    ints[PLY] = 0
    ints[SUM] = 0
    if ints[FAULT] != 16:
        ints[LEFT] = 0
    if ints[FAULT] == 11:
        ints[N_INTS + 2] = 1
    if ints[FAULT] == 15:
        ints[-N_INTS - 3] = 1


def faulty_legal(ints, floats, codes, start):
    if ints[PLY] >= MAX_PLIES and ints[FAULT] != 8:
        return 0
    silent = ints[FAULT] == 4 and ints[PLY] >= ints[WHEN]
    for i in range(MAX_LEGAL - 1 if silent else MAX_LEGAL):
        codes[start + i] = MAX_LEGAL * (ints[PLY] % MAX_PLIES) + i
    if ints[PLY] < ints[WHEN]:
        return MAX_LEGAL
    if ints[FAULT] == 1:
        codes[start] = 25
    if ints[FAULT] == 2:
        codes[start] = -1
    if ints[FAULT] == 3:
        codes[start] = 50_000_000
    if ints[FAULT] == 5:
        codes[start + MAX_LEGAL] = 1
        return MAX_LEGAL + 1
    if ints[FAULT] == 6:
        for i in range(100_000):
            codes[start + i] = 1
        return 100_000
    if ints[FAULT] == 7:
        return -1
    if ints[FAULT] == 12:
        ints[N_INTS + 1000] = 1
    if ints[FAULT] == 18:
        codes[start] = 2**32 + 1
    if ints[FAULT] == 19:
        codes[start + MAX_LEGAL] = 1
    return MAX_LEGAL


def faulty_play(ints, floats, k, code):
    ints[SUM] += code
    ints[PLY] += 1
    ints[LEFT] += 1
    if ints[PLY] >= ints[WHEN]:
        if ints[FAULT] == 13:
            ints[N_INTS * 1000] = 1
        if ints[FAULT] == 17:
            ints[SUM] = 1 // (ints[PLY] - ints[PLY])


def faulty_score(ints, floats):
    if ints[FAULT] == 9 and ints[SUM] >= ints[WHEN]:
        return np.nan
    if ints[FAULT] == 10 and ints[SUM] >= ints[WHEN]:
        return np.inf
    if ints[FAULT] == 14 and ints[SUM] >= ints[WHEN]:
        return 1.0 * ints[N_INTS + 7]
    return 1.0 * ints[SUM] + ints[LEFT]


FAULTY = Rules(faulty_reset, faulty_legal, faulty_play, faulty_score)


def faulty(fault, when=0):
    """A game whose rules break their contract in the way named.

    They do so from ply `when` on, or where that is a matter of the score for scores of at least
    `when`.
    """
    ints = np.zeros(N_INTS, np.int64)
    ints[[FAULT, WHEN]] = FAULTS.index(fault), when
    return Problem(f"faulty: {fault}", FAULTY, ints, [], N_CODES, MAX_PLIES, MAX_LEGAL)


# Snake-in-the-box: the longest path in a cube that touches itself nowhere; 7 in four dimensions.
CELL, STEPS, BOX_FAULT, TURNED, SINCE, FIRST_COUNT = range(6)
BOX_FAULTS = {
    "none": "", "legal counts": "legal", "legal turns": "legal", "legal in a helper": "legal",
    "score counts": "score", "score moves": "score", "reset forgets": "reset",
    "no first move": "legal",
}  # fmt: skip


def box_reset(ints, floats):
    ints[CELL] = 0
    ints[STEPS] = 0
    floats[0] = 0.0
    if ints[BOX_FAULT] != 6:
        ints[FIRST_COUNT:] = 0
    ints[FIRST_COUNT] = 1
    count_beside(ints, 0)


def count_beside(ints, cell):
    n = 0
    while 1 << n < ints.size - FIRST_COUNT:
        ints[FIRST_COUNT + (cell ^ (1 << n))] += 1
        n += 1


def put(codes, place, code):
    codes[place] = code


def count_in(floats):
    floats[0] += 1.0


def box_legal(ints, floats, codes, start):
    if ints[BOX_FAULT] == 1 and ints[STEPS] >= ints[SINCE]:
        ints[STEPS] += 1
    if ints[BOX_FAULT] == 2:
        ints[TURNED] = 1 - ints[TURNED]
    if ints[BOX_FAULT] == 3:
        count_in(floats)
    if ints[BOX_FAULT] == 7:
        return 0
    n, bit = 0, 0
    while 1 << bit < ints.size - FIRST_COUNT:
        to = ints[CELL] ^ (1 << bit)
        if ints[FIRST_COUNT + to] == 1:
            put(codes, start + n, 8 * to + bit)
            n += 1
        bit += 1
    return n


def box_play(ints, floats, k, code):
    ints[CELL] = code // 8
    ints[STEPS] += 1 + ints[TURNED]
    ints[FIRST_COUNT + ints[CELL]] += 1
    count_beside(ints, ints[CELL])


def box_score(ints, floats):
    steps = ints[STEPS] + floats[0]
    if ints[BOX_FAULT] == 4:
        ints[STEPS] += 1
    if ints[BOX_FAULT] == 5:
        ints[CELL] = 5
        ints[FIRST_COUNT:] = 1
    return float(steps)


BOX = Rules(box_reset, box_legal, box_play, box_score)


def snake(fault="none", n_dims=4, since=0):
    """Snake-in-the-box, with a fault that no bound betrays; `BOX_FAULTS` names whose it is.

    "legal counts" does so from `since` steps on.
    """
    ints = np.zeros(FIRST_COUNT + 2**n_dims, np.int64)
    ints[[BOX_FAULT, SINCE]] = [*BOX_FAULTS].index(fault), since
    return Problem(f"snake: {fault}", BOX, ints, [0.0], 8 * 2**n_dims, 2**n_dims, n_dims)
