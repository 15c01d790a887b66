"""The part of `pyodide_units` that runs in Pyodide: pytest, whose words are sent as they come."""

import contextlib
import io
import json
import platform
import sys

import numpy as np
import pytest

import gameai_book.kernels  # noqa: F401  first of all, as in a page
from touchbook.page.wasm import MISSED

# No cache, and no file descriptors to capture; a name is told before its test begins.
OPTIONS = ["-v", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", "--tb=short"]
OPTIONS += ["--durations=15", "-m", "not slow and not browser"]


class Teller(io.TextIOBase):
    """Sends what is written, and counts what became of the tests."""

    def __init__(self, send):
        self.send = send
        self.counts = {}

    def write(self, text):
        self.send(json.dumps({"text": text}))
        return len(text)

    def pytest_terminal_summary(self, terminalreporter):
        self.counts = {kind: len(found) for kind, found in terminalreporter.stats.items()}


def main(files, send):
    """Run test files; each event is sent as a JSON text, the last of them is the `end`."""
    teller, bits = Teller(send), sys.maxsize.bit_length() + 1
    with contextlib.redirect_stdout(teller), contextlib.redirect_stderr(teller):
        print(f"Python {platform.python_version()}, {bits} bits, numpy {np.__version__}")
        code = pytest.main([*OPTIONS, *files], plugins=[teller])
        for name, n_calls in MISSED.most_common():
            print(f"ran as Python: {n_calls:7} {name}")
    end = {"code": int(code), "bits": bits, "missed": MISSED.total(), "counts": teller.counts}
    send(json.dumps({"end": end}))
