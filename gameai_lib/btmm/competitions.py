"""Competitions between teams of features: one shape of data for every Bradley-Terry model.

A pair of players is a competition of two teams of one member; a race is one of
n such teams; a position of a board game is one whose teams are the legal moves
and whose members are the features of a move (Coulom 2007, section 2).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm import tally


class CompetitionError(ValueError):
    """Competitions that no model can be fitted to; the message names the row."""


class Tally(NamedTuple):
    """Sums of one pass over the data at one gamma.

    `expected` is (n_features,), the wins the model expects of each feature, 0
    where the pass did not look; `log_total` is the sum of weight * ln E.
    """

    expected: np.ndarray
    log_total: float


@dataclass(frozen=True, eq=False)
class Competitions:
    """Competitions in flat arrays, checked when built.

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
    """

    offsets: np.ndarray
    features: np.ndarray
    winner: np.ndarray
    weight: np.ndarray
    group: np.ndarray

    def __post_init__(self):
        for name, dtype in _DTYPES.items():
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=dtype))
        if self.features.ndim != 2:
            raise CompetitionError(f"features must have 2 dimensions, got {self.features.ndim}")
        if self.features.size and self.features.min() < tally.ABSENT:
            row = int(np.argmax((self.features < tally.ABSENT).any(axis=1)))
            raise CompetitionError(f"team {row} holds feature {self.features[row].min()}")
        _check_rows(self)
        _check_columns(self)

    @cached_property
    def indices(self):
        """The features as the kernels want them; no copy where no member is missing."""
        missing = self.features == tally.ABSENT
        if not missing.any():
            return self.features.view(np.uint32)
        return np.where(missing, self.n_features, self.features).astype(np.uint32)

    @property
    def n_competitions(self):
        """Number of competitions."""
        return self.winner.size

    @property
    def n_features(self):
        """Number of features, seen or not."""
        return self.group.size

    @property
    def n_groups(self):
        """Number of groups of mutually exclusive features."""
        return self.features.shape[1]

    @property
    def total_weight(self):
        """Sum of the weights: N in the source's equation (9)."""
        return float(self.weight.sum())

    def complete_groups(self):
        """Return (n_groups,) bool: does every team hold a member of the group?"""
        return (self.features != tally.ABSENT).all(axis=0)

    def team_size(self):
        """Return the largest number of members in a team."""
        if self.complete_groups().all():
            return self.n_groups
        return int((self.features != tally.ABSENT).sum(axis=1).max())

    def wins(self):
        """Return (n_features,) float: the weight of the competitions each feature won."""
        wins = np.zeros(self.n_features + 1)
        tally.count_wins(self.offsets, self.indices, self.winner, self.weight, wins)
        return wins[:-1]

    def tally(self, gamma, column=None):
        """Return the `Tally` at `gamma`; of one group's features if `column` is given.

        Each feature's expected wins are gamma times the sum of C/E in the
        source's equation (6).
        """
        return tallied(self.offsets, self.indices, self.weight, gamma, column)

    def information(self, gamma):
        """Return (n_features,) float: minus the second derivatives of ln L in each ln gamma."""
        squares = np.zeros(self.n_features + 1)
        tally.squared_shares(
            self.offsets,
            self.indices,
            self.weight,
            tally.padded(gamma),
            np.empty(int(np.diff(self.offsets).max())),
            np.zeros_like(squares),
            squares,
        )
        return np.maximum(self.tally(gamma).expected - squares[:-1], 0.0)

    def probabilities(self, gamma):
        """Return (n_teams,) float: each team's chance to win, the source's equation (8)."""
        probability = np.empty(self.features.shape[0])
        tally.team_probabilities(self.offsets, self.indices, tally.padded(gamma), probability)
        return probability

    def take(self, rows):
        """Return the competitions numbered `rows`, in that order."""
        rows = np.arange(self.n_competitions)[rows]
        lengths = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        teams = np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Competitions(
            offsets, self.features[teams], self.winner[rows], self.weight[rows], self.group
        )


_DTYPES = {
    "offsets": np.int64,
    "features": np.int32,
    "winner": np.int64,
    "weight": np.float64,
    "group": np.int32,
}


def tallied(offsets, indices, weight, gamma, column=None):
    """Return the `Tally` of bare arrays; `Competitions.tally` without the checks."""
    expected = np.zeros((2, len(gamma) + 1))
    strength = np.empty(int(np.diff(offsets).max()))
    data = offsets, indices, weight, tally.padded(gamma), strength, expected
    if column is None:
        log_total = tally.expected_wins(*data)
    else:
        log_total = tally.expected_wins_of_group(*data, column)
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
    if not (data.weight[lengths > 1] > 0).any():
        raise CompetitionError("nothing to learn from: no competition with a choice and a weight")


