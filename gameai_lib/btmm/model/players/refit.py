"""The same players rated by other games: some dropped, turned or played anew."""

from dataclasses import replace

import numpy as np

from gameai_lib.btmm.model.players.newton import check_maximum, climb, differences_of
from gameai_lib.btmm.model.players.ties import DRAW, chances


def take(games, rows, outcome, times):
    """Return `Results` of rows, (n,) int, with other outcomes, so many times; 0 leaves one out."""
    kept = times > 0
    rows, outcome, times = rows[kept], outcome[kept], times[kept]
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


def play_again(rating, rng):
    """Return `Results` of the same meetings, played by the model of the rating."""
    games = rating.games
    d, _ = differences_of(games, rating.beta)
    chance = chances(rating.ties, d, rating.tie).T
    chance /= chance.sum(axis=1, keepdims=True)
    drawn = rng.multinomial(games.times.astype(np.int64), chance)
    rows, outcome = np.nonzero(drawn)
    return take(games, rows, outcome, drawn[rows, outcome])
