"""Competitions between teams of features: one shape of data for every Bradley-Terry model.

A pair of players is a competition of two teams of one member; a race is one of
n such teams; a position of a board game is one whose teams are the legal moves
and whose members are the features of a move (Coulom 2007, section 2).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints, NDArray
from gameai_lib.btmm._runs import gathered, taken
from gameai_lib.btmm.model import tally

MOST_GROUPS = 256  # a product of more members leaves no room for their strengths


class CompetitionError(ValueError):
    """Competitions that no model can be fitted to; the message names the row."""


class Tally(NamedTuple):
    """Sums of one pass over the data at one gamma.

    `expected` is (n_features,), the wins the model expects of each feature, 0
    where the pass did not look; `log_total` is the sum of weight * ln E.
    """

    expected: Floats
    log_total: float


class Own(NamedTuple):
    """An array that was made for `Competitions` and that nobody else holds: not copied."""

    array: NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Competitions:
    """Competitions in flat arrays, copied, checked and frozen when built.

    Whoever changes his own arrays afterwards changes nothing here.

    Column k of `features` holds the team's member out of group k: a group is a
    set of features that exclude each other, so one column is enough, and a team
    cannot hold a feature twice.

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

    Raises
    ------
    CompetitionError
        Nothing to learn from, an empty competition, a winner outside it, a
        negative or unbounded weight, an unknown feature, or one outside its column.
    ValueError, TypeError
        Anything but whole numbers (weights: numbers), or another shape.

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
        for name, dtype in _DTYPES.items():
            object.__setattr__(self, name, _kept(name, getattr(self, name), dtype))
        if self.features.size and self.features.min() < tally.ABSENT:
            row = int(np.argmax((self.features < tally.ABSENT).any(axis=1)))
            raise CompetitionError(f"team {row} holds feature {self.features[row].min()}")
        _check_rows(self)
        _check_columns(self)

    def __repr__(self) -> str:
        return (
            f"Competitions({self.n_competitions}, of {self.features.shape[0]} teams of "
            f"{self.n_features} features in {self.n_groups} groups)"
        )

    @cached_property
    def indices(self) -> NDArray[np.uint32]:
        """The features as the kernels want them; no copy where no member is missing."""
        missing = self.features == tally.ABSENT
        if not missing.any():
            return self.features.view(np.uint32)
        return _frozen(np.where(missing, self.n_features, self.features).astype(np.uint32))

    def __reduce__(self):
        # A copy that comes out of a pickle is checked and frozen as well.
        return Competitions, tuple(getattr(self, name) for name in _DTYPES)

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
        return (self.features != tally.ABSENT).all(axis=0)

    def team_size(self) -> int:
        """Return the largest number of members in a team."""
        if self.complete_groups().all():
            return self.n_groups
        return int((self.features != tally.ABSENT).sum(axis=1).max())

    def wins(self) -> Floats:
        """Return (n_features,) float: the weight of the competitions each feature won."""
        wins = np.zeros(self.n_features + 1)
        tally.count_wins(self.offsets, self.indices, self.winner, self.weight, wins)
        return wins[:-1]

    def tally(self, gamma: ArrayLike, column: int | None = None) -> Tally:
        """Return the `Tally` at `gamma`; of one group's features if `column` is given.

        Each feature's expected wins are gamma times the sum of C/E in the
        source's equation (6).
        """
        gamma = strengths(self, gamma)
        if column is not None:
            column = checks.whole("column", column, 0, self.n_groups - 1)
        return tallied(self.offsets, self.indices, self.weight, gamma, column)

    def information(self, gamma: ArrayLike) -> Floats:
        """Return (n_features,) float: minus the second derivatives of ln L in each ln gamma."""
        gamma = strengths(self, gamma)
        squares = np.zeros(self.n_features + 1)
        tally.squared_shares(
            self.offsets,
            self.indices,
            self.weight,
            tally.padded(gamma),
            self._room(),
            np.zeros_like(squares),
            squares,
        )
        return np.maximum(self.tally(gamma).expected - squares[:-1], 0.0)

    def information_matrix(self, gamma: ArrayLike) -> Floats:
        """Return (n_features, n_features) float: minus the Hessian of ln L in ln gamma."""
        padded = tally.padded(strengths(self, gamma))
        matrix = np.zeros((padded.size, padded.size))
        share, members = np.zeros(padded.size), np.empty(padded.size, np.int64)
        tally.add_information(
            self.offsets, self.indices, self.weight, padded, self._room(), share, members, matrix
        )
        return matrix[:-1, :-1]

    def information_product(self, gamma: ArrayLike, vector: ArrayLike) -> Floats:
        """Return (n_features,) float: the information matrix times `vector`, in one pass."""
        padded = tally.padded(strengths(self, gamma))
        found = arrays.floats("vector", vector, 1)
        if found.size != self.n_features:
            raise ValueError(f"vector needs {self.n_features} numbers, got {found.size}")
        product = np.zeros(padded.size)
        tally.information_product(
            self.offsets,
            self.indices,
            self.weight,
            padded,
            np.append(found, 0.0),
            self._room(),
            self._room(),
            product,
        )
        return product[:-1]

    def smallest_share(self, gamma: ArrayLike, move: Floats) -> float:
        """Return the least weight * P(team) * (1 + its change - the mean change), losers only.

        The change of a team is the sum of `move`, (n_features,), over its members: see
        `gameai_lib.btmm.model.existence`.
        """
        return tally.smallest_share(
            self.offsets,
            self.indices,
            self.winner,
            self.weight,
            tally.padded(strengths(self, gamma)),
            np.append(move, 0.0),
            self._room(),
            self._room(),
        )

    def edges(self) -> Ints:
        """Return (n, 2) int: who beat whom, see `gameai_lib.btmm.model.existence`."""
        first, parts, n = 0, [], self.n_features + self.n_groups
        # In parts of some million teams, so that memory stays in proportion to the data.
        ends = np.searchsorted(self.offsets, np.arange(CHUNK, self.features.shape[0], CHUNK))
        for end in np.unique([*ends, self.n_competitions]):
            n_teams = int(self.offsets[end] - self.offsets[first])
            for k in range(self.n_groups):
                pairs = np.empty((n_teams, 2), np.int64)
                n_pairs = tally.fill_edges(
                    self.offsets[first : end + 1],
                    self.indices,
                    self.winner[first:end],
                    self.weight[first:end],
                    (k, self.n_features),
                    pairs,
                )
                parts.append(pairs[:n_pairs])
            if end < self.n_competitions or len(parts) > self.n_groups:
                codes = np.unique(np.concatenate([p[:, 0] * n + p[:, 1] for p in parts]))
                parts = [np.stack(np.divmod(codes, n), axis=1)]
            first = end
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def _room(self):
        return np.empty(int(np.diff(self.offsets).max()))

    def probabilities(self, gamma: ArrayLike) -> Floats:
        """Return (n_teams,) float: each team's chance to win, the source's equation (8)."""
        gamma = strengths(self, gamma)
        probability = np.empty(self.features.shape[0])
        tally.team_probabilities(self.offsets, self.indices, tally.padded(gamma), probability)
        return probability

    def take(self, rows: ArrayLike | slice) -> "Competitions":
        """Return the competitions numbered `rows`, in that order."""
        found = taken(rows, self.n_competitions)
        offsets, teams = gathered(self.offsets, found)
        features: Any = Own(self.features[teams])
        return Competitions(offsets, features, self.winner[found], self.weight[found], self.group)


