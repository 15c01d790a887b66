"""What a decision gains, by how many deals it looks at, measured by ``measure.choices``."""

import json
from pathlib import Path
from typing import NamedTuple

from gameai_book.together.results.ladder import Rung

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


def stored_bold():
    """By who searches, games of searchers who make the move of the largest mean, without a test."""
    rows = json.loads(CHOICES.read_text("utf-8"))["bold"]
    return {row["who"]: Rung("Convention", n_players=2, margin=0.0, **row) for row in rows}
