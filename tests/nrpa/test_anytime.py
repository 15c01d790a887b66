"""Every search can be watched, limited, interrupted and continued."""

import signal
import time

import numpy as np
import pytest

from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.base.interrupts import held
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.search import anytime
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.trace import best_games


def test_report_and_interruption_keep_the_best_game():
    def stop(search):
        seen.append(search.n_playouts)
        if len(seen) == 3:
            raise KeyboardInterrupt

    seen = []
    search = NRPA(leftmove(20), np.random.default_rng(0), level=2, n_iterations=20)
    with pytest.raises(KeyboardInterrupt):
        search.run(every=50, report=stop)
    assert seen == [50, 100, 150]
    best = search.best
    judge(search.problem, best)
    assert search.run().score >= best.score


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
    best = search.run(10, every=4, report=lambda s: reports.append(s.n_playouts))
    assert reports == [32, 36, 38]
    assert best.score >= seen[-1].best.score
    with pytest.raises(ValueError, match="every must be at least 1, got 0"):
        search.run(every=0)
    with pytest.raises(ValueError, match="every must be at least 1, got 0"):
        next(search.frames(0))


def test_a_limited_run_stops_at_its_limit():
    search = NRPA(leftmove(9), np.random.default_rng(0), level=2, n_iterations=20)
    search.run(130, every=50)
    assert search.n_playouts == 130


def test_searches_refuse():
    rng = np.random.default_rng(0)
    for search in (NRPA, NMCS, FlatMonteCarlo):
        with pytest.raises(TypeError, match=r"rng must be a numpy.*Generator, .* got '5'"):
            search(leftmove(4), "5")
        with pytest.raises(TypeError, match="problem must be of type Problem, got None"):
            search(None, rng)
        with pytest.raises(ValueError, match="n_playouts must be at least 0, got -1"):
            search(leftmove(4), rng).advance(-1)
        with pytest.raises(TypeError, match="report must be a function, got 3"):
            search(leftmove(4), rng).run(3, report=3)
    with pytest.raises(TypeError, match="strict must be True or False, got 1"):
        FaultyNRPA(leftmove(4), rng, faults=Faults(strict=1))
    large = Problem("large", leftmove(4).rules, [4, 0, 0], [], 7 * 10**6, 4, 2)
    with pytest.raises(
        ValueError, match=r"large: a search of level 64 needs 8\.9 GiB, more than 4"
    ):
        NRPA(large, rng, level=64)
    with pytest.raises(ValueError, match="n_playouts must be from 1 to 100000000, got 1000"):
        flat_monte_carlo(leftmove(4), rng, 10**12)


def test_what_never_ends_wants_a_limit():
    search = FlatMonteCarlo(leftmove(4), 0)
    words = "FlatMonteCarlo never ends: (give n_playouts, seconds or target|watch its `frames`)"
    for run in (search.run, lambda: best_games(search, 5)):
        with pytest.raises(ValueError, match=words):
            run()
    assert search.n_playouts == 0
    assert search.run(target=4).score == 4


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


@pytest.mark.parametrize(
    ("limits", "error", "message"),
    [
        ({"seconds": -1}, ValueError, "seconds must be at least 0, got -1"),
        ({"seconds": np.nan}, ValueError, "seconds must be at least 0, got nan"),
        ({"seconds": "3"}, TypeError, "seconds must be a number, got '3'"),
        ({"target": np.inf}, ValueError, "target must be .*, got inf"),
        ({"target": "all"}, TypeError, "target must be a number, got 'all'"),
        ({"n_playouts": 1.5}, TypeError, "n_playouts must be a whole number, got 1.5"),
    ],
)
def test_limits_are_checked(limits, error, message):
    search = FlatMonteCarlo(leftmove(4), 0)
    with pytest.raises(error, match=message):
        search.run(**limits)
    assert search.n_playouts == 0
