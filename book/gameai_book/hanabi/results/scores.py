"""Scores of whole games, and errors of beliefs, measured once and stored with the package.

The scripts of ``gameai_book.hanabi.measure`` have written them. Game ``i`` of a table was dealt
by ``numpy.random.default_rng([seed, i])``.
"""

import json
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "data"
PLAYER_SCORES = DATA / "player_scores.json"
BELIEF_TABLE = DATA / "belief_table.json"


class PlayerScore(NamedTuple):
    """A row of a table of scores."""

    agent: str
    belief: str  #: "none" for an agent that asks for no belief
    n_games: int
    mean: float
    standard_error: float
    gain: float  #: mean over the games less that of the table's first row of this kind
    gain_standard_error: float
    first_scores: list[int]  #: of games 0, 1, ...
    n_lost: int | None = None  #: games that ended with the last life, where they were counted
    n_players: int = 2
    span: int | None = None  #: moves for which a hint is remembered; None is for ever


def stored_scores():
    """Seed, number of players and rows of the table of agents with V0, V1 and exact beliefs."""
    seed, tables = stored_player_scores()
    return seed, 2, tables["agents"]


def stored_player_scores():
    """Seed and tables of ``measure.games``: by the name of each, a tuple of `PlayerScore`."""
    stored = json.loads(PLAYER_SCORES.read_text("utf-8"))
    seed = stored.pop("seed")
    return seed, {part: tuple(PlayerScore(**row) for row in rows) for part, rows in stored.items()}


def stored_beliefs():
    """Seed and parts of ``measure.beliefs``: by the name of each, a list of dicts.

    A pair of numbers is a mean and its standard error.
    """
    stored = json.loads(BELIEF_TABLE.read_text("utf-8"))
    return stored.pop("seed"), stored
