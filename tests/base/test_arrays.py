"""Checks of arrays: what passes unchanged, what is copied, and what each error says."""

import math
import re
import warnings
from functools import partial

import numpy as np
import pytest

from gameai_lib.base.arrays import LONGEST, array, as_list, finite, floats, pairs, whole


@pytest.mark.parametrize(
    ("kinds", "values", "kind"),  # and the kind that comes of them
    [
        ("iuf", [1, 2], "i"),
        ("iuf", ((1, 2), (3, 4.5)), "f"),
        ("iuf", [range(3), range(3)], "i"),
        ("iuf", [], "f"),
        ("iuf", [2**63], "u"),
        ("iuf", [np.nan, np.inf], "f"),
        ("iu", np.uint8([1, 2]), "u"),
        ("f", np.float16([1, 2]), "f"),
        ("b", [True, False], "b"),
        ("biuf", [True, False], "b"),
    ],
)
def test_what_is_wanted_comes_back_unchanged(kinds, values, kind):
    found = array("x", values, kinds)
    assert type(found) is np.ndarray
    assert found.dtype.kind == kind
    np.testing.assert_array_equal(found, np.asarray(values))
    assert array("x", found, kinds, found.ndim) is found


FAR = range(10**30)
NO_NUMBERS = "be an array of numbers, got "
TOO_MANY = f"have at most {LONGEST} entries, got "
WRONG = [  # a check, values and options, and the words behind "x must"
    *((check, [1, "2"], {}, TypeError, f"{NO_NUMBERS}[1, '2']")
      for check in (array, whole, pairs, floats, finite)),
    *((array, values, {}, TypeError, NO_NUMBERS)
      for values in (None, b"ab", [1, 2j], {1: 2}, iter([1]), [{}], np.zeros(2, "M8[s]"))),
    (array, [1, [2, 3]], {}, ValueError, f"{NO_NUMBERS}[1, [2, 3]]"),
    (array, [True, False], {}, TypeError, f"{NO_NUMBERS}[True, False]"),
    (array, [1.0], {"kinds": "iu"}, TypeError, "be an array of whole numbers, got [1.0]"),
    (array, [1], {"kinds": "f"}, TypeError, "be an array of floats, got [1]"),
    (array, [1, 0], {"kinds": "b"}, TypeError, "be an array of True and False, got [1, 0]"),
    (array, None, {"kinds": "biuf"}, TypeError,
     "be an array of numbers, or of True and False, got None"),
    (array, 3, {"ndim": 1}, ValueError, "have 1 dimension, got 0: 3"),
    (whole, [[1]], {}, ValueError, "have 1 dimension, got 2: [[1]]"),
    (array, [2**64], {}, ValueError, "be numbers of 64 bits, got [18446744073709551616]"),
    (whole, [0, 10**400], {}, ValueError, "be numbers of 64 bits, got [0, 1000"),
    (array, FAR, {}, ValueError, TOO_MANY),
    *((whole, np.array([1, odd], np.float16), {}, ValueError, f"be whole numbers, got {odd}")
      for odd in (1.5, math.nan, math.inf, -math.inf)),
    # Beyond 2^53 a float may stand for another whole number; of the last two numpy makes floats.
    *((whole, values, {}, ValueError, f"be from -{2**53} to {2**53}, got ")
      for values in ([2.0**53 + 2], [-(2.0**60)], [2.0**63], [1e300], [2**60 + 1, 0.0])),
    (whole, [128], {"dtype": np.int8}, ValueError, "be from -128 to 127, got 128"),
    (whole, [-1], {"dtype": np.uint64}, ValueError, f"be from 0 to {2**64 - 1}, got -1"),
    (whole, [2**63], {}, ValueError, f"be from {-(2**63)} to {2**63 - 1}, got {2**63}"),
    (whole, [0, 6], {"least": 0, "most": 5}, ValueError, "be from 0 to 5, got 6"),
    (whole, np.array([2**64 - 1], np.uint64), {"least": 0, "most": 5}, ValueError,
     f"be from 0 to 5, got {2**64 - 1}"),
    (whole, [-1], {"least": 0}, ValueError, f"be from 0 to {2**63 - 1}, got -1"),
    (pairs, [(1, 2, 3)], {}, ValueError, "be pairs, got [(1, 2, 3)]"),
    (pairs, [1, 2], {}, ValueError, "have 2 dimensions, got 1: [1, 2]"),
    (finite, [1.0, -math.inf, math.nan], {}, ValueError, "be finite, got -inf"),
    (finite, [[300, -301]], {"ndim": 2, "limit": 300}, ValueError, "be within ±300, got -301.0"),
    *((as_list, values, {}, TypeError, "be a list, got ")
      for values in (5, None, "ab", b"ab", range(3), FAR, {1: 2}, np.array(3), list)),
]  # fmt: skip


