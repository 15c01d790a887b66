"""The same players rated by other games: some dropped, turned or played anew."""

from dataclasses import replace

import numpy as np

from gameai_lib.btmm.model.players.newton import check_maximum, climb, differences_of
from gameai_lib.btmm.model.players.ties import DRAW, LOG_CHANCES, SLOPES


def take(games, rows, outcome, times):
    """Return `Results` of these rows, (n,) int or bool, with other outcomes, so many times."""
    tied = bool((outcome == DRAW).any())
    members, values = games.members[rows], games.values[rows]
    return games._replace(members=members, values=values, outcome=outcome, times=times, tied=tied)


def refit(rating, games):
    """Return the `Rating` of other games of the same players, or raise a `NoMaximumError`."""
    check_maximum(games, rating.names, rating.prior)
    start = rating.beta[: games.n_free + games.tied]
    *_, (beta, slopes) = climb(games, rating.ties, rating.prior, start)
    found = replace(rating, games=games, beta=beta, curvature=slopes.information, spread=None)
    return found if rating.spread is None else found.robust()


def slopes_of(rating, outcome):
    """Return the slopes in d and in ln tie of one game of each row, had it this outcome."""
    slopes = SLOPES[rating.ties if rating.games.tied else "davidson"]
    return slopes(*differences_of(rating.games, rating.beta), outcome)[1:3]


def play_again(rating, rng):
    """Return `Results` of the same meetings, played by the model of the rating."""
    games = rating.games
    with np.errstate(divide="ignore"):
        log_tie = np.log(rating.tie)
    chance = np.exp(LOG_CHANCES[rating.ties](differences_of(games, rating.beta)[0], log_tie)).T
    chance /= chance.sum(axis=1, keepdims=True)
    drawn = rng.multinomial(games.times.astype(np.int64), chance)
    rows, outcome = np.nonzero(drawn)
    return take(games, rows, outcome, drawn[rows, outcome])
