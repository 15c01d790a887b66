"""Columns of the tables of what counts, as ``gameai_book.nrpa.measure.counts`` wrote them."""

import numpy as np

from gameai_book.nrpa.results.tables import read_table
from gameai_lib.tables import Column

CONJECTURES = {  # what the largest or smallest tree is said to keep to
    "matching": "λ₁ + μ ≥ √(n − 1) + 1",
    "second": "λ₂ ≤ harmonic index",
    "randic": "Randić index + α ≤ n − 1 + √(n − 1)",
}
KNOWN = {"3": "23", "4": "66", "5": "≥ 196", "6": "≥ 582"}  # OEIS A072842
SETS = {"AFG": "Ascheuer", "Dumas": "Dumas et al.", "OhlmannThomas": "Ohlmann, Thomas"}


def refutations() -> dict:
    """By conjecture: vertices, and what a run took to its first counterexample."""
    rows = {name: read_table("conjectures")[name] for name in CONJECTURES}
    times = [row["seconds"] for row in rows.values()]
    return {
        "conjecture": [*CONJECTURES.values()],
        "vertices": Column([row["n"] for row in rows.values()]),
        "games": Column([np.median(row["playouts"]) for row in rows.values()], ",.0f"),
        "median time": Column([np.median(one) for one in times], ".3f", "s"),
        "longest": Column([max(one) for one in times], ".3f", "s"),
    }


def time_to_refute() -> tuple[list[str], str, float]:
    """What one may guess of the lesson's conjecture, which guess is right, and the median."""
    limits = {"less than a second": 1, "half a minute": 60, "five minutes": 600, "an hour": np.inf}
    median = float(np.median(read_table("conjectures")["matching"]["seconds"]))
    return [*limits], next(name for name, limit in limits.items() if median < limit), median


def sums() -> dict:
    """By the number of parts: how far runs got, and how far one can get."""
    rows = read_table("sums")
    best = {k: max(row["scores"]) for k, row in rows.items()}
    return {
        "parts": [*rows],
        "known": [KNOWN[k] for k in rows],
        "best": Column([*best.values()]),
        "runs": Column([len(row["scores"]) for row in rows.values()]),
        "reach it": Column([row["scores"].count(best[k]) for k, row in rows.items()]),
        "time of a run": Column([np.mean(row["seconds"]) for row in rows.values()], ".2f", "s"),
    }


def gaps() -> dict[str, np.ndarray]:
    """By set of tours: by how much each costs more than the best known, in percent."""
    return {
        name: np.array([100 * (row["cost"] / row["known"] - 1) for row in rows.values()])
        for name, rows in read_table("large_tours").items()
    }


def large() -> dict:
    """By set of tours: cities, how many cost no more than the best known, and the gaps."""
    stored, found = read_table("large_tours"), gaps()
    sizes = [[row["n"] - 1 for row in rows.values()] for rows in stored.values()]
    return {
        "tours": [SETS[name] for name in stored],
        "cities": ["–".join(map(str, sorted({min(n), max(n)}))) for n in sizes],
        "instances": Column([len(rows) for rows in stored.values()]),
        "best known": Column([int((found[name] < 1e-9).sum()) for name in stored]),
        "mean gap": Column([found[name].mean() for name in stored], ".2f", "%"),
        "largest": Column([found[name].max() for name in stored], ".2f", "%"),
    }
