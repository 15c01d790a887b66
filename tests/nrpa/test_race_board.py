"""The race of three searches, beside the library's own runs with the same random numbers."""

import numpy as np
import pytest

from gameai_book.nrpa.boards.race import PROBLEMS, RaceBoard
from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, FlatMonteCarlo, leftmove, morpion, move_probabilities, replay
from touchbook.boards import Session


def thought(board):
    """A session, and what it says when there is nothing left to think."""
    session, state = Session(board), {"thinking": True}
    while state["thinking"]:
        state = session.answer({"do": "think"})
    return session, state


def small():
    """A race that is over at once."""
    return RaceBoard(problem="leftmove", n_iterations=6)


def test_a_race_is_the_librarys_searches_and_shows_what_policies_like():
    session, state = thought(RaceBoard(problem="morpion-4D", n_iterations=10, seed=3))
    race, problem = session.board.race, morpion("4D")
    rngs = [np.random.default_rng([3, 0, k]) for k in range(3)]
    one = NRPA(problem, rngs[1], level=1, n_iterations=100)
    two = NRPA(problem, rngs[2], level=2, n_iterations=10)
    flat = FlatMonteCarlo(problem, rngs[0]).run(100)
    assert race.best[-1] == (flat.score, one.run().score, two.run().score)
    assert race.n_playouts == tuple(range(10, 101, 10))
    assert (np.diff(race.best, axis=0) >= 0).all()
    assert np.ptp(race.policies[0]) == 0  # nothing is learned at random
    assert max(race.policies[1]) > 0.9 > max(race.policies[2])
    (first,) = replay(problem, [])
    for row, search in zip(race.policies[1:], (one, two), strict=True):
        assert row == pytest.approx(move_probabilities(search.policy[-1], first.legal))
    assert f"{first.legal.size} first moves" in state["svg"]


def test_one_policy_for_all_is_the_fault_of_the_source():
    board = small()
    for name in ("shared", "alpha-0.25"):
        board.touch(name)
    session, _ = thought(board)
    rng, given = np.random.default_rng([0, 0, 2]), {"level": 2, "n_iterations": 6, "alpha": 0.25}
    faulty = FaultyNRPA(leftmove(30), rng, faults=Faults(shared_policy=True), **given)
    assert session.board.race.best[-1][2] == faulty.run().score
    assert [chosen for *_, chosen in board.selects()[2:]] == ["shared", "alpha-0.25"]


def test_again_and_again():
    session, state = thought(small())
    assert state["thinks"] == "Race 100 times"
    for n in (100, 200):
        for _ in range(101):
            state = session.answer({"do": "think"})
        finals = np.array(session.board.finals)
        assert finals.shape == (n, 3)
        assert f"Mean best scores of {n} races" in state["say"]
        assert f"level 2 {finals[:, 2].mean():.1f} ± " in state["say"]
        assert f"random games in {np.mean(finals[:, 2] > finals[:, 0]):.0%}." in state["say"]
    other = [search.run(36).score for search in session.board.racers(107)]
    np.testing.assert_array_equal(finals[106], other)
    session.answer({"do": "touch", "name": "alpha-4"})
    assert (session.board.finals, session.board.thinks) == ((), "Race")


def test_slowly_is_the_same_race():
    fast, _ = thought(small())
    board = small()
    board.touch("show-slowly")
    slow, _ = thought(board)
    assert len(slow.board.race.n_playouts) == 36
    assert slow.board.race.best[-1] == fast.board.race.best[-1]


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_game_is_drawn(name):
    session, state = thought(RaceBoard(problem=name, n_iterations=3))
    assert state["svg"].count("<rect") + state["svg"].count("<path") > 6
    assert "the best of 9 playouts each" in state["say"]
    assert session.board.selects()[0][2] == f"on-{name}"


@pytest.mark.slow
@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
@pytest.mark.parametrize(
    ("touches", "is_so"),
    [
        ([], lambda random, one, two: random + 0.5 < one < two - 1.5),
        (["shared"], lambda random, one, shared: abs(shared - one) < 1),
        (["on-morpion-4D"], lambda random, one, two: one < random < two - 1),
    ],
)
def test_what_the_chapter_says_of_a_hundred_races(touches, is_so):
    board = RaceBoard()
    for name in touches:
        board.touch(name)
    runs = [[search.run(board.n**2).score for search in board.racers(k)] for k in range(1, 21)]
    assert is_so(*np.mean(runs, axis=0))


def test_what_is_recorded():
    races = (*["think-8"] * 4, "think-9", *["think-50"] * 2)
    assert RaceBoard().runs_to_record() == [races, ("shared", *races)]
    assert small().runs_to_record() == []
