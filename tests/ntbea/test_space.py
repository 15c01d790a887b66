import enum
import itertools

import numpy as np
import pytest

from gameai_lib.ntbea.game.space import SearchSpace


@pytest.fixture
def space():
    return SearchSpace({"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b")})


def test_every_point_is_listed_once_and_converts_both_ways(space):
    points = space.all_points()
    assert space.size == len(points) == len({tuple(p) for p in points}) == 12
    for point in points:
        np.testing.assert_array_equal(space.point_of(space.values_of(point)), point)


def test_numpy_values_become_plain_ones():
    given = np.bool_(False), np.float32(0.5), np.str_("x"), np.int64(3)
    space = SearchSpace({"a": np.arange(3), "b": np.linspace(0, 1, 3), "c": given})
    assert space.values == ((0, 1, 2), (0.0, 0.5, 1.0), (False, 0.5, "x", 3))
    kinds = [type(v) for values in space.values for v in values]
    assert kinds == [int] * 3 + [float] * 3 + [bool, float, str, int]
    assert space.point_of({"a": np.int64(2), "b": 0.5, "c": "x"}).tolist() == [2, 1, 2]


def test_size_is_exact_beyond_64_bits():
    assert SearchSpace({f"x{i}": range(10) for i in range(30)}).size == 10**30


def test_too_many_points_are_not_listed():
    with pytest.raises(ValueError, match="too many to list"):
        SearchSpace({f"x{i}": range(10) for i in range(8)}).all_points()


def test_spaces_are_equal_by_names_and_values(space):
    same = SearchSpace(list(zip(space.names, space.values, strict=True)))
    assert (space, hash(space)) == (same, hash(same))
    assert space != SearchSpace({"speed": (1, 2)})
    assert "shield: [False, True]" in repr(space)


def test_random_points_cover_the_space_evenly(space):
    points = space.random_points(12_000, np.random.default_rng(1))
    counts = np.bincount(np.ravel_multi_index(points.T, space.n_values), minlength=12)
    assert abs(counts - 1000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "got none"),
        ({"a": (1, 1)}, "repeats a value"),
        ({"a": "word"}, "'a' needs a list"),
        ({"a": 5}, "'a' needs a list of values, got 5"),
        ({"a": (i for i in range(3))}, "'a' needs a list of values, got <generator"),
        ({"a": {1, 2}}, "'a' needs a list of values, got {1, 2}"),  # in no order
        ({"a": np.zeros((2, 2))}, "'a' needs a list"),
        ({"a": ("x", {"y": 1})}, "a={'y': 1} is not a number, word or hashable category"),
        ({"": (1, 2)}, "non-empty word"),
        ([("a", (1, 2)), ("a", (3, 4))], "'a' is repeated"),
        ({"a": range(10**12)}, r"'a' may have 100000 values at most, got range"),
        ({"a": (1, 10**400)}, "a=10+ … 0+ is not a number"),
        ((("a", (1,)) for _ in itertools.count()), "10000 parameters at most"),
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
        ({"speed": 1, "shield": 1, "map": "a"}, "shield=1 is not one of"),
    ],
)
def test_unknown_values_and_names_are_refused(space, values, message):
    with pytest.raises(ValueError, match=message):
        space.point_of(values)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([3, 0, 0], r"\[3, 0, 0\] lies outside"),
        ([[0, 0, 0], [0, 2, 0]], r"\[0, 2, 0\] lies outside"),
        (np.array([0, 0, 2**63], np.uint64), "lies outside"),
        ([0, 0], "need 3 indices"),
        (range(10**12), "points must have at most .* entries, got range"),
        ([0.0, 0, 0], "points must be an array of whole numbers, got"),
    ],
)
def test_what_are_no_points_is_refused(space, points, message):
    with pytest.raises((TypeError, ValueError), match=message):
        space.check(points)


class Map(enum.Enum):
    SMALL, LARGE = 1, 2


CATEGORIES = SearchSpace({"ai": (None, "none", ("mcts", 50), (50, None), len), "map": Map})


def test_a_value_may_be_whatever_is_hashable():
    for point in CATEGORIES.all_points():
        assert CATEGORIES.point_of(CATEGORIES.values_of(point)).tolist() == point.tolist()
    for wrong in ("None", ("mcts", 51), max, 0, Map.SMALL):
        with pytest.raises(ValueError, match=r"ai=.* is not one of"):
            CATEGORIES.point_of({"ai": wrong, "map": Map.SMALL})
    with pytest.raises(ValueError, match="map=1 is not one of"):
        CATEGORIES.point_of({"ai": None, "map": 1})


def test_parameters_are_found_by_name_and_number():
    assert CATEGORIES.dims_of("map") == CATEGORIES.dims_of([1]) == [1]
    assert CATEGORIES.dims_of(("map", 0)) == [1, 0]
