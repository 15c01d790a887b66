"""Joint errors of strengths: what holding the other strengths still leaves out.

The information matrix I is minus the Hessian of ln L in ln gamma; P is the prior's, on its
diagonal. The covariance C = (I + P)^-1 says how far the strengths may be from these, by games and
prior together: of features that overlap only the product is known well. How far they would move if
other games of the same kind were fitted with the same prior, as a bootstrap shows, is C I C:
``joint @ data.information_matrix(got.gamma) @ joint``.

Few features are solved with the matrix itself, many by conjugate gradients, one solution a
feature asked for and one pass over the data an iteration (Hestenes and Stiefel 1952).
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.btmm.model import conjugate, mm
from gameai_lib.btmm.model.competitions import Competitions, passable
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.fit import Fit

if TYPE_CHECKING:  # work on one machine needs no shards
    from gameai_lib.btmm.model.shards import Shards

DENSE = 2000  # features up to which the matrix is made: 32 MB


class Difference(NamedTuple):
    """How many Elo one side is above another: 10 ** (elo / 400) times as strong.

    With a chance of 95 % it is from ``elo - 1.96 * error`` to ``elo + 1.96 * error``.
    """

    elo: float
    error: float  #: standard error


def covariance(
    data: "Competitions | Shards", got: Fit, features: ArrayLike | None = None
) -> Floats:
    """Return the joint covariance of ln gamma, (n, n) float, of all or of chosen features.

    `data` are those that `got` was fitted to. Without a prior the mean of what they leave open is
    held still. A ValueError for a fit of other data, or more than `DENSE` features without a choice
    or without a prior; an ArithmeticError if conjugate gradients do not find an error.
    """
    _check(data, got)
    if features is not None:
        features = arrays.whole("features", features, 0, data.n_features - 1)
    if data.n_features <= DENSE:
        inverse = _inverse(data, got)
        return inverse if features is None else inverse[features][:, features]
    if features is None or got.prior == 0:
        raise _too_many(data, "a choice of features" if features is None else "a prior")
    return _by_gradients(data, got, features)


def contrast(
    data: "Competitions | Shards",
    got: Fit,
    first: int | Sequence[int],
    second: int | Sequence[int] = (),
) -> Difference:
    """Return how far one feature or team of features is above another, with its joint error.

    Each is a number, or the numbers of a team's members; nobody, of strength 1, is an empty team.
    `data` and `got` are as for `covariance`. A `ValueError` where the results do not compare the
    two without a prior.

    Examples
    --------
    >>> data = from_pairs([0, 1], [1, 0], weight=[30, 10])  # 30 : 10
    >>> found = contrast(data, fit(data, prior=0.0), 0, 1)
    >>> print(f"{found.elo:.1f} Elo, s.e. {found.error:.1f}")
    190.8 Elo, s.e. 63.4
    """
    _check(data, got)
    vector = np.zeros(data.n_features)
    for name, side, sign in (("first", first, 1), ("second", second, -1)):
        members = list(side) if isinstance(side, Sequence | np.ndarray) else [side]
        np.add.at(vector, arrays.whole(name, members, 0, vector.size - 1), sign)
    if vector.size <= DENSE:
        solution = _inverse(data, got) @ vector
    elif got.prior > 0:
        solution = _solve(data, got, vector, 1e-8)
    else:
        raise _too_many(data, "a prior")
    if not np.allclose(_product(data, got, solution), vector, atol=1e-5):
        raise ValueError(
            f"the results do not compare {short(first)} with {short(second)}: nothing is known "
            "of their difference without a prior"
        )
    error = np.sqrt(max(mm.dot(solution, vector), 0.0))
    elo = mm.dot(vector, np.log(got.gamma))
    return Difference(float(ELO_PER_NAT * elo), float(ELO_PER_NAT * error))


def standard_errors(
    data: "Competitions | Shards",
    got: Fit,
    features: ArrayLike | None = None,
    *,
    joint: bool = True,
) -> Floats:
    """Return (n,) float: standard errors of ln gamma; not ``joint``, the others held still.

    See `covariance`; times `gameai_lib.btmm.model.elo.ELO_PER_NAT` they are Elo points.

    Examples
    --------
    Two that always play together: each alone is known by the prior only, the pair by the games.

    >>> data = from_teams([[[0, 1], []]] * 2, [0, 1], weight=[30, 10])
    >>> got = fit(data)
    >>> standard_errors(data, got).round(2), standard_errors(data, got, joint=False).round(2)
    (array([1.05, 1.05]), array([0.35, 0.35]))
    >>> print("{:.0f} Elo, s.e. {:.0f}".format(*contrast(data, got, [0, 1])))
    185 Elo, s.e. 62
    """
    if checks.flag("joint", joint):
        return np.sqrt(np.diag(covariance(data, got, features)))
    errors = got.standard_error
    if features is None:
        return errors
    return errors[arrays.whole("features", features, 0, errors.size - 1)]


def _check(data, got):
    if not isinstance(got, Fit):
        raise TypeError(f"got must be a Fit, got {short(got)}")
    if got.gamma.size != passable(data).n_features:
        raise ValueError(f"a fit of {got.gamma.size} features, but data of {data.n_features}")
    if not np.allclose(data.wins(), got.wins, rtol=1e-9, atol=1e-9):
        raise ValueError("a fit of other data: the features have not won as often in these")


def _too_many(data, lacking):
    return ValueError(f"{data.n_features} features, more than {DENSE}, need {lacking}")


def _penalty(got):
    return mm.Prior(got.prior).information(got.gamma)


def _inverse(data, got):
    """Return the inverse of the information matrix and the prior's."""
    penalised = data.information_matrix(got.gamma) + np.diag(_penalty(got))
    if got.prior > 0:
        return np.linalg.inv(penalised)
    return np.linalg.pinv(penalised, rcond=1e-12, hermitian=True)


def _product(data, got, vector):
    """Return (I + P) `vector`, in one pass."""
    return data.information_product(got.gamma, vector) + _penalty(got) * vector


def _by_gradients(data, got, features):
    joint = np.empty((features.size, features.size))
    with Bar("errors", total=features.size, unit="features") as bar:
        for k, f in enumerate(features):
            joint[k] = _solve(data, got, np.eye(1, data.n_features, f)[0])[features]
            bar(k + 1)
    return joint


def _solve(data, got, vector, tol=1e-5):
    """Return (I + P)^-1 `vector` by conjugate gradients."""
    return conjugate.solve(partial(_product, data, got), vector, got.information, tol=tol)
