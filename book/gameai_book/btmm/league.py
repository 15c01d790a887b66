"""A league with home and away as a Bradley-Terry model, as the source's last section proposes.

P(home wins) = tau gamma_i / (tau gamma_i + gamma_j): the advantage of playing at home is one more
member of the home team. A draw is half a win for each side.
"""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.elo import positive
from gameai_lib.btmm.records.football import Match


class League(NamedTuple):
    """The clubs by name, alphabetically, and their matches as `Competitions`.

    Feature i is club i; the last one is playing at home.
    """

    clubs: list[Any]
    competitions: Competitions


def league(matches):
    """Return the `League` of a list of `Match`; a `ValueError` if a club meets itself."""
    matches = arrays.listed("matches", matches)
    for i, match in enumerate(matches, start=1):
        if not isinstance(match, Match) or not all(isinstance(side, str) for side in match[:2]):
            raise TypeError(f"match {i} must be a Match of two names and goals, got {short(match)}")
        for goals in match[2:]:
            checks.whole(f"goals of match {i}", goals, 0, 2**31 - 1)
        if match.home == match.away:
            raise ValueError(f"match {i}: {match.home} meets itself")
    clubs = sorted({m.home for m in matches} | {m.away for m in matches})
    number = {club: i for i, club in enumerate(clubs)}
    return _league(clubs, [(number[m.home], number[m.away], m.result) for m in matches])


def _league(clubs, meetings):
    """The `League` of (home, away, points of the home side); the away side has the rest of 1."""
    rows, winners, weights = [], [], []
    for home, away, points in meetings:
        for winner, share in ((0, points), (1, 1.0 - points)):
            if share > 0:
                rows += [[home, len(clubs)], [away, -1]]
                winners.append(winner)
                weights.append(share)
    group = np.append(np.zeros(len(clubs), int), 1)
    offsets = 2 * np.arange(len(winners) + 1)
    features = np.array(rows, int).reshape(-1, 2)
    return League(clubs, Competitions(offsets, features, winners, weights, group))


def centred(gamma, n_clubs):
    """Return club strengths with geometric mean 1; what lies behind them stays as it is."""
    gamma = positive("gamma", gamma, 1)
    gamma[:n_clubs] /= np.exp(np.log(gamma[:n_clubs]).mean())
    return gamma


# No real towns: strengths fall from the first to the last by an even ratio.
INVENTED = (
    "Ashford",
    "Brightwater",
    "Coldharbour",
    "Dunmere",
    "Eastvale",
    "Foxley",
    "Grimsted",
    "Hollow",
)


def invented_season(rng, home_advantage=1.45, spread=1.6):
    """Play a season of eight invented clubs, every pair once at each ground.

    Parameters
    ----------
    rng : numpy.random.Generator
    home_advantage : float
        Factor on the home side's strength.
    spread : float
        Ratio of the strengths of neighbours in the list of clubs.

    Returns
    -------
    (matches, gamma) : list of Match, (8,) float array of the true strengths
    """
    rng, gamma, season = checks.generator(rng), _invented_strengths(spread), []
    for i, j in permutations(range(len(INVENTED)), 2):
        goals = rng.poisson(_goals_to_expect(home_advantage * gamma[i], gamma[j]))
        season.append(Match(INVENTED[i], INVENTED[j], int(goals[0]), int(goals[1])))
    return season, gamma


def endless_seasons(home_advantage=1.45, spread=1.6):
    """Return the `League` of the clubs of `invented_season` after as many seasons as you like.

    Every pair has met once at each ground, and each side has the points that it can expect. What is
    fitted to it is what one season guesses at. `home_advantage` is 0.01 to 100, `spread` 0.5 to 2.
    """
    home_advantage = checks.number("home_advantage", home_advantage, 0.01, 100)
    gamma = _invented_strengths(checks.number("spread", spread, 0.5, 2))
    meetings = []
    for i, j in permutations(range(len(INVENTED)), 2):
        home, away = map(_poisson, _goals_to_expect(home_advantage * gamma[i], gamma[j]))
        at_most = np.cumsum(away)  # chance that the away side has no more goals than that
        meetings.append((i, j, float(home @ (at_most - away / 2))))
    return _league(list(INVENTED), meetings)


def _invented_strengths(spread):
    n = len(INVENTED)
    return spread ** -(np.arange(n) - (n - 1) / 2)


def _goals_to_expect(home, away):
    # About in proportion to the root of strength: draws happen.
    strengths = np.array([home, away])
    return 1.35 * np.sqrt(strengths / np.sqrt(strengths.prod()))


def _poisson(rate, n=400):
    """Chance of 0, 1, ... goals; hardly any are left out while `rate` is far below `n`."""
    log_factorial = np.append(0, np.cumsum(np.log(np.arange(1, n))))
    return np.exp(np.arange(n) * np.log(rate) - rate - log_factorial)
