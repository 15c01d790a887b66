"""Ratings of resampled games: how far strengths would move with other games (Efron 1979)."""

from itertools import count, islice

import numpy as np

from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.refit import refit, take


def resample(games, rng):
    """Return `Results` of as many games as there are, drawn with replacement.

    Each is drawn the likelier the greater its weight. Weights that do not add up to a whole number
    are drawn as the nearest number of games, which then weigh as much in all.
    """
    total = games.times.sum()
    n = max(1, round(total))
    times = rng.multinomial(n, games.times / total)
    drawn = times > 0
    return take(games, drawn, games.outcome[drawn], times[drawn] * (total / n))


def refits(rating, rng):
    """Yield `elo`, and the `features`, of ratings of resampled games, without end.

    Each begins at the maximum of `rating`. A `NoMaximumError` says which refit has none.
    """
    for n_refits in count(1):
        try:
            found = refit(rating, resample(rating.games, rng))
        except NoMaximumError as error:
            raise NoMaximumError(f"refit {n_refits}: {error}") from error
        yield np.append(found.elo, ELO_PER_NAT * np.array([*found.slopes.values()]))


def bootstrap(rating, n, rng):
    """Return (n, n_players + n_features) float: n `refits`, or those before an interrupt in it."""
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
