"""A league with home and away as a Bradley-Terry model, as the source's last section proposes.

P(home wins) = tau gamma_i / (tau gamma_i + gamma_j): the advantage of playing at home is one more
member of the home team. A draw is half a win for each side.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.model.build import from_teams
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.records.football import Match

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
STRENGTHS = 1.6 ** -(np.arange(8) - 3.5)
HOME_ADVANTAGE = 1.45  # factor on the home side's strength


class League(NamedTuple):
    """The clubs by name, alphabetically, and their matches as `Competitions`.

    Feature i is club i; the last one is playing at home.
    """

    clubs: list
    competitions: Competitions


def league(matches):
    """Return the `League` of a list of `Match`."""
    clubs = sorted({m.home for m in matches} | {m.away for m in matches})
    meetings = [(clubs.index(m.home), clubs.index(m.away), m.result) for m in matches]
    return _league(clubs, meetings)


def _league(clubs, meetings):
    """The `League` of (home, away, points of the home side); the away side has the rest of 1."""
    rows, winners, weights = [], [], []
    for home, away, points in meetings:
        for winner, share in ((0, points), (1, 1.0 - points)):
            if share > 0:
                rows.append([[home, len(clubs)], [away]])
                winners.append(winner)
                weights.append(share)
    return League(clubs, from_teams(rows, winners, weights))


def centre(gamma, n_clubs):
    """Return strengths, those of the clubs with geometric mean 1."""
    gamma = gamma.copy()
    gamma[:n_clubs] /= np.exp(np.log(gamma[:n_clubs]).mean())
    return gamma


def invented_season(rng):
    """Return (matches, strengths) of eight invented clubs, every pair once at each ground."""
    season = []
    for i, j in permutations(range(8), 2):
        goals = rng.poisson(_goals_to_expect(i, j))
        season.append(Match(INVENTED[i], INVENTED[j], int(goals[0]), int(goals[1])))
    return season, STRENGTHS


def endless_seasons():
    """Return the `League` of the invented clubs after as many seasons as you like.

    Every pair has met once at each ground, and each side has the points that it can expect. What is
    fitted to it is what one season guesses at.
    """
    meetings = []
    for i, j in permutations(range(8), 2):
        home, away = map(_poisson, _goals_to_expect(i, j))
        at_most = np.cumsum(away)  # chance that the away side has no more goals than that
        meetings.append((i, j, float(home @ (at_most - away / 2))))
    return _league(list(INVENTED), meetings)


def _goals_to_expect(i, j):
    # About in proportion to the root of strength: draws happen.
    strengths = np.array([HOME_ADVANTAGE * STRENGTHS[i], STRENGTHS[j]])
    return 1.35 * np.sqrt(strengths / np.sqrt(strengths.prod()))


def _poisson(rate, n=400):
    """Chance of 0, 1, ... goals; hardly any are left out while `rate` is far below `n`."""
    log_factorial = np.append(0, np.cumsum(np.log(np.arange(1, n))))
    return np.exp(np.arange(n) * np.log(rate) - rate - log_factorial)
