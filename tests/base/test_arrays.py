"""Checks of arrays: what passes unchanged, what is copied, and what each error says."""

import math
import warnings
from functools import partial

import numpy as np
import pytest

from gameai_lib.base import arrays

GOOD = [  # kinds, values, and the kind that comes of them
    ("iuf", [1, 2], "i"),
    ("iuf", ((1, 2), (3, 4.5)), "f"),
    ("iuf", range(3), "i"),
    ("iuf", [range(3), range(3)], "i"),
    ("iuf", [], "f"),
    ("iuf", [2**63], "u"),
    ("iuf", 7, "i"),
    ("iuf", [np.nan, np.inf], "f"),
    ("iu", np.uint8([1, 2]), "u"),
    ("iu", [1, -2], "i"),
    ("f", np.float16([1, 2]), "f"),
    ("b", [True, False], "b"),
    ("biuf", [True, False], "b"),
    ("biuf", [1, 0], "i"),
]


@pytest.mark.parametrize(("kinds", "values", "kind"), GOOD)
def test_what_is_wanted_comes_back_unchanged(kinds, values, kind):
    found = arrays.array("x", values, kinds)
    assert type(found) is np.ndarray
    assert found.dtype.kind == kind
    np.testing.assert_array_equal(found, np.asarray(values))
    assert arrays.array("x", found, kinds, found.ndim) is found


class Pretender:
    """An object that says that it is an array, and is not."""

    def __init__(self, answer):
        self.answer = answer

    def __array__(self, dtype=None, copy=None):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def __repr__(self):
        return "<pretender>"


NO_ARRAYS = [
    *[(v, TypeError) for v in (None, "ab", b"ab", ["1", "2"], [1, "2"], [None], [1, 2j], {1: 2})],
    *[(v, TypeError) for v in ({1, 2}, iter([1]), len, [{}], np.array("x"), np.zeros(2, "M8[s]"))],
    ([[1], [2, 3]], ValueError),
    ([1, [2, 3]], ValueError),
    *[(Pretender(v), ValueError) for v in (7, RuntimeError("no"), MemoryError())],
    (Pretender(np.array(["x"])), TypeError),
]  # fmt: skip


@pytest.mark.parametrize(("values", "error"), NO_ARRAYS, ids=lambda v: repr(v)[:20])
@pytest.mark.parametrize(
    "check",
    [arrays.array, arrays.whole, arrays.pairs, arrays.floats, arrays.finite],
    ids=lambda check: check.__name__,
)
def test_what_is_no_array_of_numbers_is_named(check, values, error):
    with pytest.raises(error, match=r"^x must be an array of numbers, got .*"):
        check("x", values)


@pytest.mark.parametrize(
    ("kinds", "values", "words"),
    [
        ("iuf", [True, False], r"numbers, got \[True, False\]"),
        ("iuf", np.zeros((0, 2), bool), "numbers, got array"),
        ("iu", [1.0], r"whole numbers, got \[1.0\]"),
        ("f", [1], r"floats, got \[1\]"),
        ("b", [1, 0], r"True and False, got \[1, 0\]"),
        ("biuf", None, "numbers, or of True and False, got None"),
    ],
)
def test_another_kind_is_named(kinds, values, words):
    with pytest.raises(TypeError, match=rf"^x must be an array of {words}"):
        arrays.array("x", values, kinds)


@pytest.mark.parametrize(
    ("values", "ndim", "words"),
    [
        (3, 1, "1 dimension, got 0: 3"),
        ([[1]], 1, r"1 dimension, got 2: \[\[1\]\]"),
        ([1, 2], 2, r"2 dimensions, got 1: \[1, 2\]"),
        ([], 2, r"2 dimensions, got 1: \[\]"),
    ],
)
def test_other_dimensions_are_named(values, ndim, words):
    for check in (arrays.array, arrays.floats, arrays.finite, arrays.whole):
        with pytest.raises(ValueError, match=rf"^x must have {words}$"):
            check("x", values, ndim=ndim)


