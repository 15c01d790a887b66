"""A quick test that is far too slow twice in a row is found; one that had to compile is not."""

import json
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
    """Ends a session in which these reports came; returns its exit status and what it wrote."""

    def end(*reports, ci, far_too_long_alone):
        path = tmp_path / "durations.json"
        monkeypatch.setenv("DURATIONS", str(path))
        monkeypatch.setenv("CI", ci)
        monkeypatch.setattr(durations, "MOST_SECONDS", 5.0)
        monkeypatch.setattr(durations, "far_too_long_alone", far_too_long_alone)
        plugin = Durations()
        for report in reports:
            plugin.pytest_runtest_logreport(report)
        session = type("Session", (), {"exitstatus": 0})
        plugin.pytest_sessionfinish(session)
        return bool(session.exitstatus), plugin, json.loads(path.read_text())

    return end


def test_far_too_slow_twice_fails_on_ci_and_nowhere_else(session):
    reports = [
        Report("t.py::a@t", 19.0),
        Report("t.py::b@t", 11.0),
        Report("t.py::told@t", 9.0),
        Report("t.py::c@t", 60.0, "slow"),
        Report("t.py::d@t", 60.0, when="setup"),
        Report("t.py::busy@t", 29.0, cpu=4.0),
        Report("t.py::idle@t", 31.0, cpu=1.0),
    ]
    far = ["t.py::a", "t.py::b", "t.py::idle"]
    failed, plugin, written = session(*reports, ci="true", far_too_long_alone=lambda far: far[1:])
    assert failed
    assert plugin.failed == far[1:]
    assert set(plugin.counted) == {*far, "t.py::told", "t.py::busy"}
    assert written["far_too_long"] == far
    assert written["seconds"]["t.py::a"] == 19.0
    assert not session(*reports, ci="true", far_too_long_alone=lambda far: [])[0]
    assert not session(*reports, ci="", far_too_long_alone=lambda far: far)[0]
    assert not session(*reports[2:-1], ci="true", far_too_long_alone=lambda far: ["called"])[0]


def test_the_group_is_no_part_of_a_name():
    assert without_group("tests/t.py::test_it[a@b]@group") == "tests/t.py::test_it[a@b]"
    assert without_group("tests/t.py::test_it[a@b]") == "tests/t.py::test_it[a@b]"
    assert without_group("tests/t.py::test_it") == "tests/t.py::test_it"


def test_tests_of_a_file_share_a_worker(request):
    if "PYTEST_XDIST_WORKER" not in os.environ or not request.config.getvalue("loadgroup"):
        pytest.skip("only where workers take whole groups")
    assert request.node.nodeid.endswith("@test_durations")
