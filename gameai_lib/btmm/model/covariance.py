"""Joint errors of strengths: what holding the other strengths still leaves out.

The information matrix is minus the Hessian of ln L in ln gamma; with the virtual games of the
prior on its diagonal it can be inverted. Two questions have two answers:

- "posterior", (I + P)^-1: how far may the strengths be from these, by what the games and the
  prior say together? Where features overlap (a corner is a square and an edge of a line) only
  their product is known, and each alone hardly better than from the prior.
- "sampling", (I + P)^-1 I (I + P)^-1: how far would they move if other games of the same kind
  were fitted with the same prior? This is what a bootstrap shows. The prior settles
  how a product is shared out, always in the same way, and that does not show.

Few features are solved with the matrix itself, many by conjugate gradients, one solution a
feature asked for and one pass over the data an iteration (Hestenes and Stiefel 1952).
"""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.competitions import passable
from gameai_lib.btmm.model.fit import Fit

DENSE = 2000  # features up to which the matrix is made: 32 MB
KINDS = ("posterior", "sampling")


def covariance(data, got, features=None, *, kind="posterior"):
    """Return the joint covariance of ln gamma.

    Parameters
    ----------
    data : Competitions or Shards
        What `got` was fitted to.
    got : Fit
    features : (n,) int array, optional
        All without; more than `DENSE` must be chosen from.
    kind : {"posterior", "sampling"}

    Returns
    -------
    (n, n) float array
        Without a prior the mean of what the data leave open is held still.

    Raises
    ------
    ValueError, TypeError
        For an unknown feature or kind, a fit of other data, or too many features without
        a choice or without a prior.
    """
    if not isinstance(got, Fit):
        raise TypeError(f"got must be a Fit, got {short(got)}")
    checks.one_of("kind", kind, KINDS)
    if got.gamma.size != passable(data).n_features:
        raise ValueError(f"a fit of {got.gamma.size} features, but data of {data.n_features}")
    if features is not None:
        features = arrays.whole("features", features, 0, data.n_features - 1)
    if data.n_features <= DENSE:
        return _dense(data, got, kind, slice(None) if features is None else features)
    if features is None or got.prior == 0:
        lacking = "a choice of features" if features is None else "a prior"
        raise ValueError(f"{data.n_features} features, more than {DENSE}, need {lacking}")
    return _by_gradients(data, got, kind, features)


def standard_errors(data, got, features=None, *, joint=True, kind="posterior"):
    """Return (n,) float: standard errors of ln gamma; not ``joint``, the others held still.

    See `covariance`; times `gameai_lib.btmm.model.elo.ELO_PER_NAT` they are Elo points.
    """
    if checks.flag("joint", joint):
        return np.sqrt(np.diag(covariance(data, got, features, kind=kind)))
    return got.standard_error if features is None else got.standard_error[features]


def contrast_errors(covariance, contrasts):
    """Return (m,) float: standard errors of sums of ln gamma, weighted by the rows of `contrasts`.

    Parameters
    ----------
    covariance : (n, n) float array
        Of `covariance`.
    contrasts : (m, n) float array
        A difference of two strengths is a row of one 1 and one -1.
    """
    covariance = arrays.array("covariance", covariance, ndim=2)
    contrasts = arrays.array("contrasts", contrasts, ndim=2)
    if covariance.shape != (contrasts.shape[1],) * 2:
        raise ValueError(
            f"contrasts of {contrasts.shape[1]} numbers need a covariance of as many rows and "
            f"columns, got {covariance.shape}"
        )
    variance = np.einsum("ij,jk,ik->i", contrasts, covariance, contrasts)
    return np.sqrt(np.maximum(variance, 0.0))


def difference_errors(covariance):
    """Return (n, n) float: the standard error of the difference of each two ln gamma."""
    covariance = arrays.array("covariance", covariance, ndim=2)
    if covariance.shape[0] != covariance.shape[1]:
        raise ValueError(f"a covariance is a square, got {covariance.shape}")
    variance = np.diag(covariance)
    return np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0.0))


def _dense(data, got, kind, features):
    matrix = data.information_matrix(got.gamma)
    penalised = matrix + np.diag(mm.Prior(got.prior).information(got.gamma))
    if got.prior > 0:
        inverse = np.linalg.inv(penalised)
    else:
        inverse = np.linalg.pinv(penalised, rcond=1e-12, hermitian=True)
    if kind == "sampling":
        inverse = inverse @ matrix @ inverse
    return inverse[features][:, features]


def _by_gradients(data, got, kind, features):
    solutions = np.array([_solved(data, got, f) for f in features])
    if kind == "posterior":
        return solutions[:, features]
    products = np.array([data.information_product(got.gamma, x) for x in solutions])
    return solutions @ products.T


def _solved(data, got, feature, tol=1e-5, n_most=2000):
    """Return column `feature` of (I + P)^-1 by conjugate gradients, scaled with the diagonal."""
    penalty, scale = mm.Prior(got.prior).information(got.gamma), got.information
    solution, rest = np.zeros(data.n_features), np.zeros(data.n_features)
    rest[feature] = 1.0
    scaled = rest / scale
    move, size = scaled.copy(), mm.dot(rest, scaled)
    least = tol**2 * size
    for _ in range(n_most):
        if size <= least:
            return solution
        product = data.information_product(got.gamma, move) + penalty * move
        length = size / mm.dot(move, product)
        solution += length * move
        rest -= length * product
        scaled = rest / scale
        size, last = mm.dot(rest, scaled), size
        move = scaled + size / last * move
    raise ValueError(f"feature {feature}: the error is not found after {n_most} passes")
