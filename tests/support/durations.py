"""How long each test took; a quick one that is far too long twice in a row fails the run on CI.

A busy machine makes every test long, so what counts is the time of the processor, or a third of
the time of the clock for a test that only waits; and what fails is twice what is told.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 5.0  # told above it, failed above twice as much
NOT_QUICK = {"slow", "browser"}


class Durations:
    """A plugin of pytest that writes the seconds of each test to ``_build/durations/tests.json``.

    The environment variable ``DURATIONS`` names another file. Where ``CI`` is set, tests that are
    neither slow nor in a browser and took far too long are run once more, alone: the first of
    them may have had to compile.
    """

    def __init__(self):
        place = os.environ.get("DURATIONS") or ROOT / "_build" / "durations" / "tests.json"
        self.path = Path(place)
        self.seconds, self.cpu_seconds, self.counted = defaultdict(float), {}, {}
        self.failed = []

    def pytest_runtest_logreport(self, report):
        """Add up the phases of a test; what it shares with others may take its time."""
        name, at, group = report.nodeid.rpartition("@")  # xdist writes the group behind the name
        if not at or "]" in group:
            name = report.nodeid
        self.seconds[name] += report.duration
        if report.when != "call":
            return
        self.cpu_seconds[name] = dict(report.user_properties).get("cpu_seconds", report.duration)
        counted = max(self.cpu_seconds[name], report.duration / 3)
        if counted > MOST_SECONDS and not NOT_QUICK & set(report.keywords):
            self.counted[name] = counted

    def pytest_sessionfinish(self, session):
        """Write them down; on CI, try again what was far too slow."""
        far = sorted(name for name, counted in self.counted.items() if counted > 2 * MOST_SECONDS)
        report = {"far_too_long": far}
        for kind, seconds in ("cpu_seconds", self.cpu_seconds), ("seconds", self.seconds):
            longest_first = sorted(seconds.items(), key=lambda pair: -pair[1])
            report[kind] = {name: round(value, 2) for name, value in longest_first}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(report, indent=1))
        if os.environ.get("CI") and far:
            self.failed = far_too_long_alone(far)
            session.exitstatus = session.exitstatus or bool(self.failed)

    def pytest_terminal_summary(self, terminalreporter):
        """Name those that took too long."""
        for name, counted in sorted(self.counted.items()):
            line = f"{counted:.1f} s, and not marked slow: {name}"
            terminalreporter.write_line("too long, twice: " + line if name in self.failed else line)


def cpu_seconds():
    """Seconds of the processor that this process and its ended children have taken."""
    return sum(os.times()[:4])


def far_too_long_alone(names):
    """Those of some tests that take far too long, or never end, when they are run alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "durations.json"
        environment = os.environ | {"DURATIONS": str(path), "CI": ""}
        command = [sys.executable, "-m", "pytest", "-q", "-n", "1", *names]
        subprocess.run(command, env=environment, cwd=ROOT)
        return json.loads(path.read_text())["far_too_long"] if path.exists() else names