def _check_columns(data):
    if data.group.size == 0 or data.features.shape[1] == 0:
        raise CompetitionError("nothing to learn from: no features")
    if data.group.min() < 0 or data.group.max() >= data.features.shape[1]:
        raise CompetitionError(f"groups must be 0..{data.features.shape[1] - 1}")
    row, column = tally.first_misplaced(data.features, data.group)
    if row >= 0:
        j = int(np.searchsorted(data.offsets, row, side="right")) - 1
        raise CompetitionError(
            f"team {row - data.offsets[j]} of competition {j}: feature "
            f"{data.features[row, column]} does not belong to group {column}"
        )


def from_teams(competitions, winners, weight=None):
    """Build `Competitions` from lists of teams, sorting the features into groups.

    Features that never meet in one team share a group as far as a greedy
    colouring finds it: players of duels end in one group, the members of the
    source's equation (3) in four.

    Parameters
    ----------
    competitions : list of list of list of int
        Teams of each competition, each a list of features counted from 0.
    winners : list of int
    weight : list of float, optional

    Raises
    ------
    CompetitionError
        As `Competitions`, and for a feature that is twice in one team.
    """
    teams = [list(team) for rows in competitions for team in rows]
    _check_members(competitions)
    if not teams or not any(teams):
        raise CompetitionError("nothing to learn from: no features")
    group = _colour(teams)
    features = np.full((len(teams), max(group) + 1), tally.ABSENT)
    for t, team in enumerate(teams):
        for f in team:
            features[t, group[f]] = f
    offsets = np.concatenate([[0], np.cumsum([len(rows) for rows in competitions])])
    weight = np.ones(len(winners)) if weight is None else weight
    return Competitions(offsets, features, winners, weight, group)


def _check_members(competitions):
    for j, rows in enumerate(competitions):
        for t, team in enumerate(rows):
            if len(set(team)) != len(team):
                twice = next(f for f in team if team.count(f) > 1)
                raise CompetitionError(f"team {t} of competition {j}: feature {twice} twice")
            if any(f < 0 for f in team):
                raise CompetitionError(f"team {t} of competition {j}: feature {min(team)}")


def _colour(teams):
    n_features = 1 + max(f for team in teams for f in team)
    mates = [set() for _ in range(n_features)]
    for team in teams:
        for f in team:
            mates[f].update(team)
    group = [-1] * n_features
    for f in range(n_features):
        taken = {group[mate] for mate in mates[f]}
        group[f] = next(g for g in range(n_features) if g not in taken)
    return group


def from_pairs(winners, losers, n_players=None, weight=None):
    """Build duels: player ``winners[j]`` beat player ``losers[j]`` (Bradley and Terry 1952).

    Raises
    ------
    CompetitionError
        As `Competitions`, and for a player who meets himself.
    """
    pairs = np.stack([np.asarray(winners), np.asarray(losers)], axis=1)
    same = pairs[:, 0] == pairs[:, 1]
    if same.any():
        j = int(np.argmax(same))
        raise CompetitionError(f"competition {j}: player {pairs[j, 0]} meets himself")
    return from_choices(pairs, np.zeros(len(pairs), dtype=int), n_players, weight)


def from_choices(items, winner, n_items=None, weight=None):
    """Build choices of one out of n: ``items[j, winner[j]]`` won (the source's equation (2)).

    Parameters
    ----------
    items : (n_competitions, n) int array
    winner : (n_competitions,) int array
        Column of the winner.
    """
    items = np.asarray(items)
    n_items = items.max(initial=-1) + 1 if n_items is None else n_items
    offsets = np.arange(len(items) + 1) * items.shape[1]
    weight = np.ones(len(items)) if weight is None else weight
    return Competitions(offsets, items.reshape(-1, 1), winner, weight, np.zeros(n_items))


def joined(parts):
    """Return one `Competitions` made of several over the same features."""
    parts = list(parts)
    if not parts:
        raise CompetitionError("nothing to learn from: no competitions")
    group = parts[0].group
    for i, part in enumerate(parts):
        if not np.array_equal(part.group, group):
            raise CompetitionError(f"part {i} has other features than part 0")
    shift = np.cumsum([0] + [part.offsets[-1] for part in parts])
    offsets = [part.offsets[:-1] + s for part, s in zip(parts, shift, strict=False)]
    return Competitions(
        np.concatenate([*offsets, shift[-1:]]),
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.winner for part in parts]),
        np.concatenate([part.weight for part in parts]),
        group,
    )
