"""What is true of the hidden landscape: all 288 agents of Planet Wars and their chances."""

from functools import cache

import numpy as np

from gameai_book.ntbea.results.tables import planet_wars_table


@cache
def agents():
    """The table of all agents, as a problem to tune."""
    return planet_wars_table()


@cache
def true_chances():
    """Chance of every setting to win, one axis for each parameter; read only."""
    problem = agents()
    lost, won = problem.outcomes
    values = problem.true_values(problem.space.all_points())
    chances = ((values - lost) / (won - lost)).reshape(problem.space.n_values)
    chances.setflags(write=False)
    return chances


@cache
def best_point():
    """The point of the largest chance."""
    return tuple(int(v) for v in np.unravel_index(true_chances().argmax(), true_chances().shape))
