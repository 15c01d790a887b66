"""A few inputs of each target of the fuzzer, in the page's Python: no numba, no process."""

import pytest

pytest.importorskip("pyodide", reason="test_fuzz.py throws more of them, in processes")

from benchmarks.fuzz import ROOMS
from benchmarks.fuzz.__main__ import targets_of
from benchmarks.fuzz.harness import FAULT, judge

INPUTS = 10  # of each target
# What interrupts a process, starts a thread, or nests so deeply that Pyodide ends.
LEFT_OUT = {
    "interrupts", "interrupt", "interrupted fit", "shard after its check", "football json",
}  # fmt: skip
TARGETS = [
    pytest.param(target, id=f"{room}, {target.name}")
    for room in ROOMS[:-1]  # the last is the frame, which draws with matplotlib
    for target in targets_of(room)
    if target.name not in LEFT_OUT
]


# What numpy leaves open of a damaged file is closed by the collector.
@pytest.mark.filterwarnings(
    "ignore::UserWarning",
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)
@pytest.mark.parametrize("target", TARGETS)
def test_no_input_is_a_fault(target):
    judged = [judge(target, seed) for seed in range(INPUTS)]
    assert [what for kind, what in judged if kind == FAULT] == []
