"""Ratings of players by name, from wins, draws and losses: Bradley-Terry with ties.

The models of draws are in `gameai_lib.btmm.model.players.ties`. The inverse of the Hessian at
the maximum that `gameai_lib.btmm.model.players.newton` finds is the joint covariance. It is a
square of players: for hundreds of them. For features, teams or more players than that there is
`gameai_lib.btmm.model.fit`.
"""

import contextlib
from dataclasses import dataclass
from numbers import Integral, Real
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.model.competitions import CompetitionError
from gameai_lib.btmm.model.covariance import difference_errors
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players.newton import (
    Results,
    check_maximum,
    differences_of,
    find_maximum,
    mean_held,
    start_of,
)
from gameai_lib.btmm.model.players.ties import DRAW, LOG_CHANCES, LOSS, SLOPES, TIES, WIN
from gameai_lib.btmm.records.football import Match
from gameai_lib.btmm.records.games import Game

MOST_PLAYERS = 2000  # a matrix of 32 MB
LEAST_PRIOR = 1e-6  # below 1e-8 the Hessian becomes singular in floats


class Player(NamedTuple):
    """A line of the table: Elo around the players' mean, its joint standard error, games."""

    name: object
    elo: float
    error: float
    n_games: int


class Difference(NamedTuple):
    """How many Elo one player is above another, and the standard error of that."""

    elo: float
    error: float


class Outcome(NamedTuple):
    """Chances of the first of two players."""

    win: float
    draw: float
    loss: float


