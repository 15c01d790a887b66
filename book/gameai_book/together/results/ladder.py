"""What search is worth on each belief, measured by ``measure.ladder``."""

from typing import NamedTuple

from gameai_book.together.results.stored import read


class Rung(NamedTuple):
    """A row: who searches on what, and what that gains on the same decks."""

    agent: str  #: whose rules the players follow, and the searchers' partners
    who: str  #: "one" or "both" (all, at a larger table)
    n_players: int
    belief: str
    n_deals: int
    n_games: int
    mean: float
    standard_error: float
    gain: float  #: mean over the games less that of the rules alone
    gain_standard_error: float
    n_lost: int  #: games that ended with the last life
    first_scores: list[int]  #: of games 0, 1, ...
    margin: float = 0.1


def stored_rungs():
    """The rows by the part of the script that measured them."""
    stored = read("ladder")
    stored.pop("seed")
    return {part: [Rung(**row) for row in rows] for part, rows in stored.items()}
