import enum

import numpy as np

from gameai_lib.ntbea import SearchSpace

SPACE = SearchSpace({"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b")})


def test_numpy_values_become_plain_ones():
    given = np.bool_(False), np.float32(0.5), np.str_("x"), np.int64(3)
    space = SearchSpace({"a": np.arange(3), "b": np.linspace(0, 1, 3), "c": given})
    assert space.values == ((0, 1, 2), (0.0, 0.5, 1.0), (False, 0.5, "x", 3))
    kinds = [type(v) for values in space.values for v in values]
    assert kinds == [int] * 3 + [float] * 3 + [bool, float, str, int]
    assert space.point_of({"a": np.int64(2), "b": 0.5, "c": "x"}).tolist() == [2, 1, 2]


def test_a_space_is_its_names_and_values():
    same = SearchSpace(list(zip(SPACE.names, SPACE.values, strict=True)))
    assert (SPACE, hash(SPACE)) == (same, hash(same))
    assert SearchSpace({"speed": (1, 2)}) != SPACE
    assert "shield: [False, True]" in repr(SPACE)
    assert SPACE.dims_of("map") == SPACE.dims_of([2]) == [2]
    assert SPACE.dims_of(("map", 0)) == [2, 0]
    assert SearchSpace({f"x{i}": range(10) for i in range(30)}).size == 10**30


def test_random_points_cover_the_space_evenly():
    points = SPACE.random_points(12_000, np.random.default_rng(1))
    counts = np.bincount(np.ravel_multi_index(points.T, SPACE.n_values), minlength=12)
    assert abs(counts - 1000).max() < 5 * np.sqrt(1000)


def test_floats_that_were_computed_in_another_way_are_found():
    space = SearchSpace({"k": np.linspace(0, 1, 11)})
    for n in range(11):
        assert space.point_of({"k": n / 10}).tolist() == [n]


class Map(enum.Enum):
    SMALL, LARGE = 1, 2


CATEGORIES = SearchSpace({"ai": (None, "none", ("mcts", 50), (50, None), len), "map": Map})


def test_a_value_may_be_whatever_is_hashable():
    points = CATEGORIES.all_points()
    assert len({tuple(point) for point in points.tolist()}) == CATEGORIES.size == 10
    for point in points:
        assert CATEGORIES.point_of(CATEGORIES.values_of(point)).tolist() == point.tolist()
