"""Unit tests of what makes numbers also pass in Pyodide."""

import math
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis.internal import floats

from tests.support import pyodide_floats
from tests.support.chromium import CHROMIUM
from tests.support.pyodide_units import report_text, run

FOLDER = os.environ.get("PYODIDE")
N_AT_LEAST = 1200


def test_the_stand_in_for_a_compiled_part_does_the_same():
    numbers = [0.0, 5e-324, 2.0**-1022, 0.1, 1.0, 1.5, 65504.0, 1e300, math.inf]
    numbers += [-x for x in numbers]
    for x in numbers:
        for name in ("float_to_int", "next_up", "next_down", "is_negative"):
            ours, theirs = (repr(getattr(m, name)(x)) for m in (pyodide_floats, floats))
            assert ours == theirs, (name, x)
        for name in ("next_up_normal", "next_down_normal"):
            for allowed in (False, True):
                ours, theirs = (
                    repr(getattr(m, name)(x, 64, allow_subnormal=allowed))
                    for m in (pyodide_floats, floats)
                )
                assert ours == theirs, (name, x, allowed)
        for y in numbers:
            if (x, math.copysign(1, x)) <= (y, math.copysign(1, y)):
                ours, theirs = (m.count_between_floats(x, y) for m in (pyodide_floats, floats))
                assert ours == theirs, (x, y)
        assert repr(floats.int_to_float(pyodide_floats.float_to_int(x))) == repr(x)
        assert repr(pyodide_floats.int_to_float(floats.float_to_int(x))) == repr(x)
    for width in (16, 32, 64):
        assert pyodide_floats.float_of(0.1, width) == floats.float_of(0.1, width)
        assert pyodide_floats.next_up(1.5, width) == floats.next_up(1.5, width)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed")
@pytest.mark.skipif(not FOLDER, reason="PYODIDE names no folder")
def test_they_pass_in_pyodide(browser):
    report = run(browser, Path(FOLDER))
    print(report_text(report))
    assert report.about["bits"] == 32
    assert not report.failures(), report_text(report)
    assert report.counts()["passed"] >= N_AT_LEAST
    assert sum(report.missed.values()) < 50, "kernels ran as Python: see the list's end"
    repeated = Counter(test["test"] for test in report.tests).most_common(1)
    assert repeated[0][1] == 1, "a test was told of twice"
    # The watch sees what the worker asks for, and all of it stays on this machine.
    assert any(".whl" in url for url in report.asked)
    assert [url for url in report.asked if not url.startswith((report.address, "data:"))] == []
