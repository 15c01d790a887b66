"""Ratings of resampled games: how far strengths would move with other games (Efron 1979)."""

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


def refits(games, names, ties, prior, beta, rng):
    """Yield the (n_players,) ln gamma of resampled games, without end.

    `beta` are the parameters at the maximum of `games`, where each fit starts. A `NoMaximumError`
    says which refit has no likeliest strengths.
    """
    n_refits = 0
    while True:
        n_refits += 1
        drawn = resample(games, rng)
        try:
            check_maximum(drawn, names, prior)
        except NoMaximumError as error:
            raise NoMaximumError(f"refit {n_refits}: {error}") from error
        start = beta[: games.n + games.home + drawn.tied]
        *_, (found, _) = climb(drawn, ties, prior, start)
        theta = found[: games.n]
        yield theta - theta.mean() * games.even
