"""Checks of arguments: what passes, and what each error says."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.base import checks


def test_what_passes_comes_back_as_a_value_of_python():
    for value in (3, np.int8(3), -(10**400), np.uint64(3)):
        assert checks.is_whole(value)
    for value in (True, np.True_, 3.0, np.float64(3), np.array(3), "3", None, 3j):
        assert not checks.is_whole(value)
    for value in (3, np.int8(3)):
        assert type(checks.whole("n", value)) is int
    assert [checks.whole("n", value, 2, 5) for value in (2, 5)] == [2, 5]
    for value in (3, 2.5, np.float32(1), np.int64(2)):
        assert type(checks.number("x", value)) is float
    assert checks.flag("f", np.True_) is True
    assert checks.file_path("a/b") == checks.file_path(Path("a/b")) == Path("a/b")
    rng = np.random.default_rng(7)
    assert checks.generator(rng) is rng
    assert checks.generator(7).random() == rng.random()
    assert checks.kind("n", 3, int, str) == 3
    assert checks.one_of("rule", "ucb", ("ucb", "thompson")) == "ucb"
    assert checks.function("f", len) is len


@pytest.mark.parametrize(
    ("refuse", "error", "words"),
    [
        (lambda: checks.whole("n", 2.0), TypeError, "n must be a whole number, got 2.0"),
        (lambda: checks.whole("n", True), TypeError, "n must be a whole number, got True"),
        (lambda: checks.whole("n", 0), ValueError, "n must be at least 1, got 0"),
        (lambda: checks.whole("n", 7, 2, 5), ValueError, "n must be from 2 to 5, got 7"),
        (lambda: checks.whole("n", 10**400), ValueError, f"n must be from 1 to {2**62}, got 1000"),
        (lambda: checks.number("n", math.nan), ValueError, "n must be at least -1e+250, got nan"),
        (lambda: checks.number("n", math.inf), ValueError, "n must be at least -1e+250, got inf"),
        (lambda: checks.number("n", -(10**400)), ValueError, "n must be at least -1e+250, got -10"),
        (lambda: checks.number("n", math.nan, -math.inf), ValueError, "n must be a number, got na"),
        (lambda: checks.number("n", False), TypeError, "n must be a number, got False"),
        (lambda: checks.number("n", 1j), TypeError, "n must be a number, got 1j"),
        (lambda: checks.number("n", 0, 0, 1, above=True), ValueError, "more than 0 and at most 1,"),
        (lambda: checks.flag("n", 1), TypeError, "n must be True or False, got 1"),
        (lambda: checks.function("n", 5), TypeError, "n must be a function, got 5"),
        (lambda: checks.one_of("n", "c", ("a", "b")), ValueError, "one of ['a', 'b'], got 'c'"),
        (lambda: checks.one_of("n", None, ("a", "b")), ValueError, "one of ['a', 'b'], got None"),
        (lambda: checks.kind("n", None, int, str), TypeError, "of type int or str, got None"),
        (lambda: checks.generator(-7), TypeError, "a whole number as its seed, got -7"),
        (lambda: checks.file_path(3), TypeError, "path of a file, got 3"),
        (lambda: checks.file_path("a\0b"), ValueError, "is not the path"),
        (lambda: checks.file_path(""), ValueError, "'' is not the path"),
    ],
)
def test_what_is_refused_is_named(refuse, error, words):
    with pytest.raises(error, match=re.escape(words)):
        refuse()


def test_a_long_or_broken_value_is_shown_in_short():
    class Broken:
        def __repr__(self):
            raise RuntimeError

    assert len(checks.short("x" * 10**6)) < 110
    everything = checks.short(list(range(10**6)))  # only its ends are written out
    assert everything.startswith("[0, 1, 2, 3")
    assert everything.endswith("999998, 999999]")
    assert checks.short(Broken()) == "<Broken>"
    assert checks.short(10**5000) == "<int>"
    assert "\n" not in checks.short(np.zeros((9, 9)))
