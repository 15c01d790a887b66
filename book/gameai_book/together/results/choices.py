"""What a decision gains, by how many deals it looks at, measured by ``measure.choices``."""

from typing import NamedTuple

from gameai_book.together.results.ladder import Rung
from gameai_book.together.results.stored import read


class Choice(NamedTuple):
    """What the moves gain that a rule chooses after so many deals."""

    rule: str
    n_deals: int
    n_turns: int
    gain: float  #: points a move, over the Convention's
    standard_error: float
    share: float  #: of moves that are not the Convention's


def stored_choices():
    """The rows by rule."""
    rows = [Choice(**row) for row in read("choices")["choices"]]
    return {rule: [row for row in rows if row.rule == rule] for rule in {r.rule: 0 for r in rows}}


def stored_bold():
    """By who searches, games of searchers who make the move of the largest mean, without a test."""
    rows = read("choices")["bold"]
    return {row["who"]: Rung("Convention", n_players=2, margin=0.0, **row) for row in rows}