@dataclass(frozen=True, eq=False)
class Rating:
    """What `rate` found; the arrays are read-only.

    Parameters
    ----------
    names : tuple
        In the order of their first games.
    log_gamma : (n_players,) float array
        Natural logarithms of the strengths, mean 0.
    log_home : float
        Natural logarithm of the factor on the first player's strength; 0 if not asked for.
    tie : float
        nu of Davidson or kappa of Rao and Kupper; 0 or 1 where no game was drawn.
    covariance : (n_players + 2, n_players + 2) float array
        Joint covariance of `log_gamma`, `log_home` and ln `tie`, zeros for what was not
        estimated; of strengths around their mean.
    scores : (n_players, 3) int array
        Wins, draws and losses.
    log_likelihood : float
        Of the games, without the prior, in nats.
    ties : {"davidson", "rao-kupper"}
    prior : float
    """

    names: tuple
    log_gamma: np.ndarray
    log_home: float
    tie: float
    covariance: np.ndarray
    scores: np.ndarray
    log_likelihood: float
    ties: str
    prior: float

    def __repr__(self):
        first = self.players[0]
        return (
            f"Rating({len(self.names)} players, {self.scores.sum() // 2} games; "
            f"first {first.name}, {first.elo:.0f} +- {first.error:.0f})"
        )

    @property
    def elo(self):
        """(n_players,) float: 400 log10 gamma, mean 0."""
        return ELO_PER_NAT * self.log_gamma

    @property
    def standard_error(self):
        """(n_players,) float: joint standard errors of `elo`; the other strengths may move."""
        return ELO_PER_NAT * np.sqrt(np.diag(self.covariance)[: len(self.names)])

    @property
    def home_advantage(self):
        """`Difference`: Elo points of the first player's advantage, and their error."""
        error = ELO_PER_NAT * np.sqrt(self.covariance[-2, -2])
        return Difference(float(ELO_PER_NAT * self.log_home), float(error))

    @property
    def players(self):
        """List of `Player`, the strongest first."""
        elo, error, games = self.elo, self.standard_error, self.scores.sum(axis=1)
        return [
            Player(self.names[i], float(elo[i]), float(error[i]), int(games[i]))
            for i in np.argsort(-elo, kind="stable")
        ]

    def difference(self, first, second):
        """Return the `Difference` of two players by name: how far `first` is above `second`.

        Raises
        ------
        ValueError
            For a name that was not rated.
        """
        i, j = self._index(first), self._index(second)
        c = self.covariance
        variance = c[i, i] + c[j, j] - 2 * c[i, j]
        error = float(ELO_PER_NAT * np.sqrt(max(variance, 0.0)))
        return Difference(float(self.elo[i] - self.elo[j]), error)

    def differences(self):
        """Return two (n_players, n_players) arrays: row above column in Elo, and the errors."""
        n = len(self.names)
        errors = ELO_PER_NAT * difference_errors(self.covariance[:n, :n])
        return self.elo[:, None] - self.elo, errors

    def probabilities(self, first, second, *, neutral=False):
        """Return the `Outcome` to expect when `first` (at home, unless `neutral`) meets `second`.

        Raises
        ------
        ValueError
            For a name that was not rated.
        """
        return Outcome(*self.predict_proba([(first, second)], neutral=neutral)[0].tolist())

    def interval(self, level=0.95):
        """Return (n_players, 2) float: where `elo` lies with probability `level`, 95 % without.

        From the joint errors, as Ordo and bayeselo print them; `standard_error` is half as wide.

        Raises
        ------
        ValueError
            If `level` is not between 0 and 1.
        """
        if not 0 < checks.number("level", level, 0.0, 1.0) < 1:
            raise ValueError(f"level must be between 0 and 1, got {short(level)}")
        half = NormalDist().inv_cdf(0.5 + level / 2) * self.standard_error
        return np.stack([self.elo - half, self.elo + half], axis=1)

    def predict_proba(self, matches, *, neutral=False):
        """Return (n_matches, 3) float: chances of win, draw and loss of each first player.

        Parameters
        ----------
        matches : iterable of (name, name), or of games as `rate` takes them
            A result is not looked at.
        neutral : bool
            Whether nobody is at home.

        Raises
        ------
        ValueError
            For a name that was not rated.
        """
        pairs = [
            [self._index(side) for side in _pair(match)]
            for match in arrays.listed("matches", matches)
        ]
        first, second = np.array(pairs, int).reshape(-1, 2).T
        home = 0.0 if checks.flag("neutral", neutral) else self.log_home
        d = self.log_gamma[first] - self.log_gamma[second] + home
        with np.errstate(divide="ignore"):
            log_tie = np.log(self.tie)
        return np.exp(LOG_CHANCES[self.ties](d, log_tie)).T

    def log_loss(self, results, *, neutral=False):
        """Return minus the mean ln chance of what happened in games as `rate` takes them, nats.

        Raises
        ------
        ValueError
            For a name that was not rated, a result other than 1, 0.5 and 0, or no game.
        """
        games = [_triple(game) for game in arrays.listed("results", results)]
        if not games:
            raise CompetitionError("no games to predict")
        outcome = [_outcome(result, g) for g, (_, _, result) in enumerate(games, start=1)]
        chances = self.predict_proba([game[:2] for game in games], neutral=neutral)
        with np.errstate(divide="ignore"):
            return -float(np.log(chances[np.arange(len(games)), outcome]).mean())

    def table(self, top=None):
        """Return the players as lines of text, the strongest first; only the first `top` if given.

        Name, Elo around the mean, its joint standard error, number of games.
        """
        players = self.players[: None if top is None else checks.whole("top", top)]
        width = max([len(str(player.name)) for player in players] + [6])
        lines = [f"{'player':<{width}}  {'Elo':>7}  {'+-':>5}  {'games':>5}"]
        for name, elo, error, n_games in players:
            lines.append(f"{name!s:<{width}}  {elo:7.1f}  {error:5.0f}  {n_games:5d}")
        return "\n".join(lines)

    def _index(self, name):
        # Not a dict: the mistake to catch is a name of another type, and this shows it.
        for i, known in enumerate(self.names):
            if type(name) is type(known) and name == known:
                return i
        if isinstance(name, Integral) and name in self.names:
            return self.names.index(name)
        raise ValueError(f"{short(name)} was not rated; rated were {short(list(self.names))}")


