"""Builders of `Competitions`: of duels, choices, lists of teams, positions of games, and parts."""

from collections.abc import Iterable
from itertools import chain, pairwise
from typing import Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike
from gameai_lib.btmm._runs import repeat_runs
from gameai_lib.btmm.game.patterns import FeatureSet
from gameai_lib.btmm.game.positions import Positions
from gameai_lib.btmm.model import tally
from gameai_lib.btmm.model.competitions import MOST_GROUPS, CompetitionError, Competitions, Own


def from_teams(
    competitions: Iterable[Iterable[Iterable[int]]],
    winners: ArrayLike,
    weight: ArrayLike | None = None,
) -> Competitions:
    """Build `Competitions` from lists of teams, sorting the features into groups.

    Features that never meet in one team share a group as far as a greedy colouring finds it. Much
    data goes into `Competitions` itself 300 times as fast.

    Each of the `competitions` is a list of teams, a team a list of features counted from 0;
    `winners` is (n_competitions,) int. The `weight`, (n_competitions,) float, is how often each
    happened, any numbers from 0. Errors are those of `Competitions`, and one for a feature that is
    twice in one team.

    Examples
    --------
    The source's equation (3), where the first team won:

    >>> data = from_teams([[[0, 1, 2], [3, 1], [0, 4, 5, 6]]], [0])
    >>> data.n_competitions, data.n_features, data.n_groups
    (1, 7, 4)
    """
    return _build_listed(competitions, winners, None, weight)


def _build_listed(competitions, winners, n_items, weight):
    """Return the `Competitions` of lists of teams, their features sorted into groups."""
    sizes, teams = _read_teams(competitions)
    if not teams.shape[1]:
        raise CompetitionError("nothing to learn from: no features")
    teams, group = _colour_groups(teams, _count_items(n_items, teams))
    return _build(sizes, teams, winners, weight, group)


def _read_teams(competitions):
    """Return how many teams each competition has, and (n_teams, most members) features.

    The members of a team stand in ascending order, -1 before them.
    """
    rows = _as_lists(arrays.as_list("competitions", competitions), "competition {}".format)
    sizes = np.array([*map(len, rows)], int)
    ends = np.cumsum(sizes)

    def name(t):
        j = int(np.searchsorted(ends, t, side="right"))
        return f"team {t - (ends[j] - sizes[j])} of competition {j}"

    teams = _as_lists(chain.from_iterable(rows), name)
    n_members = np.array([len(team) for team in teams], int)
    most = int(n_members.max(initial=0))
    if most > MOST_GROUPS:
        t = int(np.argmax(n_members))
        raise CompetitionError(f"{name(t)}: features {most}, at most {MOST_GROUPS} can be")
    found = np.full((len(teams), most), tally.ABSENT, np.int64)
    members = list(chain.from_iterable(teams))
    if bool in set(map(type, members)):  # which numpy would take for 0 and 1
        raise TypeError("features must be whole numbers, got True or False among them")
    found[np.arange(most) < n_members[:, None]] = arrays.whole("features", members, 0)
    found.sort(axis=1)
    _check_twice(found, name)
    return sizes, found


def _as_lists(rows, name):
    """Return rows as they are if they are lists or tuples, else as lists; `name(k)` is row k's."""
    return [
        row if type(row) in (list, tuple) else arrays.as_list(name(k), row)
        for k, row in enumerate(rows)
    ]


def _check_twice(teams, where):
    """Raise where a feature stands twice in a row of sorted features."""
    twice = (teams[:, 1:] == teams[:, :-1]) & (teams[:, 1:] != tally.ABSENT)
    if twice.any():
        t, k = np.argwhere(twice)[0]
        raise CompetitionError(f"{where(t)}: feature {teams[t, k]} twice")


def _count_items(n_items, teams):
    """Return `n_items`, or without one how many the teams need; raise if they name others."""
    # Strengths, wins and groups are arrays over all features: in proportion to the data.
    limit, most = max(1_000_000, 16 * teams.size), int(teams.max(initial=-1))
    if most >= limit:
        raise CompetitionError(f"item {most}: {teams.size} entries allow numbers to {limit}")
    if n_items is None:
        return most + 1
    n_items = checks.whole("the number of players or items", n_items, 0, limit)
    if most >= n_items:
        raise CompetitionError(f"there are {n_items} items, no number {most}")
    return n_items


def _colour_groups(teams, n):
    """Return sorted `teams` with a column for each group, and the group of each of n features.

    A feature gets the first group that no smaller one of any of its teams has.
    """
    codes = [np.empty(0, np.int64)]
    for shift in range(1, teams.shape[1]):
        smaller, greater = teams[:, :-shift].ravel(), teams[:, shift:].ravel()
        codes.append(np.unique((greater * n + smaller)[smaller != tally.ABSENT]))
    mates = np.divmod(np.unique(np.concatenate(codes)), n)
    ends = np.cumsum(np.bincount(mates[0].astype(np.intp), minlength=n)).tolist()
    smaller, group = mates[1].tolist(), [0] * n
    for f, (first, end) in enumerate(pairwise([0, *ends])):
        if end > first:
            taken = {group[mate] for mate in smaller[first:end]}
            group[f] = next(g for g in range(n) if g not in taken)
    group = np.array(group, np.int32)
    features = np.full((len(teams), group.max(initial=0) + 1), tally.ABSENT, np.int32)
    rows, columns = np.nonzero(teams != tally.ABSENT)
    members = teams[rows, columns]
    features[rows, group[members]] = members
    return features, group


