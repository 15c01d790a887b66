"""Which parameters matter: the parts of the expected fitness that one or two of them move.

The functional analysis of variance of Hutter, Hoos and Leyton-Brown (2014), with the regression
in place of their forest. Its kernel depends only on where two points agree, so that means over
whole parameters, and how certain these are, need no sampling: they are exact for any space.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.threads import one_thread
from gameai_lib.ntbea.game.space import Names
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.regression import TupleRegression
from gameai_lib.ntbea.search.tuner import Tuned, Tuner


class Marginal(NamedTuple):
    """Expected fitness of some parameters' values, averaged over all values of the others."""

    names: tuple[str, ...]  #: of the parameters
    mean: np.ndarray  #: float, an axis for each of the parameters
    std: np.ndarray  #: float, standard deviation of that expectation, the same shape
    covariance: np.ndarray  #: float, (mean.size, mean.size), of the cells in C order


class Effect(NamedTuple):
    """How far one parameter, or two beyond what each does alone, move the expected fitness."""

    names: tuple[str, ...]  #: one name or two
    variance: float  #: of the expected fitness over the values, in squared units of fitness
    error: float  #: how far the true variance may be from it, which is not known
    share: float  #: of the sum over all effects that were asked for, from 0 to 1


Learned = TupleRegression | LandscapeModel | Tuned | Tuner


def regression_of(learned):
    """The regression of what was learned; one is fitted where it is none."""
    checks.kind("learned", learned, TupleRegression, LandscapeModel, Tuned, Tuner)
    if isinstance(learned, TupleRegression):
        return learned
    return TupleRegression(learned if isinstance(learned, LandscapeModel) else learned.model)


def marginal(learned: Learned, names: Names) -> Marginal:
    """Return what parameters do on average over all values of the others, a `Marginal`.

    Combinations that may not be played count as all others. Thompson sampling soon plays only
    what is best, so that parameters seem to do less than they do, and no error knows of it. Play
    by NTBEA, or at random, where effects are the question.

    Parameters
    ----------
    learned : TupleRegression, LandscapeModel, Tuned or Tuner
        A regression is fitted of all but the first, anew at each call.
    names : sequence of str or int
        Different parameters, by name or by number from 0; their values make at most 10,000
        combinations, else a ValueError is raised.

    Examples
    --------
    >>> model = LandscapeModel({"speed": (1, 2, 4), "shield": (False, True)})
    >>> for point in 3 * model.space.all_points().tolist():
    ...     model.add(point, (1, 2, 4)[point[0]] - 3 * point[1])
    >>> marginal(model, ["shield"]).mean.round(1).tolist()
    [2.3, -0.6]
    """
    regression = regression_of(learned)
    space = regression.space
    dims = space.dims_of(names)
    shape = tuple(space.n_values[dims].tolist())
    if math.prod(shape) > _MOST_CELLS:
        raise ValueError(f"{shape} values make more than {_MOST_CELLS} combinations")
    cells = np.indices(shape).reshape(len(dims), -1).T
    mean, covariance = regression.averaged(cells, dims)
    std = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    named = tuple(space.names[d] for d in dims)
    return Marginal(named, mean.reshape(shape), std.reshape(shape), covariance)


_MOST_CELLS = 10_000


def importance(learned: Learned, *, pairs: bool = True) -> list[Effect]:
    """Return a list of the `Effect` of every parameter, and of every pair, largest first.

    Let μ and Σ be mean and covariance of the expected fitness of a parameter's n values, centred
    by C = 1 − 11ᵀ/n; of a pair's, by the product of both such matrices. The variance is
    μᵀμ/n: what has been learned, 0 where nothing is known. The error is the root mean square
    of its distance from the variance in all functions that are held possible: those of this
    regression alone give √((tr Σ)² + 2 tr Σ² + 4 μᵀΣμ)/n, and all `plausible` ones are counted.
    It is too small of a parameter that moves the fitness far more than the others
    (``benchmarks.ntbea_effects`` counts how often), or where games are not all over the space.

    `learned` is as for `marginal`, of n-tuples of two dimensions or more if `pairs` are judged,
    too: that takes, for each, the square of the number of its combinations in time.
    """
    regression = regression_of(learned)
    n_dims = regression.space.n_dims
    which: list[tuple[int, ...]] = [(d,) for d in range(n_dims)]
    if checks.flag("pairs", pairs):
        which += itertools.combinations(range(n_dims), 2)
    variances = [_moments(marginal(regression, dims))[0] for dims in which]
    squares = np.zeros(len(which))  # of what the variances may be off
    for chance, likely in regression.plausible():
        for i, dims in enumerate(which):
            _, expected, spread = _moments(marginal(likely, dims))
            squares[i] += chance * (spread + (expected - variances[i]) ** 2)
    whole, names = sum(variances) or 1.0, regression.space.names
    effects = [
        Effect(tuple(names[d] for d in dims), variance, float(square) ** 0.5, variance / whole)
        for dims, variance, square in zip(which, variances, squares, strict=True)
    ]
    return sorted(effects, key=lambda effect: (-effect.variance, -effect.error))


def _moments(marginal):
    """Variance of a mean over the values, centred; mean and variance of that variance itself."""
    centre = np.ones((1, 1))
    for n in marginal.mean.shape:
        centre = np.kron(centre, np.eye(n) - 1 / n)
    with one_thread(len(centre)):
        mean = centre @ marginal.mean.ravel()
        covariance = centre @ marginal.covariance @ centre
        spread = 2 * (covariance**2).sum() + 4 * mean @ covariance @ mean
    n, square = len(mean), float(mean @ mean)
    return square / n, (square + float(np.trace(covariance))) / n, float(spread) / n**2
