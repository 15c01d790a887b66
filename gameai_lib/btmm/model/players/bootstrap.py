"""Ratings of resampled games: how far strengths would move with other games (Efron 1979)."""

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
    return take(games, np.arange(times.size), games.outcome, times * (total / n))


def bootstrap(rating, n, rng):
    """Return (n, n_players + n_features) float, as `Rating.bootstrap` has it.

    Each refit begins at the maximum of `rating`. A `NoMaximumError` says which one has none.
    """
    rows = []
    try:
        with Bar("bootstrap", total=n, unit="refits") as bar:
            while len(rows) < n:
                found = refit(rating, resample(rating.games, rng))
                rows.append(np.append(found.elo, ELO_PER_NAT * np.array([*found.slopes.values()])))
                bar(len(rows))
    except NoMaximumError as error:
        raise NoMaximumError(f"refit {len(rows) + 1}: {error}") from error
    except KeyboardInterrupt as stop:
        if not rows:
            raise
        raise Interrupted(f"stopped after {len(rows)} of {n} refits", np.array(rows)) from stop
    return np.array(rows)