def from_pairs(
    winners: ArrayLike,
    losers: ArrayLike,
    n_players: int | None = None,
    weight: ArrayLike | None = None,
) -> Competitions:
    """Build duels: player ``winners[j]`` beat player ``losers[j]`` (Bradley and Terry 1952).

    Both are (n_games,) int arrays, and nobody may meet himself. `n_players` is how many there are,
    if some never played; `weight`, (n_games,) float, and the errors are as for `from_teams`.

    Examples
    --------
    >>> data = from_pairs([0, 1, 2], [1, 2, 0], weight=[2, 1, 0.5])
    >>> fit(data).elo.round(1)
    array([ 95.8, -44.1, -49.9])
    """
    won, lost = arrays.whole("winners", winners), arrays.whole("losers", losers)
    if won.size != lost.size:
        raise CompetitionError(f"{won.size} winners and {lost.size} losers")
    pairs = np.stack([won, lost], axis=1)
    same = won == lost
    if same.any():
        j = int(np.argmax(same))
        raise CompetitionError(f"competition {j}: player {pairs[j, 0]} meets himself")
    return from_choices(pairs, np.zeros(len(pairs), dtype=int), n_players, weight)


def from_choices(
    items: ArrayLike | Iterable[Any],
    winner: ArrayLike | None = None,
    n_items: int | None = None,
    weight: ArrayLike | None = None,
) -> Competitions:
    """Build choices of one out of several (the source's equations (2) and (3)).

    Lists are for small data: flat arrays go into `Competitions` 300 times as fast.

    Parameters
    ----------
    items : (n_choices, m) or (n_choices, m, k) int array, or iterable of (items, winner)
        What there was to choose from: a number each, or the k features of each, from 0; -1 is no
        feature. Choices among different numbers come one by one, each with its winner; an item is
        then a number or a list of its features.
    winner : (n_choices,) int array
        Column of the winner, ``items[j, winner[j]]``; left out where choices bring it.
    n_items : int, optional
        How many there are, if some were never on offer.
    weight : (n_choices,) float array, optional
        As for `from_teams`, and so are the errors.

    Examples
    --------
    Colour 0 or 1 and size 2, 3 or 4 of two things each, of which the first was chosen twice:

    >>> data = from_choices([[[0, 3], [1, 2]], [[1, 4], [0, 4]]], [0, 0])
    >>> data.n_competitions, data.n_features, data.n_groups
    (2, 5, 2)

    Among three things, then among two:

    >>> from_choices([([0, 1, 2], 2), ([1, 0], 0)]).n_competitions
    2
    """
    if winner is None:
        items, winner = _split_choices(items)
        return _build_listed(items, winner, n_items, weight)
    found = arrays.array("items", items)
    if found.ndim not in (2, 3):
        raise ValueError(
            "items must be (n_choices, m), or (n_choices, m, k) with k features each, got shape "
            f"{found.shape}"
        )
    found = arrays.whole("items", found, 0 if found.ndim == 2 else tally.ABSENT, ndim=found.ndim)
    empty = (found == tally.ABSENT).all(axis=-1) if found.ndim == 3 else np.zeros((0, 0))
    if empty.any():
        j, item = np.argwhere(empty)[0]
        raise CompetitionError(
            f"competition {j}: item {item} has no feature; where it was not on offer, leave it out "
            "and give a list for each choice"
        )
    teams = found.reshape(len(found) * found.shape[1], *found.shape[2:] or (1,))
    teams, group = _group_items(teams, _count_items(n_items, found))
    return _build(np.full(len(found), found.shape[1]), teams, winner, weight, group)


def _build(sizes, teams, winner, weight, group):
    """Return `Competitions` of so many teams each, all of weight 1 if none is given."""
    weight = np.ones(len(sizes)) if weight is None else weight
    return Competitions(np.append(0, np.cumsum(sizes)), Own(teams), winner, weight, group)


def _split_choices(choices):
    """Return the teams and the winners of choices that bring them."""
    rows, winners = [], []
    for j, choice in enumerate(arrays.as_list("items", choices)):
        try:
            items, winner = choice
        except (TypeError, ValueError) as cause:
            raise ValueError(
                f"choice {j} must be (items, winner) where no winners are given, got "
                f"{short(choice)}"
            ) from cause
        items = arrays.as_list(f"choice {j}", items)
        rows.append([[item] if checks.is_whole(item) else item for item in items])
        winners.append(winner)
    return rows, winners


def _group_items(teams, n_items):
    """Return teams with a column for each group, and the group of each item."""
    group = np.zeros(n_items, np.int32)
    columns = [np.unique(column[column != tally.ABSENT]) for column in teams.T]
    if sum(map(len, columns)) == len(np.unique(np.concatenate(columns or [[]]))):
        for k, column in enumerate(columns):  # no item stands in two
            group[column] = k
        return teams, group
    teams = np.sort(teams, axis=1)
    _check_twice(teams, "team {} of all choices".format)
    return _colour_groups(teams, n_items)


def from_positions(positions: Positions, features: FeatureSet) -> Competitions:
    """Build choices of moves: a position each, its legal moves the teams, the one played won.

    Positions are those of `replay` in `gameai_lib.btmm.game.reversi` and its like, on any square
    board; `features` is what a move is a team of. A `ValueError` if arrays do not fit together.
    """
    if not isinstance(features, FeatureSet):
        raise TypeError(f"features must be a FeatureSet, got {short(features)}")
    teams = features.teams(positions)
    group = repeat_runs(np.arange(len(features.groups)), features.starts)
    return _build(np.diff(positions.offsets), teams, positions.chosen, None, group)
