"""Ratings of players by name, from wins, draws and losses: Bradley-Terry with ties.

With d the difference of two players' ln gamma, the first one's home advantage added to it:

- Davidson (1970): win, draw and loss are as likely as e^(d/2) : nu : e^(-d/2), that is
  gamma_i : nu sqrt(gamma_i gamma_j) : gamma_j.
- Rao and Kupper (1967): P(win) = gamma_i / (gamma_i + kappa gamma_j), P(loss) the same the
  other way round, a draw is the rest; kappa > 1.

The likelihood is concave in ln gamma, the home advantage and ln nu or ln kappa, so Newton's
method with the exact Hessian finds its maximum in a few steps, and the Hessian's inverse is
the joint covariance. It is a square of players: for hundreds of them. For features, teams or
more players than that there is `gameai_lib.btmm.model.fit`.
"""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from gameai_lib._checks import flag, number, one_of, short, whole
from gameai_lib.btmm._checks import listed
from gameai_lib.btmm.model.competitions import CompetitionError, from_pairs
from gameai_lib.btmm.model.covariance import difference_errors
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.existence import NoMaximumError, connected

TIES = ("davidson", "rao-kupper")
MOST_PLAYERS = 2000  # a matrix of 32 MB
LEAST_PRIOR = 1e-6  # below 1e-8 the Hessian becomes singular in floats
WIN, DRAW, LOSS = 0, 1, 2
N_STEPS = 100


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
        i, j = self._index(first), self._index(second)
        home = 0.0 if flag("neutral", neutral) else self.log_home
        d = np.array([self.log_gamma[i] - self.log_gamma[j] + home])
        with np.errstate(divide="ignore"):
            log_tie = np.log(self.tie)
        return Outcome(*np.exp(_LOG_CHANCES[self.ties](d, log_tie))[:, 0].tolist())

    def table(self, top=None):
        """Return the players as lines of text, the strongest first; only the first `top` if given.

        Name, Elo around the mean, its joint standard error, number of games.
        """
        players = self.players[: None if top is None else whole("top", top)]
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


class _Games(NamedTuple):
    """Games of the same two players with the same outcome, put together."""

    first: np.ndarray
    second: np.ndarray
    outcome: np.ndarray
    times: np.ndarray
    n: int  # players
    home: bool
    tied: bool


class _Slopes(NamedTuple):
    """Log-likelihood and its derivatives in all parameters: strengths, home, ln tie."""

    value: float
    gradient: np.ndarray
    information: np.ndarray


def rate(results, *, ties="davidson", home_advantage=False, prior=0.0):
    """Rate players by name from the results of their games.

    Parameters
    ----------
    results : iterable of (name, name, result)
        One game each: names are texts or whole numbers, the result is that of the first
        player: 1 a win, 0.5 a draw, 0 a loss. Columns go in as ``zip(home, away, result)``,
        an (n_games, 3) array as it is.
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
        No games, a result that is none, a player who meets himself; more players than
        `MOST_PLAYERS`; an unknown model, a negative prior or one too small to be felt.
    """
    one_of("ties", ties, TIES)
    home_advantage = flag("home_advantage", home_advantage)
    prior = number("prior", prior, 0, 1e12)
    if 0 < prior < LEAST_PRIOR:
        raise ValueError(f"prior must be 0 or at least {LEAST_PRIOR:g}, got {prior:g}")
    names, games = _collected(results, home_advantage)
    _check_maximum(games, names, prior)
    log_chances = _LOG_CHANCES[ties if games.tied else "davidson"]
    slopes_of = _SLOPES[ties if games.tied else "davidson"]
    beta, slopes = _maximum(games, slopes_of, prior, _start(games, ties))
    centre = np.eye(beta.size)
    centre[: games.n, : games.n] -= 1 / games.n
    joint = centre @ np.linalg.inv(_held(slopes.information, games, prior)) @ centre
    theta = beta[: games.n] - beta[: games.n].mean()
    d, log_tie = _differences(games, beta)
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
    """Return the names in order of appearance, and the `_Games`."""
    number_of, codes = {}, []
    for g, game in enumerate(listed("results", results), start=1):
        try:
            first, second, result = game
        except (TypeError, ValueError) as cause:
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
    return tuple(number_of), _Games(first, second, outcome, times, len(number_of), home, tied)


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
    for outcome, value in ((WIN, 1), (DRAW, 0.5), (LOSS, 0)):
        if isinstance(result, Real) and not isinstance(result, bool) and result == value:
            return outcome
    raise ValueError(f"game {g}: a result is 1, 0.5 or 0, got {short(result)}")


# Chances and slopes of one game in d and ln tie.


def _davidson(d, log_tie):
    """Return (3, n) float: ln P of win, draw and loss."""
    chance = np.stack([d / 2, np.full_like(d, log_tie), -d / 2])
    return chance - np.logaddexp.reduce(chance, axis=0)


