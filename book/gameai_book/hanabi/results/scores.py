"""Scores of whole games, and errors of beliefs, measured once and stored with the package.

``book/gameai_book/hanabi/measure/agents.py``, ``book/gameai_book/hanabi/measure/players.py`` and
``book/gameai_book/hanabi/measure/beliefs.py`` have written them.
"""

import json
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "data"
AGENT_SCORES = DATA / "agent_scores.json"
PLAYER_SCORES = DATA / "player_scores.json"
BELIEF_TABLE = DATA / "belief_table.json"


class StoredScore(NamedTuple):
    """A cell of the table of measured agents."""

    agent: str
    belief: str  #: "V0", "V1", "exact", or "none" for an agent that asks for no belief
    n_games: int
    mean: float
    standard_error: float
    mean_points: float
    gain: float  #: mean over the games of the score less that with V0, on the same decks
    gain_standard_error: float
    first_scores: tuple[int, ...]  #: of games 0, 1, ...


class PlayerScore(NamedTuple):
    """A cell of the tables of listeners, of larger tables and of players who forget."""

    agent: str
    belief: str
    n_games: int
    mean: float
    standard_error: float
    gain: float  #: mean over the games less that of the table's first cell of this kind
    gain_standard_error: float
    n_lost: int  #: games that ended with the last life
    first_scores: tuple[int, ...]  #: of games 0, 1, ...
    n_players: int = 2
    span: int | None = None  #: moves for which a hint is remembered; None is for ever


def stored_scores():
    """The measured table: seed, number of players and a tuple of `StoredScore`.

    Game ``i`` was played with ``numpy.random.default_rng([seed, i])``.

    Returns
    -------
    seed : int
    n_players : int
    cells : tuple of StoredScore
    """
    table = json.loads(AGENT_SCORES.read_text("utf-8"))
    return table["seed"], table["n_players"], _cells(StoredScore, table["cells"])


def stored_player_scores():
    """The tables of ``book/gameai_book/hanabi/measure/players.py``.

    Game ``i`` was dealt by ``numpy.random.default_rng([seed, i])``.

    Returns
    -------
    seed : int
    tables : dict of str to tuple of PlayerScore
        "listeners", "tables" and "memory".
    """
    stored = json.loads(PLAYER_SCORES.read_text("utf-8"))
    seed = stored.pop("seed")
    return seed, {part: _cells(PlayerScore, cells) for part, cells in stored.items()}


def stored_beliefs():
    """The parts of ``book/gameai_book/hanabi/measure/beliefs.py``, which says what they are.

    Game ``i`` was dealt by ``numpy.random.default_rng([seed, i])``.

    Returns
    -------
    seed : int
    parts : dict of str to list of dict
        "positions", "points", "cells" and "times"; a pair is a mean and its standard error.
    """
    stored = json.loads(BELIEF_TABLE.read_text("utf-8"))
    return stored.pop("seed"), stored


def _cells(record, stored):
    return tuple(record(**cell | {"first_scores": tuple(cell["first_scores"])}) for cell in stored)
