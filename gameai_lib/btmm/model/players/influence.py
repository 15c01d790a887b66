"""Which few results, dropped or turned, change who stands above whom?

How far one game moves a difference of strengths is its gradient through the inverse Hessian, one
step of Newton's method (for arenas of language models Huang, Shen, Wei and Broderick, arXiv
2508.11847). What is dropped in the end is rated anew: the order found is exact.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.newton import differences_of, slopes_of
from gameai_lib.btmm.model.players.rating import Name, Rating, Side
from gameai_lib.btmm.model.players.refit import refit, take
from gameai_lib.btmm.model.players.ties import DRAW, WIN

N_RIVALS = 10  # who could be above the first next, by strength
LEVEL = 1e-9  # of ln gamma, a difference that is none
Result = tuple[Side, Side, float]


class Overturned(NamedTuple):
    """Games that were dropped or turned, in this order, and what is rated after that."""

    games: list[Result]
    rating: Rating
    changed: bool  #: is the order another one? If not, so many games were not enough.
    rows: list[int]  #: which of the rated games they are, from 0; of equal games any would do


def influence(
    rating: Rating, first: Name, second: Name, *, turn: bool = False
) -> list[tuple[Result, float]]:
    """Return each kind of game, and how many Elo `first` would gain on `second` without one.

    By one step of Newton's method, the most harmful to `first` at the beginning. With `turn` its
    result becomes the other side's. A `ValueError` for a name that was not rated.

    >>> season = [("Ann", "Bob", 1), ("Bob", "Cy", 1), ("Cy", "Ann", 1), ("Ann", "Bob", 1)]
    >>> [(game, round(elo)) for game, elo in influence(rate(season, prior=1), "Ann", "Bob")]
    [(('Ann', 'Bob', 1), -75), (('Bob', 'Cy', 1), 60), (('Cy', 'Ann', 1), 60)]
    """
    effects = _effects(rating, _contrast(rating, first, second), checks.flag("turn", turn))
    order = np.argsort(effects, kind="stable")
    return [(_game(rating, row), float(ELO_PER_NAT * effects[row])) for row in order]


def overturn(
    rating: Rating,
    first: Name | None = None,
    second: Name | None = None,
    *,
    turn: bool = False,
    most: int = 20,
) -> Overturned:
    """Find few games, `most` or less, without which, or turned, `second` is above `first`.

    `first` is the strongest if not given, `second` one of the ten next. Game by game, that of the
    greatest `influence` goes, and the rest is rated anew; fewer games might do. A game without
    which there would be no likeliest strengths stays. A `ValueError` for a name that was not
    rated, or if `second` is above `first` already.

    >>> season = [("Ann", "Bob", 1), ("Bob", "Cy", 1), ("Cy", "Ann", 1), ("Ann", "Bob", 1)]
    >>> found = overturn(rate(season, prior=1))
    >>> found.games, found.rating.players[0].name
    ([('Bob', 'Cy', 1)], 'Cy')
    >>> found.rows
    [1]
    """
    turn, most = checks.flag("turn", turn), checks.whole("most", most)
    order = [rating.names[i] for i in np.argsort(-rating.elo, kind="stable")]
    first = order[0] if first is None else first
    below = order[order.index(first) + 1 :] if first in order else order
    found = Overturned([], rating, False, [])
    for rival in below[:N_RIVALS] if second is None else [second]:
        contrast = _contrast(rating, first, rival)
        if _is_turned(rating, contrast):
            raise ValueError(f"{short(rival)} is above {short(first)} already")
        other = _overturn(rating, contrast, turn, most)
        if other.changed or not found.games:
            found, most = other, len(other.games) - 1 if other.changed else most
    return found


def _overturn(rating, contrast, turn, most):
    games, rows = [], []
    while len(games) < most and not _is_turned(rating, contrast):
        effects = _effects(rating, contrast, turn)
        for row in np.argsort(effects, kind="stable")[: (effects < 0).sum()]:
            try:
                after = refit(rating, _change(rating.games, row, turn))
            except NoMaximumError:
                continue
            games.append(_game(rating, row))
            rows.append(_row_of(rating.games, row, rows))
            rating = after
            break
        else:
            break
    return Overturned(games, rating, _is_turned(rating, contrast), rows)


def _row_of(games, row, before):
    """Return which game of its kind a row stands for: another than those before, if there is."""
    alike = np.flatnonzero(games.given == games.kind[row])
    return int(alike[np.isin(before, alike).sum() % alike.size])


def _is_turned(rating, contrast):
    return bool(rating.beta[: contrast.size] @ contrast < -LEVEL)


def _effects(rating, contrast, turn):
    """Return (n_rows,) float: how far one game of each row less, or turned, moves the contrast."""
    games = rating.games
    at = games, rating.ties, rating.beta
    _, by_d, by_tie, *_ = slopes_of(*at, games.outcome)
    if turn:
        _, turned_by_d, turned_by_tie, *_ = slopes_of(*at, 2 - games.outcome)
        by_d, by_tie = by_d - turned_by_d, by_tie - turned_by_tie
    free = np.where(games.fixed[:-1], 0.0, contrast)  # anchors do not move
    moves = rating.curvature.solver()(np.append(free, [0.0] * games.tied))
    d, log_tie = differences_of(games, moves)
    return -np.minimum(games.times, 1) * (by_d * d + (by_tie * log_tie if games.tied else 0))


def _change(games, row, turn):
    """Return the `Results` with one game of a row less, or turned."""
    one = np.minimum(games.times[row], 1)
    times = np.append(games.times, one * turn)
    times[row] -= one
    rows = np.append(np.arange(games.times.size), row)
    return take(games, rows, np.append(games.outcome, 2 - games.outcome[row]), times)


def _contrast(rating, first, second):
    """Return (n_free,) float: 1 for the first, -1 for the second."""
    contrast = np.zeros(rating.curvature.penalty.size)
    for name, sign in ((first, 1), (second, -1)):
        if name not in rating.names or first == second:
            raise ValueError(f"{short(name)} is not one of two rated players")
        contrast[rating.names.index(name)] = sign
    return contrast


def _game(rating, row):
    """Return (first, second, result) of a row, a side of several as a tuple."""
    games, sides = rating.games, []
    for sign in (1, -1):
        numbers = [column[row] for column, s in games.sides() if s == sign]
        names = tuple(rating.names[i] for i in numbers if i < games.n)
        sides.append(names if len(names) > 1 else names[0])
    return *sides, 0.5 if games.outcome[row] == DRAW else int(games.outcome[row] == WIN)
