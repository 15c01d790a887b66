"""What the chapter's tables hold: computed here, written by `gameai_lib.tables`."""

from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.model.scores import Calibration


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
        number = _numbers(model, range(model.features.n_features))
        seen = model.features.teams(positions)
        count = int(np.isin(seen, [number[line] for line in lines]).sum())
        rows.append(EdgePattern(edge, float(model.gamma[number[text]]), count))
    return rows


def _numbers(model, features):
    return {model.features.describe(int(f)): int(f) for f in features}


def strengths_of(model, teams):
    """Return (n_teams, n_members) float: strengths of patterns that were chosen at least once.

    Parameters
    ----------
    model : Model
    teams : sequence of sequence of str
        Of one length, named as `FeatureSet.describe` does: ``"row 8: ...*OOOO black"``.
    """
    number = _numbers(model, np.flatnonzero(model.wins))
    return np.array([[model.gamma[number[text]] for text in team] for team in teams])


def calibrations(rows):
    """Return the `Calibration` of each kind of games in the table "calibration" (`rows`)."""
    names = dict.fromkeys(row["games"] for row in rows)
    return {
        name: Calibration(
            *(
                np.array([row[field] for row in rows if row["games"] == name])
                for field in Calibration._fields
            )
        )
        for name in names
    }
