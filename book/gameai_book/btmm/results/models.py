"""Strengths learned from real games, as the chapter shows them.

Written by ``book/gameai_book/btmm/measure/learned.py``; the games themselves are not part of the
library.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.game.positions import BLACK, WHITE

STORED = Path(__file__).parents[1] / "data" / "models.npz"

FEATURES = {
    f"connect6 {edge}": patterns.FeatureSet("4x8", tuple(patterns.lines(8, edge=edge)))
    for edge in patterns.EDGES
}
_LINES = patterns.lines(5, edge="own state", by_player=False)
FEATURES["reversi"] = patterns.FeatureSet(
    "squares, flips, lines of 5", (patterns.Square(), patterns.Flips(), *_LINES)
)


class Model(NamedTuple):
    """Strengths of a feature set, (n_features,) each; `error` is that of ln gamma."""

    features: patterns.FeatureSet
    gamma: np.ndarray
    error: np.ndarray
    wins: np.ndarray


@cache
def load_model(name):
    """Return the `Model` learned from real games, read once; its name is one of `FEATURES`."""
    with np.load(STORED, allow_pickle=False) as stored:
        arrays = [stored[f"{name} {part}"].astype(float) for part in Model._fields[1:]]
    return Model(FEATURES[name], *arrays)


class EdgePattern(NamedTuple):
    """A pattern under one reading of the edge: its strength, and how often it was on offer."""

    gamma: float
    n_moves: int


def edge_pattern(models, positions, text):
    """Return an `EdgePattern` for each model; `text` is ``"row 8: ...*OOOO black"`` and the like.

    Moves of `positions` count by both players, and the strength is that of the player named.
    """
    rows = []
    for model in models.values():
        feature, other = (_feature(model, t) for t in (text, text.replace("black", "white")))
        count = int(np.isin(model.features.teams(positions), [feature, other]).sum())
        rows.append(EdgePattern(float(model.gamma[feature]), count))
    return rows


def strengths_of(model, teams):
    """Return (n_teams, n_members) float: strengths of patterns as `FeatureSet.describe` calls them.

    Such as ``"row 8: ...*OOOO black"``; the teams have one size.
    """
    return np.array([[model.gamma[_feature(model, text)] for text in team] for team in teams])


def _feature(model, text):
    """The number of the pattern that `FeatureSet.describe` calls `text`."""
    name, line, colour = re.fullmatch("(.*): (.*) (black|white)", text).groups()
    k = [group.name for group in model.features.groups].index(name)
    shape = model.features.groups[k]
    in_order = sorted([*shape.cells, (0, 0)], key=lambda cell: cell[::-1])
    read = dict(zip(in_order, map(".XO#".find, line), strict=True))
    states = [read[cell] for cell in shape.cells]
    player = BLACK if colour == "black" else WHITE
    return int(model.features.starts[k]) + shape.number(states, player)
