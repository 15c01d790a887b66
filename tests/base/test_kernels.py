"""The kernels that pages run compiled: made from their sources, and the same as numba's."""

import json
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from gameai_book.kernels import LIST, MODULE
from gameai_lib.nrpa import FlatMonteCarlo, leftmove
from gameai_lib.nrpa.search.arrays import new_game
from touchbook.page import wasm

ROOT = Path(__file__).parents[2]
LISTED = json.loads(LIST.read_text(encoding="utf-8"))
# What numba's calls did, recorded for the Python in the page (tests.support.pyodide_units).
CALLS = ROOT / "calls.pickle"
# Where the two mathematical libraries, or the order of a sum, differ in the last digits.
NEARLY = 1e-12

only_here = pytest.mark.skipif(wasm.IN_A_PAGE, reason="is about the checkout")
only_there = pytest.mark.skipif(not CALLS.exists(), reason="numba's calls were not recorded")


@only_here
def test_the_module_was_compiled_from_these_sources_and_holds_nothing_of_the_machine():
    record = pytest.importorskip("book.tools.kernels.record", reason="needs numba")
    assert record.stamp_of(LISTED["kernels"]) == LISTED["made of"], "type make kernels"
    content = MODULE.read_bytes()
    assert content[:4] == b"\0asm"
    for path in {str(ROOT), str(Path.home()), sys.prefix}:
        assert path.encode() not in content


@only_here
def test_a_kernel_is_made_of_its_helpers_and_numbers_too(monkeypatch):
    record = pytest.importorskip("book.tools.kernels.record", reason="needs numba")
    from gameai_book.nrpa.measure import codes
    from gameai_lib.nrpa.search import kernels

    place = "gameai_lib.nrpa.search.kernels:leftmove_nrpa"
    before = record.stamp_of([place])
    with monkeypatch.context() as patch:
        patch.setitem(kernels.climb.py_func.__globals__, "REPEATS", 7)
        assert record.stamp_of([place]) != before
    with monkeypatch.context() as patch:
        patch.setattr(record.inspect, "getsource", lambda function: function.__name__)
        assert record.stamp_of([place]) != before
    assert record.stamp_of([place]) == before
    place = "gameai_lib.hanabi.players.rules:hint_asking"  # which names the numbers of a module
    before = record.stamp_of([place])
    with monkeypatch.context() as patch:
        patch.setattr("gameai_lib.hanabi.game.table.HINTS", 1)
        assert record.stamp_of([place]) != before
    texts = {}  # a helper of the exhibits is part of a kernel, too
    record._read(codes._by_path.py_func, texts)
    assert "gameai_book.nrpa.measure.codes:_mix" in texts


def test_an_array_is_read_where_it_lies():
    numbers = np.arange(24.0).reshape(2, 3, 4)[:, 1:, ::2]
    words = []
    wasm._read(numbers, [], words)
    assert words[4] == numbers.__array_interface__["data"][0]
    assert words[5:] == [2, 2, 2, *numbers.strides]


def test_what_no_kernel_is_listed_for_runs_as_python_and_is_counted():
    kernel = wasm.Kernel(lambda *values: values, {})
    before = wasm.MISSED.total()
    for value in (None, "text", [1], {}, 2**70, np.float32(0.5), np.bool_(True), np.zeros(2)):
        assert kernel(value, 1)[0] is value
    assert wasm.MISSED.total() == before + 8
    for name in [name for name in wasm.MISSED if "<lambda>" in name]:
        del wasm.MISSED[name]


def calls():
    return pickle.loads(CALLS.read_bytes()) if CALLS.exists() else {}


@only_there
def test_every_kernel_was_recorded():
    assert {*calls()} == {
        (place, kind) for place, kinds in LISTED["kernels"].items() for kind in kinds
    }


@only_there
@pytest.mark.parametrize("call", sorted(calls()), ids=lambda call: call[0].partition("lib.")[2])
def test_a_kernel_does_what_numba_does(call):
    from book.tools.kernels.record import kernel_at

    before, after, result = calls()[call]
    orders = re.findall(r"[CAF](?=[,)]|$)", call[1])
    before = laid_out(before, iter(orders))
    kernel = kernel_at(call[0])
    assert isinstance(kernel, wasm.Kernel)
    missed = wasm.MISSED.total()
    returned = kernel(*before)
    assert wasm.MISSED.total() == missed
    same(returned, result)
    same(before, after)


def laid_out(value, orders):
    """Arguments as they were: copies are contiguous."""
    if isinstance(value, tuple):
        made = [laid_out(one, orders) for one in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, np.ndarray) and next(orders) == "A":
        return np.stack([value, value], axis=-1)[..., 0]
    return value


def same(here, numbas):
    """Whole numbers and random numbers to the last bit, others nearly."""
    if isinstance(numbas, tuple):
        assert type(here) is type(numbas)
        assert len(here) == len(numbas)
        for one, other in zip(here, numbas, strict=True):
            same(one, other)
    elif isinstance(numbas, np.random.Generator):
        assert here.bit_generator.state == numbas.bit_generator.state
    elif isinstance(numbas, np.ndarray):
        assert (here.dtype, here.shape) == (numbas.dtype, numbas.shape)
        if numbas.dtype.kind == "f":
            np.testing.assert_allclose(here, numbas, rtol=NEARLY, atol=NEARLY)
        else:
            assert np.array_equal(here, numbas)
    elif isinstance(numbas, float):
        assert here == pytest.approx(numbas, rel=NEARLY, abs=NEARLY, nan_ok=True)
    else:
        assert (type(here), here) == (type(numbas), numbas)


def test_an_error_comes_out_in_words():
    search = FlatMonteCarlo(leftmove(10), 1)
    search._arrays = search._arrays._replace(game=new_game(leftmove(6)))
    with pytest.raises(IndexError, match="a game exceeds max_legal or max_plies of its problem"):
        search.run(5)
