"""Competitions between teams of features: one shape of data for every Bradley-Terry model.

A pair of players is a competition of two teams of one member; a race is one of n such teams; a
position of a board game is one whose teams are the legal moves and whose members are the features
of a move (Coulom 2007, section 2).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints, NDArray
from gameai_lib.btmm._runs import gather_runs, repeat_runs, row_numbers
from gameai_lib.btmm.model import tally
from gameai_lib.btmm.model.tally import ABSENT, Tally, pad

FIELDS = {
    "offsets": np.int64,
    "features": np.int32,
    "winner": np.int64,
    "weight": np.float64,
    "group": np.int32,
}
MOST_GROUPS = 256  # a product of more members leaves no room for their strengths


class CompetitionError(ValueError):
    """Competitions that no model can be fitted to; the message names the row."""


class Own(NamedTuple):
    """An array that was made for `Competitions` and that nobody else holds: not copied."""

    array: NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Competitions:
    """Competitions in flat arrays, which are copied, checked and frozen.

    Column k of `features` holds the team's member out of group k, a set of features that exclude
    each other. It is a `CompetitionError` if there is nothing to learn from, and for an empty
    competition, a winner outside it, a negative or unbounded weight, an unknown feature, or one
    outside its column.

    Parameters
    ----------
    offsets : (n_competitions + 1,) int array
        Rows ``offsets[j]:offsets[j + 1]`` of `features` are competition j.
    features : (n_teams, n_groups) int array
        Index of the member, -1 for none.
    winner : (n_competitions,) int array
        Which team of the competition won, counted from 0.
    weight : (n_competitions,) float array
        How often it happened; a half for half a win.
    group : (n_features,) int array
        The column each feature belongs to.

    Examples
    --------
    Two choices, of the second of two teams and of the first of three:

    >>> teams = [[0, 3], [1, 2], [1, 4], [0, 4], [0, 2]]
    >>> Competitions([0, 2, 5], teams, [1, 0], [1.0, 1.0], [0, 0, 1, 1, 1])
    Competitions(2, of 5 teams of 5 features in 2 groups)
    """

    offsets: Ints
    features: NDArray[np.int32]
    winner: Ints
    weight: Floats
    group: NDArray[np.int32]

    def __post_init__(self):
        for name, dtype in FIELDS.items():
            object.__setattr__(self, name, _keep(name, getattr(self, name), dtype))
        _check_rows(self.offsets, self.winner, self.weight, len(self.features))
        _check_columns(self.offsets, self.features, self.group)

    def __repr__(self) -> str:
        return (
            f"Competitions({self.n_competitions}, of {len(self.features)} teams of "
            f"{self.n_features} features in {self.n_groups} groups)"
        )

    def __reduce__(self):
        # A copy that comes out of a pickle is checked and frozen as well.
        return Competitions, tuple(getattr(self, name) for name in FIELDS)

    @cached_property
    def indices(self) -> NDArray[np.uint32]:
        """The features as the kernels want them; no copy where no member is missing."""
        indices = self.features.view(np.uint32)
        if not (self.features == ABSENT).any():
            return indices
        # -1, read as unsigned, is greater than any feature.
        return _freeze(np.minimum(indices, np.uint32(self.n_features)))

    @property
    def _passed(self):
        return self.offsets, self.indices, self.weight

    @property
    def n_competitions(self) -> int:
        """Number of competitions."""
        return self.winner.size

    @property
    def n_features(self) -> int:
        """Number of features, seen or not."""
        return self.group.size

    @property
    def n_groups(self) -> int:
        """Number of groups of mutually exclusive features."""
        return self.features.shape[1]

    @property
    def total_weight(self) -> float:
        """Sum of the weights, N in the source's equation (9)."""
        return float(self.weight.sum())

    def complete_groups(self) -> Bools:
        """Return (n_groups,) bool: does every team hold a member of the group?"""
        return (self.features != ABSENT).all(axis=0)

    def team_size(self) -> int:
        """Return the largest number of members in a team."""
        if self.complete_groups().all():
            return self.n_groups
        return int((self.features != ABSENT).sum(axis=1).max())

    def wins(self) -> Floats:
        """Return (n_features,) float: the weight of the competitions each feature won."""
        members = self.indices[self.offsets[:-1] + self.winner]
        weight = np.repeat(self.weight, self.n_groups)
        won = np.bincount(members.ravel().astype(np.intp), weight, self.n_features + 1)
        return won[:-1].astype(np.float64)

    def tally(self, gamma: ArrayLike, column: int | None = None) -> Tally:
        """Return the `Tally` at `gamma`; of one group's features if `column` is given.

        A feature's expected wins are gamma times the sum of C/E in the source's equation (6).
        """
        gamma = strengths(self, gamma)
        if column is not None:
            column = checks.whole("column", column, 0, self.n_groups - 1)
        return tally.tally([self._passed], gamma, column)

    def information(self, gamma: ArrayLike) -> Floats:
        """Return (n_features,) float: minus the second derivatives of ln L in each ln gamma."""
        wide = pad(strengths(self, gamma))
        squares, share = np.zeros((2, wide.size))
        tally.squared_shares(*self._passed, wide, self._room(), share, squares)
        return np.maximum(self.tally(gamma).expected - squares[:-1], 0.0)

    def information_matrix(self, gamma: ArrayLike) -> Floats:
        """Return (n_features, n_features) float: minus the Hessian of ln L in ln gamma."""
        wide = pad(strengths(self, gamma))
        matrix = np.zeros((wide.size, wide.size))
        share, members = np.zeros(wide.size), np.empty(wide.size, np.int64)
        tally.add_information(*self._passed, wide, self._room(), share, members, matrix)
        return matrix[:-1, :-1]

    def information_product(self, gamma: ArrayLike, vector: ArrayLike) -> Floats:
        """Return (n_features,) float: the information matrix times `vector`, in one pass."""
        wide = pad(strengths(self, gamma))
        product, factor = np.zeros((2, wide.size))
        factor[:-1] = vector
        tally.information_product(*self._passed, wide, factor, self._room(), self._room(), product)
        return product[:-1]

    def smallest_share(self, gamma: ArrayLike, move: Floats) -> float:
        """Return the least weight * P(team) * (1 + its change - the mean change), losers only.

        A team's change is the sum of `move` over its members: see `existence`.
        """
        first = self.offsets[:-1].astype(np.intp)
        weight, chance = repeat_runs(self.weight, self.offsets), self.probabilities(gamma)
        change = np.append(move, 0.0)[self.indices].sum(axis=1)
        mean = repeat_runs(np.add.reduceat(chance * change, first), self.offsets)
        lost = weight > 0
        lost[first + self.winner] = False
        return float((weight * chance * (1 + change - mean))[lost].min())

    def edges(self) -> Ints:
        """Return (n, 2) int: who beat whom, see `existence`."""
        room, edges = np.empty((2, len(self.features)), np.int64), []
        for column in range(self.n_groups):
            rows = self.offsets, self.indices, self.winner, self.weight
            n = tally.fill_edges(*rows, column, self.n_features, room)
            edges.append(room[:, :n].T if self.n_groups == 1 else room[:, :n].T.copy())
        return np.concatenate(edges) if len(edges) > 1 else edges[0]

    def _room(self):
        return tally.longest(self.offsets)

    def probabilities(self, gamma: ArrayLike) -> Floats:
        """Return (n_teams,) float: each team's chance to win, the source's equation (8)."""
        probability = np.empty(len(self.features))
        wide = pad(strengths(self, gamma))
        tally.team_probabilities(self.offsets, self.indices, wide, probability)
        return probability

    def take(self, rows: ArrayLike | slice) -> "Competitions":
        """Return the competitions numbered `rows`, in that order."""
        found = row_numbers(rows, self.n_competitions)
        offsets, teams = gather_runs(self.offsets, found)
        features: Any = Own(self.features[teams])
        return Competitions(offsets, features, self.winner[found], self.weight[found], self.group)


