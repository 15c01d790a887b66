"""Problems that begin in the middle of a game: search from here."""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.nrpa.game import morpion, samegame
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.walk import replay

# Where the copy of the start stands in `ints`; what a game changes is as long, and before it.
_START = {morpion.RULES: morpion.START, samegame.RULES: samegame.START}


def continued(problem: Problem, choices) -> Problem:
    """The problem that begins where `choices` lead to, in Morpion Solitaire or SameGame.

    Its games have the choices and codes with which the game goes on, but the score of the whole:
    after `choices`, they are games of `problem`. Searches use the same compiled kernels.
    """
    start = _START.get(checks.kind("problem", problem, Problem).rules)
    if start is None:
        raise ValueError(f"{problem.name} is neither Morpion Solitaire nor SameGame")
    *_, end = replay(problem, choices)
    ints = np.array(problem.ints)
    ints[:start] = ints[start : 2 * start] = end.ints[:start]
    sizes = problem.n_codes, problem.max_plies, problem.max_legal
    return seal(problem.name, problem.rules, ints, problem.floats, *sizes, problem.bias)
