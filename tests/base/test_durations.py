"""A quick test that is slow twice in a row is found; one that had to compile is not."""

import os

import pytest

from tests.support import durations
from tests.support.durations import Durations, without_group


class Report:
    """What pytest tells of a test."""

    def __init__(self, name, seconds, *marks, when="call", cpu=None):
        self.nodeid, self.duration, self.when, self.keywords = name, seconds, when, marks
        self.user_properties = [("cpu_seconds", seconds if cpu is None else cpu)]


@pytest.fixture
def session(tmp_path, monkeypatch):
    """Ends a session in which these reports came; returns its exit status and what it told."""

    def end(*reports, ci, seconds_alone):
        monkeypatch.setenv("DURATIONS", str(tmp_path / "durations.json"))
        monkeypatch.setenv("CI", ci)
        monkeypatch.setattr(durations, "MOST_SECONDS", 5.0)
        monkeypatch.setattr(
            durations,
            "too_long_alone",
            lambda names: {name for name in names if seconds_alone[name] > 5},
        )
        plugin = Durations()
        for report in reports:
            plugin.pytest_runtest_logreport(report)
        session = type("Session", (), {"exitstatus": 0})
        plugin.pytest_sessionfinish(session)
        return session.exitstatus, plugin.too_long, (tmp_path / "durations.json").read_text()

    return end


def test_slow_twice_fails_on_ci_and_nowhere_else(session):
    reports = [
        Report("t.py::a@t", 9.0),
        Report("t.py::b@t", 7.0),
        Report("t.py::c@t", 60.0, "slow"),
        Report("t.py::d@t", 60.0, when="setup"),
        Report("t.py::busy@t", 14.0, cpu=4.0),
        Report("t.py::idle@t", 16.0, cpu=1.0),
    ]
    seconds = {"t.py::a": 1.0, "t.py::b": 6.0, "t.py::idle": 6.0}
    status, too_long, text = session(*reports, ci="true", seconds_alone=seconds)
    assert (bool(status), too_long) == (True, {"t.py::b", "t.py::idle"})
    assert '"t.py::a": 9.0' in text
    assert not session(*reports, ci="", seconds_alone=seconds)[0]
    assert not session(*reports[::2], ci="true", seconds_alone=seconds)[0]


def test_the_group_is_no_part_of_a_name():
    assert without_group("tests/t.py::test_it[a@b]@group") == "tests/t.py::test_it[a@b]"
    assert without_group("tests/t.py::test_it[a@b]") == "tests/t.py::test_it[a@b]"
    assert without_group("tests/t.py::test_it") == "tests/t.py::test_it"


def test_tests_of_a_file_share_a_worker(request):
    if "PYTEST_XDIST_WORKER" not in os.environ or not request.config.getvalue("loadgroup"):
        pytest.skip("only where workers take whole groups")
    assert request.node.nodeid.endswith("@test_durations")
