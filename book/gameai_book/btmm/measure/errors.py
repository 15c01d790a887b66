"""Strengths of Reversi's squares and their joint standard errors.

Run as ``python -m gameai_book.btmm.measure.errors`` with GAMEAI_DATA set; writes ``squares.csv``
into ``book/gameai_book/btmm/data``: one line a class of squares. All figures are Elo points, the
strengths against the mean of the nine classes that can be played.
"""

import numpy as np

from gameai_book.btmm.measure.shared import training_data, write_table
from gameai_book.btmm.results import models
from gameai_lib.btmm.game.patterns import SQUARE_CLASSES
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.covariance import covariance
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.fit import fit

PLAYED = np.arange(9)  # the tenth class is taken from the start
CENTRE = np.eye(9) - 1 / 9
FIELDS = ("split", "n_games", "square", "elo", "joint")


def optimum(data, gamma, inverse):
    """Return ln gamma at the optimum: Newton's steps, with one inverse while it does.

    `fit` stops when its own next step promises little; directions that only the prior decides
    are then still under way, and they are what matters here.
    """
    theta, wins, prior = np.log(gamma), data.wins() + 1, mm.Prior(1.0)
    for n_steps in range(1, 100):
        gamma = np.exp(theta)
        if n_steps % 15 == 0:
            penalty = np.diag(prior.information(gamma))
            inverse = np.linalg.inv(data.information_matrix(gamma) + penalty)
        step = inverse @ (wins - data.tally(gamma).expected - prior.expected(gamma))
        theta = theta + step * min(1.0, 1.0 / np.abs(step).max())
        if np.abs(step).max() < 1e-5:
            return theta
    raise RuntimeError(f"the last step is still {np.abs(step).max()}")


def main(n_games=20_000):
    """Write the table."""
    data = training_data("othello", models.FEATURES["reversi"], n_games)
    got = fit(data, max_passes=400)
    for _ in range(4):
        theta = optimum(data, got.gamma, covariance(data, got))
        got = fit(data, start=np.exp(theta), max_passes=1)
    elo = ELO_PER_NAT * CENTRE @ np.log(got.gamma)[PLAYED]
    joint = CENTRE @ covariance(data, got, PLAYED) @ CENTRE
    errors = ELO_PER_NAT * np.sqrt(np.diag(joint))
    rows = zip(SQUARE_CLASSES, elo, errors, strict=False)
    cells = [[0, n_games, name, f"{value:.1f}", f"{error:.1f}"] for name, value, error in rows]
    write_table("squares", FIELDS, cells)


if __name__ == "__main__":
    main()
