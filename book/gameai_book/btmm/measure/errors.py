"""Standard errors of Reversi's squares in three ways: diagonal, joint, and by a bootstrap of games.

Run as ``python -m gameai_book.btmm.measure.errors`` with GAMEAI_DATA set; writes ``squares.csv``
into ``book/gameai_book/btmm/data``: one line a class of squares and number of games. All figures
are Elo points, the strengths against the mean of the nine classes that can be played. ``diagonal``
holds all other strengths still; ``sampling`` and ``joint`` are the two kinds of
`gameai_lib.btmm.model.covariance`; ``bootstrap`` is the spread of fits to games drawn with
replacement. ``elo_0.1`` and ``elo_10`` are the strengths with another prior.
"""

import numpy as np

from gameai_book.btmm.measure.shared import training_data, write_table
from gameai_book.btmm.results import models
from gameai_lib.btmm.game.patterns import SQUARE_CLASSES
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.covariance import contrast_errors, covariance
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.fit import fit

PLAYED = np.arange(9)  # the tenth class is taken from the start
CENTRE = np.eye(9) - 1 / 9
FIELDS = ("split", "n_games", "square", "elo", "elo_0.1", "elo_10", "diagonal")
FIELDS += ("sampling", "bootstrap", "joint", "n_resamples")


def squares(theta):
    """Return (9,) float: Elo of the squares against their mean, out of ln gamma."""
    return ELO_PER_NAT * CENTRE @ theta[PLAYED]


def optimum(data, gamma, inverse, prior=1.0):
    """Return ln gamma at the optimum: Newton's steps, with one inverse while it does.

    `fit` stops when its own next step promises little; directions that only the prior decides
    are then still under way, and they are what matters here.
    """
    theta, wins = np.log(gamma), data.wins() + prior
    for n_steps in range(1, 100):
        gamma = np.exp(theta)
        if n_steps % 15 == 0:
            penalty = np.diag(mm.Prior(prior).information(gamma))
            inverse = np.linalg.inv(data.information_matrix(gamma) + penalty)
        gradient = wins - data.tally(gamma).expected - mm.Prior(prior).expected(gamma)
        step = inverse @ gradient
        theta = theta + step * min(1.0, 1.0 / np.abs(step).max())
        if np.abs(step).max() < 1e-5:
            return theta
    raise RuntimeError(f"the last step is still {np.abs(step).max()}")


def bootstrap(data, game, gamma, inverse, rng, n):
    """Return (9,) float: the spread of the squares over the optima of `n` draws of the games."""
    n_games, found = game.max() + 1, []
    for _ in range(n):
        weight = np.bincount(rng.integers(n_games, size=n_games), minlength=n_games)
        drawn = Competitions(
            data.offsets, data.features, data.winner, data.weight * weight[game], data.group
        )
        found.append(squares(optimum(drawn, gamma, inverse)))
    return np.std(found, axis=0, ddof=1)


def best(data, prior):
    """Return the `Fit` at the optimum and the covariance of all strengths."""
    got = fit(data, prior=prior, max_passes=400)
    for _ in range(4):
        inverse = covariance(data, got)
        theta = optimum(data, got.gamma, inverse, prior)
        got = fit(data, prior=prior, start=np.exp(theta), max_passes=1)
    return got, covariance(data, got)


def errors(n_games, n_resamples):
    """Return the rows of the table for `n_games` games."""
    data, game = training_data("othello", models.FEATURES["reversi"], n_games)
    got, inverse = best(data, 1.0)
    columns = {
        "elo": squares(np.log(got.gamma)),
        "elo_0.1": squares(np.log(best(data, 0.1)[0].gamma)),
        "elo_10": squares(np.log(best(data, 10.0)[0].gamma)),
        "diagonal": ELO_PER_NAT * got.standard_error[PLAYED],
        "bootstrap": bootstrap(
            data, game, got.gamma, inverse, np.random.default_rng(0), n_resamples
        ),
    }
    for name, kind in (("sampling", "sampling"), ("joint", "posterior")):
        joint = covariance(data, got, PLAYED, kind=kind)
        columns[name] = ELO_PER_NAT * contrast_errors(joint, CENTRE)
    for k in PLAYED:
        row = {name: f"{values[k]:.1f}" for name, values in columns.items()}
        row |= {"split": 0, "n_games": n_games, "square": SQUARE_CLASSES[k]}
        print(row, flush=True)
        row["n_resamples"] = n_resamples
        yield [row[name] for name in FIELDS]


def main():
    """Write the table."""
    write_table("squares", FIELDS, [*errors(400, 200), *errors(20_000, 100)])


if __name__ == "__main__":
    main()
