"""What the chapter's tables hold: computed here, written by `gameai_lib.tables`."""

from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.game import league
from gameai_lib.btmm.model.covariance import covariance
from gameai_lib.btmm.model.elo import ELO_PER_NAT, win_probability
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.rating import rate
from gameai_lib.btmm.model.scores import Calibration


class Treatment(NamedTuple):
    """A season under one treatment of draws; Elo points, and chances in per cent.

    Half wins do not say how likely a draw is: `win`, `draw` and `loss` are None.
    """

    name: str
    home: float
    home_error: float
    spread: float  # from the first club to the last
    points: float  # that the first of two clubs expects, at home, of one
    win: float | None = None
    draw: float | None = None
    loss: float | None = None


def treatments(matches, first, second, prior):
    """Return three `Treatment`: half a win each, Davidson's, and Rao and Kupper's."""
    model = league.league(matches)
    data, n = model.competitions, len(model.clubs)
    got = fit(data, prior=prior, tol=1e-12)
    error = ELO_PER_NAT * np.sqrt(covariance(data, got)[n, n])
    one, other = (got.gamma[model.clubs.index(club)] for club in (first, second))
    points = 100 * win_probability(got.gamma[n] * one, other)
    found = [Treatment("half a win each", got.elo[n], error, np.ptp(got.elo[:n]), float(points))]
    games = [(match.home, match.away, match.result) for match in matches]
    for name, ties in (("Davidson", "davidson"), ("Rao and Kupper", "rao-kupper")):
        rating = rate(games, ties=ties, home_advantage=True, prior=prior)
        win, draw, loss = (100 * chance for chance in rating.probabilities(first, second))
        spread, points = np.ptp(rating.elo), win + draw / 2
        found.append(Treatment(name, *rating.home_advantage, spread, points, win, draw, loss))
    return found


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
