"""Compiled kernels are found again in another checkout with the same text, and in no other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="without numba nothing is compiled")

from gameai_book.kept import ByContent
from gameai_lib.base.kept import LIBRARY

LOCATOR = "gameai_lib.base.kept.ByContent,gameai_book.kept.ByContent,InTreeCacheLocator"
HELPER = """
from gameai_lib.base.jit import njit


@njit(cache=True)
def twice(x):
    return 2 * x
"""
KERNEL = """
from gameai_lib.base.jit import njit
from gameai_lib.room.helper import twice


@njit(cache=True)
def kernel(x):
    return twice(x) + 1
"""
CALL = """
from gameai_lib.room.kernel import kernel
print(kernel(20), len(kernel.stats.cache_hits))
"""
SHOWN = """
from gameai_lib.base.jit import njit
from gameai_lib.room.kernel import kernel
from gameai_book.room.less import less


@njit(cache=True)
def shown(x):
    return less(kernel(x))
"""
LESS = """
from gameai_lib.base.jit import njit


@njit(cache=True)
def less(x):
    return x - 1
"""
CALL_SHOWN = """
from gameai_book.room.shown import shown
print(shown(20), len(shown.stats.cache_hits))
"""


@pytest.fixture
def checkout(tmp_path):
    """Makes a checkout of a library with one room."""

    def make(name):
        library = tmp_path / name / "gameai_lib"
        (library / "room").mkdir(parents=True)
        (library / "__init__.py").touch()
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(LIBRARY / "base", library / "base", ignore=ignored)
        (library / "room" / "helper.py").write_text(HELPER)
        (library / "room" / "kernel.py").write_text(KERNEL)
        exhibits = tmp_path / name / "gameai_book"
        (exhibits / "room").mkdir(parents=True)
        for source in ("__init__.py", "kept.py"):
            shutil.copy(ByContent.ROOT / source, exhibits)
        (exhibits / "room" / "shown.py").write_text(SHOWN)
        (exhibits / "room" / "less.py").write_text(LESS)
        return library / "room"

    return make


def answer(room, cache, call=CALL):
    """What the room's kernel gives, and whether it was found."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "NUMBA_CACHE_LOCATOR_CLASSES": LOCATOR,
        "PYTHONPATH": str(room.parents[1]),
    }
    command = [sys.executable, "-c", call]
    answer = subprocess.run(
        command, env=environment, cwd=room.parents[1], check=True, capture_output=True, text=True
    )
    return answer.stdout.split()


@pytest.mark.slow
def test_a_kernel_is_kept_for_every_checkout_until_any_file_of_its_room_changes(checkout, tmp_path):
    cache = tmp_path / "cache"
    old = cache / f"room-{16 * 'a'}"
    old.mkdir(parents=True)
    (cache / "other").mkdir()
    for folder in (old, cache / "other"):
        os.utime(folder, (0, 0))
    one, other = checkout("one"), checkout("other")
    assert answer(one, cache) == ["41", "0"]
    assert answer(other, cache) == ["41", "1"]
    helper = other / "helper.py"
    helper.write_text(HELPER.replace("2 * x", "3 * x"))  # as long as before
    assert answer(other, cache) == ["61", "0"]
    assert answer(one, cache) == ["41", "1"]
    assert not list(Path(one.parent).rglob("*.nbc"))
    assert not old.exists()
    assert (cache / "other").exists()


@pytest.mark.slow
def test_an_edit_in_a_chapter_or_in_the_room_below_it_compiles_an_exhibit_anew(checkout, tmp_path):
    cache, room = tmp_path / "cache", checkout("one")
    assert answer(room, cache, CALL_SHOWN) == ["40", "0"]
    assert answer(room, cache, CALL_SHOWN) == ["40", "1"]
    less = room.parents[1] / "gameai_book" / "room" / "less.py"
    less.write_text(LESS.replace("x - 1", "x - 2"))
    assert answer(room, cache, CALL_SHOWN) == ["39", "0"]
    (room / "helper.py").write_text(HELPER.replace("2 * x", "3 * x"))
    assert answer(room, cache, CALL_SHOWN) == ["59", "0"]
    assert not list(room.parents[1].rglob("*.nbc"))
