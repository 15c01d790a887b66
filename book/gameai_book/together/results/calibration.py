"""What players believe of their own cards, beside what they hold.

`gameai_book.together.measure.calibration` has written it.
"""

from typing import NamedTuple

from gameai_book.together.results.stored import read

N_BINS = 10  # of the chance that a card is playable, of the same width


class Calibration(NamedTuple):
    """A belief about whether own cards are playable, and what was there: a number a bin each.

    Bin k has the cards whose chance lies from k / 10 to (k + 1) / 10; without any, there is None.
    """

    belief: str
    n_games: int
    n_cards: int
    nats: float  #: −ln of the chance given to the very card, a mean
    nats_standard_error: float
    predicted: list[float | None]  #: mean chance
    seen: list[float | None]  #: share of them that were playable
    standard_errors: list[float | None]  #: of `seen`, over games
    n: list[int]  #: cards

    @property
    def pairs(self):
        """(predicted, seen, n) of each bin that has a card."""
        bins = zip(self.predicted, self.seen, self.n, strict=True)
        return [row for row in bins if row[-1]]

    @property
    def means(self):
        """Mean chance over all cards, and the share of them that were playable."""
        predicted, seen, n = zip(*self.pairs, strict=True)
        return tuple(
            sum(x * k for x, k in zip(of, n, strict=True)) / self.n_cards
            for of in (predicted, seen)
        )


def calibration(who="following"):
    """The `Calibration` of each belief, by its name.

    In games of two who follow the Convention; or, "searching", of two who search and know it of
    each other.
    """
    stored = read("calibration")
    return {row["belief"]: Calibration(**row) for row in stored[who]}


def deviations(who):
    """Of the turns of such games, how often the partner has made 0, 1, ... odd moves.

    A move is odd if the rules would not have made it, given the very hand of the player to move:
    a belief that reads choices as the rules' own then excludes this hand.
    """
    stored = read("calibration")
    return next(row["counts"] for row in stored["past"] if row["who"] == who)
