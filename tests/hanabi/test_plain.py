"""Short jobs run as plain Python at first: beliefs and moves are those of the compiled kernels."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from gameai_book.hanabi import cases
from gameai_lib.base import jit
from gameai_lib.hanabi import v1_result
from gameai_lib.hanabi.belief.exact import SMALL_TABLE, n_deals
from gameai_lib.hanabi.belief.v1 import FEW_STEPS, V1Settings

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="there is nothing but plain Python")


@pytest.fixture
def both(monkeypatch):
    """What a function returns in plain Python, and compiled."""

    def answers(function, *arguments):
        for seconds in (60.0, 0.0):
            monkeypatch.setattr(jit, "_plain_left", seconds)
            yield function(*arguments)

    return answers


def test_what_takes_longer_goes_on_compiled(both):
    """A star of many slots needs more steps, and slots that all differ a larger table."""
    star = cases.star(7)
    slow = partial(v1_result, settings=V1Settings(damping=0.02))
    plain, compiled = both(slow, star.candidates, star.hint_mask)
    assert plain.n_iterations == compiled.n_iterations > FEW_STEPS
    assert plain.belief == pytest.approx(compiled.belief, abs=0)
    rng = np.random.default_rng(3)
    mask = rng.random((12, 14)) < 0.7
    plain, compiled = both(n_deals, np.full(14, 2), mask)
    assert plain == compiled > SMALL_TABLE


def test_time_is_counted_once_and_nested_jobs_share_it(monkeypatch):
    monkeypatch.setattr(jit, "_plain_left", 60.0)
    with jit.plain_at_first() as outer, jit.plain_at_first() as inner:
        assert outer
        assert inner
    left = jit._plain_left
    assert left < 60
    with jit.plain_at_first(is_short=False) as is_plain:
        assert not is_plain
    monkeypatch.setattr(jit, "_plain_left", 0.0)
    with jit.plain_at_first() as is_plain:
        assert not is_plain


def test_another_thread_runs_what_is_compiled(monkeypatch):
    monkeypatch.setattr(jit, "_plain_left", 60.0)
    kernel = jit.Kernel(lambda: "plain", False, {})
    vars(kernel)["compiled"] = lambda: "compiled"
    with jit.plain_at_first(), ThreadPoolExecutor(1) as pool:
        assert kernel() == "plain"
        assert pool.submit(kernel).result() == "compiled"
