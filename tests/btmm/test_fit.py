"""Fits against other optimisers, and their life on disk."""

import signal
from itertools import islice

import numpy as np
import pytest

from gameai_book.btmm.surrogate import one_team
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.jit import njit
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_choices, from_pairs, from_teams
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.fit import METHODS, Fit, fit
from gameai_lib.btmm.model.scores import calibration, on_offer, score
from tests.btmm.interrupts import interrupt_calls


def simulated(seed=0, n=400):
    """Teams of one member out of each of three groups, winners drawn from known strengths."""
    rng = np.random.default_rng(seed)
    gamma = np.exp(rng.normal(size=15))
    teams = rng.integers(5, size=(n, 6, 3)) + np.array([0, 5, 10])
    chance = gamma[teams].prod(axis=2)
    chance /= chance.sum(axis=1, keepdims=True)
    winners = (chance.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
    return from_choices(teams, winners), gamma


def test_accelerated_never_falls_and_takes_few_passes():
    data, _ = simulated(1)
    best = fit(data, tol=1e-16, max_passes=200).objective[-1]
    quick = fit(data, tol=0, max_passes=30).objective
    assert np.diff(quick).min() >= 0
    plain = islice(mm.cyclic(data, mm.Prior(1.0), np.ones(15)), 1000)
    slow = np.array([step.objective for step in plain]) / data.total_weight
    n_quick, n_slow = (int((best - trace >= 1e-8).sum()) for trace in (quick, slow))
    assert n_quick < 30
    assert n_quick * 5 <= n_slow
    for prior in (0.0, 1.0):  # from far away
        start = np.exp(5 * np.random.default_rng(0).normal(size=15))
        trace = fit(data, prior=prior, start=start, tol=0, max_passes=60).objective
        assert np.diff(trace).min() >= 0
        best = fit(data, prior=prior, tol=1e-14).objective[-1]
        assert trace[-1] == pytest.approx(best, abs=1e-10)
    always_together = fit(one_team(4), prior=0.0, start=np.full(4, 1e3), tol=0, max_passes=30)
    assert np.diff(always_together.objective).min() >= 0
    assert np.prod(always_together.gamma) == pytest.approx(1 / 9)


def test_against_scipy():
    from scipy import optimize

    data, _ = simulated(2)
    wins, prior = data.wins(), mm.Prior(1.0)

    def negative(theta):
        measured = mm.measure(data, wins, np.exp(theta), prior)
        return -measured.step.objective, measured.expected - measured.wins

    other = optimize.minimize(negative, np.zeros(15), jac=True, method="BFGS", tol=1e-9)
    got = fit(data, tol=1e-15)
    np.testing.assert_allclose(np.log(got.gamma), other.x, atol=1e-5)


def test_against_choix():
    import choix

    rng = np.random.default_rng(4)
    pairs = np.array([rng.permutation(8)[:2] for _ in range(300)])
    items = np.array([rng.permutation(8)[:4] for _ in range(300)])
    top1 = [(row[0], row[1:]) for row in items.tolist()]
    for data, theirs in (
        (from_pairs(*pairs.T), choix.mm_pairwise(8, pairs.tolist(), tol=1e-10, max_iter=10**5)),
        (from_choices(items, [0] * 300), choix.mm_top1(8, top1, tol=1e-10, max_iter=10**5)),
    ):
        mine = np.log(fit(data, prior=0.0, tol=1e-16).gamma)
        np.testing.assert_allclose(mine - mine.mean(), theirs - theirs.mean(), atol=1e-5)


def test_a_table_has_names_and_the_errors_that_it_is_given():
    got = fit(from_pairs([0, 0, 1], [1, 1, 0]), prior=0.0, tol=1e-14)
    assert got.table(["Ann", "Bob"], errors=[0.1, 100]).splitlines() == [
        "feature      gamma      Elo   s.e.       wins",
        "Ann          1.414     60.2     17          2",
        "Bob         0.7071    -60.2   9999          1",
    ]
    assert got.table(top=1).splitlines()[1:] == ["0            1.414     60.2                 2"]


def test_weights_are_copies_and_may_be_fractions():
    rng = np.random.default_rng(4)
    items = rng.permuted(np.tile(np.arange(5), (60, 1)), axis=1)[:, :3]
    winner, whole = rng.integers(3, size=60), rng.integers(0, 4, 60)
    copies = np.repeat(np.arange(60), whole.astype(np.intp))
    one = fit(from_choices(items, winner, weight=whole), tol=1e-14)
    other = fit(from_choices(items[copies], winner[copies], 5), tol=1e-14)
    np.testing.assert_allclose(one.gamma, other.gamma, rtol=1e-6)
    halves = fit(from_choices(items, winner, weight=whole / 2), prior=0.5, tol=1e-14)
    np.testing.assert_allclose(halves.gamma, one.gamma, rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "magic"}, "method must be one of.*'magic'"),
        ({"max_passes": 0}, "max_passes must be at least 1"),
        ({"prior": np.inf}, "prior must be .* at most 1e.12, got inf"),
        ({"prior": "learnt"}, "prior must be a number, got 'learnt'"),
        ({"start": np.array([1.0, 1e301])}, r"strengths must be from .*, got 1e\+301"),
        ({"data": [1]}, r"data must be Competitions or Shards, got \[1\]"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        fit(**{"data": from_pairs([0], [1])} | options)


def test_scores_and_what_is_on_offer_by_hand():
    # Strengths 3, 2, 2, 1: the second is level with the third.
    data = from_choices([[0, 1, 2, 3]] * 2, [1, 0], weight=[3, 1])
    got = score(data, np.array([3.0, 2.0, 2.0, 1.0]), n_ranks=3)
    assert got.mean_log_evidence == pytest.approx((3 * np.log(2 / 8) + np.log(3 / 8)) / 4)
    np.testing.assert_allclose(got.top, [1 / 4, 1 / 4 + 3 / 8, 1])
    # 0 and 1 against 2; 0 twice against 1; 3 was never seen.
    data = from_teams([[[0, 1], [2]], [[0], [0], [1]], [[4], [4]]], [0, 2, 0], [2.0, 0.5, 1.0])
    assert on_offer(data).tolist() == [2.5, 2.5, 2.0, 0.0, 1.0]


def test_calibration_by_hand():
    # Chances of 3/4, 1/4 and 1/1001, of which the last came true.
    data = from_choices([[0, 1]] * 4 + [[0, 2]], [0, 0, 1, 0, 1], weight=[1, 1, 1, 1, 2])
    got = calibration(data, np.array([3.0, 1.0, 0.003]))
    np.testing.assert_allclose(got.predicted, [1 / 1001, 1 / 4, (3 + 2 * 1000 / 1001) / 6])
    np.testing.assert_allclose(got.observed, [1, 1 / 4, 3 / 6])
    assert got.n_teams.tolist() == [2, 4, 6]


@pytest.mark.parametrize("prior", [0.0, 1.0])
@pytest.mark.parametrize("method", METHODS)
def test_an_interrupt_keeps_the_passes_before_it(method, prior, monkeypatch):
    data = from_choices([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]], [0] * 4)
    wanted = fit(data, method, prior=prior, max_passes=5, tol=0)
    interrupt_calls(monkeypatch, Competitions, "tally", 6)
    with pytest.raises(Interrupted, match="stopped after 5 passes; go on with start=") as stop:
        fit(data, method, prior=prior, tol=0)
    got = stop.value.result
    assert not got.converged
    for name in Fit.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(got, name), getattr(wanted, name))
    best = fit(data, method, prior=prior, start=got, tol=1e-14)
    np.testing.assert_allclose(best.gamma, fit(data, prior=prior, tol=1e-14).gamma, rtol=1e-4)


def test_an_interrupt_keeps_the_fit_whose_prior_is_being_learned(monkeypatch):
    data, _ = simulated()
    interrupt_calls(monkeypatch, Competitions, "tally", 14)  # the second fit, of another prior
    with pytest.raises(Interrupted) as stop:
        fit(data, prior="learned")
    assert stop.value.result.prior not in (0, 1)


def test_an_interrupt_waits_until_a_kernel_is_compiled_or_loaded(monkeypatch):
    # In the middle of it numba would lose registrations, and load no kernel any more.
    dispatcher = pytest.importorskip("numba.core.dispatcher").Dispatcher
    compile_, finished = dispatcher.compile, []

    def interrupted(self, signature):
        signal.raise_signal(signal.SIGINT)
        kernel = compile_(self, signature)
        finished.append(signature)
        return kernel

    monkeypatch.setattr(dispatcher, "compile", interrupted)
    kernel = njit(lambda x: x + 1)
    with pytest.raises(KeyboardInterrupt):
        kernel(1)
    assert len(finished) == 1
    assert kernel(1) == 2