def test_numbers_that_no_array_holds_are_named():
    for values in ([2**64], [0, 10**400], [-(2**63) - 1]):
        for check in (arrays.array, arrays.whole, arrays.finite):
            with pytest.raises(ValueError, match=r"^x must be numbers of 64 bits, got \["):
                check("x", values)


def test_a_range_is_not_written_out_if_it_is_long():
    most, far = arrays.LONGEST, range(10**30)
    for values in (far, far[::-1], [range(most)] * 2, ([[far]],), [0, far]):
        for check in (arrays.array, arrays.whole, arrays.finite):
            with pytest.raises(ValueError, match=rf"^x must have at most {most} entries, got "):
                check("x", values)
    endless = []
    endless.append(endless)
    with pytest.raises((ValueError, TypeError), match=r"^x must be an array of numbers, got"):
        arrays.array("x", endless)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_whole_numbers_become_what_is_asked_for(dtype):
    limits = np.iinfo(dtype)
    for values in ([limits.min], [limits.max], [0, 1, 2], [0.0, 2.0], []):
        found = arrays.whole("x", values, dtype=dtype)
        assert found.dtype == dtype
        assert found.tolist() == values
    for odd in (limits.min - 1, limits.max + 1):
        if -(2**63) <= odd < 2**64:
            message = f"^x must be from {limits.min} to {limits.max}, got {odd}$"
            with pytest.raises(ValueError, match=message):
                arrays.whole("x", [odd], dtype=dtype)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floats_are_never_cut_to_whole_numbers(dtype):
    assert arrays.whole("x", np.array([-3, 0, 2048], dtype)).tolist() == [-3, 0, 2048]
    for odd, said in ((1.5, "1.5"), (np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")):
        with pytest.raises(ValueError, match=rf"^x must be whole numbers, got {said}$"):
            arrays.whole("x", np.array([1, odd], dtype))


def test_floats_that_may_stand_for_another_whole_number_are_refused():
    exact = 2**53
    assert arrays.whole("x", [float(exact), -float(exact)]).tolist() == [exact, -exact]
    for odd in (2.0**53 + 2, -(2.0**60), 2.0**63, 1e300):
        with pytest.raises(ValueError, match=rf"^x must be from -{exact} to {exact}, got"):
            arrays.whole("x", [odd])
    # Together numpy makes floats of them, and 2^53 + 1 another number.
    with pytest.raises(ValueError, match=rf"^x must be from -{exact} to {exact}, got"):
        arrays.whole("x", [2**60 + 1, 0.0])
    assert arrays.whole("x", [2**60 + 1]).tolist() == [2**60 + 1]


def test_whole_numbers_in_a_range():
    assert arrays.whole("x", [0, 5, 2], 0, 5).tolist() == [0, 5, 2]
    assert arrays.whole("x", [], 0, -1).tolist() == []
    for values, least, most, words in (
        ([0, 6], 0, 5, "from 0 to 5, got 6"),
        ([-1, 6], 0, 5, "from 0 to 5, got -1"),
        ([3.0, 9.0], 0, 5, "from 0 to 5, got 9.0"),
        (np.array([2**64 - 1], np.uint64), 0, 5, f"from 0 to 5, got {2**64 - 1}"),
        ([-1], 0, None, f"from 0 to {2**63 - 1}, got -1"),
        ([4], None, 3, f"from {-(2**63)} to 3, got 4"),
    ):
        with pytest.raises(ValueError, match=rf"^x must be {words}$"):
            arrays.whole("x", values, least, most)


def test_whole_numbers_are_copied_only_where_they_have_to_be():
    numbers = np.arange(12, dtype=np.int64)
    assert arrays.whole("x", numbers) is numbers
    assert arrays.whole("x", numbers, 0, 11) is numbers
    for other in (numbers[::2], numbers.astype(np.int32), numbers.astype(">i8")):
        found = arrays.whole("x", other)
        assert found.flags.c_contiguous
        assert found.dtype == np.int64
        assert not np.shares_memory(found, numbers)
        assert found.tolist() == other.tolist()
    turned = numbers.reshape(3, 4).T
    assert arrays.whole("x", turned, ndim=2).flags.c_contiguous


def test_pairs():
    for none in ([], (), np.empty((0, 2))):
        assert arrays.pairs("x", none).shape == (0, 2)
        assert arrays.pairs("x", none).dtype == np.int64
    assert arrays.pairs("x", [(1, 2.0), (3, 4)]).tolist() == [[1, 2], [3, 4]]
    for values, error, words in (
        ([(1, 2, 3)], ValueError, r"be pairs, got \[\(1, 2, 3\)\]"),
        ([[]], ValueError, r"be pairs, got \[\[\]\]"),
        ([1, 2], ValueError, r"have 2 dimensions, got 1: \[1, 2\]"),
        ([(1, 2.5)], ValueError, "be whole numbers, got 2.5"),
        ([("1", "2")], TypeError, "be an array of numbers, got .*'1'"),
    ):
        with pytest.raises(error, match=rf"^x must {words}"):
            arrays.pairs("x", values)


@pytest.mark.parametrize("check", [arrays.floats, partial(arrays.finite, ndim=None)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64, np.float32, np.float64, ">f8"])
def test_floats_are_always_new(check, dtype):
    for numbers in (np.array([[1, 2, 3], [4, 5, 6]], dtype), np.zeros((0, 3), dtype)):
        found = check("x", numbers.T)
        assert found.dtype == np.dtype(np.float64)
        assert found.flags.c_contiguous
        assert found.flags.writeable
        assert not np.shares_memory(found, numbers)
        np.testing.assert_array_equal(found, numbers.T)


def test_floats_may_be_infinite_or_no_number_and_finite_ones_not():
    values = [1.0, -math.inf, math.nan]
    np.testing.assert_array_equal(arrays.floats("x", values), values)
    with pytest.raises(ValueError, match=r"^x must be finite, got -inf$"):
        arrays.finite("x", values)
    with pytest.raises(ValueError, match=r"^x must be finite, got nan$"):
        arrays.finite("x", [1.0, math.nan])
    with pytest.raises(ValueError, match=r"^x must be within ±300, got -301.0$"):
        arrays.finite("x", [[300, -301]], 2, limit=300)
    assert arrays.finite("x", [300, -300], limit=300).tolist() == [300.0, -300.0]
    assert arrays.finite("x", []).shape == (0,)


@pytest.mark.skipif(
    np.finfo(np.longdouble).max == np.finfo(float).max, reason="there are no wider floats here"
)
def test_wider_floats_become_infinite_without_a_warning():
    wide = np.array([np.finfo(np.longdouble).max])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert arrays.floats("x", wide).tolist() == [math.inf]
        with pytest.raises(ValueError, match=r"^x must be finite, got inf$"):
            arrays.finite("x", wide)


def test_lists():
    assert arrays.listed("x", ((1, 2), 3)) == [(1, 2), 3]
    assert arrays.listed("x", iter("ab")) == ["a", "b"]
    assert arrays.listed("x", np.arange(3)) == [0, 1, 2]
    assert arrays.listed("x", []) == []
    given = [1, 2]
    assert arrays.listed("x", given) is not given
    for values in (5, None, "ab", b"ab", range(3), range(10**30), {1: 2}, np.array(3), list, len):
        with pytest.raises(TypeError, match=r"^x must be a list, got "):
            arrays.listed("x", values)


def test_an_error_of_what_is_listed_stays_as_it_is():
    def damaged():
        yield 1
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        arrays.listed("x", damaged())


def test_a_long_value_is_shown_in_short():
    with pytest.raises(TypeError) as caught:
        arrays.array("x", ["a" * 10] * 100_000)
    assert len(str(caught.value)) < 200