_DTYPES = {
    "offsets": np.int64,
    "features": np.int32,
    "winner": np.int64,
    "weight": np.float64,
    "group": np.int32,
}
CHUNK = 2**22


def _frozen(values):
    # Behind a view of an array that cannot be written, not even on demand.
    values.flags.writeable = False
    return values.view()


def _kept(name, values, dtype):
    ndim = 2 if name == "features" else 1
    if isinstance(values, Own):
        return _frozen(np.ascontiguousarray(values.array, dtype=dtype))
    if dtype == np.float64:
        found = arrays.floats(name, values, ndim)
        found[np.abs(found) < 1e-100] = 0.0  # products of them leave the range of floats
    else:
        found = arrays.whole(name, values, dtype=dtype, ndim=ndim).copy()
    return _frozen(found)


def checked_data(data):
    """Return `data` if it is `Competitions`, else raise."""
    if not isinstance(data, Competitions):
        raise TypeError(f"data must be Competitions, got {short(data)}")
    return data


def passable(data):
    """Return `data` if passes can be made over it: `Competitions` or `Shards`, or raise."""
    if not (hasattr(data, "tally") and hasattr(data, "n_features")) or isinstance(data, type):
        raise TypeError(f"data must be Competitions or Shards, got {short(data)}")
    return data


