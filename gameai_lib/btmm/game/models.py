"""Strengths learned from real games, as the chapter shows them, and tables of results.

Written by ``benchmarks/btmm_models.py`` and ``benchmarks/btmm_results.py``; the
games themselves are not part of the library.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.game.positions import checked_positions

DATA = Path(__file__).parents[1] / "data"

FEATURES = {
    f"connect6 {edge}": patterns.FeatureSet("4x8", tuple(patterns.lines(8, edge=edge)))
    for edge in patterns.EDGES
} | {
    "reversi": patterns.FeatureSet(
        "squares, flips, lines of 5",
        (
            patterns.Square(),
            patterns.Flips(),
            *patterns.lines(5, edge="own state", by_player=False),
        ),
    )
}


class Model(NamedTuple):
    """Strengths of a feature set, (n_features,) each; `error` is that of ln gamma."""

    features: patterns.FeatureSet
    gamma: np.ndarray
    error: np.ndarray
    wins: np.ndarray

    def chances(self, position, temperature=1.0):
        """Return (n_moves,) float: the chance of each legal move of one position.

        A chance is the move's share of gamma ** (1 / temperature), gamma being the product of
        its team: of strengths at 1, of equal parts far above, and of the best alone near 0.
        """
        temperature = checks.number("temperature", temperature, 1e-6, 1e6)
        if checked_positions(position).n_positions != 1:
            raise ValueError(f"chances are of one position, got {position.n_positions}")
        weight = np.log(self.gamma)[self.features.teams(position)].sum(axis=1) / temperature
        chance = np.exp(weight - weight.max())
        return chance / chance.sum()


def load_model(name):
    """Return the `Model` learned from real games.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if not isinstance(name, str) or name not in FEATURES:
        raise ValueError(f"no model {short(name)}; there are {list(FEATURES)}")
    with np.load(DATA / "models.npz", allow_pickle=False) as stored:
        arrays = [stored[f"{name} {part}"].astype(float) for part in Model._fields[1:]]
    return Model(FEATURES[name], *arrays)


def read_table(name, split=0):
    """Return the rows of a table of results as dicts, numbers as numbers.

    Parameters
    ----------
    name : {"results", "curves", "squares", "calibration"}
        Fits, sweeps, the errors of Reversi's squares, and predicted chances of Connect-6 beside
        how often they came true.
    split : int
        Seed of the split into training and test games; most fits have only 0.
    """
    checks.one_of("name", name, ("results", "curves", "squares", "calibration"))
    split = checks.whole("split", split, 0)
    with (DATA / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = [{key: _number(text) for key, text in row.items()} for row in csv.DictReader(file)]
    return [row for row in rows if row["split"] == split]


def _number(text):
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text
