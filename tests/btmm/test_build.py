"""Builders of competitions: groups found by hand, parts put together again, bad input named."""

import numpy as np
import pytest

from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.model import build
from gameai_lib.btmm.model.competitions import CompetitionError

DICT = {0: 1.0, 2: 0.3}  # its values would be lost without a word
NOBODY = np.array([[[0, 2], [1, 3]], [[1, 2], [-1, -1]]])


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (build.from_teams, ([[[0], [1]], [[-3], [1]]], [0, 0]), "features must be from 0 .*-3"),
        (build.from_teams, ([[[0], [True]]], [0]), "True or False"),
        (build.from_teams, ([], []), "no features"),
        (build.from_teams, ([[[0], [2**40]]], [0]), "item 1099511627776: 2 entries"),
        (build.from_teams, ([[0, 1]], [0]), "team 0 of competition 0 must be a list, got 0"),
        (build.from_teams, ([[list(range(300)), [1]]], [0]), "features 300, at most 256"),
        (build.from_teams, ([[[1], [0]], [[0], DICT]], [0, 0]), "must be a list, got {0"),
        (build.from_teams, ([[[1], [0]], DICT], [0, 0]), "must be a list, got {0"),
        (build.from_positions, (7, patterns.Square()), "features must be a FeatureSet, got"),
        (build.from_pairs, ([0, 2], [1, 2]), "competition 1: player 2 meets himself"),
        (build.from_pairs, ([0, 1], [1]), "2 winners and 1 losers"),
        (build.from_pairs, ([0], [2**32 + 1]), "item 4294967297: 2 entries allow numbers to"),
        (build.from_pairs, ([0], [1], 2**40), "number of players or items must be"),
        (build.from_pairs, ([0], [1], 1), "there are 1 items, no number 1"),
        (build.from_choices, ([0, 1], [0]), r"items must be .*, got shape \(2,\)"),
        (build.from_choices, ([([1, DICT], 0)],), "must be a list, got {0"),
        (build.from_choices, (NOBODY, [0, 0]), "competition 1: item 1 has no feature; where it"),
        (build.from_choices, ([([0, 1], 0), 7],), r"choice 1 must be \(items, winner\) .*, got 7"),
        (build.from_choices, ([([[0, 4], 1], 0)], None, 2), "there are 2 items, no number 4"),
    ],
)
def test_wrong_teams_types_and_sizes_are_named(function, arguments, message):
    with pytest.raises((CompetitionError, TypeError, ValueError), match=message) as caught:
        function(*arguments)
    assert "gameai_lib" in str(caught.traceback[-1].path)


@pytest.mark.parametrize("n_kinds", [(3, 4, 2), (6, 6, 6)])
def test_choices_among_features_are_those_of_the_lists(n_kinds):
    # Columns with numbers of their own, and columns that share them.
    rng, shared = np.random.default_rng(3), len(set(n_kinds)) == 1
    starts = [0, 0, 0] if shared else np.cumsum([0, *n_kinds[:-1]])
    items = [s + rng.integers(0, n, (50, 4)) for s, n in zip(starts, n_kinds, strict=True)]
    items = np.stack(items, axis=2)
    if shared:
        items = rng.permuted(np.tile(np.arange(6), (50, 4, 1)), axis=2)[:, :, :3]
    missing = rng.random(items.shape) < 0.1
    items[missing & ~missing.all(axis=2, keepdims=True)] = -1
    winner = rng.integers(0, 4, 50)
    lists = [[[f for f in team if f >= 0] for team in teams] for teams in items.tolist()]
    ours, theirs = build.from_choices(items, winner), build.from_teams(lists, winner)
    gamma = np.exp(rng.normal(size=ours.n_features))
    np.testing.assert_allclose(ours.probabilities(gamma), theirs.probabilities(gamma), rtol=1e-12)
    assert (ours.n_groups == 3) or shared


def test_choices_come_one_by_one_with_their_winners():
    lists = [[[0], [1], [2]], [[2, 4], [0]], [[3], [1, 4]]]
    wanted = build.from_teams(lists, [2, 0, 1], [1, 0.5, 2])
    choices = iter([([0, 1, 2], 2), ([[2, 4], 0], 0), (([3], (1, 4)), 1)])
    got = build.from_choices(choices, weight=[1, 0.5, 2])
    for name in ("offsets", "features", "winner", "weight", "group"):
        np.testing.assert_array_equal(getattr(got, name), getattr(wanted, name))
    assert build.from_choices([([0, 1], 0)], n_items=7).n_features == 7


def greedy(lists):
    """The group of each feature as the docstring says it, team by team."""
    teams = [team for teams in lists for team in teams]
    group = {}
    for f in range(1 + max(f for team in teams for f in team)):
        taken = {group[m] for team in teams if f in team for m in team if m < f}
        group[f] = min(set(range(len(group) + 1)) - taken)
    return list(group.values())


def test_groups_are_those_of_a_greedy_colouring():
    rng = np.random.default_rng(0)
    for _ in range(20):
        lists = [
            [rng.permutation(9)[: rng.integers(1, 5)].tolist() for _ in range(3)] for _ in range(6)
        ]
        data = build.from_teams(lists, [0] * 6)
        assert data.group.tolist() == greedy(lists)
        found = [sorted(row[row >= 0].tolist()) for row in data.features]
        assert found == [sorted(team) for teams in lists for team in teams]
