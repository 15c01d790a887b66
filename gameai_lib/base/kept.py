"""Keep compiled kernels in one folder, by the text of all that they may be compiled from.

By itself numba keeps them beside their source and looks at that one file: a helper edited in
another is not noticed, and a fresh checkout compiles everything anew. `make` has this locator in
NUMBA_CACHE_LOCATOR_CLASSES and its folder in NUMBA_CACHE_DIR; without them numba does as usual.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import time
from pathlib import Path

from numba.core import config

from gameai_lib.base import private

LIBRARY = Path(__file__).parents[1]
DAYS = 14  # for which kernels are kept that nobody has asked for


class ByContent(private.cache_locator()):  # type: ignore[misc]
    """Finds the kernels of a room in a folder that is named after the room's whole text."""

    ROOT = LIBRARY  #: of the package whose kernels it finds

    def __init__(self, function, path):
        self._path = path.relative_to(self.ROOT)
        self._py_file = str(path)  # of which numba may have to warn
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function, file):
        """The locator of a function; None for one that is not of this package."""
        path = Path(file).resolve()
        if not (config.CACHE_DIR and path.is_relative_to(cls.ROOT) and path.is_file()):
            return None
        locator = cls(function, path)
        _make_folder(locator.get_cache_path())
        return locator

    def get_cache_path(self):
        """The folder of the room as it is now."""
        room = self._path.parts[0]
        return os.path.join(config.CACHE_DIR, f"{room}-{self.get_source_stamp()[:16]}")

    def get_source_stamp(self):
        """A number of all that the function may be compiled from."""
        return text_of(LIBRARY, self._path.parts[0])

    def get_disambiguator(self):
        """Where in the room it stands: files of two places may have one name."""
        return f"{'.'.join(self._path.with_suffix('').parts[1:])}-{self._line}"


@functools.cache
def text_of(library, room):
    """A number of the text of a room and of `base`; of all rooms where they meet, in `together`."""
    digest = hashlib.sha256()
    folders = (library,) if room == "together" else (library / room, library / "base")
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(f"{path.relative_to(library)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _make_folder(path):
    """Make the folder, or say that it is still in use; remove what has long not been used."""
    path = Path(path)
    path.mkdir(parents=True, exist_ok=True)
    os.utime(path)
    for other in path.parent.glob("*-" + 16 * "[0-9a-f]"):
        with contextlib.suppress(OSError):  # another process may have removed it
            if other.stat().st_mtime < time.time() - 86400 * DAYS:
                shutil.rmtree(other)
