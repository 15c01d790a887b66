"""How long each test took; a quick one that is slow twice in a row fails the run on CI.

A busy machine makes every test long, so what counts is the time of the processor, or a third of
the time of the clock for a test that only waits.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 5.0
NOT_QUICK = {"slow", "browser"}


class Durations:
    """A plugin of pytest that writes the seconds of each test to ``_build/durations/tests.json``.

    The environment variable ``DURATIONS`` names another file. Where ``CI`` is set, tests that are
    neither slow nor in a browser and took too long are run once more, alone: the first of them
    may have had to compile, and a busy machine lies.
    """

    def __init__(self):
        self.path = Path(
            os.environ.get("DURATIONS") or ROOT / "_build" / "durations" / "tests.json"
        )
        self.seconds = defaultdict(float)
        self.too_long = set()

    def pytest_runtest_logreport(self, report):
        """Add up the phases of a test; what it shares with others may take its time."""
        name = without_group(report.nodeid)
        self.seconds[name] += report.duration
        cpu_seconds = dict(report.user_properties).get("cpu_seconds", report.duration)
        is_long = max(cpu_seconds, report.duration / 3) > MOST_SECONDS
        if report.when == "call" and is_long and not NOT_QUICK & set(report.keywords):
            self.too_long.add(name)

    def pytest_sessionfinish(self, session):
        """Write them down; on CI, try again what was too slow."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        longest = sorted(self.seconds.items(), key=lambda pair: -pair[1])
        self.path.write_text(json.dumps({k: round(v, 2) for k, v in longest}, indent=1))
        if os.environ.get("CI") and self.too_long:
            self.too_long = too_long_alone(sorted(self.too_long))
            session.exitstatus = session.exitstatus or bool(self.too_long)

    def pytest_terminal_summary(self, terminalreporter):
        """Name those that took too long."""
        for name in sorted(self.too_long):
            terminalreporter.write_line(f"over {MOST_SECONDS:g} s, and not marked slow: {name}")


def cpu_seconds():
    """Seconds of the processor that this process and its ended children have taken."""
    return sum(os.times()[:4])


def without_group(name):
    """The name of a test without that of its group, which xdist writes behind it."""
    start, _, group = name.rpartition("@")
    return start if start and "]" not in group else name


def too_long_alone(names):
    """Those of some tests that take too long when nothing runs beside them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "durations.json"
        environment = os.environ | {"DURATIONS": str(path), "CI": ""}
        command = [sys.executable, "-m", "pytest", "-q", "-n", "1", *names]
        subprocess.run(command, env=environment, cwd=ROOT)
        seconds = json.loads(path.read_text()) if path.exists() else {}
    return {name for name in names if seconds.get(name, MOST_SECONDS + 1) > MOST_SECONDS}
