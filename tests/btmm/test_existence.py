"""Where no strengths are the likeliest: against linear programming and by hand."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gameai_lib.btmm.model.build import from_choices, from_pairs, from_teams
from gameai_lib.btmm.model.existence import NoMaximumError, check_maximum
from gameai_lib.btmm.model.fit import METHODS, fit
from gameai_lib.btmm.model.shards import Shards, write_shards
from tests.btmm.direct import favours_all


def separable(data):
    """Albert and Anderson's condition by a linear programme over all directions."""
    dense = np.zeros((data.features.shape[0], data.n_features + 1))
    for column in data.features.T:
        dense[np.arange(dense.shape[0]), column] = 1  # -1 is the last, spare column
    counts = np.repeat(data.weight > 0, np.diff(data.offsets))
    won = np.repeat(dense[data.offsets[:-1] + data.winner], np.diff(data.offsets), axis=0)
    return favours_all((won - dense)[counts, :-1])


def refused(data):
    """Return why the data have no maximum, or nothing."""
    try:
        check_maximum(data)
    except NoMaximumError as error:
        return str(error)
    return ""


def test_duels_against_linear_programming():
    rng, n_refused = np.random.default_rng(0), 0
    for _ in range(50):
        n = int(rng.integers(2, 6))
        pairs = np.array([rng.permutation(n)[:2] for _ in range(rng.integers(2, 14))])
        data = from_pairs(*pairs.T, n)
        why = refused(data)
        n_refused += bool(why)
        assert bool(why) == separable(data) or "never compare" in why
    assert 10 < n_refused < 45


def test_teams_against_linear_programming():
    rng, n_refused, n_joint = np.random.default_rng(1), 0, 0
    for _ in range(80):
        rows, winners = [], []
        for _ in range(rng.integers(4, 14)):
            sizes = rng.integers(0, 4, rng.integers(2, 4))
            rows.append([rng.permutation(5)[:size].tolist() for size in sizes])
            winners.append(int(rng.integers(len(sizes))))
        rows.append([[0], [1, 2, 3, 4]])
        winners.append(int(rng.integers(2)))
        data = from_teams(rows, winners)
        if data.n_groups == 1:
            continue
        why = refused(data)
        n_refused += bool(why)
        n_joint += "grow or shrink together" in why
        assert bool(why) == separable(data)
    assert 8 < n_refused < 72
    assert n_joint >= 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (from_pairs([0, 0, 1], [1, 2, 2]), r"features \[1, 2\] never won against the others"),
        (from_pairs([0, 1, 2, 3], [1, 0, 3, 2]), r"never compare features \[0, 1\] with \[2, 3\]"),
        (from_pairs([1, 2, 0], [2, 1, 1], weight=[1, 1, 0.5]), r"\[1, 2\] never won"),
        (from_choices([[0, 1, 2]] * 2, [0, 1]), r"features \[2\] never won"),
        (from_teams([[[0, 2], [1]], [[1, 2], [0]]], [0, 0]), r"features \[2\] never lost"),
        (from_teams([[[0, 2], [1]], [[1, 2], [0]]], [1, 1]), r"features \[2\] never won"),
    ],
)
def test_refused_and_named(data, message, tmp_path):
    with pytest.raises(NoMaximumError, match=message):
        fit(data, prior=0.0)
    with ThreadPoolExecutor(1) as pool:
        parts = [data.take([j]) for j in range(data.n_competitions)]
        with pytest.raises(NoMaximumError, match=message):
            fit(Shards(write_shards(tmp_path, parts), pool), prior=0.0)
    assert fit(data, prior=0.1).converged


@pytest.mark.parametrize("method", list(METHODS))
def test_players_never_seen_are_rated_1_whatever_the_method_and_the_start(method):
    data = from_pairs([0, 1, 0], [1, 0, 1], 4)
    for start in (None, np.array([1.0, 2.0, 50.0, 0.1])):
        got = fit(data, method, prior=0.0, start=start, tol=1e-14)
        np.testing.assert_allclose(got.gamma, [2**0.5, 0.5**0.5, 1, 1], rtol=1e-5)
        assert np.isinf(got.standard_error[2:]).all()


def test_a_long_chain_is_seen_in_no_time():
    n = 20_000
    order = np.random.default_rng(0).permutation(n)
    ring = from_pairs(order, np.roll(order, 1))
    check_maximum(ring)
    with pytest.raises(NoMaximumError, match="never"):
        check_maximum(ring.take(slice(1, None)))
