"""Resampled games, ranks and chances at a rating: by hand, by loops, against other draws."""

import numpy as np
import pytest

from gameai_lib.base.interrupts import Interrupted
from gameai_lib.btmm import NoMaximumError, rate
from gameai_lib.btmm.model.players import refit
from tests.btmm.direct import games_of
from tests.btmm.interrupts import interrupt_calls


@pytest.fixture(scope="module")
def rated():
    return rate(games_of((1,), 1500), prior=1.0)


def test_a_refit_is_the_rating_of_the_games_that_were_drawn(monkeypatch):
    games = [("A", "B", 1), ("B", "A", 1), ("C", "A", 0.5), ("B", "C", 1), ("C", "B", 0)]
    drawn = []

    def noted(results, rng):
        drawn.append(resampled(results, rng))
        return drawn[-1]

    resampled = refit.resample
    monkeypatch.setattr(refit, "resample", noted)
    for ties, each in (("davidson", 1.0), ("rao-kupper", 0.9)):
        options = {"ties": ties, "prior": 0.5, "home_advantage": True}
        got = rate(games, weight=[each] * 5, **options)
        elo = got.bootstrap(20, np.random.default_rng(0))
        for row, some in zip(elo, drawn, strict=True):
            names = [(got.names[i], got.names[j]) for i, j in some.members[:, :2]]
            results = [(1, 0.5, 0)[k] for k in some.outcome]
            triples = [(*both, result) for both, result in zip(names, results, strict=True)]
            # Games of weight 0 name the players in order.
            wanted = rate([*games, *triples], weight=[*np.zeros(5), *some.times], **options)
            assert some.times.sum() == pytest.approx(5 * each)
            found = [*wanted.elo, wanted.home_advantage.elo]
            np.testing.assert_allclose(row, found, atol=1e-4)
        assert not all(some.tied for some in drawn)  # a draw that is not drawn, too
        drawn.clear()


def test_weights_are_so_many_games():
    games = games_of((1,), 200)
    whole = rate(games, prior=1.0)
    seen = list(dict.fromkeys(games))
    short = rate(seen, weight=[games.count(game) for game in seen], prior=1.0)
    assert short.names == whole.names
    np.testing.assert_allclose(short.bootstrap(5, 3), whole.bootstrap(5, 3), atol=1e-9)
    assert np.isfinite(rate(games, weight=np.full(200, 1e-4), prior=1.0).bootstrap(3, 4)).all()


def test_what_has_no_maximum_is_named():
    got = rate([("P", "R", 1), ("P", "Q", 0.5), ("Q", "S", 1), ("S", "Q", 1)], prior=1e-4)
    with pytest.raises(ArithmeticError, match=r"no maximum found: .* give a greater prior"):
        got.bootstrap(90, 0)
    got = rate([("A", "B", 1), ("B", "A", 1), ("B", "C", 1), ("C", "B", 1)])
    with pytest.raises(NoMaximumError, match=r"^refit \d+: .*give a prior, such as prior=1"):
        got.bootstrap(50, 0)
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        got.bootstrap(0, 0)


def test_an_interrupt_keeps_the_refits(rated, monkeypatch):
    wanted = rated.bootstrap(3, 5)
    interrupt_calls(monkeypatch, refit, "resample", 4, 5)
    with pytest.raises(Interrupted, match="stopped after 3 of 10 refits") as stop:
        rated.bootstrap(10, 5)
    np.testing.assert_array_equal(stop.value.result, wanted)
    with pytest.raises(KeyboardInterrupt) as bare:  # before there is anything to keep
        rated.bootstrap(10, 5)
    assert not isinstance(bare.value, Interrupted)


def test_ranks_by_loops(rated):
    for level in (0.5, 0.95, 0.9999):
        low, high = rated.interval(level).T
        # Surely above, surely below.
        wanted = [(1 + sum(low > high[i]), 5 - sum(high < low[i])) for i in range(5)]
        np.testing.assert_array_equal(rated.ranks(level), wanted)
    # Two equals share their ranks.
    level = rate([("A", "B", 1), ("B", "A", 1), ("A", "C", 1), ("B", "C", 1)] * 9, prior=1.0)
    assert level.ranks().tolist() == [[1, 2], [1, 2], [3, 3]]
