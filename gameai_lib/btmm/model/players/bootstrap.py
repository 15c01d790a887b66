"""Ratings of resampled games: how far strengths would move with other games (Efron 1979)."""

from itertools import islice

import numpy as np

from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.newton import check_maximum, climb
from gameai_lib.btmm.model.players.ties import DRAW


def resample(games, rng):
    """Return `Results` of as many games as there are, drawn with replacement.

    Each is drawn the likelier the greater its weight. Weights that do not add up to a whole number
    are drawn as the nearest number of games, which then weigh as much in all.
    """
    total = games.times.sum()
    n = max(1, round(total))
    times = rng.multinomial(n, games.times / total)
    drawn = times > 0
    outcome, times = games.outcome[drawn], times[drawn] * (total / n)
    tied = bool((outcome == DRAW).any())
    return games._replace(members=games.members[drawn], outcome=outcome, times=times, tied=tied)


def refits(rating, rng):
    """Yield the (n_players,) `elo` of ratings of resampled games, without end.

    Each begins at the maximum of `rating`. A `NoMaximumError` says which refit has none.
    """
    games, n_refits = rating.games, 0
    extra = [rating.log_home] * games.home + ([np.log(rating.tie)] if games.tied else [])
    beta = np.append(rating.log_gamma, extra)
    while True:
        n_refits += 1
        drawn = resample(games, rng)
        try:
            check_maximum(drawn, rating.names, rating.prior)
        except NoMaximumError as error:
            raise NoMaximumError(f"refit {n_refits}: {error}") from error
        start = beta[: games.n + games.home + drawn.tied]
        *_, (found, _) = climb(drawn, rating.ties, rating.prior, start)
        theta = found[: games.n]
        yield ELO_PER_NAT * (theta - theta.mean() * games.even)


def bootstrap(rating, n, rng):
    """Return (n, n_players) float: n of the `refits`, or those before an interrupt in it."""
    rows = []
    try:
        with Bar("bootstrap", total=n, unit="refits") as bar:
            for elo in islice(refits(rating, rng), n):
                rows.append(elo)
                bar(len(rows))
    except KeyboardInterrupt as stop:
        if not rows:
            raise
        raise Interrupted(f"stopped after {len(rows)} of {n} refits", np.array(rows)) from stop
    return np.array(rows)
