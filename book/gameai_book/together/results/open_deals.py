"""What deals allow with open cards, measured once and stored with the package.

`gameai_book.together.measure.open_deals` has written it; deal ``i`` of a row is that of
``numpy.random.default_rng([seed, i])``.
"""

from typing import NamedTuple

from gameai_book.together.results.stored import read


class Deals(NamedTuple):
    """What NRPA found of the deals of so many players, a number a deal."""

    n_players: int
    points: list[int]  #: of the best line
    most: list[int]  #: that no line exceeds
    n_playouts: list[int]  #: after which the search ended

    @property
    def n_perfect(self):
        """Deals with a line of all 25 points."""
        return self.points.count(25)

    @property
    def n_proven(self):
        """Deals whose line is proven best."""
        return sum(a == b for a, b in zip(self.points, self.most, strict=True))


class Scores(NamedTuple):
    """What a search with few playouts, or agents, made of the same deals."""

    agent: str
    n_players: int
    mean: float
    standard_error: float
    n_perfect: int
    scores: list[int]  #: of deals 0, 1, ...


def stored_open_deals():
    """Seed, a `Deals` for each number of players, and the `Scores`."""
    stored = read("open_deals")
    deals = {row["n_players"]: Deals(**row) for row in stored["deals"]}
    return stored["seed"], deals, [Scores(**row) for row in stored["searches"]]


def stored_settings():
    """By code and level, the `Scores` of NRPA with these and few playouts at deals of two."""
    rows = read("open_deals")["settings"]
    return {(row.pop("code"), row.pop("level")): Scores("NRPA", 2, **row) for row in rows}
