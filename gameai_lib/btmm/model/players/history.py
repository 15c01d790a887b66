"""Strengths in time: ln gamma of each player takes a random walk between the dates of his games.

Whole-history rating (Coulom 2008): the games of all dates speak for each. Draws are Davidson's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.btmm.model.covariance import Difference
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players import games as by_name
from gameai_lib.btmm.model.players.newton import check_results, climb, start_of
from gameai_lib.btmm.model.players.rating import Name
from gameai_lib.btmm.model.players.ties import davidson
from gameai_lib.btmm.model.players.walk import Walk


class Curve(NamedTuple):
    """A player's Elo on the dates of his games, in days, and joint errors: (n,) float each."""

    dates: Floats
    elo: Floats
    error: Floats


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """What `rate_history` found. Between dates Elo lies between, before and after it stays.

    Only differences of Elo have a meaning of their own: 0 is where the prior holds first dates.
    """

    names: tuple[Name, ...]  #: in the order of their first games
    dates: tuple[Floats, ...]  #: of each player's games, in days
    drift: float
    walk: Walk  #: what was fitted
    beta: Floats  #: ln gamma of each player on each of these dates, ln home if asked for, ln tie

    def __reduce__(self):
        return History, tuple(getattr(self, name) for name in self.__dataclass_fields__)

    def __repr__(self) -> str:
        days = np.concatenate(self.dates)
        return f"History({len(self.names)} players, days {days.min():g} to {days.max():g})"

    def curve(self, name: Name) -> Curve:
        """Return the `Curve` of a player; a `ValueError` for one who was not rated."""
        dates = self.dates[self._index(name)]
        return Curve(dates, *np.array([self._estimate(*self._place(name, day)) for day in dates]).T)

    def difference(self, first: Name, second: Name, date: Any) -> Difference:
        """Return the `Difference` of two players on a date: how far `first` is above `second`."""
        [day] = days_of([date], 1)
        (one, spread), (other, more) = (self._place(name, day) for name in (first, second))
        return self._estimate(one - other, spread + more)

    @property
    def home_advantage(self) -> Difference:
        """`Difference`: Elo points of the first side's advantage; 0 and 0 if not asked for."""
        n, n_free = self.walk.games.n, self.beta.size - self.walk.games.tied
        return self._estimate(((np.arange(self.beta.size) == n) & (n < n_free)).astype(float), 0.0)

    def predict_proba(self, matches: Iterable[Any], dates: ArrayLike) -> Floats:
        """Return (n_matches, 3) float: chances of win, draw and loss on these dates.

        Matches are (side, side), or games as `rate_history` takes them; `None` is somebody of whom
        nothing is known, of 0 Elo. They are those of the likeliest strengths.
        """
        played = by_name.list_games("matches", matches, 2)
        d = np.full(len(played), self.home_advantage.elo / ELO_PER_NAT)
        for k, (match, day) in enumerate(zip(played, days_of(dates, len(played)), strict=True)):
            for side, sign in zip(by_name.pair_of(match), (1, -1), strict=True):
                for i in (self._index(n) for n in by_name.members_of(side) if n is not None):
                    own = self.beta[self._start[i] : self._start[i + 1]]
                    d[k] += sign * np.interp(day, self.dates[i], own)
        return np.exp(davidson(d, self.beta[-1] if self.walk.games.tied else -np.inf)).T

    def log_loss(self, games: Iterable[Any], dates: ArrayLike) -> float:
        """Return minus the mean ln chance of what happened on these dates, in nats."""
        return by_name.log_loss(games, lambda matches: self.predict_proba(matches, dates))

    @cached_property
    def _solve(self):
        return self.walk.solver(self.walk.slopes(self.beta).information)

    @cached_property
    def _start(self):
        return np.append(0, np.cumsum([days.size for days in self.dates]))

    @cached_property
    def _index(self):
        return by_name.index_of(self.names)

    def _place(self, name, day):
        """Return the shares of `beta` that make ln gamma on a day, and what the walk adds there."""
        i, place = self._index(name), np.zeros(self.beta.size)
        days, after = self.dates[i], int(np.searchsorted(self.dates[i], day))
        left, right = max(after - 1, 0), min(after, days.size - 1)
        gap, gone = days[right] - days[left], day - days[left]
        share = gone / gap if gap else 0.0
        place[self._start[i] + left] = 1 - share
        place[self._start[i] + right] += share
        return place, abs(gone * (1 - share)) * (self.drift / ELO_PER_NAT) ** 2

    def _estimate(self, place, spread):
        variance = place @ self._solve(place) + spread
        elo, error = ELO_PER_NAT * (place @ self.beta), ELO_PER_NAT * variance**0.5
        return Difference(float(elo), float(error))


