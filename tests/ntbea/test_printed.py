"""The printed faults do what the chapter says, and the small search without one is NTBEA."""

import numpy as np
import pytest

from gameai_book.ntbea.printed import _Model, _population, fault_runs, small_search
from gameai_lib.ntbea import LandscapeModel, Problem
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.search.tuples import tuples_of

SPACE, FAULTED = grid(3, 4), (None, "any value")


def slope(point, rng):
    return float(point.sum()) + rng.normal()


def filled(fault, data, sizes):
    model = _Model(tuples_of(SPACE.n_dims, sizes), fault)
    for point, fitness in data:
        model.learn(np.array(point), fitness)
    return model


@pytest.mark.parametrize("sizes", [(1,), (1, 2), (1, 2, "d")])
def test_without_a_fault_its_bounds_are_those_of_the_landscape_model(sizes):
    rng, theirs = np.random.default_rng(2), LandscapeModel(SPACE, sizes)
    data = [(p, rng.normal()) for p in SPACE.random_points(20, rng)]
    ours = filled(None, data, sizes)
    for point, fitness in data:
        theirs.add(point, fitness)
    for point in SPACE.all_points():
        assert ours.bound(point, 0.7) == pytest.approx(theirs.ucb(point, 0.7))
        assert ours.bound(point, 0.0) == pytest.approx(theirs.mean(point))


def test_without_epsilon_and_with_the_d_tuple_every_point_is_played_once_first():
    small = grid(2, 4)  # eight neighbours at a time must hold an unseen one
    found = small_search(slope, small, 16, np.random.default_rng(1), "no ε", n_neighbours=200)
    assert found.n_points == 16


@pytest.mark.parametrize(
    ("fault", "point", "k", "low", "high"),
    [
        (None, (1, 1, 1), 1.0, 0, 2),  # the bound of an unseen arm is finite
        ("no ε", (1, 1, 1), 1.0, 1e8, np.inf),
        (None, (0, 1, 1), 0.0, -3, -3),  # one of three 1-tuples has data
        ("mean over all tuples", (0, 1, 1), 0.0, -1, -1),
    ],
)
def test_bounds_with_a_fault(fault, point, k, low, high):
    bound = filled(fault, [((0, 0, 0), -3.0)], (1,)).bound(np.array(point), k)
    assert low <= bound <= high


@pytest.mark.parametrize(
    ("fault", "flip_once", "p", "n_copies"),
    [
        (None, True, 0.0, 0),
        ("no ε", True, 0.5, 0),
        ("loop inside the if", True, 0.5, 0),
        ("loop inside the if", False, 0.5, 40),
        ("any value", True, 0.0, pytest.approx(10, abs=8)),  # one value of four is the old one
        ("no copy", True, 0.5, 0),
    ],
)
def test_neighbours_with_a_fault(fault, flip_once, p, n_copies):
    parent, rng = np.array([0, 1, 2]), np.random.default_rng(3)
    drawn = _population(parent, SPACE.n_values, 40, p, flip_once, rng, fault)
    if fault == "no copy":  # all are one array with their parent
        assert [x is parent for x in drawn] == [True] * 40
        return
    assert parent.tolist() == [0, 1, 2]
    assert not any(np.shares_memory(x, parent) for x in drawn)
    assert (np.array(drawn) == parent).all(axis=1).sum() == n_copies


def test_runs_with_a_fault_are_runs_of_the_small_search():
    problem = Problem("sum", grid(2, 3), lambda x: x.sum(axis=1).astype(float), sigma=1.0)
    runs = fault_runs(problem, "loop inside the if", "printed", 9)
    assert [run.n_points for run in runs] == [1, 1]
    right = fault_runs(problem, "loop inside the if", "right", 9)
    options = {"flip_once": False, "n_neighbours": 40}
    own = small_search(problem.evaluate, problem.space, 9, np.random.default_rng(1), **options)
    assert right[1].points.tolist() == own.points.tolist()
    again = [small_search(slope, SPACE, 60, np.random.default_rng(1), f).n_again for f in FAULTED]
    assert again[0] == 0 < again[1]  # without a fault no point is played twice in a row
