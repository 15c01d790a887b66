"""The tables of the long runs, as ``gameai_book.nrpa.measure.tables`` wrote them."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from gameai_lib.nrpa.game.files import load_game
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.problem.walk import Playout

DATA = Path(__file__).parents[1] / "data"

# The faults that change results, in the order of the source's text.
FAULTS = (
    "list too short", "codes by position", "codes by place", "shared policy", "strict comparison",
    "last normaliser",
)  # fmt: skip


def read_table(name: str) -> dict:
    """One result file, for example ``faults`` or ``methods``."""
    return json.loads(_text(name))


@cache
def _text(name):
    return (DATA / f"{name}.json").read_text()


def best_morpion_game(variant: str = "5D") -> tuple[Playout, dict]:
    """The best game of our level-3 searches in a Morpion variant, replayed by the referee."""
    return load_game(DATA / f"morpion_{variant}_best.json", morpion(variant))


def mean_errors(runs) -> tuple[list[float], list[float]]:
    """Mean of each row of scores, and its standard error."""
    rows = [np.asarray(scores, float) for scores in runs]
    errors = [row.std(ddof=1) / row.size**0.5 for row in rows]
    return [float(row.mean()) for row in rows], [float(error) for error in errors]


def n_runs(*rows) -> str:
    """How many runs rows of scores are of: "30", or "30 and 6" where they are of unequal length."""
    return " and ".join(map(str, dict.fromkeys(map(len, rows))))


def fault_scores() -> dict:
    """Scores without a fault, with each, and with four, in the order of the source's text."""
    return read_table("faults")["scores"]


@cache
def yardstick(game: str) -> dict:
    """Scores by player, lowest first: ``random``, ``level 1`` to ``level 3``; ``n_iterations``.

    `game` is a variant of Morpion, or ``lesson``, the lesson's board of SameGame.
    """
    scores = read_table("yardsticks")[game]
    return {k: sorted(v) if isinstance(v, list) else v for k, v in scores.items()}
