import enum
import math

import numpy as np
import pytest

from gameai_lib.ntbea.game.space import SearchSpace

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
    large = SearchSpace({f"x{i}": range(10) for i in range(30)})
    assert large.size == 10**30
    with pytest.raises(ValueError, match="too many to list"):
        large.all_points()


def test_random_points_cover_the_space_evenly():
    points = SPACE.random_points(12_000, np.random.default_rng(1))
    counts = np.bincount(np.ravel_multi_index(points.T, SPACE.n_values), minlength=12)
    assert abs(counts - 1000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "got none"),
        ({"a": (1, 1)}, "repeats a value"),
        ({"a": 5}, "'a' needs a list of 1 to 100000 values, got 5"),
        ({"a": {1, 2}}, "'a' needs a list of .* got {1, 2}"),  # in no order
        ({"a": ("x", {"y": 1})}, "values of 'a' are numbers, words or hashable .* got .*'y': 1}"),
        ({"a": (1, math.nan)}, "repeats a value, or has NaN: .*nan"),
        ({"": (1, 2)}, "non-empty word"),
        ({"a": range(10**9)}, "1 to 100000 values, got range"),
        (5, "a mapping of names to values, .* got 5"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        SearchSpace(parameters)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"speed": 3, "shield": True, "map": "a"}, "speed=3"),
        ({"speed": 1}, r"no value for 'shield' in {'speed': 1}"),
        ({"sped": 1, "shield": True, "map": "a"}, r"no parameter 'sped' among \['speed', 'shield'"),
        ({"speed": 1, "shield": 2, "map": "a"}, "shield=2 is not one of"),
    ],
)
def test_unknown_values_and_names_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        SPACE.point_of(values)


def test_floats_that_were_computed_in_another_way_are_found():
    space = SearchSpace({"k": np.linspace(0, 1, 11)})
    for n in range(11):
        assert space.point_of({"k": n / 10}).tolist() == [n]
    with pytest.raises(ValueError, match=r"k=0.3001 is not one of"):
        space.point_of({"k": 0.3001})


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([3, 0, 0], r"\[3, 0, 0\] lies outside"),
        ([[0, 0, 0], [0, 2, 0]], r"\[0, 2, 0\] lies outside"),
        (np.array([0, 0, 2**63], np.uint64), "lies outside"),
        ([0, 0], "need 3 indices"),
        (range(10**9), "points must have at most .* entries, got range"),
        ([0.0, 0, 0], "points must be an array of whole numbers, got"),
    ],
)
def test_what_are_no_points_is_refused(points, message):
    with pytest.raises((TypeError, ValueError), match=message):
        SPACE.check(points)


class Map(enum.Enum):
    SMALL, LARGE = 1, 2


CATEGORIES = SearchSpace({"ai": (None, "none", ("mcts", 50), (50, None), len), "map": Map})


def test_a_value_may_be_whatever_is_hashable():
    points = CATEGORIES.all_points()
    assert len({tuple(point) for point in points.tolist()}) == CATEGORIES.size == 10
    for point in points:
        assert CATEGORIES.point_of(CATEGORIES.values_of(point)).tolist() == point.tolist()
    for wrong in ("None", ("mcts", 51), max, 0, Map.SMALL):
        with pytest.raises(ValueError, match=r"ai=.* is not one of"):
            CATEGORIES.point_of({"ai": wrong, "map": Map.SMALL})
    with pytest.raises(ValueError, match="map=1 is not one of"):
        CATEGORIES.point_of({"ai": None, "map": 1})
