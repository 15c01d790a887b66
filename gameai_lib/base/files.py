"""Files that are written whole or not at all."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from gameai_lib.base.types import FilePath


def write_whole(path: FilePath, content: str | Callable[[BinaryIO], object]) -> None:
    """Write a file so that an interruption leaves the old file or the new one.

    The content is text, stored as UTF-8, or ``content(file)`` that writes to a binary file.
    """
    if not callable(content) and not isinstance(content, str):
        kind = type(content).__name__
        raise TypeError(f"{path} takes text, or a function that writes to a file, got a {kind}")
    path = Path(path)
    if not path.parent.is_dir():  # else the error would name a file that nobody asked for
        raise FileNotFoundError(errno.ENOENT, "no folder for the file", str(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder, not a file", str(path))
    # Its own name for each process: two that write the same file leave one of both.
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content.encode())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
