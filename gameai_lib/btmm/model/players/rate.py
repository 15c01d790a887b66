"""Ratings of players by name, alone or in teams, from wins, draws and losses.

A Bradley-Terry model with ties (`ties`), whose maximum `newton` finds; the strengths of a side's
members multiply. Features of a game, such as the length of an answer, make it a conditional logit
(McFadden 1974).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import ArrayLike
from gameai_lib.btmm.model.players.games import collect
from gameai_lib.btmm.model.players.newton import find_maximum
from gameai_lib.btmm.model.players.rating import Columns, Name, Rating
from gameai_lib.btmm.model.players.ties import TIES

LEAST_PRIOR = 1e-6  # below 1e-8 the Hessian becomes singular in floats


def rate(
    results: Iterable[Any],
    *,
    weight: ArrayLike | None = None,
    ties: Literal["davidson", "rao-kupper"] = "davidson",
    home_advantage: bool = False,
    features: Columns | None = None,
    anchors: Mapping[Name, float] | None = None,
    prior: float = 0.0,
) -> Rating:
    """Rate players by name from the results of their games.

    Where the results alone have no likeliest strengths, a `NoMaximumError` names who is to blame.
    A result that is none, a player who meets himself, or a prior too small to be felt is a
    ValueError, as are no games.

    Parameters
    ----------
    results : iterable of (side, side, result), Match or Game, or data frame
        One game each, or an (n_games, 3) array. A side is a name, a text or a whole number; or a
        tuple of names, whose strengths multiply. The result is that of the first side (Black): 1,
        True or "1-0" a win, 0.5 or "1/2-1/2" a draw, 0, False or "0-1" a loss. A data frame has
        three columns, or some named first, second and result, or home, away and result.
    weight : (n_games,) float array, optional
        How often each game counts, in the order of the games, 0 or more; once without. Who has
        only games of weight 0 is rated by the prior alone.
    ties : {"davidson", "rao-kupper"}
        The model of draws. d Elo are ten to the power of d / 400 wins for each loss in Davidson's
        model, and fewer Elo in Rao and Kupper's.
    home_advantage : bool
        Estimate a factor on the strength of the side that is named first: a feature of the name
        "home advantage" that is 1 in every game. Where it is 0 in some, give it as such.
    features : mapping from name to (n_games,) floats, or data frame, optional
        How much more of something the first side has in each game, such as words of an answer:
        the Elo that one more is worth is found together with the strengths (`Rating.features`).
    anchors : mapping from name to Elo, optional
        Players whose Elo is known and stays; the others are rated on their scale.
    prior : float
        Virtual wins and losses of every player against one of strength 1, or of the anchors' mean
        Elo, and of each feature as large as it mostly is (the root of its mean square); 0 for none.

    Examples
    --------
    >>> season = [("Ann", "Bob", 1), ("Bob", "Cy", 0.5), ("Cy", "Ann", 0), ("Bob", "Ann", 0.5)]
    >>> rating = rate(season, prior=1.0)
    >>> print(rating.table(level=0.95))
    player      Elo  +-95%  games
    Ann       184.3    319      3
    Bob       -74.4    293      3
    Cy       -109.8    323      2
    >>> print("{:.0f} Elo, s.e. {:.0f}".format(*rating.difference("Ann", "Bob")))
    259 Elo, s.e. 266
    >>> rating.predict_proba([("Cy", "Ann"), ("Ann", "Bob")]).round(2)  # win, draw, loss
    array([[0.08, 0.47, 0.45],
           [0.42, 0.49, 0.09]])

    Two against two, the first game twice as important:

    >>> pairs = [(("Ann", "Bob"), ("Cy", "Di"), 1), (("Ann", "Di"), ("Bob", "Cy"), 0.5)]
    >>> rate(pairs, weight=[2, 1], prior=1.0)
    Rating(4 players, 3 games; first Ann, 126 Elo, s.e. 184)

    Bob is known to be of 1500, and whose answer had more words won, mostly:

    >>> more = {"words": [20, 10, -15, -30]}
    >>> known = rate(season, prior=1.0, features=more, anchors={"Bob": 1500})
    >>> print("a word: {:.1f} Elo, s.e. {:.1f}".format(*known.features["words"]))
    a word: 4.4 Elo, s.e. 10.5
    >>> known
    Rating(3 players, 4 games; first Ann, 1674 Elo, s.e. 236)
    """
    checks.one_of("ties", ties, TIES)
    home_advantage = checks.flag("home_advantage", home_advantage)
    prior = checks.number("prior", prior, 0, 1e12)
    if 0 < prior < LEAST_PRIOR:
        raise ValueError(f"prior must be 0 or at least {LEAST_PRIOR:g}, got {prior:g}")
    names, games = collect(results, weight, home_advantage, features, anchors)
    with Bar("rate", unit="steps") as bar:
        for n_steps, place in enumerate(find_maximum(games, names, ties, prior)):
            beta, slopes = place
            bar(n_steps)
    return Rating(names, games, ties, prior, beta, slopes.information)
