"""The printed faults do what the chapter says, and the small search without one is NTBEA."""

import numpy as np
import pytest

from gameai_book.ntbea.printed import _Model, _population, fault_runs, small_search
from gameai_lib.ntbea.game.problems import Problem, grid
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.tuples import tuples_of

SPACE = grid(3, 4)


def slope(point, rng):
    return float(point.sum()) + rng.normal()


def run(fault=None, n=30, seed=1, **options):
    return small_search(slope, SPACE, n, np.random.default_rng(seed), fault, **options)


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


def test_without_a_fault_no_point_is_played_twice_in_a_row():
    assert run(n=60).n_again == 0


def test_without_epsilon_and_with_the_d_tuple_every_point_is_played_once_first():
    small = grid(2, 4)  # eight neighbours at a time must hold an unseen one
    found = small_search(slope, small, 16, np.random.default_rng(1), "no ε", n_neighbours=200)
    assert found.n_points == 16


def test_the_bound_of_an_unseen_arm_is_finite_only_with_epsilon():
    data = [((0, 0, 0), 1.0)]
    assert filled(None, data, (1,)).bound(np.array([1, 1, 1]), 1.0) < 2
    assert filled("no ε", data, (1,)).bound(np.array([1, 1, 1]), 1.0) > 1e8


def test_a_mean_over_all_tuples_takes_unseen_arms_for_results_of_zero():
    data, point = [((0, 0, 0), -3.0)], np.array([0, 1, 1])  # one of three 1-tuples has data
    assert filled(None, data, (1,)).bound(point, 0.0) == -3.0
    assert filled("mean over all tuples", data, (1,)).bound(point, 0.0) == -1.0


def population(fault, flip_once=True, p=0.5):
    parent, rng = np.array([0, 1, 2]), np.random.default_rng(3)
    kept = parent.copy()
    return parent, kept, _population(parent, SPACE.n_values, 40, p, flip_once, rng, fault)


def test_neighbours_that_are_not_copied_are_one_array_with_their_parent():
    parent, kept, drawn = population("no copy")
    assert all(x is parent for x in drawn)
    parent, kept, drawn = population(None)
    assert (parent == kept).all()
    assert not any(np.shares_memory(x, parent) for x in drawn)


def test_the_loop_inside_the_if_makes_copies_only_where_flip_once_is_off():
    _, kept, drawn = population("loop inside the if", flip_once=False)
    assert (np.array(drawn) == kept).all()
    assert len(drawn) == 40
    _, kept, drawn = population("loop inside the if")
    assert (np.array(drawn) != kept).any(axis=1).all()
    assert run("loop inside the if", flip_once=False).n_points == 1


def test_any_value_may_be_the_old_one():
    _, kept, drawn = population("any value", p=0.0)
    same = (np.array(drawn) == kept).all(axis=1).mean()
    assert 0.05 < same < 0.5  # one value of four is the old one
    for fault in (None, "no copy", "no ε"):
        _, kept, drawn = population(fault, p=0.0)
        assert fault == "no copy" or (np.array(drawn) != kept).any(axis=1).all()
    assert run("any value", n=60).n_again > 0


def test_runs_with_a_fault_are_runs_of_the_small_search():
    problem = Problem("sum", grid(2, 3), lambda x: x.sum(axis=1).astype(float), sigma=1.0)
    runs = fault_runs(problem, "loop inside the if", "printed", 9)
    assert [run.n_points for run in runs] == [1, 1]
    right = fault_runs(problem, "loop inside the if", "right", 9)
    options = {"flip_once": False, "n_neighbours": 40}
    own = small_search(problem.evaluate, problem.space, 9, np.random.default_rng(1), **options)
    assert right[1].points.tolist() == own.points.tolist()
