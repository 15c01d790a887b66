"""Problems made from problems: the same game under other move codes.

Rosin (2011) uses codes that many positions share. The source keys its policy by (node of the
game tree, move), and its program, as C++ reads it, by the place of a move in the list of legal
moves alone. These transforms show what the choice of codes is worth.
"""

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.rules import Rules

TABLE_BITS = 18
TABLE_MASK = (1 << TABLE_BITS) - 1


@njit
def _mix(hashed, code):
    mixed = ((hashed ^ (code + 1)) * 0x5851F42D) & 0xFFFFFFFF
    return mixed ^ (mixed >> 15)


@njit
def _by_path(path, code, place):
    return _mix(path, code) & TABLE_MASK


@njit
def _by_place(path, code, place):
    return place


def state_keyed(problem: Problem) -> Problem:
    """The same game, with one policy weight for each path and move, hashed to 18 bits."""
    return _recode(problem, "state-keyed", _by_path, 1 << TABLE_BITS)


def place_keyed(problem: Problem) -> Problem:
    """The same game, with one policy weight for each place in the list of legal moves."""
    return _recode(problem, "place-keyed", _by_place, problem.max_legal)


def _recode(problem, name, new_code, n_codes):
    reset, legal, play, score = problem.rules
    path = problem.ints.size  # index of the path's hash; the codes of `problem` follow it

    @njit
    def recoded_reset(ints, floats):
        reset(ints, floats)
        ints[path] = 0

    @njit
    def recoded_legal(ints, floats, codes, start):
        n = legal(ints, floats, codes, start)
        for i in range(n):
            original = np.int64(codes[start + i])
            ints[path + 1 + i] = original
            codes[start + i] = new_code(ints[path], original, i)
        return n

    @njit
    def recoded_play(ints, floats, k, code):
        original = ints[path + 1 + k]
        play(ints, floats, k, original)
        ints[path] = _mix(ints[path], original)

    # Around the rules of this package these, too, stay in their bounds.
    return (Problem if problem.checked else seal)(
        f"{problem.name}, {name}",
        Rules(recoded_reset, recoded_legal, recoded_play, score),
        np.concatenate([problem.ints, np.zeros(1 + problem.max_legal, np.int64)]),
        problem.floats,
        n_codes,
        problem.max_plies,
        problem.max_legal,
    )
