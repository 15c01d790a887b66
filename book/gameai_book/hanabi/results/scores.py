"""Scores of whole games, and errors of beliefs, measured once and stored with the package.

The scripts of ``gameai_book.hanabi.measure`` have written them. Game ``i`` of a table was dealt
by ``numpy.random.default_rng([seed, i])``.
"""

import csv
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


def stored_player_scores():
    """The tables of ``measure.games``: by the name of each, a tuple of `PlayerScore`.

    All rows of a table have the same number of games.
    """
    tables = _read(PLAYER_SCORES)
    return {name: tuple(PlayerScore(**row) for row in rows) for name, rows in tables.items()}


def stored_other_programs():
    """Scores of two copies of programs elsewhere: a dict by name and ``"authors"`` or ``"others"``.

    The public source that the file names was built and run by hand, with its own game.
    """
    with (DATA / "other_programs.csv").open(newline="", encoding="utf-8") as file:
        return {(row["program"], row["by"]): row for row in csv.DictReader(file)}


def stored_beliefs():
    """The parts of ``measure.beliefs``: by the name of each, a list of dicts.

    A pair of numbers is a mean and its standard error.
    """
    return _read(BELIEF_TABLE)


def _read(path):
    stored = json.loads(path.read_text("utf-8"))
    del stored["seed"]  # it is that of the script
    return stored
