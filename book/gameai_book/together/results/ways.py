"""What a bias learned from tours is worth, as ``gameai_book.together.measure.ways`` wrote it."""

import numpy as np

from gameai_book.together.results.stored import read
from gameai_lib.tables import Column

BIASES = ("none", "by hand", "learned")


def scores(method: str = "NRPA") -> dict[str, np.ndarray]:
    """Best scores by bias, (n_tours, n_seeds); `method` is NRPA, or playouts by the bias alone."""
    rows = read("ways")["scores"].values()
    return {bias: np.array([row[bias][method] for row in rows]) for bias in BIASES}


def biases() -> dict:
    """By bias: tours that meet all windows, windows missed, and duels with the learned bias."""
    found = scores()
    learned = found["learned"]
    return {
        "bias": [*found],
        "in time": Column([(one > -1e6).mean() * 100 for one in found.values()], ".0f", "%"),
        "windows missed": Column([np.round(-one / 1e6).mean() for one in found.values()], ".1f"),
        "learned is better": Column([int((learned > one).sum()) for one in found.values()]),
        "worse": Column([int((learned < one).sum()) for one in found.values()]),
    }
