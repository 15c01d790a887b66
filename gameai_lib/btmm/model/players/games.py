"""Games as people have them, by name, as the `Results` that are rated."""

from collections.abc import Collection, Iterator, Mapping
from numbers import Integral
from operator import itemgetter

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.progress import Bar
from gameai_lib.btmm.model.competitions import CompetitionError
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players.newton import Results
from gameai_lib.btmm.model.players.ties import DRAW, LOSS, WIN
from gameai_lib.btmm.records.football import Match
from gameai_lib.btmm.records.games import Game

RESULTS = {1: WIN, 0.5: DRAW, 0: LOSS}  # True and False are 1 and 0
TEXTS = {"1-0": WIN, "1/2-1/2": DRAW, "½-½": DRAW, "0-1": LOSS}
COLUMNS = (("first", "second", "result"), ("home", "away", "result"))
HOME = "home advantage"  # the feature that is 1 in every game


def list_games(name, games, n=3):
    """Return the games of a sequence, an iterator or a data frame as a list.

    A data frame is whatever has `columns` and `itertuples`. Its first n columns of `COLUMNS` are
    taken by name; without these it must have n or three.
    """
    if not hasattr(games, "itertuples"):
        return arrays.as_list(name, games)
    columns, rows = list(games.columns), games.itertuples(index=False, name=None)
    for wanted in (names[:n] for names in COLUMNS):
        if set(wanted) <= set(columns):
            return list(map(itemgetter(*map(columns.index, wanted)), rows))
    if len(columns) in (n, 3):
        return list(rows)
    raise ValueError(
        f"{name} must have a column for each side and the result, in this order, or columns named "
        f"first, second and result, or home, away and result; got {short(columns)}"
    )


def collect(results, weight=None, home=False, features=None, anchors=None):
    """Return the names by first mention, and the `Results` of the games that count.

    A game of weight 0 does not count, but its players have their places in the order of names:
    ratings of the same games with other weights can be compared.
    """
    games = list_games("results", results)
    weights = _weights(weight, len(games))
    columns = {HOME: np.ones(len(games))} if home else {}
    columns |= columns_of(features, len(games))
    number_of, sides, kept, outcomes = {}, ([], []), [], []
    with Bar("rate", total=len(games), unit="games") as bar:
        for g, game in enumerate(games, start=1):
            both, outcome = _read(game, g)
            players = both[0] + both[1]
            if len(set(players)) < len(players):
                name = next(name for name in players if players.count(name) > 1)
                raise CompetitionError(
                    f"game {g}: {short(name)} stands twice in {short(game)}; leave it out, and all "
                    "games of a name that stands for nobody"
                )
            for name in players:
                number_of.setdefault(name, len(number_of))
            if weights[g - 1] == 0:
                continue
            for side, found in zip(both, sides, strict=True):
                found.append(sorted(map(number_of.get, side)))
            kept.append(g - 1)
            outcomes.append(outcome)
            if g % 4096 == 0:
                bar(g)
    if not kept:
        read = isinstance(results, Iterator) and not games
        hint = "; what reads a file gives its games once" * read
        raise CompetitionError(f"nothing to learn from: no games{hint}")
    names = tuple(number_of)
    scale = {name: _size_of(name, column[kept], weights[kept]) for name, column in columns.items()}
    columns = [columns[name][kept] / size for name, size in scale.items()]
    times = None if weight is None else weights[kept]
    origin, fixed = _hold({} if anchors is None else anchors, number_of, len(scale))
    found = _results(sides, np.array(outcomes), columns, times, scale, origin, fixed)
    given = np.full(len(games), -1)
    given[kept] = found.given
    return names, found._replace(given=given)


def _results(sides, outcomes, columns, weights, scale, origin, fixed):
    """Return the `Results` of games: equal ones together."""
    even = all(len(a) == len(b) for a, b in zip(*sides, strict=True)) and not fixed[:-1].any()
    first, second = (_pad(side, origin.size) for side in sides)  # a number beyond is nobody
    rows = np.column_stack([first, second, outcomes, *columns])
    rows, at, times = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    if weights is not None:
        times = np.bincount(at.ravel(), weights)
    n, sign = origin.size - len(scale), [1.0] * first.shape[1] + [-1.0] * second.shape[1]
    members, outcome, values = np.split(rows, [len(sign), len(sign) + 1], axis=1)
    of_features = np.arange(n, origin.size)
    members = np.column_stack([members, np.tile(of_features, (len(rows), 1))]).astype(np.int64)
    values = np.column_stack([np.tile(sign, (len(rows), 1)), values])
    outcome = outcome[:, 0].astype(np.int64)
    return Results(
        members=members,
        values=values,
        outcome=outcome,
        times=times,
        kind=np.arange(len(rows)),
        given=at.ravel(),
        n=n,
        features=scale,
        tied=bool((outcome == DRAW).any()),
        even=even,
        origin=origin,
        fixed=fixed,
    )


def columns_of(features, n):
    """Return the columns of `features` by name, each (n,) float, or raise."""
    if not hasattr(features, "items"):
        if features is not None:
            raise TypeError(f"features must have a column for each name, got {short(features)}")
        return {}
    found = {}
    for name, column in features.items():
        if not isinstance(name, str):
            raise TypeError(f"the name of a feature is a text, got {short(name)}")
        column = arrays.finite(f"feature {name!r}", column, 1)
        found[name] = one_each(n, f"numbers of feature {name!r}", column)
    return found


