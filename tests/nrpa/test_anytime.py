"""Every search can be watched, traced, limited, interrupted and continued."""

import signal

import numpy as np
import pytest

from gameai_lib.base.interrupts import held
from gameai_lib.nrpa import NMCS, NRPA, bundled_tsptw, leftmove, morpion
from gameai_lib.nrpa.problem import tryout
from gameai_lib.nrpa.search import anytime, flat, restarts, trace
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.trace import best_games, root_trace
from gameai_lib.nrpa.tours import best_tour
from tests.nrpa.games import bars_of

SEARCHES = {
    "NRPA": lambda: NRPA(leftmove(20), 3, level=2, n_iterations=40),
    "NMCS": lambda: NMCS(leftmove(8), 3, level=2),
    "flat": lambda: FlatMonteCarlo(leftmove(20), 3),
}
each_search = pytest.mark.parametrize("make", SEARCHES.values(), ids=SEARCHES)


def go_on_alike(search, make):
    """What has been stopped goes on as a whole search does after as many playouts."""
    whole = make()
    whole.advance(search.n_playouts)
    for one in (whole, search):
        one.advance(40)
    assert (search.n_playouts, search.finished) == (whole.n_playouts, whole.finished)
    assert list(search.best.choices) == list(whole.best.choices)
    assert search._rng.random() == whole._rng.random()


@each_search
def test_an_interrupt_inside_the_kernel_loses_nothing(make, monkeypatch):
    search, entered = make(), []
    search.advance(1)  # compiles

    class Pressed(held):
        def __enter__(self):
            super().__enter__()
            entered.append(self)
            if len(entered) == 3:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(anytime, "held", Pressed)
    with pytest.raises(KeyboardInterrupt):
        search.advance(3600)
    monkeypatch.undo()
    assert 1 < search.n_playouts < 3600
    go_on_alike(search, make)


@each_search
def test_every_search_can_be_watched(make):
    search = make()
    frames = search.frames(every=7)
    assert [next(frames).n_playouts for _ in range(4)] == [7, 14, 21, 28]
    search.run(10)
    assert search.n_playouts == 38
    go_on_alike(search, make)


@each_search
def test_a_target_is_reached_by_the_last_playout_and_changes_nothing(make):
    n_playouts, whole = 400, make()
    # One playout at a time: when was each score first reached?
    first = {}
    while whole.n_playouts < n_playouts and not whole.finished:
        whole.advance(1)
        first.setdefault(whole.best.score, whole.n_playouts)
    assert len(first) > 2
    search = make()
    for target, when in first.items():
        assert search.run(n_playouts, target=target).score == target
        assert search.n_playouts == when
        assert search.run(n_playouts, target=target - 1).score == target
        assert search.n_playouts == when  # it has been reached before
    go_on_alike(search, make)


@each_search
def test_time_is_a_pause(make, monkeypatch):
    now = [0.0]

    def a_tick_later():
        now[0] += 0.01
        return now[0]

    monkeypatch.setattr(anytime.time, "perf_counter", a_tick_later)
    search = make()
    search.run(seconds=0)
    assert search.n_playouts == 0
    search.run(seconds=0.2)
    monkeypatch.undo()
    assert 0 < search.n_playouts < 600
    go_on_alike(search, make)


def test_a_trace_of_the_first_moves():
    search = NRPA(morpion("5D"), np.random.default_rng(0), level=2, n_iterations=10)
    found = root_trace(search, 5)
    assert found.n_playouts.tolist() == list(range(0, 101, 5))
    assert found.probabilities.shape == (21, 2, 28)
    np.testing.assert_allclose(found.probabilities.sum(axis=2), 1.0)
    assert (np.diff(found.best) >= 0).all()
    # Nothing is known at the start; five playouts later level 1 has adapted, level 2 has not.
    np.testing.assert_allclose(found.entropy[0], np.log2(28))
    assert found.entropy[1, 1] == pytest.approx(np.log2(28))
    assert found.entropy[1, 0] < np.log2(28)


@pytest.mark.parametrize(
    ("module", "work", "made_with", "counts"),
    [
        (trace, lambda: [*best_games(NRPA(leftmove(6), 0, level=1), 1)],
         ("NRPA", 100, "playouts"), range(1, 101)),
        (flat, lambda: flat_monte_carlo(leftmove(4), 1, 100),
         ("FlatMonteCarlo", 100, "playouts"), None),
        (restarts, lambda: [*restarts.restarts(leftmove(9), 1, 3, level=1, n_iterations=4)],
         ("restarts", 3, "runs"), range(1, 4)),
        (tryout, lambda: tryout.try_out(leftmove(4), 1, 2), ("try_out", 2, "games"), range(1, 3)),
        (best_tour, lambda: best_tour.best_tour(bundled_tsptw("small"), 1, n_playouts=2000),
         ("best_tour", 2000, "playouts"), (900, 1800, 2700)),
    ],
)  # fmt: skip
def test_bars_count_what_is_done(monkeypatch, module, work, made_with, counts):
    shown = bars_of(monkeypatch, module)
    work()
    assert shown[0] == made_with
    assert counts is None or [n for n, _ in shown[1:]] == [*counts]
    assert shown[-1][0] >= made_with[1]
    assert shown[-1][1].startswith("best ") == (module not in (flat, tryout))
