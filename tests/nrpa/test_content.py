"""Rules are found again by what they are made of, and by nothing else."""

import numpy as np
import pytest

from gameai_lib.base.jit import njit
from gameai_lib.nrpa import leftmove, morpion
from gameai_lib.nrpa.problem.content import stamp_of
from gameai_lib.nrpa.problem.rules import Rules, checked_rules

SOURCE = """
TABLE = np.arange(4)

@njit
def helper(x):
    return x + 1

def made(step):
    def reset(ints, floats):
        ints[0] = step

    def legal(ints, floats, codes, start):
        return 0

    def play(ints, floats, k, code):
        ints[0] = helper(k)

    def score(ints, floats):
        return math.sqrt(TABLE[2]) + np.abs(floats[0])

    return Rules(reset, legal, play, score)

rules = made(3)
"""


def rules_of(*changes, names=()):
    """The rules of the source with some words changed and some names set in the end."""
    source = SOURCE
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    values = {"np": np, "njit": njit, "Rules": Rules, "math": __import__("math")}
    exec(source, values)
    values.update(names)
    return values["rules"]


def test_the_same_rules_elsewhere_are_the_same():
    stamp = stamp_of(rules_of())
    assert len(stamp) == 16
    assert stamp_of(rules_of(("\n\ndef made", "\n\n# A comment\n\n\ndef made"))) == stamp
    assert stamp_of(rules_of(names={"unused": object()})) == stamp
    assert stamp_of(rules_of(names={"TABLE": np.arange(4)})) == stamp


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("made(3)", "made(4)"),
        ("made(3)", "made(3.0)"),
        ("x + 1", "x - 1"),
        ("return 0", "return 1"),
        ("np.abs", "np.exp"),
        ("arange(4)", "arange(4.0)"),
        ("arange(4)", "array([0, 1, 3, 2])"),
        ("arange(4)", "arange(4).repeat(2)[::2]"),  # the same numbers, apart in memory
    ],
)
def test_any_change_is_seen(old, new):
    assert stamp_of(rules_of((old, new))) != stamp_of(rules_of())


@pytest.mark.parametrize("value", [object(), {}, [1], np.zeros(10**6), np.array(["a"]), pytest])
def test_what_cannot_be_compared_is_not_kept(value):
    assert stamp_of(rules_of(names={"TABLE": value})) is None


def test_checked_rules_have_the_content_of_their_source():
    assert stamp_of(checked_rules("mine", rules_of())) == stamp_of(rules_of())
    stamps = [stamp_of(problem.rules) for problem in (leftmove(3), leftmove(4), morpion("5D"))]
    assert stamps[0] == stamps[1] != stamps[2]
