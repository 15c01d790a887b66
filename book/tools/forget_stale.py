"""Forget the cached outputs of notebooks whose library, exhibits or data have changed.

The cache that the build uses knows a notebook by its code alone. Each notebook also depends on what
all rooms and chapters share, on the frame (not on what only the page needs), on the rooms and
chapters that it names, their data files, the installed packages, and the records that GAMEAI_DATA
adds: ``python -m book.tools.forget_stale`` removes what was computed from others.
"""

import hashlib
import json
import os
import re
import sys
from pathlib import Path

from jupyter_cache import get_cache

from gameai_lib.base.files import write_whole

ROOT = Path(__file__).parents[2]
CACHE = Path("_build/.jupyter_cache")
PACKAGES = ("gameai_lib", "book/gameai_book")  # a room has its chapter's name in the other
FRAME = "book/touchbook"
TOGETHER = "together"  # what joins rooms depends on all of them


def key_of(notebook, root=ROOT):
    """A number of all that the outputs of `notebook` depend on, its own text aside."""
    packages = [root / name for name in PACKAGES]
    rooms = {path.parent.name for p in packages for path in p.glob("*/__init__.py")} - {"base"}
    text = notebook.read_text(encoding="utf-8")
    named = rooms & set(re.findall(r"(?:gameai_lib|gameai_book)\.(\w+)", text))
    files = [root / "requirements.lock", *(packages[0] / "base").rglob("*.py")]
    for package in packages:
        files += package.glob("*.py")
        for room in rooms if not named or TOGETHER in named else named:
            files += (p for p in (package / room).rglob("*") if "__pycache__" not in p.parts)
    # Not its scripts and styles: no output holds them.
    pages = root / FRAME / "page"
    files += (p for p in (root / FRAME).rglob("*.py") if not p.is_relative_to(pages))
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(filter(Path.is_file, files)):
        digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    digest.update(json.dumps(_records()).encode())
    return digest.hexdigest()


def _records():
    """Names, sizes and times of the files in GAMEAI_DATA; reading them all takes too long."""
    folder = os.environ.get("GAMEAI_DATA")
    files = sorted(p for p in Path(folder).rglob("*") if p.is_file()) if folder else []
    return [(str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in files]


def forget_stale(root=ROOT):
    """Remove cached outputs that another library or other data gave; return their names."""
    cache = get_cache(root / CACHE)
    keys = {path.name: key_of(path, root) for path in (root / "book").glob("*.ipynb")}
    stored = root / CACHE / "keys.json"
    before = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    stale = [
        record
        for record in cache.list_cache_records()
        if before.get(Path(record.uri).name) != keys.get(Path(record.uri).name)
    ]
    for record in stale:
        cache.remove_cache(record.pk)
    write_whole(stored, json.dumps(keys, indent=1))
    return [Path(record.uri).name for record in stale]


if __name__ == "__main__":
    for name in forget_stale():
        print(f"{name} will be executed again: what it depends on has changed")
