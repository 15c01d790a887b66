"""The update rules on cases worked by hand, and what must always hold."""

import itertools

import numpy as np
import pytest

from gameai_book.btmm.surrogate import one_team
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_pairs, from_teams
from tests.btmm.direct import teams_of

NO_PRIOR = mm.Prior(0.0)


def three_players():
    # A-B 4-2, A-C 4-1, B-C 2-1.
    games = {(0, 1): 4, (1, 0): 2, (0, 2): 4, (2, 0): 1, (1, 2): 2, (2, 1): 1}
    winners, losers = np.array(list(games)).T
    return from_pairs(winners, losers, weight=list(games.values()))


def steps(method, data, prior, n, start=None, **options):
    start = np.ones(data.n_features) if start is None else np.asarray(start, dtype=float)
    return list(itertools.islice(method(data, prior, start, **options), n))


def test_three_players_by_hand():
    first = steps(mm.batch, three_players(), NO_PRIOR, 3)
    np.testing.assert_allclose(first[1].gamma, [1.454545, 0.888889, 0.5], atol=1e-6)
    np.testing.assert_allclose(first[2].gamma, [1.562963, 0.847396, 0.423896], atol=1e-6)
    assert first[1].objective == pytest.approx(-8.305885, abs=1e-6)
    assert first[2].objective == pytest.approx(-8.237746, abs=1e-6)
    last = steps(mm.cyclic, three_players(), NO_PRIOR, 300)[-1]
    np.testing.assert_allclose(last.gamma / last.gamma[2], [4, 2, 1], rtol=1e-9)
    assert last.objective == pytest.approx(-8.230639632, abs=1e-9)


def test_equation_3_one_gamma_at_a_time():
    data = from_teams([[[0, 1, 2], [3, 1], [0, 4, 5, 6]]], [0])
    gamma = np.arange(1.0, 8.0)
    wins = data.wins()
    measured = mm.measure(data, wins, gamma, NO_PRIOR)
    assert measured.step.objective == pytest.approx(-3.619887, abs=1e-6)
    new = mm.update(gamma, measured)
    assert new[1] == pytest.approx(32)
    assert new[0] == pytest.approx(1.037037, abs=1e-6)
    for f, objective in ((1, -1.508696), (0, -3.618610)):
        alone = gamma.copy()
        alone[f] = new[f]
        step = mm.measure(data, wins, alone, NO_PRIOR).step
        assert step.objective == pytest.approx(objective, abs=1e-6)


def test_wins_against_a_known_opponent_with_prior():
    # Three wins, one loss against strength 1, which is the empty team.
    data = from_teams([[[0], []]] * 4, [0, 0, 0, 1])
    gammas = [step.gamma[0] for step in steps(mm.batch, data, mm.Prior(1.0), 200)]
    np.testing.assert_allclose(gammas[1:4], [1.333333, 1.555556, 1.703704], atol=1e-6)
    assert gammas[-1] == pytest.approx(2)


@pytest.mark.parametrize(
    ("n_members", "method", "first"),
    [
        (2, mm.batch, [1, 0.04, 0.27, 0.0597]),
        (3, mm.batch, [1, 0.008, 16.0, 0.0192, 2.87, 0.0070, 20.6]),  # and never settles
        (3, mm.cyclic, [1, 0.2, 0.12, 0.112]),
        (3, mm.damped, [1, 0.2]),  # each of three members moves by the cube root
    ],
)
def test_members_who_always_play_together(n_members, method, first):
    trace = steps(method, one_team(n_members), NO_PRIOR, 200)
    products = [np.prod(s.gamma) for s in trace]
    np.testing.assert_allclose(products[: len(first)], first, rtol=0.02)
    if method is not mm.batch:
        assert products[-1] == pytest.approx(1 / 9)


@pytest.mark.parametrize("method", [mm.cyclic, mm.damped])
@pytest.mark.parametrize("victories", [0.0, 0.5, 2.0])
def test_cyclic_and_damped_never_fall(method, victories):
    for seed, rescale in itertools.product(range(2), (False, True)):
        trace = steps(
            method, from_teams(*teams_of(40, 8, seed)), mm.Prior(victories), 60, rescale=rescale
        )
        assert np.diff([s.objective for s in trace]).min() > -1e-10


def test_rescaling_changes_no_probability_and_raises_the_prior():
    data = three_players()
    gamma = np.array([3.0, 5.0, 40.0])
    for prior in (NO_PRIOR, mm.Prior(1.5)):
        new = mm.rescale_groups(gamma, data.group, data.complete_groups(), prior)
        np.testing.assert_allclose(data.probabilities(new), data.probabilities(gamma))
    assert new == pytest.approx(gamma * (new[0] / gamma[0]))
    best = prior.log_density(new)
    assert best > max(prior.log_density(new * c) for c in (0.99, 1.01))
    centred = mm.rescale_groups(gamma, data.group, data.complete_groups(), NO_PRIOR)
    assert np.log(centred).mean() == pytest.approx(0, abs=1e-12)
