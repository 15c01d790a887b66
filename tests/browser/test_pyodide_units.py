"""Unit tests of what makes numbers also pass in Pyodide."""

import os
from pathlib import Path

import pytest

from tests.support.pyodide_units import run

FOLDER = os.environ.get("PYODIDE")
N_AT_LEAST = 440


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="PYODIDE names no folder")
def test_they_pass_in_pyodide(browser):
    report = run(browser, Path(FOLDER))
    print(report.text)
    assert report.code == 0
    assert report.bits == 32
    assert report.counts["passed"] >= N_AT_LEAST
    assert report.missed < 50, "kernels ran as Python: see the list's end"
    assert report.elsewhere == []
