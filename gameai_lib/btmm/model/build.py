"""Builders of `Competitions`: of duels, choices, lists of teams, positions of games, and parts."""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.btmm._runs import repeated
from gameai_lib.btmm.game.patterns import FeatureSet
from gameai_lib.btmm.model import tally
from gameai_lib.btmm.model.competitions import MOST_GROUPS, CompetitionError, Competitions, Own


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
    CompetitionError, ValueError, TypeError
        As `Competitions`, and for a feature that is twice in one team.
    """
    rows = _checked_teams(competitions)
    teams = [team for teams in rows for team in teams]
    if not any(teams):
        raise CompetitionError("nothing to learn from: no features")
    group = _colour(teams)
    features = np.full((len(teams), max(group) + 1), tally.ABSENT, np.int32)
    for t, team in enumerate(teams):
        features[t, [group[f] for f in team]] = team
    offsets = np.concatenate([[0], np.cumsum([len(teams) for teams in rows])])
    weight = np.ones(len(rows)) if weight is None else weight
    return Competitions(offsets, Own(features), winners, weight, group)


def _checked_teams(competitions):
    """Return the teams as lists of lists of lists of plain ints."""
    try:
        rows = [
            [team if len(team) > 2**16 else list(team) for team in teams] for teams in competitions
        ]
    except TypeError as cause:
        raise CompetitionError(
            f"competitions must be lists of teams, teams lists of features, got "
            f"{short(competitions)}"
        ) from cause
    most = _most_features(sum(len(team) for teams in rows for team in teams))
    for j, teams in enumerate(rows):
        for t, team in enumerate(teams):
            where = f"team {t} of competition {j}: feature"
            if len(team) > MOST_GROUPS:
                raise CompetitionError(f"{where}s {len(team)}, at most {MOST_GROUPS} can be")
            teams[t] = team = arrays.whole("features", team).tolist()
            if len(set(team)) != len(team):
                raise CompetitionError(
                    f"{where} {next(f for f in team if team.count(f) > 1)} twice"
                )
            if team and not 0 <= min(team) <= max(team) < most:
                odd = min(team) if min(team) < 0 else max(team)
                raise CompetitionError(f"{where} {odd}")
    return rows


def _most_features(n_entries):
    # Strengths, wins and groups are arrays over all features: in proportion to the data.
    return max(1_000_000, 16 * n_entries)


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
    CompetitionError, ValueError, TypeError
        As `Competitions`, and for a player who meets himself.
    """
    winners, losers = arrays.whole("winners", winners), arrays.whole("losers", losers)
    if winners.size != losers.size:
        raise CompetitionError(f"{winners.size} winners and {losers.size} losers")
    pairs = np.stack([winners, losers], axis=1)
    same = winners == losers
    if same.any():
        j = int(np.argmax(same))
        raise CompetitionError(f"competition {j}: player {pairs[j, 0]} meets himself")
    return from_choices(pairs, np.zeros(len(pairs), dtype=int), n_players, weight)


def from_choices(items, winner, n_items=None, weight=None):
    """Build choices of one out of m: ``items[j, winner[j]]`` won (the source's equation (2)).

    Parameters
    ----------
    items : (n_choices, m) or (n_choices, m, k) int array
        What there was to choose from: a number each, or the k features of each (equation (3)).
        Numbered from 0, over all features together; -1 is no feature. A number far beyond the
        size of the data is refused. Choices among different numbers: see `from_teams`.
    winner : (n_choices,) int array
        Column of the winner.
    n_items : int, optional
        How many there are, if some were never on offer.
    weight : (n_choices,) float array, optional

    Raises
    ------
    CompetitionError, ValueError, TypeError
        As `Competitions`, and for a feature that is twice in one team.

    Examples
    --------
    Colour 0 or 1 and size 2, 3 or 4 of two things each, of which the first was chosen twice:

    >>> data = from_choices([[[0, 3], [1, 2]], [[1, 4], [0, 4]]], [0, 0])
    >>> data.n_competitions, data.n_features, data.n_groups
    (2, 5, 2)
    """
    found = arrays.array("items", items)
    if found.ndim not in (2, 3):
        raise ValueError(
            "items must be (n_choices, m), or (n_choices, m, k) with k features each, got shape "
            f"{found.shape}"
        )
    most = _most_features(found.size)
    found = arrays.whole("items", found, 0 if found.ndim == 2 else tally.ABSENT, ndim=found.ndim)
    if found.max(initial=-1) >= most:
        raise CompetitionError(f"item {found.max()}: {found.size} entries allow numbers to {most}")
    if n_items is None:
        n_items = found.max(initial=-1) + 1
    n_items = checks.whole("the number of players or items", n_items, 0, most)
    offsets = np.arange(len(found) + 1) * found.shape[1]
    weight = np.ones(len(found)) if weight is None else weight
    teams = found.reshape(len(found) * found.shape[1], *found.shape[2:] or (1,))
    teams, group = _grouped(teams, n_items)
    return Competitions(offsets, Own(teams), winner, weight, group)


def _grouped(teams, n_items):
    """Return teams with a column for each group, and the group of each item."""
    group = np.zeros(n_items, np.int32)
    columns = [np.unique(column[column != tally.ABSENT]) for column in teams.T]
    if sum(map(len, columns)) == len(np.unique(np.concatenate(columns or [[]]))):
        for k, column in enumerate(columns):  # no item stands in two
            group[column[column < n_items]] = k
        return teams, group
    alike = np.sort(teams, axis=1)
    twice = (alike[:, 1:] == alike[:, :-1]) & (alike[:, 1:] != tally.ABSENT)
    if twice.any():
        t, k = np.argwhere(twice)[0]
        raise CompetitionError(f"team {t} of all choices: feature {alike[t, k]} twice")
    found = _colour(
        [[f for f in team if f != tally.ABSENT] for team in np.unique(alike, axis=0).tolist()]
    )
    group[: len(found)] = found
    features = np.full((len(teams), max(found) + 1), tally.ABSENT, np.int32)
    rows, columns = np.nonzero(teams != tally.ABSENT)
    features[rows, group[teams[rows, columns]]] = teams[rows, columns]
    return features, group


def from_positions(positions, features):
    """Build choices of moves: a position each, its legal moves the teams, the one played won.

    Parameters
    ----------
    positions : Positions
        Of `gameai_lib.btmm.game.reversi.replay` or `gameai_lib.btmm.game.connect6.replay`.
    features : FeatureSet
        What a move is a team of.

    Raises
    ------
    TypeError
        If `features` is not a `FeatureSet`.
    ValueError
        For positions whose arrays do not fit together; no positions are a `CompetitionError`.
    """
    if not isinstance(features, FeatureSet):
        raise TypeError(f"features must be a FeatureSet, got {short(features)}")
    teams = features.teams(positions)
    return Competitions(
        positions.offsets,
        Own(teams),
        positions.chosen,
        np.ones(positions.n_positions),
        repeated(np.arange(len(features.groups)), features.starts),
    )


def joined(parts):
    """Return one `Competitions` made of several over the same features."""
    parts = list(parts)
    for part in parts:
        if not isinstance(part, Competitions):
            raise TypeError(f"parts must be Competitions, got {short(part)}")
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
        Own(np.concatenate([part.features for part in parts])),
        np.concatenate([part.winner for part in parts]),
        np.concatenate([part.weight for part in parts]),
        group,
    )
