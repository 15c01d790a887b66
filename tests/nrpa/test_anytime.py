"""Every search can be watched, traced, limited, interrupted and continued."""

import signal
import time

import numpy as np
import pytest

from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.base.interrupts import held
from gameai_lib.nrpa import NMCS, NRPA, Problem, bundled_tsptw, judge, leftmove, morpion
from gameai_lib.nrpa.problem import tryout
from gameai_lib.nrpa.search import anytime, flat, restarts, trace
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.trace import best_games, root_codes, root_trace
from gameai_lib.nrpa.tours import best_tour
from tests.nrpa.games import bars_of


def interrupted(search, n_playouts, monkeypatch):
    """Call `advance` and press control-C while its third kernel runs."""
    entered = []

    class Pressed(held):
        def __enter__(self):
            super().__enter__()
            entered.append(self)
            if len(entered) == 3:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(anytime, "held", Pressed)
    with pytest.raises(KeyboardInterrupt):
        search.advance(n_playouts)
    monkeypatch.undo()


SEARCHES = {
    "NRPA": lambda rng: NRPA(morpion("5D"), rng, level=2, n_iterations=60),
    "NMCS": lambda rng: NMCS(morpion("5D"), rng, level=1),
    "flat": lambda rng: FlatMonteCarlo(morpion("5D"), rng),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_an_interrupt_inside_the_kernel_loses_nothing(name, monkeypatch):
    whole, search = (SEARCHES[name](np.random.default_rng(1)) for _ in range(2))
    search.advance(1)  # compiles
    interrupted(search, 3600, monkeypatch)
    assert 1 < search.n_playouts < 3600
    whole.advance(search.n_playouts)
    for one in (whole, search):
        one.advance(50)
    assert (search.n_playouts, search.finished) == (whole.n_playouts, whole.finished)
    assert list(search.best.choices) == list(whole.best.choices)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_can_be_watched(name):
    whole, search = (SEARCHES[name](np.random.default_rng(1)) for _ in range(2))
    frames = search.frames(every=7)
    seen = [next(frames) for _ in range(4)]
    assert [frame.n_playouts for frame in seen] == [7, 14, 21, 28]
    whole.advance(28)
    assert list(seen[-1].best.choices) == list(whole.best.choices)
    reports = []

    def report(search):
        reports.append(search.n_playouts)
        if len(reports) == 4:
            raise KeyboardInterrupt

    best = search.run(10, every=4, report=report)
    assert reports == [32, 36, 38]
    assert best.score >= seen[-1].best.score
    with pytest.raises(KeyboardInterrupt):
        search.run(200, every=50, report=report)
    assert search.n_playouts == 88
    judge(search.problem, search.best)
    with pytest.raises(ValueError, match="every must be at least 1, got 0"):
        next(search.frames(0))


def test_searches_refuse():
    rng, endless = np.random.default_rng(0), FlatMonteCarlo(leftmove(4), 0)
    with pytest.raises(ValueError, match="FlatMonteCarlo never ends: watch its `frames`"):
        best_games(endless, 5)
    assert endless.n_playouts == 0
    for search in (NRPA, NMCS, FlatMonteCarlo):
        with pytest.raises(TypeError, match=r"rng must be a numpy.*Generator, .* got '5'"):
            search(leftmove(4), "5")
        with pytest.raises(TypeError, match="problem must be of type Problem, got None"):
            search(None, rng)
        with pytest.raises(ValueError, match="n_playouts must be at least 0, got -1"):
            search(leftmove(4), rng).advance(-1)
    with pytest.raises(TypeError, match="strict must be True or False, got 1"):
        FaultyNRPA(leftmove(4), rng, faults=Faults(strict=1))
    large = Problem("large", leftmove(4).rules, [4, 0, 0], [], 7 * 10**6, 4, 2)
    with pytest.raises(
        ValueError, match=r"large: a search of level 64 needs 8\.9 GiB, more than 4"
    ):
        NRPA(large, rng, level=64)


LIMITED = {
    "NRPA": lambda: NRPA(leftmove(20), 3, level=2, n_iterations=40),
    "NMCS": lambda: NMCS(leftmove(8), 3, level=2),
    "flat": lambda: FlatMonteCarlo(leftmove(20), 3),
}


@pytest.mark.parametrize("name", LIMITED)
def test_a_target_is_reached_by_the_last_playout_and_changes_nothing(name):
    n_playouts, whole = 400, LIMITED[name]()
    # One playout at a time: when was each score first reached?
    first = {}
    while whole.n_playouts < n_playouts and not whole.finished:
        whole.advance(1)
        first.setdefault(whole.best.score, whole.n_playouts)
    assert len(first) > 2
    search = LIMITED[name]()
    for target, when in first.items():
        assert search.run(n_playouts, target=target).score == target
        assert search.n_playouts == when
        assert search.run(n_playouts, target=target - 1).score == target
        assert search.n_playouts == when  # it has been reached before
    search.advance(whole.n_playouts - search.n_playouts)
    assert list(search.best.choices) == list(whole.best.choices)
    assert search._rng.random() == whole._rng.random()


@pytest.mark.parametrize("name", LIMITED)
def test_time_is_a_pause(name, monkeypatch):
    now = [0.0]

    def a_tick_later():
        now[0] += 0.01
        return now[0]

    monkeypatch.setattr(anytime.time, "perf_counter", a_tick_later)
    whole, search = LIMITED[name](), LIMITED[name]()
    search.run(seconds=0)
    assert search.n_playouts == 0
    reports = []
    search.run(seconds=0.2, report=lambda s: reports.append(s.n_playouts))
    monkeypatch.undo()
    assert 0 < search.n_playouts < 600
    assert reports[-1] == search.n_playouts
    whole.run(search.n_playouts)
    for one in (search, whole):
        one.run(40)
    assert list(search.best.choices) == list(whole.best.choices)


def test_an_endless_search_ends_in_time():
    search = FlatMonteCarlo(leftmove(20), 0)
    started = time.perf_counter()
    search.run(seconds=0.1, target=21)
    assert 0.1 < time.perf_counter() - started < 5  # with what it takes to compile
    assert search.n_playouts > 1


def test_a_trace_of_the_first_moves_and_of_the_best_games():
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
    assert root_codes(morpion("5D")).size == 28
    search = NRPA(morpion("5D"), 0, level=1, n_iterations=30)
    scores = [game.score for _, game in best_games(search, 1)]
    assert scores == sorted({*scores})  # they only get better
    assert scores[-1] == search.best.score


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
