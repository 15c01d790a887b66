"""Strengths learned from real games, as the chapter shows them.

Written by ``book/gameai_book/btmm/measure/learned.py``; the games themselves are not part of the
library.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.base.checks import short
from gameai_lib.btmm.game import patterns

STORED = Path(__file__).parents[1] / "data" / "models.npz"

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


def load_model(name):
    """Return the `Model` learned from real games.

    Raises
    ------
    ValueError
        If no model has that name.
    """
    if not isinstance(name, str) or name not in FEATURES:
        raise ValueError(f"no model {short(name)}; there are {list(FEATURES)}")
    with np.load(STORED, allow_pickle=False) as stored:
        arrays = [stored[f"{name} {part}"].astype(float) for part in Model._fields[1:]]
    return Model(FEATURES[name], *arrays)


class EdgePattern(NamedTuple):
    """A pattern under one reading of the edge: its strength, and how often it was on offer."""

    edge: str
    gamma: float
    n_moves: int


def edge_pattern(models, positions, text):
    """Return an `EdgePattern` for each model; `text` is ``"row 8: ...*OOOO black"`` and the like.

    Moves of `positions` count by both players, and the strength is that of the player named.
    """
    lines = {text, text.replace("black", "white")}
    rows = []
    for edge, model in models.items():
        number = _numbers(model, lines, np.ones(model.features.n_features, bool))
        seen = model.features.teams(positions)
        count = int(np.isin(seen, [number[line] for line in lines]).sum())
        rows.append(EdgePattern(edge, float(model.gamma[number[text]]), count))
    return rows


def _numbers(model, texts, among):
    """Features by name: those marked in `among`, of the groups that `texts` begin with."""
    names, starts = {text.split(":")[0] for text in texts}, model.features.starts
    return {
        model.features.describe(f): f
        for k, group in enumerate(model.features.groups)
        if group.name in names
        for f in range(starts[k], starts[k + 1])
        if among[f]
    }


def strengths_of(model, teams):
    """Return (n_teams, n_members) float: strengths of patterns that were chosen at least once.

    Parameters
    ----------
    model : Model
    teams : sequence of sequence of str
        Of one length, named as `FeatureSet.describe` does: ``"row 8: ...*OOOO black"``.
    """
    number = _numbers(model, [text for team in teams for text in team], model.wins > 0)
    return np.array([[model.gamma[number[text]] for text in team] for team in teams])
