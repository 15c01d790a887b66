"""Population of Algorithm 7.7 as the source prints it, faults included, for the chapter.

Perez-Liebana et al., General Video Game Artificial Intelligence (2019), Algorithm 7.7.
"""

import numpy as np

from gameai_lib._checks import flag, generator, number, short, whole
from gameai_lib.ntbea._checks import as_array


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

    Raises
    ------
    ValueError
        If the point does not lie in the grid, or a number is out of range.
    """
    point, n_values = as_array("point", point), as_array("n_values", n_values)
    shapes = point.ndim == 1 and point.shape == n_values.shape and point.size > 0
    if not shapes or {point.dtype.kind, n_values.dtype.kind} - {"i", "u"}:
        raise ValueError(f"need as many indices as values, got {short(point)}, {short(n_values)}")
    if not ((point >= 0) & (point < n_values)).all():
        raise ValueError(f"point {short(point)} lies outside the {short(n_values)} grid")
    n, p = whole("n", n, 1, 100_000), number("p", p, 0.0, 1.0)
    flip_once = flag("flip_once", flip_once)
    generator(rng)
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
