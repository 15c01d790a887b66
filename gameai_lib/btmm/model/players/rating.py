"""What is known of rated players: strengths and their errors, differences, chances and ranks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Floats, Ints, NDArray, Seed
from gameai_lib.btmm.model.covariance import Difference
from gameai_lib.btmm.model.elo import ELO_PER_NAT, quantile
from gameai_lib.btmm.model.players import games as by_name
from gameai_lib.btmm.model.players.errors import Errors, spread_at
from gameai_lib.btmm.model.players.newton import Curvature, Results, scores_of
from gameai_lib.btmm.model.players.refit import bootstrap
from gameai_lib.btmm.model.players.ties import chances

MOST_SHOWN = 100  # players in the table of a notebook

Name = str | int
Side = Name | tuple[Name, ...]
Asked = Name | None | tuple[Name | None, ...]
Columns = Mapping[str, ArrayLike] | Any  # or a data frame


class Player(NamedTuple):
    """A line of the table: Elo around the players' mean, its joint standard error, games."""

    name: Name
    elo: float
    error: float
    n_games: float


class Outcome(NamedTuple):
    """Chances of the first of two sides."""

    win: float
    draw: float
    loss: float


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """What `rate` found; the arrays are read-only.

    Arrays have the players in the order of `names`; `players` and what is printed begin with the
    strongest. ``pandas.DataFrame(rating.players)`` and ``DataFrame(rating.ranks(), rating.names)``
    are data frames, ``pickle.dumps(rating)`` keeps a rating.

    A side is a name, or a tuple of names where teams play; where chances or differences are
    asked for, `None` is somebody of whom nothing is known, of 0 Elo. Errors let all other
    strengths move, too. With more than 2,000 players each is solved for when it is asked for,
    and `covariance` is refused.
    """

    names: tuple[Name, ...]  #: in the order of their first games
    games: Results  #: what was rated
    ties: str
    prior: float
    beta: Floats  #: what was fitted, ln gamma of the players, the scaled features, ln tie
    curvature: Curvature  #: of the objective at `beta`, for the errors
    spread: Curvature | None = None  #: of single games, for the errors of `robust`

    def __post_init__(self) -> None:
        for values in (self.beta, *self.games, *self.curvature, *(self.spread or ())):
            if isinstance(values, np.ndarray):
                _freeze(values)

    def __reduce__(self):
        return Rating, tuple(getattr(self, name) for name in self.__dataclass_fields__)

    @cached_property
    def log_gamma(self) -> Floats:
        """(n_players,) float: ln gamma, of mean 0 if sides are even and nobody is an anchor."""
        theta = self.beta[: self.games.n]
        return _freeze(theta - theta.mean() * self.games.even)

    @cached_property
    def slopes(self) -> dict[str, float]:
        """What one more of a feature adds to ln gamma of a side, by the feature's name."""
        features = enumerate(self.games.features.items(), start=self.games.n)
        return {name: float(self.beta[i]) / size for i, (name, size) in features}

    @property
    def log_home(self) -> float:
        """Ln of the factor on the first side's strength; 0 if not asked for."""
        return self.slopes.get(by_name.HOME, 0.0)

    @property
    def tie(self) -> float:
        """Nu of Davidson or kappa of Rao and Kupper; 0 or 1 where no game was drawn."""
        return float(np.exp(self.beta[-1]) if self.games.tied else self.ties == "rao-kupper")

    @cached_property
    def scores(self) -> NDArray[Any]:
        """(n_players, 3) wins, draws and losses; floats if weighted."""
        return _freeze(scores_of(self.games))

    @property
    def n_games(self) -> float:
        """Number of games, or the sum of their weights."""
        return self.games.times.sum().item()

    def __repr__(self) -> str:
        first = self._first(1)[0]
        return (
            f"Rating({len(self.names)} players, {self.n_games:g} games; "
            f"first {first.name}, {first.elo:.0f} Elo, s.e. {first.error:.0f})"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.table(MOST_SHOWN))}</pre>"

    @property
    def elo(self) -> Floats:
        """(n_players,) float: 400 log10 gamma."""
        return ELO_PER_NAT * self.log_gamma

    @cached_property
    def covariance(self) -> Floats:
        """(m, m) float: of n_players `log_gamma`, n_features `features` and one ln `tie`.

        Joint, in nats, with zeros for a tie that was not estimated, and of strengths around their
        mean unless there are anchors. A `ValueError` with more than 2,000 players.

        With ``v = rating.covariance[:n, :n]`` and ``d = numpy.diag(v)`` the errors of the
        differences of any two players, in Elo, are ``173.72 * numpy.sqrt(d[:, None] + d - 2 * v)``.
        """
        size = np.concatenate([np.ones(self.games.n), [*self.games.features.values()], [1.0]])
        wide, n = np.zeros((size.size, size.size)), self.beta.size
        wide[:n, :n] = self._errors.covariance
        return _freeze(wide / np.outer(size, size))

    def robust(self) -> "Rating":
        """Return the same rating with errors of Huber and White, also called sandwich or HC0.

        They hold for many games, each drawn by itself, even where the model is not quite right.
        With a prior they say how far other games would move the strengths, as `bootstrap` does.
        """
        return replace(self, spread=spread_at(self.games, self.ties, self.beta))

    @cached_property
    def _errors(self):
        return Errors(self.curvature, self.spread)

    @cached_property
    def standard_error(self) -> Floats:
        """(n_players,) float: joint standard errors of `elo`; the other strengths may move."""
        return _freeze(self._errors.of_players(range(self.games.n)))

    @cached_property
    def features(self) -> dict[str, Difference]:
        """A `Difference` by name, Elo points for one more of it; home advantage, too."""
        found = {}
        for i, (name, size) in enumerate(self.games.features.items(), start=self.games.n):
            error = self._errors.of_contrast(np.eye(1, self.games.n_free, i)[0]) / size
            found[name] = Difference(float(ELO_PER_NAT * self.slopes[name]), error)
        return found

    @property
    def home_advantage(self) -> Difference:
        """`Difference`: Elo points of the first side's advantage; 0 and 0 if not asked for."""
        return self.features.get(by_name.HOME, Difference(0.0, 0.0))

    @property
    def players(self) -> list[Player]:
        """List of `Player`, the strongest first."""
        return self._first(None)

    def _first(self, top, min_games=0):
        """Return the first `top` players of so many games; no errors of others are solved for."""
        elo, n_games = self.elo, self.scores.sum(axis=1)
        order = np.argsort(-elo, kind="stable")
        order = order[n_games[order] >= min_games][:top]
        is_all = len(order) == len(elo)
        errors = self.standard_error[order] if is_all else self._errors.of_players(order)
        return [
            Player(self.names[i], float(elo[i]), float(error), n_games[i].item())
            for i, error in zip(order, errors, strict=True)
        ]

    def difference(self, first: Asked, second: Asked) -> Difference:
        """Return the `Difference` of two sides by name: how far `first` is above `second`.

        A `ValueError` for a name that was not rated or stands in a side twice, or sides of
        different size where all games had sides of the same.
        """
        contrast = np.zeros(self.curvature.penalty.size)
        for side, sign in zip(self._sides(first, second), (1, -1), strict=True):
            contrast[side] += sign
        elo = float(self.elo @ contrast[: len(self.names)])
        return Difference(elo, self._errors.of_contrast(contrast))

    def probabilities(self, first: Asked, second: Asked, *, neutral: bool = False) -> Outcome:
        """Return the `Outcome` to expect when `first` (at home, unless `neutral`) meets `second`.

        Raises what `difference` does, and a `ValueError` for a player who meets himself.
        """
        return Outcome(*self.predict_proba([(first, second)], neutral=neutral)[0].tolist())

    def interval(self, level: float = 0.95) -> Floats:
        """Return (n_players, 2) float: where `elo` lies with probability `level`, 95 % without.

        From the joint errors, as Ordo and bayeselo print them.
        """
        half = quantile(level) * self.standard_error
        return np.stack([self.elo - half, self.elo + half], axis=1)

    def ranks(self, level: float = 0.95) -> Ints:
        """Return (n_players, 2) int: the first and the last rank that `interval` leaves a player.

        As arenas count: above the first are those whose intervals lie above one's own, below the
        last those whose intervals lie below.
        """
        low, high = self.interval(level).T
        first = 1 + low.size - np.searchsorted(np.sort(low), high, side="right")
        last = low.size - np.searchsorted(np.sort(high), low, side="left")
        return np.stack([first, last], axis=1).astype(np.int64)

    def bootstrap(self, n: int, rng: Seed) -> Floats:
        """Return (n, n_players + n_features) float: n ratings of games drawn with replacement.

        A row has `elo`, then what one more of each of the `features` is worth;
        ``numpy.quantile(found, [0.025, 0.975], axis=0)`` takes nothing for normal.

        Ctrl-C raises `gameai_lib.base.interrupts.Interrupted`, whose `result` has the rows so far.
        A `NoMaximumError` where games that were drawn have no likeliest strengths; a prior helps.
        """
        return bootstrap(self, checks.whole("n", n), checks.generator(rng))

    def predict_proba(
        self, matches: Iterable[Any], *, features: Columns | None = None, neutral: bool = False
    ) -> Floats:
        """Return (n_matches, 3) float: chances of win, draw and loss of each first side.

        Matches are (side, side), rows of a data frame, or games as `rate` takes them, whose results
        are not looked at. Of `features`, as `rate` takes them, sides have the same where none are
        given. Nobody is at home if `neutral`. Raises what `probabilities` does.
        """
        theta = self.log_gamma.tolist()
        d = np.array(
            [
                sum(theta[i] for i in first) - sum(theta[i] for i in second)
                for first, second in map(self._met, by_name.list_games("matches", matches, 2))
            ]
        )
        columns = by_name.columns_of(features, d.size)
        for name, column in columns.items():
            if name not in self.slopes:
                raise ValueError(f"feature {short(name)} was not rated, only {[*self.slopes]}")
            d += self.slopes[name] * column
        if not (checks.flag("neutral", neutral) or by_name.HOME in columns):
            d += self.log_home
        return chances(self.ties, d, self.tie).T

    def log_loss(
        self, games: Iterable[Any], *, features: Columns | None = None, neutral: bool = False
    ) -> float:
        """Return minus the mean ln chance of what happened in games as `rate` takes them, nats."""
        predict = partial(self.predict_proba, features=features, neutral=neutral)
        return by_name.log_loss(games, predict)

    def table(
        self, top: int | None = None, level: float | None = None, *, min_games: float = 0
    ) -> str:
        """Return the players as lines of text, the strongest first; only the first `top` if given.

        Name, Elo, its joint standard error ("s.e."), number of games. With a `level`, such as
        0.95, half the width of `interval` stands in the place of the standard error. Who has fewer
        than `min_games` is left out.
        """
        top = None if top is None else checks.whole("top", top)
        players = self._first(top, checks.number("min_games", min_games, 0))
        factor, head = 1.0, "s.e."
        if level is not None:
            factor, head = quantile(level), f"+-{100 * level:g}%"
        width = max([len(str(player.name)) for player in players] + [6])
        wide = max(len(head), 5)
        lines = [f"{'player':<{width}}  {'Elo':>7}  {head:>{wide}}  {'games':>5}"]
        for name, elo, error, n_games in players:
            lines.append(
                f"{name!s:<{width}}  {elo:7.1f}  {factor * error:{wide}.0f}  {n_games:5.10g}"
            )
        return "\n".join(lines)

    @cached_property
    def _index(self):
        return by_name.index_of(self.names)

    def _met(self, match):
        """Return the numbers of the players who meet in a match."""
        first, second = self._sides(*by_name.pair_of(match))
        if not set(first).isdisjoint(second):
            raise ValueError(f"a player meets himself in {short(match)}")
        return first, second

    def _sides(self, *sides):
        """Return the numbers of the players of two sides; of somebody unknown there is none."""
        members = [by_name.members_of(side) for side in sides]
        found = [[self._index(name) for name in side if name is not None] for side in members]
        for side, players in zip(sides, found, strict=True):
            if len(set(players)) < len(players):
                raise ValueError(f"a player stands twice in {short(side)}")
        if self.games.even and len(members[0]) != len(members[1]):
            raise ValueError(
                f"all games had sides of equal size, which say nothing of {short(sides[0])} "
                f"against {short(sides[1])}"
            )
        return found


def _freeze(values):
    values.flags.writeable = False
    return values
