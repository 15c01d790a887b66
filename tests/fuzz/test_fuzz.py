"""A short part of `python -m benchmarks.fuzz`, and what its harness takes for a fault."""

import os
import signal
import time

import numpy as np
import pytest

pytest.importorskip("resource", reason="processes cannot be limited here")

from benchmarks.fuzz import ROOMS, Fault, Target
from benchmarks.fuzz.__main__ import shares, targets_of
from benchmarks.fuzz.harness import interrupted, is_possible, run_target
from benchmarks.fuzz.mutants import damaged, damaged_json, spoiled
from gameai_lib.hanabi import v0_belief

pytestmark = pytest.mark.skipif(not is_possible(), reason="memory cannot be limited here")

INPUTS = 200  # of each room; the long run tries hundreds of times as many


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_a_short_part_of_the_long_run_finds_no_fault(room):
    targets = targets_of(room)
    results = [
        run_target(target, range(n))
        for target, n in zip(targets, shares(targets, INPUTS), strict=True)
    ]
    faults = [(r.target, *fault) for r in results for fault in r.faults]
    assert not faults
    assert sum(r.n_inputs for r in results) >= INPUTS
    assert all(sum(getattr(r, kind) for r in results) for kind in ("n_named", "n_accepted"))


def outcome(run, **limits):
    """What becomes of one input, for which `run` is called."""
    (result,) = [run_target(Target("own", lambda rng: 7, run, **limits), range(1))]
    return "named" if result.n_named else result.faults[0][1] if result.faults else "accepted"


def endless(_):
    """Never return."""
    while True:
        time.sleep(1)


def deep(_):
    """Recurse without end."""
    return deep(_)


def wrong(_):
    """Say that a result is wrong."""
    raise Fault("2 is not 3")


@pytest.mark.parametrize(
    ("run", "what"),
    [
        (lambda _: None, "accepted"),
        (lambda _: v0_belief([-1], [[True]]), "named"),
        (lambda _: np.zeros(3)[7], "IndexError"),
        (lambda _: int("seven"), "ValueError: "),
        (lambda _: np.float64(1e308) * 10, "RuntimeWarning: "),
        (lambda _: np.zeros(2**32), "MemoryError or _ArrayMemoryError"),
        (lambda _: os.kill(os.getpid(), signal.SIGSEGV), "SIGSEGV"),
        (lambda _: os._exit(3), "exit 3"),
        (deep, "RecursionError"),
        (wrong, "wrong result: 2 is not 3"),
    ],
)
def test_the_harness_knows_a_fault(run, what):
    found = outcome(run)
    assert any(found.startswith(start) for start in what.split(" or ")), found


def test_a_hang_is_a_fault_and_the_inputs_after_it_are_tried(monkeypatch):
    monkeypatch.setattr("benchmarks.fuzz.harness.FIRST_INPUT_SECONDS", 0.3)

    def run(number):
        if number % 3 == 0:
            endless(number)

    target = Target("own", lambda rng: int(rng.integers(10**9)), run, seconds=0.3)
    result = run_target(target, range(9))
    assert result.n_inputs == 9
    assert 0 < len(result.faults) < 9
    assert all("hang" in what for _, what in result.faults)


def test_interrupts_arrive_and_a_swallowed_one_is_a_fault():
    assert interrupted(lambda: time.sleep(5), 0.01) is not None
    assert interrupted(lambda: None, 0.05) is None

    def swallow():
        try:
            time.sleep(5)
        except KeyboardInterrupt:
            return

    with pytest.raises(Fault, match="swallowed"):
        interrupted(swallow, 0.01)


def test_inputs_depend_on_the_seed_alone_and_differ():
    def make(seed):
        rng = np.random.default_rng(seed)
        return (
            damaged(b"a few bytes", rng),
            damaged_json([1, {"a": 2}], rng),
            str(spoiled({"a": 1}, rng)),
        )

    assert make(3) == make(3)
    assert len({make(seed) for seed in range(30)}) > 25