def rate(results, *, ties="davidson", home_advantage=False, prior=0.0):
    """Rate players by name from the results of their games.

    Parameters
    ----------
    results : iterable of (name, name, result), Match or Game
        One game each: names are texts or whole numbers, the result is that of the first
        player: 1 a win, 0.5 a draw, 0 a loss. Columns go in as ``zip(home, away, result)``,
        an (n_games, 3) array as it is, and so does what `read_football`, `read_wthor`,
        `read_sgf` and `read_connect6` read; Black is the first player there.
    ties : {"davidson", "rao-kupper"}
        The model of draws. Without a draw both are Bradley and Terry's.
    home_advantage : bool
        Estimate a factor on the strength of the one who is named first.
    prior : float
        Virtual wins and losses of every player against one of strength 1, and of the home
        advantage; 0 for none. With some, there is always a best rating.

    Returns
    -------
    Rating

    Raises
    ------
    NoMaximumError
        Where the results alone have no likeliest strengths: it names who never lost a point,
        or never won one, or was never compared; and where all games are drawn.
    ValueError, TypeError
        No games, a result other than 1, 0.5 and 0, a player who meets himself (where a file
        calls all that it does not know by one name, leave these games out); more players
        than `MOST_PLAYERS`; an unknown model, a negative prior or one too small to be felt.
    """
    checks.one_of("ties", ties, TIES)
    home_advantage = checks.flag("home_advantage", home_advantage)
    prior = checks.number("prior", prior, 0, 1e12)
    if 0 < prior < LEAST_PRIOR:
        raise ValueError(f"prior must be 0 or at least {LEAST_PRIOR:g}, got {prior:g}")
    names, games = _collected(results, home_advantage)
    check_maximum(games, names, prior)
    log_chances = LOG_CHANCES[ties if games.tied else "davidson"]
    slopes_of = SLOPES[ties if games.tied else "davidson"]
    beta, slopes = find_maximum(games, slopes_of, prior, start_of(games, ties))
    centre = np.eye(beta.size)
    centre[: games.n, : games.n] -= 1 / games.n
    joint = centre @ np.linalg.inv(mean_held(slopes.information, games, prior)) @ centre
    theta = beta[: games.n] - beta[: games.n].mean()
    d, log_tie = differences_of(games, beta)
    chances = log_chances(d, log_tie)[games.outcome, np.arange(d.size)]
    return Rating(
        names=names,
        log_gamma=_frozen(theta),
        log_home=float(beta[games.n]) if games.home else 0.0,
        tie=float(np.exp(log_tie)) if games.tied else float(ties == "rao-kupper"),
        covariance=_frozen(_widened(joint, games)),
        scores=_frozen(_scores(games)),
        log_likelihood=float(games.times @ chances),
        ties=ties,
        prior=prior,
    )


def _frozen(values):
    values.flags.writeable = False
    return values


def _widened(joint, games):
    """Return the covariance with rows of zeros for what was not estimated."""
    kept = [*range(games.n)] + [games.n] * games.home + [games.n + 1] * games.tied
    wide = np.zeros((games.n + 2, games.n + 2))
    wide[np.ix_(kept, kept)] = (joint + joint.T) / 2
    return wide


def _scores(games):
    scores = np.zeros((games.n, 3), int)
    np.add.at(scores, (games.first, games.outcome), games.times)
    np.add.at(scores, (games.second, 2 - games.outcome), games.times)
    return scores


def _collected(results, home):
    """Return the names in order of appearance, and the `Results`."""
    number_of, codes = {}, []
    for g, game in enumerate(arrays.listed("results", results), start=1):
        try:
            first, second, result = _triple(game)
        except (AttributeError, TypeError, ValueError) as cause:
            raise ValueError(f"game {g} must be (name, name, result), got {short(game)}") from cause
        sides = [_name(side, g) for side in (first, second)]
        if sides[0] == sides[1]:
            raise CompetitionError(f"game {g}: {short(sides[0])} meets himself")
        i, j = (number_of.setdefault(side, len(number_of)) for side in sides)
        codes.append((i, j, _outcome(result, g)))
        if len(number_of) > MOST_PLAYERS:
            raise CompetitionError(
                f"more than {MOST_PLAYERS} players: for so many there is fit(from_pairs(...))"
            )
    if not codes:
        raise CompetitionError("nothing to learn from: no games")
    rows, times = np.unique(np.array(codes), axis=0, return_counts=True)
    first, second, outcome = rows.T
    tied = bool((outcome == DRAW).any())
    return tuple(number_of), Results(first, second, outcome, times, len(number_of), home, tied)


def _pair(match):
    """Return the names of a match that may have been played."""
    try:
        first, second = _triple(match)[:2] if isinstance(match, Match | Game) else match[:2]
    except (TypeError, ValueError) as cause:
        raise ValueError(f"a match is (name, name), got {short(match)}") from cause
    return first, second


def _triple(game):
    """Return names and result of a game of the readers, or of three values."""
    if isinstance(game, Match):
        return game.home, game.away, game.result
    if isinstance(game, Game):
        return game.black, game.white, game.result
    first, second, result = game
    return first, second, result


def _name(name, g):
    if isinstance(name, str) and name.strip():
        return str(name)
    # An array of whole numbers and halves holds 3.0 for player 3.
    if isinstance(name, float | np.floating) and float(name).is_integer():
        return int(name)
    if isinstance(name, Integral) and not isinstance(name, bool | np.bool_):
        return int(name)
    raise TypeError(f"game {g}: a name is a text or a whole number, got {short(name)}")


def _outcome(result, g):
    if isinstance(result, str):  # of an array of texts
        with contextlib.suppress(ValueError):
            result = float(result)
    for outcome, value in ((WIN, 1), (DRAW, 0.5), (LOSS, 0)):
        if isinstance(result, Real) and not isinstance(result, bool) and result == value:
            return outcome
    raise ValueError(f"game {g}: a result is 1, 0.5 or 0, got {short(result)}")
