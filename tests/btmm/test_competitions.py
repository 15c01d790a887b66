"""Competitions: checks on entry, and passes against plain Python."""

import copy

import numpy as np
import pytest

from gameai_lib.btmm.model import competitions as C
from gameai_lib.btmm.model.build import from_teams
from tests.btmm.direct import teams_of


def shares(rows, gamma):
    strengths = np.array([np.prod([gamma[f] for f in team]) for team in rows])
    return strengths / strengths.sum(), strengths.sum()


def test_one_pass_is_the_sum_over_competitions_done_by_hand():
    rng, (rows, winners) = np.random.default_rng(3), teams_of(30)
    weight = rng.random(len(rows))
    data = from_teams(rows, winners, weight)
    gamma = rng.random(data.n_features) + 0.2
    expected, information, wins = np.zeros((3, 9))
    log_total = 0.0
    for teams, winner, w in zip(rows, winners, weight, strict=True):
        p, total = shares(teams, gamma)
        log_total += w * np.log(total)
        for f in range(9):
            q = sum(p[t] for t, team in enumerate(teams) if f in team)
            expected[f] += w * q
            information[f] += w * q * (1 - q)
            wins[f] += w * (f in teams[winner])
    got = data.tally(gamma)
    np.testing.assert_allclose(got.expected, expected, rtol=1e-12)
    assert got.log_total == pytest.approx(log_total, rel=1e-12)
    np.testing.assert_allclose(data.wins(), wins, rtol=1e-12)
    np.testing.assert_allclose(data.information(gamma), information, rtol=1e-10)
    for column in range(data.n_groups):
        part = data.tally(gamma, column)
        here = data.group == column
        np.testing.assert_allclose(part.expected, np.where(here, expected, 0), rtol=1e-12)
        assert part.log_total == pytest.approx(log_total, rel=1e-12)


def build(**changed):
    fields = {
        "offsets": [0, 2, 4],
        "features": [[0, 2], [1, -1], [0, 3], [1, 2]],
        "winner": [0, 1],
        "weight": [1.0, 1.0],
        "group": [0, 0, 1, 1],
    } | changed
    return C.Competitions(**{name: np.array(value) for name, value in fields.items()})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"offsets": [0, 0, 4]}, "competition 0 is empty"),
        ({"offsets": [0, 2, 3]}, "offsets run from 0 to 3"),
        ({"offsets": [0, 4]}, "2 winners need 3 offsets"),
        ({"winner": [0, 2]}, "competition 1 has a winner outside"),
        ({"weight": [1.0, -0.5]}, "competition 1 has a bad weight.*-0.5"),
        ({"weight": [np.inf, 1.0]}, "competition 0 has a bad weight"),
        ({"weight": [0.0, 0.0]}, "nothing to learn from"),
        ({"weight": [1e308, 1e308]}, "the weights add up to inf"),
        ({"features": [[0, 2], [1, -1], [0, 3], [1, 0]]}, "team 1 of competition 1: feature 0"),
        ({"features": [[0, 2], [1, -1], [0, 4], [1, 2]]}, "team 0 of competition 1: feature 4"),
        ({"features": [[0, 2], [-2, -1], [0, 3], [1, 2]]}, "team 1 of competition 0: feature -2"),
        ({"group": [0, 0, 1, 2]}, "groups must be"),
        ({"group": []}, "no features"),
        ({"winner": [], "weight": [], "offsets": [0]}, "no competitions"),
    ],
)
def test_bad_competitions_are_named(changed, message):
    build()
    with pytest.raises(C.CompetitionError, match=message):
        build(**changed)


def test_what_was_checked_cannot_be_changed():
    data = build()
    for some in (data, from_teams([[[0, 1], [2]]], [0]), data.take([0]), copy.deepcopy(data)):
        for name in ("offsets", "features", "winner", "weight", "group", "indices"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(some, name)[...] = 0
            with pytest.raises(ValueError, match="WRITEABLE"):
                getattr(some, name).flags.writeable = True


def test_strengths_are_checked_before_compiled_code_reads_them():
    data = build()
    for gamma, message in (
        ([1, 1, 1], "4 features need as many strengths, got 3"),
        ([1, 1, 0, 1], "strengths must be from .* got 0"),
        ([1, 1, np.nan, 1], "strengths must be from .* got nan"),
    ):
        for use in (data.tally, data.information, data.probabilities, data.information_matrix):
            with pytest.raises(ValueError, match=message):
                use(np.array(gamma))
    with pytest.raises(ValueError, match="column must be from 0 to 1, got 7"):
        data.tally(np.ones(4), 7)
    with pytest.raises(ValueError, match="rows must pick some of 2, got 9"):
        data.take(9)