def strengths(data, gamma):
    """Return `gamma` as (n_features,) floats of which any product is a float, else raise.

    A fit will do, whose strengths they are.
    """
    found = arrays.array("gamma", getattr(gamma, "gamma", gamma), ndim=1).astype(
        np.float64, copy=False
    )
    if found.size != data.n_features:
        raise ValueError(f"{data.n_features} features need as many strengths, got {found.size}")
    limit = 10.0 ** (300 / data.n_groups)
    if not (found.min() >= 1 / limit and found.max() <= limit):
        odd = found[~((found >= 1 / limit) & (found <= limit))][0]
        raise ValueError(f"strengths must be from {1 / limit:.1e} to {limit:.1e}, got {odd}")
    return found


def tallied(offsets, indices, weight, gamma, column=None):
    """Return the `Tally` of bare arrays; `Competitions.tally` without the checks."""
    return tallied_parts([(offsets, indices, weight)], gamma, column)


def tallied_parts(parts, gamma, column=None):
    """Return the `Tally` of an iterable of (offsets, indices, weight), summed in their order."""
    expected, padded = np.zeros((2, len(gamma) + 1)), tally.padded(gamma)
    log_total = 0.0
    for offsets, indices, weight in parts:
        strength = np.empty(int(np.diff(offsets).max()))
        data = offsets, indices, weight, padded, strength, expected
        if column is None:
            log_total += tally.expected_wins(*data)
        else:
            log_total += tally.expected_wins_of_group(*data, column)
    return Tally(expected.sum(axis=0)[:-1], log_total)


def _check_rows(data):
    if data.winner.size == 0:
        raise CompetitionError("nothing to learn from: no competitions")
    if data.offsets.size != data.winner.size + 1 or data.weight.size != data.winner.size:
        raise CompetitionError(
            f"{data.winner.size} winners need {data.winner.size + 1} offsets and as many "
            f"weights as winners, got {data.offsets.size} and {data.weight.size}"
        )
    lengths = np.diff(data.offsets)
    if data.offsets.min() < 0 or data.offsets.max() > data.features.shape[0]:
        j = int(np.argmax((data.offsets < 0) | (data.offsets > data.features.shape[0])))
        raise CompetitionError(
            f"offset {data.offsets[j]} of competition {j} is not within {data.features.shape[0]} "
            "teams"
        )
    if data.offsets[0] != 0 or data.offsets[-1] != data.features.shape[0]:
        raise CompetitionError(
            f"offsets run from {data.offsets[0]} to {data.offsets[-1]}, "
            f"not from 0 to {data.features.shape[0]}"
        )
    for bad, text in (
        (lengths <= 0, "is empty"),
        ((data.winner < 0) | (data.winner >= lengths), "has a winner outside it"),
        (~(data.weight >= 0) | np.isinf(data.weight), "has a bad weight"),
    ):
        if bad.any():
            j = int(np.argmax(bad))
            raise CompetitionError(
                f"competition {j} {text}: {lengths[j]} teams, winner {data.winner[j]}, "
                f"weight {data.weight[j]}"
            )
    with np.errstate(over="ignore"):
        if data.weight.sum() > 1e100:
            raise CompetitionError(f"the weights add up to {data.weight.sum():.3g}")
    if not (data.weight[lengths > 1] > 0).any():
        raise CompetitionError("nothing to learn from: no competition with a choice and a weight")


def _check_columns(data):
    if data.group.size == 0 or data.features.shape[1] == 0:
        raise CompetitionError("nothing to learn from: no features")
    if data.features.shape[1] > MOST_GROUPS:
        raise CompetitionError(
            f"{data.features.shape[1]} groups are more than {MOST_GROUPS}: no room for strengths"
        )
    if data.group.min() < 0 or data.group.max() >= data.features.shape[1]:
        raise CompetitionError(f"groups must be 0..{data.features.shape[1] - 1}")
    row, column = tally.first_misplaced(data.features, data.group)
    if row >= 0:
        j = int(np.searchsorted(data.offsets, row, side="right")) - 1
        raise CompetitionError(
            f"team {row - data.offsets[j]} of competition {j}: feature "
            f"{data.features[row, column]} does not belong to group {column}"
        )