@pytest.mark.parametrize(("check", "values", "options", "error", "words"), WRONG)
def test_what_is_refused_is_named(check, values, options, error, words):
    with pytest.raises(error, match=re.escape(f"x must {words}")):
        check("x", values, **options)


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.uint64])
def test_whole_numbers_become_what_is_asked_for(dtype):
    limits = np.iinfo(dtype)
    for values in ([limits.min], [limits.max], [0, 1, 2], [0.0, 2.0], []):
        found = whole("x", values, dtype=dtype)
        assert found.dtype == dtype
        assert found.tolist() == values


def test_whole_numbers_are_never_rounded_nor_copied_but_where_they_have_to_be():
    assert whole("x", np.array([-3, 0, 2048], np.longdouble)).tolist() == [-3, 0, 2048]
    for values in ([2.0**53, -(2.0**53)], [2**60 + 1]):
        assert whole("x", values).tolist() == values
    assert whole("x", [0, 5], 0, 5).tolist() == [0, 5]
    numbers = np.arange(12, dtype=np.int64)
    assert whole("x", numbers) is whole("x", numbers, 0, 11) is numbers
    for other in (numbers[::2], numbers.astype(np.int32), numbers.astype(">i8")):
        found = whole("x", other)
        assert found.flags.c_contiguous
        assert found.dtype == np.int64
        assert not np.shares_memory(found, numbers)
        assert found.tolist() == other.tolist()
    assert whole("x", numbers.reshape(3, 4).T, ndim=2).flags.c_contiguous


def test_pairs_may_be_none():
    for none in ([], (), np.empty((0, 2))):
        assert pairs("x", none).shape == (0, 2)
        assert pairs("x", none).dtype == np.int64
    assert pairs("x", [(1, 2.0), (3, 4)]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("check", [floats, partial(finite, ndim=None)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.float32, np.float64, ">f8"])
def test_floats_are_always_new(check, dtype):
    for numbers in (np.array([[1, 2, 3], [4, 5, 6]], dtype), np.zeros((0, 3), dtype)):
        found = check("x", numbers.T)
        assert found.dtype == np.dtype(np.float64)
        assert found.flags.c_contiguous
        assert found.flags.writeable
        assert not np.shares_memory(found, numbers)
        np.testing.assert_array_equal(found, numbers.T)


def test_floats_may_be_infinite_or_no_number_and_finite_ones_have_a_limit():
    values = [1.0, -math.inf, math.nan]
    np.testing.assert_array_equal(floats("x", values), values)
    assert finite("x", [300, -300], limit=300).tolist() == [300.0, -300.0]
    assert finite("x", []).shape == (0,)
    if np.finfo(np.longdouble).max > np.finfo(float).max:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert floats("x", np.array([np.finfo(np.longdouble).max])).tolist() == [math.inf]


def test_lists_are_new_and_an_error_of_what_is_listed_stays_as_it_is():
    given = [(1, 2), 3]
    assert as_list("x", given) == as_list("x", tuple(given)) == given
    assert as_list("x", given) is not given
    assert as_list("x", iter("ab")) == ["a", "b"]
    assert as_list("x", np.arange(3)) == [0, 1, 2]

    def damaged():
        yield 1
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        as_list("x", damaged())
