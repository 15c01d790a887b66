"""Joint errors against a dense inverse, differences and a bootstrap."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gameai_lib.btmm.model import covariance as V
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_pairs, from_teams
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.shards import Shards, write_shards
from tests.btmm.direct import teams_of


def contrast_errors(covariance, contrasts):
    """Standard errors of sums of ln gamma with these weights."""
    return np.sqrt(np.diag(contrasts @ covariance @ np.transpose(contrasts)))


def overlapping(n=400, seed=0):
    """Two groups whose members mostly come together: feature k with feature 4 + k."""
    rng, rows, winners = np.random.default_rng(seed), [], []
    for _ in range(n):
        first = rng.permutation(4)[:3]
        second = np.where(rng.random(3) < 0.9, first, rng.integers(4, size=3))
        rows.append([[int(a), 4 + int(b)] for a, b in zip(first, second, strict=True)])
        strength = np.exp(0.4 * first + 0.2 * second)
        winners.append(int(rng.choice(3, p=strength / strength.sum())))
    return from_teams(rows, winners)


def ragged():
    return from_teams(*teams_of(150, 7), np.random.default_rng(3).random(151))


@pytest.mark.parametrize("make", [overlapping, ragged])
def test_the_information_is_the_hessian_by_differences(make):
    data, h = make(), 1e-5
    theta = 0.3 * np.random.default_rng(1).normal(size=data.n_features)
    matrix = data.information_matrix(np.exp(theta))
    for f in range(data.n_features):
        shift = np.zeros(data.n_features)
        shift[f] = h
        up, down = (data.tally(np.exp(theta + s)).expected for s in (shift, -shift))
        np.testing.assert_allclose(matrix[f], (up - down) / (2 * h), atol=1e-5)
    np.testing.assert_allclose(np.diag(matrix), data.information(np.exp(theta)), rtol=1e-9)
    vector = np.random.default_rng(2).normal(size=data.n_features)
    product = data.information_product(np.exp(theta), vector)
    np.testing.assert_allclose(product, matrix @ vector, atol=1e-10)


@pytest.mark.parametrize("make", [overlapping, ragged])
def test_conjugate_gradients_give_the_dense_inverse(make, monkeypatch, tmp_path):
    data = make()
    got = fit(data, prior=0.7)
    information = data.information_matrix(got.gamma)
    wanted = np.linalg.inv(information + np.diag(mm.Prior(0.7).information(got.gamma)))
    np.testing.assert_allclose(V.covariance(data, got), wanted, atol=1e-9)
    some = [5, 0, 2]
    np.testing.assert_allclose(V.covariance(data, got, some), wanted[some][:, some], atol=1e-9)
    monkeypatch.setattr(V, "DENSE", 3)
    by_gradients = V.covariance(data, got, some)
    np.testing.assert_allclose(by_gradients, wanted[some][:, some], atol=1e-4 * wanted.max())
    errors = V.standard_errors(data, got, some)
    np.testing.assert_allclose(errors, np.sqrt(np.diag(wanted)[some]), rtol=1e-3)
    with ThreadPoolExecutor(2) as pool:
        parts = [data.take(slice(0, 70)), data.take(slice(70, None))]
        shards = Shards(write_shards(tmp_path, parts), pool)
        joint = V.covariance(shards, got, some)
    np.testing.assert_allclose(joint, by_gradients, rtol=1e-8)


def test_sampling_errors_are_those_of_a_bootstrap():
    data, rng, found = overlapping(200), np.random.default_rng(5), []
    got = fit(data, tol=1e-14)
    for _ in range(100):
        drawn = np.sort(rng.integers(data.n_competitions, size=data.n_competitions))
        found.append(np.log(fit(data.take(drawn), tol=1e-14).gamma))
    found = np.array(found)
    centre = np.eye(4, 8) - np.repeat([1, 0], 4) / 4
    joint = V.covariance(data, got)
    of_other_games = joint @ data.information_matrix(got.gamma) @ joint
    errors = contrast_errors(of_other_games, centre)
    np.testing.assert_allclose(errors, (found @ centre.T).std(axis=0), rtol=0.2)
    diagonal = got.standard_error[:4]
    assert np.abs(diagonal / errors - 1).max() > 0.3


def test_a_contrast_is_that_of_the_dense_inverse(monkeypatch):
    data = ragged()
    got = fit(data, prior=0.7)
    joint = V.covariance(data, got)
    sides = [(2, 5), ([0, 3], [1]), ((), [4])]
    rows = np.array([[0, 0, 1, 0, 0, -1, 0], [1, -1, 0, 1, 0, 0, 0], [0, 0, 0, 0, -1, 0, 0]])
    elo, errors = rows @ got.elo, ELO_PER_NAT * contrast_errors(joint, rows)
    for _ in ("the matrix", "conjugate gradients"):
        found = [V.contrast(data, got, *both) for both in sides]
        np.testing.assert_allclose(found, np.stack([elo, errors], axis=1), rtol=1e-5)
        monkeypatch.setattr(V, "DENSE", 3)


def test_a_contrast_without_a_prior_is_found_where_the_results_know_it():
    # The scale of each group is open: within a group there is a difference, across there is none.
    data = from_teams(
        [[[0, 2], [1, 3]], [[1, 2], [0, 3]], [[1, 3], [0, 2]], [[0, 3], [1, 2]]], [0] * 4
    )
    got = fit(data, prior=0.0)
    assert V.contrast(data, got, 0, 1).error == pytest.approx(ELO_PER_NAT)  # 1 / (4 games of 1/4)
    for first, second in ((0, 2), (0, ()), ([0, 1], [2, 3])):
        with pytest.raises(ValueError, match="the results do not compare"):
            V.contrast(data, got, first, second)


@pytest.mark.parametrize(
    ("ask", "options", "message"),
    [
        (V.covariance, {"data": ragged().take(slice(0, -1))}, "a fit of other data"),
        (V.standard_errors, {"data": ragged().take([0] * 151)}, "a fit of other data"),
        (V.covariance, {"features": [7]}, "features must be from 0 to 6, got 7"),
        (V.covariance, {"got": np.ones(7)}, "got must be a Fit"),
        (V.covariance, {"data": from_pairs([0], [1])}, "a fit of 7 features, but data of 2"),
        (V.standard_errors, {"features": [-1], "joint": False}, "from 0 to 6, got -1"),
        (V.contrast, {"first": 0, "second": 7}, "second must be from 0 to 6, got 7"),
    ],
)
def test_errors_are_named(ask, options, message):
    data = ragged()
    with pytest.raises((ValueError, TypeError), match=message):
        ask(**{"data": data, "got": fit(data, prior=0.7)} | options)


def test_of_many_features_some_are_chosen_and_have_a_prior(monkeypatch):
    data = ragged()
    monkeypatch.setattr(V, "DENSE", 3)
    with pytest.raises(ValueError, match="7 features, more than 3, need a choice"):
        V.covariance(data, fit(data))
    without = fit(data, prior=0.0)
    for ask, features in (V.covariance, [0]), (V.contrast, 0):
        with pytest.raises(ValueError, match="need a prior"):
            ask(data, without, features)
