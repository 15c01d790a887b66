"""The part of `pyodide_units` that runs in Pyodide: pytest, with an event for each test."""

import contextlib
import io
import json
import platform
import sys

import hypothesis
import numpy as np
import pytest

import gameai_book.kernels  # noqa: F401  first of all, as in a page
from touchbook.page.wasm import MISSED

# No cache, and no file descriptors to capture.
OPTIONS = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", "--tb=short"]


class Reporter:
    """Tells what becomes of each test, as soon as it is known.

    Parameters
    ----------
    send : callable
        Takes one event as a JSON text.
    """

    def __init__(self, send):
        self._send = send
        self._seconds = 0.0

    def send(self, kind, **fields):
        """Send one event."""
        self._send(json.dumps({"kind": kind} | fields))

    def pytest_collectreport(self, report):
        """Tell of a file that could not be imported, or asked to be skipped."""
        if report.failed or report.skipped:
            self._tell(report)

    def pytest_runtest_logstart(self, nodeid):
        """Tell its name, which is wanted if it never ends."""
        self._seconds = 0.0
        self.send("start", test=nodeid)

    def pytest_runtest_logreport(self, report):
        """Tell what became of one of its three phases, if that is news."""
        self._seconds += report.duration
        if report.when == "call" or not report.passed:
            self._tell(report)

    def _tell(self, report):
        words = report.longreprtext[-6000:]
        if isinstance(report.longrepr, tuple):  # place, line and reason of a skip
            words = report.longrepr[2].removeprefix("Skipped: ")
        fields = {"outcome": report.outcome, "seconds": round(self._seconds, 3), "words": words}
        self.send("test", test=report.nodeid, **fields)


def main(order, send):
    """Run tests.

    Parameters
    ----------
    order : str
        JSON text with `files`, the paths of test files.
    send : callable
        Takes each event as a JSON text.
    """
    files = json.loads(order)["files"]
    reporter = Reporter(send)
    reporter.send(
        "begin",
        python=platform.python_version(),
        platform=sys.platform,
        bits=sys.maxsize.bit_length() + 1,
        numpy=np.__version__,
    )
    # The same examples each time; how long they take says nothing here.
    hypothesis.settings.register_profile(
        "pyodide",
        derandomize=True,
        database=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("pyodide")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = pytest.main([*OPTIONS, "-m", "not slow and not browser", *files], plugins=[reporter])
    if code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        reporter.send("end", missed=dict(MISSED.most_common()))
    else:
        reporter.send("error", words=f"pytest ended with {code!r}\n{printed.getvalue()[-6000:]}")
