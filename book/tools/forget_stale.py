"""Forget the cached outputs of notebooks whose library or data has changed.

The cache that the build uses knows a notebook by its code alone. Each notebook also depends
on the modules that all rooms share (not on what only the page needs), on the rooms that it
names, their data files, the installed packages, and the records that GAMEAI_DATA adds:
``python -m book.tools.forget_stale`` removes what was computed from others.
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
SHARED = ("base", "touch")  # what every notebook stands on


def key_of(notebook, root=ROOT):
    """A number of all that the outputs of `notebook` depend on, its own text aside."""
    library = root / "gameai_lib"
    rooms = {path.parent.name for path in library.glob("*/__init__.py")} - {*SHARED, "page"}
    named = rooms & set(re.findall(r"gameai_lib\.(\w+)", notebook.read_text(encoding="utf-8")))
    files = [*library.glob("*.py"), root / "requirements.lock"]
    for shared in SHARED:  # not its scripts and styles: no output holds them
        files += (library / shared).rglob("*.py")
    for room in named or rooms:
        files += (p for p in (library / room).rglob("*") if "__pycache__" not in p.parts)
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
