"""The likeliest strengths of players whose games may be drawn: do they exist, and where?

The likelihood is concave in ln gamma, the home advantage and ln nu or ln kappa
(`gameai_lib.btmm.model.players.ties`), so Newton's method with the exact Hessian finds its
maximum in a few steps. The parameters are one vector: the strengths, the home advantage if it
is estimated, ln tie if there are draws.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base.checks import short
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.existence import NoMaximumError, connected
from gameai_lib.btmm.model.players.ties import DRAW, LOSS, WIN, davidson, davidson_slopes

N_STEPS = 100


class Results(NamedTuple):
    """Games of the same two players with the same outcome, put together."""

    first: np.ndarray  # (n_rows,) int: number of the first player, at home if there is one
    second: np.ndarray  # (n_rows,) int
    outcome: np.ndarray  # (n_rows,) int: WIN, DRAW or LOSS of the first one
    times: np.ndarray  # (n_rows,) int: how often
    n: int  # players
    home: bool  # is a home advantage asked for?
    tied: bool  # was a game drawn?


class Slopes(NamedTuple):
    """Log-likelihood in nats and its derivatives in all n parameters."""

    value: float
    gradient: np.ndarray  # (n,)
    information: np.ndarray  # (n, n): minus the Hessian


def start_of(games, ties):
    """Return (n,) parameters: equal strengths, and the tie that fits the share of draws."""
    beta = np.zeros(games.n + games.home + games.tied)
    if games.tied:
        share = games.times[games.outcome == DRAW].sum() / games.times.sum()
        top = 2 * share if ties == "davidson" else 1 + share
        beta[-1] = np.log(top / (1 - share))
    return beta


def differences_of(games, beta):
    """Return (n_rows,) d of each row of games, and ln tie."""
    d = beta[games.first] - beta[games.second]
    if games.home:
        d = d + beta[games.n]
    return d, beta[-1] if games.tied else -np.inf


def _likelihood(games, slopes_of, beta):
    """Return the `Slopes` of the games alone."""
    d, log_tie = differences_of(games, beta)
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
    return Slopes(float(games.times @ log_p), gradient, matrix)


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
    return Slopes(value, gradient, matrix)


def mean_held(matrix, games, prior):
    """Return the matrix with the mean strength held still, where no prior does that."""
    if prior > 0:
        return matrix
    held = matrix.copy()
    held[: games.n, : games.n] += np.diag(matrix)[: games.n].mean() / games.n
    return held


def find_maximum(games, slopes_of, prior, beta):
    """Return the parameters at the maximum and the `Slopes` there.

    Parameters
    ----------
    games : Results
    slopes_of : function
        One of `gameai_lib.btmm.model.players.ties.SLOPES`.
    prior : float
        Virtual wins and losses of every strength, and of the home advantage, against 1.
    beta : (n,) float array
        Where to begin, see `start_of`.

    Raises
    ------
    ArithmeticError
        If `N_STEPS` steps do not reach it.
    """
    here = _penalised(games, slopes_of, prior, beta)
    for _ in range(N_STEPS):
        step = np.linalg.solve(mean_held(here.information, games, prior), here.gradient)
        gain, length = float(here.gradient @ step), 1.0
        while length > 1e-12:
            with np.errstate(all="ignore"):  # a kappa below 1 is not a maximum, nor an error
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


def check_maximum(games, names, prior):
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
    beta = start_of(games, "davidson")
    for _ in range(N_STEPS):
        d, log_tie = differences_of(games, beta)
        slopes = _likelihood(games, davidson_slopes, beta)
        try:
            step = np.linalg.solve(mean_held(slopes.information, games, 0.0), slopes.gradient)
        except np.linalg.LinAlgError:
            return False
        move, move_tie = differences_of(games, step)
        changes = np.stack([move / 2, np.full_like(d, move_tie), -move / 2])
        kinds = [WIN, DRAW, LOSS] if games.tied else [WIN, LOSS]
        chance = np.exp(davidson(d, log_tie))[kinds]
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