def one_each(n, name, values):
    """Return `values` if there is one for each of n games, or raise."""
    if values.size != n:
        raise ValueError(f"{n} games need as many {name}, got {values.size}")
    return values


def _size_of(name, column, weights):
    """Return the root of the mean square of a column."""
    size = np.sqrt(weights @ column**2 / weights.sum())
    if not size > 0:
        raise ValueError(f"feature {name!r} is 0 in all games: leave it out")
    return float(size)


def _hold(anchors, number_of, n_features):
    """Return `origin` and `fixed` of `Results`: anchors at their Elo, others at its mean."""
    checks.kind("anchors", anchors, Mapping)
    origin = np.zeros(len(number_of) + n_features)
    fixed = np.append(np.zeros(origin.size, bool), True)
    for name, elo in anchors.items():
        if name not in number_of:
            raise ValueError(f"anchor {short(name)} plays in no game")
        fixed[number_of[name]] = True
        elo = checks.number(f"anchor {short(name)}", elo, -1e5, 1e5)
        origin[number_of[name]] = elo / ELO_PER_NAT
    if anchors:
        others = np.flatnonzero(~fixed[: len(number_of)])
        origin[others] = origin[fixed[:-1]].mean()
    return origin, fixed


def _pad(side, nobody):
    width = max(map(len, side))
    return np.array([found + [nobody] * (width - len(found)) for found in side], np.int64)


def _read(game, g):
    """Return the names of the two sides of game g, a list each, and its outcome."""
    try:
        *named, result = triple_of(game)
    except (AttributeError, TypeError, ValueError) as cause:
        raise ValueError(f"game {g} must be (name, name, result), got {short(game)}") from cause
    both = [[_name(name, f"game {g}") for name in members_of(side)] for side in named]
    return both, outcome_of(result, g)


def _weights(weight, n):
    """Return (n,) float weights, 1 without any."""
    if weight is None:
        return np.ones(n)
    weight = one_each(n, "weights", arrays.floats("weight", weight, 1))
    odd = ~((weight >= 0) & (weight <= 1e12))
    if odd.any():
        g = int(np.argmax(odd))
        raise ValueError(f"weight must be from 0 to 1e+12, got {weight[g]} of game {g + 1}")
    return weight


def pair_of(match):
    """Return the names of a match that may have been played."""
    try:
        is_pair = not isinstance(match, Match | Game | str) and len(match) == 2
        return triple_of((*match, None) if is_pair else match)[:2]
    except (TypeError, ValueError) as cause:
        raise ValueError(f"a match is (name, name), got {short(match)}") from cause


def log_loss(games, predict):
    """Return minus the mean ln chance of what happened, nats; `predict` takes a list of matches."""
    played = [triple_of(game) for game in list_games("games", games)]
    if not played:
        raise CompetitionError("no games to predict")
    outcome = [outcome_of(result, g) for g, (*_, result) in enumerate(played, start=1)]
    chances = predict([match for *match, _ in played])
    with np.errstate(divide="ignore"):
        return -float(np.log(chances[np.arange(len(played)), outcome]).mean())


def triple_of(game):
    """Return names and result of a game of the readers, or of three values."""
    if isinstance(game, Match):
        return game.home, game.away, game.result
    if isinstance(game, Game):
        return game.black, game.white, game.result
    if isinstance(game, str | dict):
        raise TypeError("neither is a game")
    first, second, result = game
    return first, second, result


def members_of(side):
    """Return the names of a side, one or more."""
    return side if isinstance(side, tuple | list) and len(side) else (side,)


def index_of(names):
    """Return what finds the number of a rated player by name, or raises."""
    number_of = {name: i for i, name in enumerate(names)}

    def index(name):
        known = plain_name(name)
        if known not in number_of:
            raise ValueError(f"{short(name)} was not rated; rated were {short(list(names))}")
        return number_of[known]

    return index


def plain_name(name):
    """Return a name as a text or an int, or None if it is neither."""
    if isinstance(name, str) and name.strip():
        return str(name)
    # An array of whole numbers and halves holds 3.0 for player 3.
    is_number = isinstance(name, Integral) and not isinstance(name, bool | np.bool_)
    if is_number or (isinstance(name, float | np.floating) and float(name).is_integer()):
        return int(name)
    return None


def _name(name, where):
    found = plain_name(name)
    if found is None:
        hint = "; a side of several is a tuple of names" * isinstance(name, Collection)
        raise TypeError(f"{where}: a name is a text or a whole number, got {short(name)}{hint}")
    return found


def outcome_of(result, g):
    """Return WIN, DRAW or LOSS of the first side in game g, or raise."""
    word = result.strip() if isinstance(result, str) else None
    if word in TEXTS:
        return TEXTS[word]
    if word == "*":
        raise ValueError(f"game {g}: '*' is a game without an end; leave it out")
    try:
        return RESULTS[result if word is None else float(word)]  # of an array of texts
    except (KeyError, TypeError, ValueError):
        *most, last = map(repr, TEXTS)
        raise ValueError(
            f"game {g}: a result is 1, 0.5 or 0, True or False, or one of {', '.join(most)} and "
            f"{last}, got {short(result)}"
        ) from None