def _freeze(values):
    # Behind a view of an array that cannot be written, not even on demand.
    values.flags.writeable = False
    return values.view()


def _keep(name, values, dtype):
    ndim = 2 if name == "features" else 1
    if isinstance(values, Own):
        return _freeze(np.ascontiguousarray(values.array, dtype=dtype))
    if dtype == np.float64:
        found = arrays.floats(name, values, ndim)
        found[np.abs(found) < 1e-100] = 0.0  # products of them leave the range of floats
    else:
        found = arrays.whole(name, values, dtype=dtype, ndim=ndim).copy()
    return _freeze(found)


def passable(data):
    """Return `data` if passes can be made over it: `Competitions` or `Shards`, or raise."""
    if not (hasattr(data, "tally") and hasattr(data, "n_features")) or isinstance(data, type):
        raise TypeError(f"data must be Competitions or Shards, got {short(data)}")
    return data


def strengths(data, gamma):
    """Return `gamma`, or that of a fit, as (n_features,) floats whose products are floats."""
    gamma = arrays.array("gamma", getattr(gamma, "gamma", gamma), ndim=1)
    gamma = gamma.astype(np.float64, copy=False)
    if gamma.size != data.n_features:
        raise ValueError(f"{data.n_features} features need as many strengths, got {gamma.size}")
    limit = 10.0 ** (300 / data.n_groups)
    if not (gamma.min() >= 1 / limit and gamma.max() <= limit):
        odd = gamma[~((gamma >= 1 / limit) & (gamma <= limit))][0]
        raise ValueError(f"strengths must be from {1 / limit:.1e} to {limit:.1e}, got {odd}")
    return gamma