def rate_history(
    results: Iterable[Any],
    dates: ArrayLike,
    *,
    drift: float,
    home_advantage: bool = False,
    prior: float = 1.0,
) -> History:
    """Rate players by name, on each date of their games.

    Errors are those of `rate`, and one for dates that are none, or not one for each game.

    Parameters
    ----------
    results, home_advantage
        As `rate` takes them.
    dates : (n_games,) array
        Of days: numbers, or dates such as "2018-08-10" and those of datetime and pandas.
    drift : float
        How far a strength walks in a day, in Elo points: the standard deviation.
    prior : float
        Virtual wins and losses of every player, on his first date, against one of strength 1, and
        of the home advantage.

    Examples
    --------
    >>> games = [("Ann", "Bob", 1)] * 4 + [("Bob", "Ann", 1)] * 4
    >>> history = rate_history(games, [0, 1, 2, 3, 10, 11, 12, 13], drift=50)
    >>> for day in (0, 6.5, 13):
    ...     print("{:.0f} Elo, s.e. {:.0f}".format(*history.difference("Ann", "Bob", day)))
    135 Elo, s.e. 155
    -18 Elo, s.e. 164
    -179 Elo, s.e. 175
    """
    drift = checks.number("drift", drift, 0.01, 1e6)
    prior = checks.number("prior", prior, 1e-6, 1e12)
    games = by_name.list_games("results", results)
    names, _ = by_name.collect(games)
    days, at = np.unique(days_of(dates, len(games)), return_inverse=True)
    code_of, dated = {name: i * days.size for i, name in enumerate(names)}, []
    for game, k in zip(games, at.ravel().tolist(), strict=True):  # the same players, each by date
        *sides, result = by_name.triple_of(game)
        members = [map(by_name.plain_name, by_name.members_of(side)) for side in sides]
        dated.append((*(tuple(code_of[name] + k for name in side) for side in members), result))
    codes, found = by_name.collect(dated, home=checks.flag("home_advantage", home_advantage))
    rank = np.argsort(np.argsort(codes))  # by player, then by date
    others = np.arange(found.n, found.members.max() + 1)
    found = found._replace(members=np.append(rank, others)[found.members])
    check_results(found, names, prior)
    player, when = np.divmod(np.sort(codes), days.size)
    steps = np.where(np.diff(player) == 0, np.diff(days[when]), np.inf)
    walk = Walk(found, (ELO_PER_NAT / drift) ** 2 / steps, prior)
    own = tuple(np.split(days[when], walk.first[1:]))
    with Bar("rate_history", unit="steps") as bar:
        steps = climb(walk.slopes, start_of(found, "davidson"), walk.solver)
        for n_steps, place in enumerate(steps):
            beta, _ = place
            bar(n_steps)
    return History(names, own, drift, walk, beta)


def days_of(dates: ArrayLike, n: int) -> Floats:
    """Return (n,) float: dates as days, those of a calendar since 1970, or raise."""
    found = np.asarray(dates)
    if found.dtype.kind not in "iuf":
        try:
            found = found.astype("datetime64[s]")
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"dates must be numbers of days or dates, got {short(dates)}"
            ) from error
        found = np.where(np.isnat(found), np.nan, found.astype(np.int64) / 86_400)
    return by_name.one_each(n, "dates", arrays.finite("dates", found, 1))
