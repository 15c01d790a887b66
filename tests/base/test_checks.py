"""Checks of arguments: what passes, and what each error says."""

import math
from pathlib import Path

import numpy as np
import pytest

from gameai_lib.base import checks


def test_what_passes_comes_back_as_a_value_of_python():
    assert [type(checks.whole("n", v)) for v in (3, np.int8(3))] == [int, int]
    assert [type(checks.number("x", v)) for v in (3, 2.5, np.float32(1), np.int64(2))] == [
        float
    ] * 4
    assert checks.flag("f", np.True_) is True
    assert checks.file_path("a/b") == checks.file_path(Path("a/b")) == Path("a/b")
    rng = np.random.default_rng(7)
    assert checks.generator(rng) is rng
    assert checks.generator(7).random() == rng.random()
    assert checks.kind("n", 3, int, str) == 3
    assert checks.one_of("rule", "ucb", ("ucb", "thompson")) == "ucb"
    assert checks.function("f", len) is len


def test_whole_by_type():
    assert all(map(checks.is_whole, (3, -(10**400), np.int8(3), np.uint64(3))))
    for value in (True, np.True_, 3.0, np.float64(3), np.array(3), "3", None, 3j):
        assert not checks.is_whole(value)


@pytest.mark.parametrize(
    ("check", "value", "error", "message"),
    [
        (checks.whole, 2.0, TypeError, "n must be a whole number, got 2.0"),
        (checks.whole, True, TypeError, "n must be a whole number, got True"),
        (checks.whole, "3", TypeError, "n must be a whole number, got '3'"),
        (checks.whole, 0, ValueError, "n must be at least 1, got 0"),
        (checks.whole, 10**400, ValueError, "n must be from 1 to 4611686018427387904, got 1000"),
        (checks.number, math.nan, ValueError, "n must be .* got nan"),
        (checks.number, math.inf, ValueError, "n must be at least -1e.250, got inf"),
        (checks.number, -(10**400), ValueError, "n must be at least -1e.250"),
        (checks.number, False, TypeError, "n must be a number, got False"),
        (checks.number, 1j, TypeError, "n must be a number, got 1j"),
        (checks.flag, 1, TypeError, "n must be True or False, got 1"),
        (checks.function, 5, TypeError, "n must be a function, got 5"),
    ],
)
def test_what_is_refused_is_named(check, value, error, message):
    with pytest.raises(error, match=message):
        check("n", value)


def test_other_refusals():
    with pytest.raises(ValueError, match="alpha must be more than 0 and at most 1, got 0"):
        checks.number("alpha", 0, 0, 1, above=True)
    with pytest.raises(ValueError, match="n must be from 2 to 5, got 7"):
        checks.whole("n", 7, 2, 5)
    with pytest.raises(ValueError, match=r"one of \['a', 'b'\], got 'c'"):
        checks.one_of("rule", "c", ("a", "b"))
    with pytest.raises(TypeError, match="n must be of type int or str, got None"):
        checks.kind("n", None, int, str)
    with pytest.raises(TypeError, match=r"numpy\.random\.Generator, or a .*seed, got -7"):
        checks.generator(-7)
    with pytest.raises(TypeError, match="path of a file, got 3"):
        checks.file_path(3)
    with pytest.raises(ValueError, match="is not the path"):
        checks.file_path("a\0b")


def test_a_long_or_broken_value_is_shown_in_short():
    class Broken:
        def __repr__(self):
            raise RuntimeError

    assert len(checks.short("x" * 10**6)) < 110
    everything = list(range(10**6))  # only its ends are written out
    assert checks.short(everything).startswith("[0, 1, 2, 3")
    assert checks.short(everything).endswith("999998, 999999]")
    assert checks.short(Broken()) == "<Broken>"
    assert checks.short(10**5000) == "<int>"
    assert "\n" not in checks.short(np.zeros((9, 9)))
