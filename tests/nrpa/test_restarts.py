"""Restarts: the same everywhere, and what has finished is not lost."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from gameai_lib.nrpa import NMCS, NRPA, RulesError, bundled_tsptw, leftmove, tsptw
from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from gameai_lib.nrpa.search.restarts import restarts
from tests.nrpa.wild import faulty


@pytest.mark.slow
def test_restarts_do_not_depend_on_the_workers():
    problem = tsptw(bundled_tsptw("small"))
    parameters = {"level": 2, "n_iterations": 8}

    def runs(executor):
        rng = np.random.default_rng(9)
        return list(restarts(problem, rng, 4, executor=executor, **parameters))

    here = runs(None)
    with ThreadPoolExecutor(3) as executor:
        threads = runs(executor)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        processes = runs(executor)
    for run, other, third in zip(here, threads, processes, strict=True):
        assert list(run.best.choices) == list(other.best.choices) == list(third.best.choices)
        assert run.n_playouts == 64


def test_runs_come_one_by_one_and_are_of_limited_length():
    runs = restarts(leftmove(9), np.random.default_rng(0), 10**3, level=1, n_iterations=5)
    assert next(runs).n_playouts == 5
    runs = list(restarts(leftmove(9), np.random.default_rng(0), 2, n_playouts=33, level=2))
    assert [run.n_playouts for run in runs] == [33, 33]
    assert [run.n_playouts for run in restarts(leftmove(9), 0, 2, level=2, seconds=0)] == [0, 0]


@pytest.mark.parametrize("kind", [NRPA, NMCS, FlatMonteCarlo])
def test_every_search_begins_again(kind):
    problem = leftmove(9)
    runs = list(restarts(problem, 4, 3, search=kind, n_playouts=20))
    for run, rng in zip(runs, np.random.default_rng(4).spawn(3), strict=True):
        assert run.best.choices.tolist() == kind(problem, rng).run(20).choices.tolist()


@pytest.fixture(params=["here", "in threads"])
def executor(request):
    if request.param == "here":
        yield None
        return
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_the_first_run_that_reaches_the_target_is_the_last(executor):
    alone = list(restarts(leftmove(30), 1, 20, search=NMCS, level=1))
    scores = [run.best.score for run in alone]
    place = scores.index(max(scores))
    assert 0 < place < 19
    given = {"search": NMCS, "level": 1, "executor": executor}
    runs = list(restarts(leftmove(30), 1, 20, target=max(scores), **given))
    assert [run.best.score for run in runs] == scores[: place + 1]
    assert runs[-1].n_playouts < alone[place].n_playouts


def test_a_failing_run_names_its_fault_and_loses_none_before_it(executor):
    # Games whose codes add up to 54 or more score NaN; few runs of ten playouts meet one.
    problem, yielded = faulty("NaN", at_least=54), []
    with pytest.raises(RulesError, match="faulty: NaN: score"):
        yielded.extend(restarts(problem, 5, 30, level=1, n_iterations=10, executor=executor))
    assert 0 < len(yielded) < 30