def _rao_kupper(d, log_tie):
    """Return (3, n) float: ln P of win, draw and loss; no chance for a kappa below 1."""
    if log_tie < 0:
        return np.full((3, d.size), -np.inf)
    win, loss = -np.logaddexp(0, log_tie - d), -np.logaddexp(0, log_tie + d)
    with np.errstate(divide="ignore"):
        return np.stack([win, np.log(np.expm1(2 * log_tie)) + win + loss, loss])


def _davidson_slopes(d, log_tie, outcome):
    """Return ln P of the outcomes, their slopes in d and ln tie, and minus the second ones."""
    log_p = _davidson(d, log_tie)
    win, draw, loss = np.exp(log_p)
    # Sums of products, no differences: they stay right where a chance is nearly 1.
    slopes = np.stack([draw / 2 + loss, (loss - win) / 2, -draw / 2 - win])
    by_tie = np.where(outcome == DRAW, win + loss, -draw)
    curvature = win * loss + draw * (win + loss) / 4, draw * (loss - win) / 2, draw * (win + loss)
    at = outcome, np.arange(d.size)
    return log_p[at], slopes[at], by_tie, *curvature


def _rao_kupper_slopes(d, log_tie, outcome):
    """As `_davidson_slopes`; a draw is ln(kappa^2 - 1) + ln P(win) + ln P(loss)."""
    log_p = _rao_kupper(d, log_tie)
    # The logistic function's slopes, where the outcome holds its factor.
    a = (outcome != LOSS) * np.exp(-np.logaddexp(0, d - log_tie))
    b = (outcome != WIN) * np.exp(-np.logaddexp(0, -d - log_tie))
    a2, b2 = a * np.exp(log_p[WIN]), b * np.exp(log_p[LOSS])
    drawn = outcome == DRAW
    extra = drawn * 2 / -np.expm1(-2 * log_tie), drawn / np.sinh(log_tie) ** 2
    slopes = a - b, extra[0] - a - b
    curvature = a2 + b2, b2 - a2, a2 + b2 + extra[1]
    return log_p[outcome, np.arange(d.size)], *slopes, *curvature


_LOG_CHANCES = {"davidson": _davidson, "rao-kupper": _rao_kupper}
_SLOPES = {"davidson": _davidson_slopes, "rao-kupper": _rao_kupper_slopes}


# Newton's method.


def _start(games, ties):
    """Return equal strengths and the tie that fits the share of draws."""
    beta = np.zeros(games.n + games.home + games.tied)
    if games.tied:
        share = games.times[games.outcome == DRAW].sum() / games.times.sum()
        top = 2 * share if ties == "davidson" else 1 + share
        beta[-1] = np.log(top / (1 - share))
    return beta


def _differences(games, beta):
    """Return d of each game and ln tie."""
    d = beta[games.first] - beta[games.second]
    if games.home:
        d = d + beta[games.n]
    return d, beta[-1] if games.tied else -np.inf


def _likelihood(games, slopes_of, beta):
    """Return the `_Slopes` of the games alone."""
    d, log_tie = _differences(games, beta)
    log_p, *parts = slopes_of(d, log_tie, games.outcome)
    by_d, by_tie, dd, dt, tt = (games.times * part for part in parts)
    gradient, matrix = np.zeros(beta.size), np.zeros((beta.size, beta.size))
    i, j = games.first, games.second
    np.add.at(gradient, i, by_d)
    np.add.at(gradient, j, -by_d)
    for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
        np.add.at(matrix, (row, column), sign * dd)
    if games.home:
        gradient[games.n] = by_d.sum()
        _fill(matrix, games, games.n, dd)
        matrix[games.n, games.n] = dd.sum()
    if games.tied:
        gradient[-1] = by_tie.sum()
        _fill(matrix, games, beta.size - 1, dt)
        if games.home:
            matrix[-1, games.n] = matrix[games.n, -1] = dt.sum()
        matrix[-1, -1] = tt.sum()
    return _Slopes(float(games.times @ log_p), gradient, matrix)


def _fill(matrix, games, row, values):
    """Put what a parameter and the strengths have in common into its row and its column."""
    np.add.at(matrix[row], games.first, values)
    np.add.at(matrix[row], games.second, -values)
    matrix[: games.n, row] = matrix[row, : games.n]


def _penalised(games, slopes_of, prior, beta):
    value, gradient, matrix = _likelihood(games, slopes_of, beta)
    free = games.n + games.home
    x = beta[:free]
    value -= prior * float(np.logaddexp(0, x).sum() + np.logaddexp(0, -x).sum())
    gradient[:free] -= prior * np.tanh(x / 2)
    at = np.arange(free)
    matrix[at, at] += prior / (2 * np.cosh(np.minimum(np.abs(x) / 2, 300)) ** 2)
    return _Slopes(value, gradient, matrix)


def _held(matrix, games, prior):
    """Return the matrix with the mean strength held still, where no prior does that."""
    if prior > 0:
        return matrix
    held = matrix.copy()
    held[: games.n, : games.n] += np.diag(matrix)[: games.n].mean() / games.n
    return held


