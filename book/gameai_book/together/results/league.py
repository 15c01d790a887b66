"""What a league of partners scored, measured once and stored with the package.

`gameai_book.together.measure.league` has written it; game ``i`` of every pair was dealt by
``numpy.random.default_rng([seed, i])``.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from gameai_book.together.results.stored import read
from gameai_lib.base.types import Ints
from gameai_lib.together.league import NOT_PLAYED, Partners, rate_partners

NO_POINTS = ord("A")  # the letter of a score of 0


class League(NamedTuple):
    """The agents of a league, and what their pairs scored."""

    seed: int
    names: tuple[str, ...]
    scores: Ints  #: (n_agents, n_agents, n_decks), as of `play_pairs`

    @property
    def means(self):
        """(n_agents, n_agents) floats: mean points of each pair."""
        return np.ma.masked_equal(self.scores, NOT_PLAYED).mean(axis=2).data

    def rate(self, seed: int = 1) -> Partners:
        """The `Partners` of this league; by `seed`, the decks of the bootstrap are drawn."""
        return rate_partners(self.scores, seed)


@cache
def stored_league():
    """The stored `League`."""
    stored = read("league")
    rows = stored["pairs"]
    names = tuple(dict.fromkeys(row["agent"] for row in rows))
    most = max(len(row["scores"]) for row in rows)
    scores = np.full((len(names), len(names), most), NOT_PLAYED)
    for row in rows:
        i, j = names.index(row["agent"]), names.index(row["partner"])
        played = read_scores(row["scores"])
        scores[i, j, : played.size] = scores[j, i, : played.size] = played
    return League(stored["seed"], names, scores)


class Strength(NamedTuple):
    """How strong an agent is as a partner, by the stored scores of all pairs."""

    agent: str
    strength: float  #: ln gamma, 0 on average
    error: float  #: standard error, by refits to resampled decks


@cache
def stored_strengths():
    """By the name of each agent, its `Strength`: what `League.rate` takes long to find."""
    rows = read("league")["strengths"]
    return {row["agent"]: Strength(**row) for row in rows}


def write_scores(scores):
    """Scores as letters, A for 0 and Z for 25."""
    return bytes((np.asarray(scores) + NO_POINTS).tolist()).decode()


def read_scores(letters):
    """The (n,) scores that `write_scores` has written."""
    return np.frombuffer(letters.encode(), np.uint8).astype(np.int64) - NO_POINTS
