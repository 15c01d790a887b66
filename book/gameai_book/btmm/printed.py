"""The source's errors: each on a small case, as it is printed and put right.

The source is Nguyen Quoc Huy and Dang Cong Quoc (2019); the cases are in its equations (4) and
(6), its figure 4 and its section V.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gameai_book.btmm import surrogate
from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.fit import fit

PRINTED, RIGHT = VERSIONS = ("as printed", "put right")
WHO_BEAT = np.array([[0, 4, 4], [2, 0, 2], [1, 1, 0]])  # [i, j]: i beat j
ERRORS = ("no prior", "who met whom", "all at once", "what is counted", "which set")
LENGTHS = {"4x6": (6,) * 4, "4x7": (7,) * 4, "8-8-7-7": (8, 8, 7, 7), "4x8": (8,) * 4}


def strengths(version):
    """Three players' strengths over their sum: games between i and j counted as wins, or wins."""
    counts = WHO_BEAT + WHO_BEAT.T if version == PRINTED else WHO_BEAT
    winners, losers = np.nonzero(counts)
    data = from_pairs(winners, losers, weight=counts[winners, losers])
    gamma = fit(data, prior=0.0, tol=1e-14).gamma
    return dict(zip("ABC", gamma / gamma.sum(), strict=True))


def climb(version):
    """Log-likelihoods of a team of three that won one game of ten, all moved at once or not."""
    return surrogate.climb(mm.batch if version == PRINTED else mm.cyclic, 3, 16)


def counts(version):
    """Patterns of the four sets, in thousands: with the cell of the move, or without."""
    more = 3 if version == PRINTED else 1
    sets = {
        name: patterns.FeatureSet(name, tuple(patterns.lines(lengths)))
        for name, lengths in LENGTHS.items()
    }
    return {name: more * chosen.starts[-1] / 1000 for name, chosen in sets.items()}


def on_test(rows, prior=1.0, n_games=7082):
    """Mean log-evidence of the four sets on test games, out of the table "results" (`rows`)."""
    setting = {"game": "connect6", "edge": "empty", "n_games": n_games, "prior": prior}
    found = {row["features"]: row["test"] for row in rows if setting.items() <= row.items()}
    return {name: found[name] for name in LENGTHS}


class Bars(NamedTuple):
    """An error whose case is a row of bars."""

    label: str  #: what the bars measure
    form: str  #: how a value is written
    values: Callable  #: returns a dict from names of bars to values, for one of `VERSIONS`
    taken: Callable | None = None  #: returns the bar that is chosen, for one of `VERSIONS`


def bars(rows):
    """Return the `Bars` of every error but "all at once"; `rows` is the table "results"."""
    nats = "mean log-evidence, other games (nats)"
    on_all = on_test(rows)
    best = {PRINTED: "8-8-7-7", RIGHT: max(on_all, key=on_all.get)}
    return {
        "who met whom": Bars("share of all strength", ".3g", strengths),
        "no prior": Bars(nats, ".2f", lambda version: on_test(rows, float(version == RIGHT), 1000)),
        "what is counted": Bars("patterns, in thousands", ".3g", counts),
        "which set": Bars(nats, ".2f", lambda version: on_all, best.get),
    }
