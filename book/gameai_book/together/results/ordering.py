"""What searches make of seven rules to be put in order, measured by ``measure.ordering``."""

from typing import NamedTuple

from gameai_book.together.results.stored import read


class Ordering(NamedTuple):
    """The lists that the runs of a search return."""

    method: str
    n_games: int  #: of each evaluation, or playout
    budget: int  #: games of a run
    n_runs: int
    best: float  #: points of the best of all lists
    seems: float  #: mean points by the search's own record
    seems_standard_error: float
    worth: float  #: and in truth
    worth_standard_error: float


def stored_ordering():
    """The rows."""
    return [Ordering(**row) for row in read("ordering")["methods"]]
