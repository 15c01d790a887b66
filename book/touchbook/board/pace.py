"""How a board moves that plays by itself, and how it ends."""

import os
import time

from touchbook import BOOK_BUILD
from touchbook.board.board import WrongTouch

PACE = 0.25  # seconds between pictures, as in a run that a page has recorded


def pause():
    """Let a reader see what has changed; while a book is built nobody looks."""
    if not os.environ.get(BOOK_BUILD):
        time.sleep(PACE)


def tell_errors(search):
    """Yield what a search yields; an error of a reader's own rules is told beside the board."""
    try:
        yield from search
    except Exception as error:
        words = f"The search has ended: {type(error).__name__}: {error}"
        raise WrongTouch(words[:500]) from None
