"""What the library uses of others' private parts is still there, and still does what it did."""

import signal

import pytest

from gameai_lib.base import private
from tests.base.test_borders import LIBRARY, files_of, imported


def test_the_c_functions_of_signals_are_those_that_python_wraps():
    before = signal.getsignal(signal.SIGINT)
    assert private.c_signal.getsignal(private.c_signal.SIGINT) is before
    assert private.c_signal.signal(signal.SIGINT, before) is before
    assert callable(private.c_signal.raise_signal)


def test_numba_has_the_options_and_asks_once_for_each_kind_of_arguments():
    numba = pytest.importorskip("numba")
    events = []

    class Block:
        def __enter__(self):
            events.append("begin")

        def __exit__(self, *_error):
            events.append("end")

    for option in (private.COUNTED, private.UNCOUNTED):
        kernel = numba.njit(**option)(lambda x: x + 1)
        private.compile_within(kernel, Block)
        assert [kernel(1), kernel(2), kernel(0.5)] == [2, 3, 1.5]
    assert events == ["begin", "end"] * 4
    asked = {"from_function", "get_cache_path", "get_source_stamp", "get_disambiguator"}
    assert asked <= {*dir(private.cache_locator())}


def test_a_bar_counts_from_when_it_is_told():
    tqdm = pytest.importorskip("tqdm").tqdm
    with tqdm(total=3, disable=False) as bar:
        before = bar.start_t
        private.start_earlier(bar, 2)
        assert bar.start_t == before - 2
    private.start_earlier(tqdm(disable=True), 2)


def test_no_other_file_imports_what_is_private():
    for path in files_of(LIBRARY):
        foreign = [name for name in imported(path) if not name.startswith("gameai_lib.")]
        odd = [name for name in foreign if "._" in f".{name}".replace("__future__", "")]
        assert path.name == "private.py" or not odd, (path, odd)
