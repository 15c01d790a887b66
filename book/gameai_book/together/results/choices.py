"""What a decision gains, by how many deals it looks at, measured by ``measure.choices``."""

import json
from pathlib import Path
from typing import NamedTuple

CHOICES = Path(__file__).parents[1] / "data" / "choices.json"


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
    rows = [Choice(**row) for row in json.loads(CHOICES.read_text("utf-8"))["choices"]]
    return {rule: [row for row in rows if row.rule == rule] for rule in {r.rule: 0 for r in rows}}


class Bold(NamedTuple):
    """Games of searchers who make the move of the largest mean; a gain is on the same decks."""

    who: str  #: "one" of two, or "both"
    belief: str
    n_deals: int
    n_games: int
    mean: float
    standard_error: float
    gain: float
    gain_standard_error: float
    n_lost: int
    first_scores: list[int]


def stored_bold():
    """The rows by who searches."""
    rows = json.loads(CHOICES.read_text("utf-8"))["bold"]
    return {row["who"]: Bold(**row) for row in rows}
