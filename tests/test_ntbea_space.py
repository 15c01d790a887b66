import numpy as np
import pytest

from gameai_lib.ntbea.space import SearchSpace


@pytest.fixture
def space():
    return SearchSpace({"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b")})


def test_every_point_is_listed_once_and_converts_both_ways(space):
    points = space.all_points()
    assert space.size == len(points) == len({tuple(p) for p in points}) == 12
    for point in points:
        np.testing.assert_array_equal(space.point_of(space.values_of(point)), point)


def test_values_have_the_types_they_were_given_in(space):
    assert space.values_of([1, 1, 0]) == {"speed": 2.5, "shield": True, "map": "a"}
    assert space.values_of([1, 1, 0])["shield"] is True


def test_size_is_exact_beyond_64_bits():
    assert SearchSpace({f"x{i}": range(10) for i in range(30)}).size == 10**30


def test_random_points_cover_the_space_evenly(space):
    points = space.random_points(12_000, np.random.default_rng(1))
    counts = np.bincount(np.ravel_multi_index(points.T, space.n_values), minlength=12)
    assert abs(counts - 1000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "got none"),
        ({"a": ()}, "needs a list of values"),
        ({"a": (1, 1)}, "repeats a value"),
        ({"a": (1, float("nan"))}, "not a number"),
        ({"a": ([1], [2])}, "not a number"),
        ({"a": "word"}, "needs a list"),
        ({"": (1, 2)}, "non-empty word"),
        ([("a", (1, 2)), ("a", (3, 4))], "'a' is repeated"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        SearchSpace(parameters)


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ([3, 0, 0], r"\[3, 0, 0\] lies outside"),
        ([-1, 0, 0], "lies outside"),
        ([0, 0], "need 3 indices"),
        ([0.0, 0, 0], "integer"),
        ([[0, 0, 0], [0, 2, 0]], r"\[0, 2, 0\] lies outside"),
    ],
)
def test_points_outside_are_refused(space, point, message):
    with pytest.raises(ValueError, match=message):
        space.check(point)


def test_unknown_values_and_names_are_refused(space):
    with pytest.raises(ValueError, match="speed=3"):
        space.point_of({"speed": 3, "shield": True, "map": "a"})
    with pytest.raises(ValueError, match="need values for"):
        space.point_of({"speed": 1})


def test_spaces_are_equal_by_names_and_values(space):
    assert space == SearchSpace(dict(zip(space.names, space.values, strict=True)))
    assert hash(space) == hash(SearchSpace(dict(zip(space.names, space.values, strict=True))))
    assert space != SearchSpace({"speed": (1, 2)})
    assert "shield: [False, True]" in repr(space)


def test_too_many_points_are_not_listed():
    with pytest.raises(ValueError, match="too many to list"):
        SearchSpace({f"x{i}": range(10) for i in range(8)}).all_points()
