"""What the benches share: boards without chance, on which a reader tries numbers."""

import numpy as np

from touchbook.board import svg
from touchbook.boards import Board


class Bench(Board):
    """A board without chance: a seed changes nothing."""

    begins = "From the start"


def on_scale(value, ends, left, width):
    """Where numbers stand on a logarithmic scale; what lies beyond it stands at its end."""
    low, high = np.log(ends)
    return left + width * (np.clip(np.log(value), low, high) - low) / (high - low)


def key(y, marks, gap):
    """What marks stand for, in a row around `y`; each of `marks` is (left, mark, words)."""
    return [
        part
        for left, mark, words in marks
        for part in (mark, svg.text(left + gap, y, words, 13, anchor="start"))
    ]
