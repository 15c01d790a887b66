"""Population of Algorithm 7.7 as the source prints it, faults included, for the chapter.

Perez-Liebana et al., General Video Game Artificial Intelligence (2019), Algorithm 7.7.
"""

import numpy as np


def population_as_printed(point, n_values, n, p, flip_once, rng):
    """Return the (n, n_dims) neighbours of `point` as the printed lines make them.

    The loop over the dimensions stands inside ``if flipOnce``: without `flip_once` every
    neighbour is a copy of the point, and the search never moves. "Randomly mutate"
    is read as any value, the old one included.

    Parameters
    ----------
    point : (n_dims,) int array
        Value indices.
    n_values : (n_dims,) int array
        Number of values of each dimension.
    n : int
        Neighbours wanted.
    p : float
        Mutation probability.
    flip_once : bool
        Whether one random dimension is mutated in any case.
    rng : numpy.random.Generator
        Source of randomness.
    """
    population = []
    for _ in range(n):
        neighbour = np.array(point)
        if flip_once:
            i = rng.integers(len(point))
            for j in range(len(point)):
                if i == j or rng.random() < p:
                    neighbour[j] = rng.integers(n_values[j])
        population.append(neighbour)
    return np.array(population)