def _maximum(games, slopes_of, prior, beta):
    """Return the parameters at the maximum and the `_Slopes` there."""
    here = _penalised(games, slopes_of, prior, beta)
    for _ in range(N_STEPS):
        step = np.linalg.solve(_held(here.information, games, prior), here.gradient)
        gain, length = float(here.gradient @ step), 1.0
        while length > 1e-12:
            with np.errstate(all="ignore"):  # a kappa below 1 is no maximum, and no accident
                there = _penalised(games, slopes_of, prior, beta + length * step)
            if there.value >= here.value + 1e-4 * length * gain:
                break
            length /= 2
        else:
            # No way up that floats can tell: this is the top, or nothing was learned.
            if gain < 1e-8 * games.times.sum():
                return beta, here
            break
        beta, here = beta + length * step, there
        if gain < 1e-12 * games.times.sum():  # the next one would be its square
            return beta, here
    raise ArithmeticError(f"no maximum found in {N_STEPS} steps of Newton's method")


# Is there a maximum?


def _check_maximum(games, names, prior):
    """Raise `NoMaximumError` where no strengths are the likeliest; it names the players."""
    if (games.outcome == DRAW).all():
        raise NoMaximumError("every game was drawn: no chance of a draw is too great")
    if prior > 0:
        return
    won, lost, drawn = (games.outcome == kind for kind in (WIN, LOSS, DRAW))
    up = np.concatenate([games.first[won | drawn], games.second[lost | drawn]])
    down = np.concatenate([games.second[won | drawn], games.first[lost | drawn]])
    wins = connected(from_pairs(up, down, games.n))
    part = wins.part[: games.n]
    for odd, never in ((wins.above[: games.n], "lost"), (wins.below[: games.n], "won")):
        if odd.any():
            here = part == part[np.argmax(odd)]
            odd = odd & here
            if odd.sum() > here.sum() / 2:  # the same said of the few
                odd, never = here & ~odd, "won" if never == "lost" else "lost"
            to, limit = ("to", "great") if never == "lost" else ("from", "small")
            raise NoMaximumError(
                f"{_some(odd, names)} never {never} a point {to} the others: without a prior no "
                f"strength is too {limit}; give a prior, such as prior=1"
            )
    apart = part != part[0]
    if apart.any():
        raise NoMaximumError(
            f"the games never compare {_some(~apart, names)} with {_some(apart, names)}: nothing "
            "is known of their difference without a prior; give a prior, such as prior=1"
        )
    if games.home and _confounded(games):
        raise NoMaximumError(
            "strengths explain all that a home advantage would: nothing is known of it without "
            "a prior; give a prior, or leave it out"
        )
    if not _balanced(games):
        raise NoMaximumError(
            f"strengths{' and home advantage' * games.home}{' and draws' * games.tied} can grow "
            "together without end, and no result speaks against it; give a prior, such as prior=1"
        )


def _some(which, names):
    return short([names[i] for i in np.flatnonzero(which)])


def _confounded(games):
    pairs = np.unique(np.stack([games.first, games.second], axis=1), axis=0)
    rows = np.zeros((len(pairs), games.n + 1))
    rows[np.arange(len(pairs)), pairs[:, 0]] = 1
    rows[np.arange(len(pairs)), pairs[:, 1]] = -1
    rows[:, -1] = 1
    return np.linalg.matrix_rank(rows.T @ rows, hermitian=True) < games.n


def _balanced(games):
    """Does Newton's method find the certificate of a maximum (`gameai_lib.btmm.model.existence`)?

    Win, draw and loss are the teams. A direction favours all results in one model of draws
    if and only if it does in the other one, but for a factor 2: Davidson's decides for both.
    """
    beta = _start(games, "davidson")
    for _ in range(N_STEPS):
        d, log_tie = _differences(games, beta)
        slopes = _likelihood(games, _davidson_slopes, beta)
        try:
            step = np.linalg.solve(_held(slopes.information, games, 0.0), slopes.gradient)
        except np.linalg.LinAlgError:
            return False
        move, move_tie = _differences(games, step)
        changes = np.stack([move / 2, np.full_like(d, move_tie), -move / 2])
        kinds = [WIN, DRAW, LOSS] if games.tied else [WIN, LOSS]
        chance = np.exp(_davidson(d, log_tie))[kinds]
        changes = changes[kinds]
        # At a maximum all factors are 1; what rounding leaves of a 0 proves nothing.
        factor = 1 + changes - (chance * changes).sum(axis=0)
        lost = np.array(kinds)[:, None] != games.outcome
        least = (games.times * chance * factor)[lost].min()
        rest = np.abs(slopes.gradient - slopes.information @ step).sum()
        if factor[lost].min() > 0.1 and least > max(1e3 * rest, 1e-13 * games.times.sum()):
            return True
        beta = beta + step * min(1.0, 2.0 / max(float(np.abs(changes).max()), 1e-300))
    return False
