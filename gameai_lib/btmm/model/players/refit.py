"""The same players rated by other games: some dropped, turned, drawn or played anew.

Ratings of games drawn with replacement say how far strengths would move with others (Efron 1979).
"""

from dataclasses import replace

import numpy as np

from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.newton import differences_of, find_maximum
from gameai_lib.btmm.model.players.ties import DRAW, chances


def take(games, rows, outcome, times):
    """Return `Results` of rows, (n,) int, with other outcomes, so many times; 0 leaves one out."""
    kept = times > 0
    rows, outcome, times = rows[kept], outcome[kept], times[kept]
    of_rows = {name: getattr(games, name)[rows] for name in ("members", "values", "kind")}
    tied = bool((outcome == DRAW).any())
    return games._replace(**of_rows, outcome=outcome, times=times, tied=tied)


def refit(rating, games):
    """Return the `Rating` of other games of the same players, or raise a `NoMaximumError`."""
    start = rating.beta[: games.n_free + games.tied]
    *_, (beta, slopes) = find_maximum(games, rating.names, rating.ties, rating.prior, start)
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
