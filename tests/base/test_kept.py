"""Compiled kernels are found again in another checkout with the same text, and in no other."""

import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("numba", reason="without numba nothing is compiled")

from gameai_book.kept import ByContent
from gameai_lib.base.kept import LIBRARY, text_of

LOCATOR = "gameai_lib.base.kept.ByContent,gameai_book.kept.ByContent,InTreeCacheLocator"
# Of a room and of the chapter above it: a kernel, and one that it calls in another file.
SOURCES = {
    "gameai_lib/room/sub/two": "{}\ndef twice(x):\n    return 2 * x\n",
    "gameai_lib/room/kernel": "from gameai_lib.room.sub.two import twice\n\n\n"
    "{}\ndef kernel(x):\n    return twice(x) + 1\n",
    "gameai_book/room/less": "{}\ndef less(x):\n    return x - 1\n",
    "gameai_book/room/shown": "from gameai_lib.room.kernel import kernel\n"
    "from gameai_book.room.less import less\n\n\n{}\ndef shown(x):\n    return less(kernel(x))\n",
}
CALL = """
from gameai_book.room.shown import shown
from gameai_lib.room.kernel import kernel
for one in kernel, shown:
    print(one(20), len(one.stats.cache_hits))
"""


def make_checkout(root):
    """Make a checkout of a library with one room, and of a book with its chapter."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(LIBRARY / "base", root / "gameai_lib" / "base", ignore=ignored)
    (root / "gameai_lib" / "__init__.py").touch()
    (root / "gameai_book").mkdir()
    for source in ("__init__.py", "kept.py"):
        shutil.copy(ByContent.ROOT / source, root / "gameai_book")
    for name, text in SOURCES.items():
        path = root / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("from gameai_lib.base.jit import njit\n" + text.format("@njit(cache=True)"))
    return root


def answer(root, cache):
    """What both kernels give, and which were found: 41 and 1, 40 and 1."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "NUMBA_CACHE_LOCATOR_CLASSES": LOCATOR,
        "PYTHONPATH": str(root),
    }
    command = [sys.executable, "-c", CALL]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not list(root.rglob("*.nbc"))
    return [int(word) for word in done.stdout.split()]


@pytest.mark.slow
def test_a_kernel_is_kept_for_every_checkout_until_what_it_is_made_of_changes(tmp_path):
    cache = tmp_path / "cache"
    old, other = cache / f"room-{16 * 'a'}", cache / "other"
    for folder in (old, other):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    one, two = (make_checkout(tmp_path / name) for name in ("one", "two"))
    assert answer(one, cache) == [41, 0, 40, 0]
    assert answer(two, cache) == [41, 1, 40, 1]
    assert not old.exists()
    assert other.exists()
    less, helper = two / "gameai_book/room/less.py", two / "gameai_lib/room/sub/two.py"
    less.write_text(less.read_text().replace("x - 1", "x - 2"))  # as long as before
    assert answer(two, cache) == [41, 1, 39, 0]
    helper.write_text(helper.read_text().replace("2 * x", "3 * x"))
    assert answer(two, cache) == [61, 0, 59, 0]
    assert answer(one, cache) == [41, 1, 40, 1]


@pytest.mark.parametrize(("room", "source"), [("room", "base/files"), ("together", "room/sub/two")])
def test_a_kernel_is_made_of_the_base_too_and_where_rooms_meet_of_all(room, source, tmp_path):
    library = make_checkout(tmp_path) / "gameai_lib"
    before = text_of.__wrapped__(library, room)
    (library / f"{source}.py").unlink()
    assert text_of.__wrapped__(library, room) != before