def _check_rows(offsets, winner, weight, n_teams):
    n = winner.size
    if n == 0:
        raise CompetitionError("nothing to learn from: no competitions")
    if offsets.size != n + 1 or weight.size != n:
        raise CompetitionError(
            f"{n} winners need {n + 1} offsets and as many weights as winners, got "
            f"{offsets.size} and {weight.size}"
        )
    if offsets[0] != 0 or offsets[-1] != n_teams:
        raise CompetitionError(
            f"offsets run from {offsets[0]} to {offsets[-1]}, not from 0 to {n_teams}"
        )
    lengths = np.diff(offsets)
    for bad, text in (
        (offsets[1:] <= offsets[:-1], "is empty"),
        ((winner < 0) | (winner >= lengths), "has a winner outside it"),
        (~(weight >= 0) | np.isinf(weight), "has a bad weight"),
    ):
        if bad.any():
            j = int(np.argmax(bad))
            raise CompetitionError(
                f"competition {j} {text}: teams {offsets[j]} to {offsets[j + 1]}, winner "
                f"{winner[j]}, weight {weight[j]}"
            )
    with np.errstate(over="ignore"):
        if weight.sum() > 1e100:
            raise CompetitionError(f"the weights add up to {weight.sum():.3g}")
    if not (weight[lengths > 1] > 0).any():
        raise CompetitionError("nothing to learn from: no competition with a choice and a weight")


def _check_columns(offsets, features, group):
    n_groups = features.shape[1]
    if group.size == 0 or n_groups == 0:
        raise CompetitionError("nothing to learn from: no features")
    if n_groups > MOST_GROUPS:
        raise CompetitionError(
            f"{n_groups} groups are more than {MOST_GROUPS}: no room for strengths"
        )
    if group.min() < 0 or group.max() >= n_groups:
        raise CompetitionError(f"groups must be 0..{n_groups - 1}")
    row, column = tally.first_misplaced(features, group)
    if row >= 0:
        j = int(np.searchsorted(offsets, row, side="right")) - 1
        raise CompetitionError(
            f"team {row - offsets[j]} of competition {j}: feature {features[row, column]} does "
            f"not belong to group {column}"
        )
