"""The likeliest strengths of players whose games may be drawn: do they exist, and where?

The likelihood is concave in ln gamma, the factors of features and ln nu or ln kappa (`ties`), so
Newton's method finds its maximum in a few steps. The parameters are one vector: the strengths, the
features, of which home advantage is one, ln tie if there are draws.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base.checks import short
from gameai_lib.base.types import Floats, Ints, NDArray
from gameai_lib.btmm.model import conjugate
from gameai_lib.btmm.model.existence import NoMaximumError, connect
from gameai_lib.btmm.model.players.ties import DRAW, LOSS, SLOPES, WIN, davidson

DENSE = 2000  # parameters up to which a matrix is made: 32 MB
N_STEPS = 100


class Results(NamedTuple):
    """Games of the same two sides with the same features and outcome, put together.

    A row of games is a sum of parameters: the strengths of a side's members add up, and each
    feature is one more column, whose number is how much more of it the first side has.
    """

    members: Ints  #: (n_rows, n_columns) int: players; n + j is feature j, the last number nobody
    values: Floats  #: (n_rows, n_columns) float: 1 of the first side, -1 of the second; of features
    outcome: Ints  #: (n_rows,) int: WIN, DRAW or LOSS of the first side
    times: NDArray[Any]  #: (n_rows,) int or float: how often
    kind: Ints  #: (n_rows,) int: the number of the row when games were put together
    given: Ints  #: (n_games,) int: the kind of each game; -1 of one that does not count
    n: int  #: players
    features: dict[str, float]  #: by name the root of the mean square, which is 1 in `values`
    tied: bool  #: was a game drawn?
    even: bool  #: is the mean strength open? Sides are equal in number, and nobody is an anchor.
    origin: Floats  #: (n_free,) float: where the prior and the search begin, 0 or the anchors
    fixed: NDArray[Any]  #: (n_free + 1,) bool: what stays there, which is anchors and nobody

    @property
    def n_free(self) -> int:
        """Number of players and features."""
        return self.n + len(self.features)

    def sides(self) -> list[tuple[Ints, float]]:
        """Return the columns of players, each with its sign."""
        n_sides = self.members.shape[1] - len(self.features)
        return list(zip(self.members.T[:n_sides], self.values[0], strict=False))


class Curvature(NamedTuple):
    """Minus the Hessian of the objective, as sums over the rows of `Results`."""

    games: Results
    dd: Floats  #: (n_rows,) float: in d twice, times how often
    dt: Floats  #: (n_rows,) float: in d and ln tie
    tt: Floats  #: (n_rows,) float: in ln tie twice
    penalty: Floats  #: (n_free,) float: the prior's part, of all parameters but ln tie

    @property
    def size(self) -> int:
        """Number of parameters."""
        return self.penalty.size + self.games.tied

    @property
    def dense(self) -> bool:
        """Whether a matrix is made of it."""
        return self.size <= DENSE

    def _entries(self):
        """Return codes row * (size + 1) + column, and the values that add up there."""
        free, wide = self.penalty.size, self.size + 1
        # The last row and column take in anchors and nobody, whose number ln tie would have.
        columns = np.where(self.games.fixed[self.games.members], self.size, self.games.members).T
        codes, values = [], []
        for row, value in zip(columns, self.games.values.T, strict=True):
            for column, other in zip(columns, self.games.values.T, strict=True):
                codes.append(row * wide + column)
                values.append(value * other * self.dd)
            if self.games.tied:
                codes += [row * wide + free, free * wide + row]
                values += [value * self.dt] * 2
        codes.append(np.arange(free + 1) * (wide + 1))
        values.append(np.append(self.penalty, self.tt.sum()))
        return np.concatenate(codes), np.concatenate(values)

    def sums(self) -> Floats:
        """Return the (size, size) matrix, which has no inverse if nothing holds the mean still."""
        wide = self.size + 1
        codes, values = self._entries()
        flat = np.bincount(codes.astype(np.intp), values, wide * wide).astype(np.float64)
        return flat.reshape(wide, wide)[:-1, :-1]

    def matrix(self) -> Floats:
        """Return the (size, size) matrix; the mean strength is held still if nothing holds it."""
        matrix = self.sums()
        if self._is_open():
            n = self.games.n
            matrix[:n, :n] += np.diag(matrix)[:n].mean() / n
        return matrix

    def _is_open(self):
        return self.games.even and not self.penalty.any()

    def operator(self) -> tuple[Callable[[Floats], Floats], Floats]:
        """Return what multiplies a vector by the matrix, no mean held still, and its diagonal."""
        if self.size**2 <= self.dd.size:  # to make it takes less than to sort its entries
            matrix = self.sums()
            return lambda x: matrix @ x, np.diag(matrix).copy()
        codes, values = self._entries()
        codes, at = np.unique(codes, return_inverse=True)
        values = np.bincount(at.ravel(), values)
        row, column = np.divmod(codes, self.size + 1)
        inside = np.maximum(row, column) < self.size
        row, column, values = row[inside], column[inside], values[inside]
        starts = np.searchsorted(row, np.arange(self.size))  # no row is empty
        return lambda x: np.add.reduceat(values * x[column], starts), values[row == column]

    def solver(self, tol: float = 1e-10) -> Callable[[Floats], Floats]:
        """Return what finds the (size,) vector that the matrix turns into a given one, or raises.

        A `numpy.linalg.LinAlgError`, or what `conjugate` raises, to `tol`, if it is not `dense`.
        """
        if self.dense:
            matrix = self.matrix()
            return lambda wanted: np.asarray(np.linalg.solve(matrix, wanted), np.float64)
        product, diagonal = self.operator()
        scale = np.maximum(diagonal, 1e-300)

        def solve(wanted):
            if self._is_open():
                wanted = wanted.copy()
                wanted[: self.games.n] -= wanted[: self.games.n].mean()  # which is but rounding
            return conjugate.solve(product, wanted, scale, tol=tol, n_most=10_000)

        return solve


class Slopes(NamedTuple):
    """Log-likelihood in nats and its derivatives in all n parameters."""

    value: float
    gradient: Floats  #: (n,)
    information: Curvature


def start_of(games, ties):
    """Return (n,) parameters: those of the origin, and the tie that fits the share of draws."""
    beta = np.append(games.origin, [0.0] * games.tied)
    if games.tied:
        share = games.times[games.outcome == DRAW].sum() / games.times.sum()
        top = 2 * share if ties == "davidson" else 1 + share
        beta[-1] = np.log(top / (1 - share))
    return beta


def differences_of(games, beta):
    """Return (n_rows,) d of each row of games, and ln tie."""
    strengths = np.append(beta[: games.n_free], 0.0)
    d = (strengths[games.members] * games.values).sum(axis=1)
    return d, beta[-1] if games.tied else -np.inf


def slopes_of(games, ties, beta, outcome):
    """Return what `ties` says of one game of each row, had it this outcome."""
    slopes = SLOPES[ties if games.tied else "davidson"]
    return slopes(*differences_of(games, beta), outcome)


def _likelihood(games, ties, beta):
    """Return the `Slopes` of the games alone."""
    log_p, *parts = slopes_of(games, ties, beta, games.outcome)
    by_d, by_tie, *curves = (games.times * part for part in parts)
    gradient = np.zeros(games.n_free + 1)
    for column, value in zip(games.members.T, games.values.T, strict=True):
        np.add.at(gradient, column, value * by_d)
    gradient[games.fixed] = 0.0
    gradient[-1] = by_tie.sum() if games.tied else 0.0
    curvature = Curvature(games, *curves, games.fixed[:-1].astype(float))
    return Slopes(float(games.times @ log_p), gradient[: beta.size], curvature)


def slopes_at(games, ties, prior, beta, held=slice(None)):
    """Return the `Slopes` of the games at `beta`, with a prior on all strengths and features.

    Or on those numbered `held`: `prior` virtual wins and losses pull each to its origin.
    """
    value, gradient, curvature = _likelihood(games, ties, beta)
    x = (beta[: games.n_free] - games.origin)[held]
    value -= prior * float(np.logaddexp(0, x).sum() + np.logaddexp(0, -x).sum())
    gradient[: games.n_free][held] -= prior * np.tanh(x / 2)
    curvature.penalty[held] += prior / (2 * np.cosh(np.minimum(np.abs(x) / 2, 300)) ** 2)
    return Slopes(value, gradient, curvature)


def climb(slopes, beta, solver=Curvature.solver):
    """Yield the parameters and the `Slopes` there, from `beta` to the maximum, step by step.

    ``slopes(beta)`` returns these, and ``solver(information)`` what finds a step of Newton's
    method. An `ArithmeticError` if `N_STEPS` steps do not reach the maximum, or floats show no way
    to it.
    """
    here = slopes(beta)
    n_games = here.information.games.times.sum()
    for _ in range(N_STEPS):
        yield beta, here
        try:
            step = solver(here.information)(here.gradient)
        except np.linalg.LinAlgError as error:
            raise ArithmeticError(
                "no maximum found: far out the games have no curvature; give a greater prior"
            ) from error
        gain, length = float(here.gradient @ step), 1.0
        while length > 1e-12:
            with np.errstate(all="ignore"):  # a kappa below 1 is not a maximum, nor an error
                there = slopes(beta + length * step)
            if there.value >= here.value + 1e-4 * length * gain:
                break
            length /= 2
        else:
            # No way up that floats can tell: this is the top, or nothing was learned.
            if gain < 1e-8 * n_games:
                return
            raise ArithmeticError(
                "no maximum found: far out floats show no way up; give a greater prior"
            )
        beta, here = beta + length * step, there
        if gain < 1e-12 * n_games:  # the next one would be its square
            yield beta, here
            return
    raise ArithmeticError(f"no maximum found in {N_STEPS} steps of Newton's method")


# Is there a maximum?


def find_maximum(games, names, ties, prior, start=None):
    """Yield as `climb` does; a `NoMaximumError` where no strengths are the likeliest."""
    check_results(games, names, prior)
    start = start_of(games, ties) if start is None else start
    try:
        for place in climb(partial(slopes_at, games, ties, prior), start):
            yield place
        found = prior > 0 or _is_certain(games, ties, place[0])
    except (ArithmeticError, np.linalg.LinAlgError):
        if prior > 0:
            raise
        found = False
    if not found:
        raise NoMaximumError(
            f"{' and '.join(['strengths', *games.features, *['draws'] * games.tied])} can grow "
            "together without end, and no result speaks against it; give a prior, such as prior=1"
        )


def check_results(games, names, prior):
    """Raise `NoMaximumError` where it can be said who keeps a maximum from existing."""
    if (games.outcome == DRAW).all():
        raise NoMaximumError(
            "every game was drawn: no chance of a draw is too great, and a prior says nothing of it"
        )
    if prior > 0:
        return
    idle = np.bincount(games.members.ravel().astype(np.intp), minlength=games.n)[: games.n] == 0
    idle &= ~games.fixed[: games.n]
    if idle.any():
        raise NoMaximumError(
            f"no game of {_some(idle, names)} counts: nothing is known of the strength without a "
            "prior; give a prior, such as prior=1"
        )
    are_duels = len(games.sides()) == 2
    if are_duels:
        _check_duels(games, names)
    else:
        _check_points(games, names)
    if games.features or not are_duels:
        _check_known(games, names)


def _check_duels(games, names):
    """Raise where the players are not connected by chains of points, both ways."""
    first, second = games.members[:, 0], games.members[:, 1]
    won, lost, drawn = (games.outcome == kind for kind in (WIN, LOSS, DRAW))
    known = np.flatnonzero(games.fixed[: games.n])  # anchors are connected, in a ring
    up = np.concatenate([first[won | drawn], second[lost | drawn], known])
    down = np.concatenate([second[won | drawn], first[lost | drawn], np.roll(known, 1)])
    part, above, below = connect(np.stack([up, down], axis=1), games.n)
    for odd, never in ((above, "lost"), (below, "won")):
        if odd.any():
            here = part == part[np.argmax(odd)]
            odd = odd & here
            if odd.sum() > here.sum() / 2:  # the same said of the few
                odd, never = here & ~odd, "won" if never == "lost" else "lost"
            raise _name_unbounded(odd, never, names, " to the others", " from the others")
    apart = part != part[0]
    if apart.any():
        raise NoMaximumError(
            f"the games never compare {_some(~apart, names)} with {_some(apart, names)}: nothing "
            "is known of their difference without a prior; give a prior, such as prior=1"
        )


def _check_points(games, names):
    """Raise where a player only won or only lost."""
    points = scores_of(games)
    for kinds, never in (((DRAW, LOSS), "lost"), ((WIN, DRAW), "won")):
        odd = (points[:, kinds].sum(axis=1) == 0) & ~games.fixed[: games.n]
        if odd.any():
            raise _name_unbounded(odd, never, names)


def _check_known(games, names):
    """Raise where sides do not tell players apart, or players and other features a feature."""
    ones, zeros = np.ones(len(games.members)), np.zeros(len(games.members))
    strengths = np.random.default_rng(0).normal(size=games.n_free)
    fixed = games.fixed[:-1].astype(float)
    once = Curvature(games._replace(tied=False), ones, zeros, zeros, fixed)
    product, diagonal = once.operator()
    # What the games do not see of random strengths is what they leave open.
    seen = conjugate.solve(product, product(strengths), diagonal, tol=1e-12, n_most=10_000)
    unseen = strengths - seen
    if games.even:
        unseen[: games.n] -= unseen[: games.n].mean()
    open_ = np.abs(unseen) > 1e-4
    if open_[games.n :].any():
        which = _some(open_[games.n :], [*games.features])
        raise NoMaximumError(
            f"strengths and other features explain all that {which} would: nothing is known of it "
            "without a prior; give a prior, or leave it out"
        )
    if open_.any():
        raise NoMaximumError(
            f"the sides in which {_some(open_, names)} play leave open what each of them adds; "
            "give a prior, such as prior=1"
        )


def _name_unbounded(odd, never, names, to="", from_=""):
    where, limit = (to, "great") if never == "lost" else (from_, "small")
    return NoMaximumError(
        f"{_some(odd, names)} never {never} a point{where}: without a prior no "
        f"strength is too {limit}; give a prior, such as prior=1"
    )


def _some(which, names):
    return short([names[i] for i in np.flatnonzero(which)])


def scores_of(games):
    """Return (n_players, 3) wins, draws and losses: int, or float if games have weights."""
    scores = np.zeros((games.n_free + 1, 3), games.times.dtype)
    for column, sign in games.sides():
        np.add.at(scores, (column, games.outcome if sign > 0 else 2 - games.outcome), games.times)
    return scores[: games.n]


def _is_certain(games, ties, beta):
    """Is there the certificate of `existence` at this top, for win, draw and loss as teams?"""
    slopes = partial(slopes_at, games, "davidson", 0.0)
    if ties != "davidson":  # whose top has no such certificate: Davidson's has one near it
        *_, (beta, _) = climb(slopes, beta)
    _, gradient, curvature = slopes(beta)
    step = curvature.solver()(gradient)
    d, log_tie = differences_of(games, beta)
    move, move_tie = differences_of(games, step)
    kinds = [WIN, DRAW, LOSS] if games.tied else [WIN, LOSS]
    chance = np.exp(davidson(d, log_tie))[kinds]
    changes = np.stack([move / 2, np.full_like(d, move_tie), -move / 2])[kinds]
    # At a maximum all factors are 1; what rounding leaves of a 0 proves nothing.
    factor = 1 + changes - (chance * changes).sum(axis=0)
    lost = np.array(kinds)[:, None] != games.outcome
    least = (games.times * chance * factor)[lost].min()
    rest = np.abs(gradient - curvature.operator()[0](step)).sum()
    return factor[lost].min() > 0.1 and least > max(1e3 * rest, 1e-13 * games.times.sum())
