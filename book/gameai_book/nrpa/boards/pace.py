"""How fast a board moves that plays by itself."""

import os
import time

from touchbook import BOOK_BUILD

PACE = 0.25  # seconds between pictures, as in a run that a page has recorded


def pause():
    """Let a reader see what has changed; while a book is built nobody looks."""
    if not os.environ.get(BOOK_BUILD):
        time.sleep(PACE)
