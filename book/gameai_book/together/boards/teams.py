"""The teams of the ladder: who searches, on what belief, and by which rules.

A team plays game ``i`` of a seed with ``numpy.random.default_rng([seed, i])``, as in
`gameai_book.together.measure.ladder`.
"""

from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.tuning import stored_tuning
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.searcher import EXACT, FORGIVING, PROMISED, READING, Searcher
from gameai_lib.hanabi.players.self_play import self_play

SEED = 1  # of the games that were stored
BLOCK = 100  # games of rules alone that are played together


class Team(NamedTuple):
    """Two players, none, one or both of whom search."""

    rules: str  #: list of rules that both follow, or search on
    belief: str | None  #: from which the searchers draw their hands; None if nobody searches
    who: str  #: searches: "none", "one" or "both"
    n_turns: int  #: that take less than a tenth of a second; 0 if nobody searches
    title: str
    words: str  #: a sentence

    @property
    def against(self):
        """The rules with which it is compared."""
        return self.rules if self.belief else "Convention"

    def agents(self):
        """The agents of both seats."""
        blueprint = RuleAgent(self.rules)
        if self.belief is None:
            return [blueprint, blueprint]
        searcher = Searcher(blueprint, self.belief)
        return [searcher, searcher if self.who == "both" else blueprint]


TEAMS = {
    "rules": Team(
        "Convention", None, "none", 0, "the Convention alone",
        "Both players follow the rules of the Convention, and nobody searches.",
    ),
    "ignores": Team(
        "Convention", EXACT, "one", 16, "one searches, exact",
        "One player searches. Its belief counts exactly, and ignores the partner’s choices.",
    ),
    "promised": Team(
        "Convention", PROMISED, "one", 16, "one searches, promised",
        "One player searches. It believes what hints promise: the card asked for can be played.",
    ),
    "reads": Team(
        "Convention", READING, "one", 16, "one searches, exact with L",
        "One player searches. Its belief reads all of the partner’s choices.",
    ),
    "both": Team(
        "Convention", FORGIVING, "both", 8, "both search, soft L",
        "Both players search. Each belief reads the partner’s choices, and forgives those that "
        "the rules would not have made.",
    ),
    "tuned": Team(
        "Tuned", None, "none", 0, "tuned rules alone",
        "Both players follow the rules that a tuner has chosen, and nobody searches.",
    ),
    "tuned-both": Team(
        "Tuned", FORGIVING, "both", 4, "tuned rules, both search",
        "Both players search on the tuned rules. Each belief reads the partner’s choices, and "
        "forgives those that the rules would not have made. A game takes them some seconds in a "
        "page.",
    ),
}  # fmt: skip


@cache
def stored(team):
    """What was stored of a team: a `Rung` of 500 games, or a row of rules alone.

    These have played 20,000 games, on other decks, and have no first scores.
    """
    if team.belief is None:
        rows = [SimpleNamespace(**row, first_scores=[]) for row in stored_tuning()[1]["tables"]]
        return next(row for row in rows if (row.agent, row.n_players) == (team.rules, 2))
    wanted = team.rules, team.belief, team.who, 2
    rungs = [rung for rungs in stored_rungs().values() for rung in rungs]
    return next(r for r in rungs if (r.agent, r.belief, r.who, r.n_players) == wanted)


def play_rules(rules, seed, n_games):
    """(n_games,) scores of rules alone in games 0, 1, ... of a seed."""
    blocks = [_play_block(rules, seed, k) for k in range(-(-n_games // BLOCK))]
    return np.concatenate([*blocks, np.zeros(0, np.int64)])[:n_games]


@lru_cache(1000)
def _play_block(rules, seed, k):
    games = range(BLOCK * k, BLOCK * (k + 1))
    return self_play(RuleAgent(rules), 2, [np.random.default_rng([seed, i]) for i in games]).scores
