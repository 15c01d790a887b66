"""Problems made from problems: move codes that know the whole path to a position.

The source keys its policy by (node of the game tree, move), where Rosin (2011) uses codes that
many positions share. This transform shows what the sharing is worth.
"""

import numpy as np

from gameai_lib._jit import njit
from gameai_lib.nrpa.problem import Problem, Rules

TABLE_BITS = 18


def state_keyed(problem: Problem) -> Problem:
    """The same game, with one policy weight for each path and move, hashed to 18 bits."""
    reset, legal, play, score = problem.rules
    path = problem.ints.size  # index of the path's hash; the codes of `problem` follow it
    mask = (1 << TABLE_BITS) - 1

    @njit
    def mix(hashed, code):
        mixed = ((hashed ^ (code + 1)) * 0x5851F42D) & 0xFFFFFFFF
        return mixed ^ (mixed >> 15)

    @njit
    def keyed_reset(ints, floats):
        reset(ints, floats)
        ints[path] = 0

    @njit
    def keyed_legal(ints, floats, codes, start):
        n = legal(ints, floats, codes, start)
        for i in range(n):
            ints[path + 1 + i] = codes[start + i]
            codes[start + i] = mix(ints[path], codes[start + i]) & mask
        return n

    @njit
    def keyed_play(ints, floats, k, code):
        original = ints[path + 1 + k]
        play(ints, floats, k, original)
        ints[path] = mix(ints[path], original)

    ints = np.concatenate([problem.ints, np.zeros(1 + problem.max_legal, np.int64)])
    return Problem(
        f"{problem.name}, state-keyed",
        Rules(keyed_reset, keyed_legal, keyed_play, score),
        ints,
        problem.floats,
        1 << TABLE_BITS,
        problem.max_plies,
        problem.max_legal,
    )
