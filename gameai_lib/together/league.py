"""A league of partners: everybody plays Hanabi with everybody, and each pair is a team.

All pairs play the same decks. On a deck a pair beats another if it scores more; a tie is half a
win for each. The strength of a pair is the product of its members' (Coulom 2007, equation 3, on
Bradley and Terry's model): one number a player, as if it did not matter with whom it plays. Where
it does matter, a pair wins more or less than its members' strengths say.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.types import ArrayLike, Floats, Ints, Seed
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.covariance import standard_errors
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.tally import ABSENT
from gameai_lib.hanabi.game.box import N_CARDS
from gameai_lib.hanabi.game.play import Agent
from gameai_lib.hanabi.players.self_play import self_play

NOT_PLAYED = -1


def play_pair(first: Agent, second: Agent, n_games: int, seed: int) -> Ints:
    """Scores of two agents, as in `play_game`, on decks 0, 1, ..., at least 4: (n_games,) ints.

    Game i is played with ``numpy.random.default_rng([seed, i])``, so that all pairs have its deck.
    The first agent begins on even decks, the second on odd ones: it makes up to a point's
    difference to some pairs.
    """
    scores = np.empty(checks.whole("n_games", n_games, 4), np.int64)
    for k, team in enumerate(([first, second], [second, first])):
        rngs = [np.random.default_rng([seed, i]) for i in range(k, n_games, 2)]
        scores[k::2] = self_play(team, 2, rngs).scores
    return scores


def play_pairs(agents: Sequence[Agent], n_games: ArrayLike, seed: int) -> Ints:
    """Scores of all pairs of agents, and of each with a copy of itself, by `play_pair`.

    `n_games` are decks for each pair, or by agent, (n_agents,) ints, if some think long: a pair
    plays the fewer of its two. Gives (n_agents, n_agents, n_decks) ints, the same both ways round,
    and `NOT_PLAYED` after a pair's last deck.

    Examples
    --------
    >>> from gameai_lib.hanabi import RuleAgent
    >>> agents = [RuleAgent(name) for name in ("Convention", "IGGI", "Outer")]
    >>> play_pairs(agents, 100, seed=1).mean(axis=2).round(1)
    array([[20.7, 10.7,  3.3],
           [10.7, 17.8, 16. ],
           [ 3.3, 16. , 14.4]])
    """
    n = len(agents)
    n_decks = arrays.whole("n_games", np.broadcast_to(np.asarray(n_games), n), 4)
    scores = np.full((n, n, n_decks.max(initial=4)), NOT_PLAYED)
    for i, j in combinations_with_replacement(range(n), 2):
        most = int(min(n_decks[i], n_decks[j]))
        scores[i, j, :most] = scores[j, i, :most] = play_pair(agents[i], agents[j], most, seed)
    return scores


class Partners(NamedTuple):
    """How strong the agents of a league are, and which pairs do not win as that says.

    A share is of all comparisons of a pair with the pairs of two different agents, on its decks.
    """

    strength: Floats  #: (n_agents,) ln gamma, 0 on average
    hessian_error: Floats  #: (n_agents,) as if no two comparisons had a game in common
    error: Floats  #: (n_agents,) standard error, by refits to resampled decks
    share: Floats  #: (n_agents, n_agents) of decks won; the diagonal is with a copy of itself
    expected: Floats  #: (n_agents, n_agents) share that the strengths say
    residual_error: Floats  #: (n_agents, n_agents) standard error of `residual`, likewise

    @property
    def residual(self) -> Floats:
        """(n_agents, n_agents) share won above what the strengths say."""
        return self.share - self.expected


def rate_partners(scores: ArrayLike, rng: Seed, n_refits: int = 200) -> Partners:
    """The `Partners` of a league of three agents or more, from `play_pairs`.

    Each game is in as many comparisons as there are other pairs, and a deck is in the games of
    all: the Hessian of the likelihood takes the comparisons for independent, and its errors are
    too small. Decks are independent: the honest errors are those of a bootstrap that draws whole
    decks (Efron 1979), and finds strengths and residuals anew each time. Neither error knows how
    strengths would change among other partners.

    Scores are (n_agents, n_agents, n_decks) ints; those below the diagonal are not read. `rng`
    draws the decks, for two refits or more; those that more pairs have played are drawn apart from
    the others. If the pairs of some agent always win or always lose, it is a `NoMaximumError`; if
    there is nothing to compare, a `CompetitionError`.

    Examples
    --------
    Among these three, who know no convention, the Convention is the worst of partners; what it
    makes of a game with a copy of itself, no strength says:

    >>> from gameai_lib.hanabi import RuleAgent
    >>> agents = [RuleAgent(name) for name in ("Convention", "IGGI", "Piers", "Outer")]
    >>> partners = rate_partners(play_pairs(agents, 100, seed=1), 1)
    >>> print(partners.strength.round(1), partners.error.round(2))
    [-1.8  0.9  0.9 -0.1] [0.14 0.08 0.1  0.09]
    >>> partners.residual.diagonal().round(2)
    array([0.94, 0.03, 0.02, 0.03])
    """
    rng, found = checks.generator(rng), arrays.whole("scores", scores, NOT_PLAYED, N_CARDS, ndim=3)
    if found.shape[0] != found.shape[1]:
        raise ValueError(f"scores must be (n_agents, n_agents, n_decks), got shape {found.shape}")
    n_refits = checks.whole("n_refits", n_refits, 2)
    pairs, outcomes, n_played = _compare(found)
    n_common = np.minimum(n_played[:, None], n_played[: outcomes.shape[1]]).astype(float)
    np.fill_diagonal(n_common, 0)
    wins = outcomes.sum(axis=2)
    data = _competitions(pairs, wins)
    got = fit(data, prior=0.0, tol=1e-12)
    share, expected = _shares(pairs, wins, n_common, got)
    strengths, residuals = np.empty((n_refits, len(found))), np.empty((n_refits, len(pairs)))
    for k, times in enumerate(_resample(n_played, outcomes.shape[2], n_refits, rng)):
        wins = outcomes @ times
        again = fit(_competitions(pairs, wins), prior=0.0, start=got)
        strengths[k] = _strengths(again)
        residuals[k] = np.subtract(*_shares(pairs, wins, n_common, again))
    of_pairs = (share, expected, residuals.std(axis=0, ddof=1))
    return Partners(
        _strengths(got),
        standard_errors(data, got),
        strengths.std(axis=0, ddof=1),
        *(_matrix(pairs, values) for values in of_pairs),
    )


def _compare(scores):
    """Pairs (n_pairs, 2), those of two different agents first; outcomes; and decks of each pair.

    Outcomes are (n_pairs, n_of_two, n_decks): whether a pair has beaten another, of two different
    agents, on a deck; ½ for a tie, and 0 where not both have played.
    """
    n = len(scores)
    pairs = np.concatenate([np.transpose(np.triu_indices(n, 1)), np.arange(n)[:, None] + [0, 0]])
    games = scores[tuple(pairs.T)]
    n_of_two, has_played = len(pairs) - n, games != NOT_PLAYED
    outcomes = (1 + np.sign(games[:, None] - games[:n_of_two])).astype(np.float32) / 2
    outcomes *= has_played[:, None] & has_played[:n_of_two]
    one = np.arange(n_of_two)
    outcomes[one, one] = 0  # no pair competes with itself
    return pairs, outcomes, has_played.sum(axis=1)


def _competitions(pairs, wins):
    """`Competitions` of the pairs of two, of which one beat another `wins` times."""
    n, n_of_two = pairs.max() + 1, wins.shape[1]
    winners, losers = np.nonzero(wins[:n_of_two])
    # Any two agents meet in a team: each is a group by itself.
    teams = np.full((n_of_two, n), ABSENT)
    np.put_along_axis(teams, pairs[:n_of_two], pairs[:n_of_two], axis=1)
    rows = np.stack([teams[winners], teams[losers]], axis=1).reshape(-1, n)
    n_rows = np.arange(len(winners) + 1)
    return Competitions(2 * n_rows, rows, 0 * n_rows[:-1], wins[winners, losers], np.arange(n))


def _strengths(got):
    """(n_agents,) ln gamma, 0 on average: teams of one size leave the scale open."""
    strengths = np.log(got.gamma)
    return strengths - strengths.mean()


def _shares(pairs, wins, n_common, got):
    """Shares of their comparisons that the pairs have won, and are expected to win: (n_pairs,)."""
    strength = _strengths(got)[pairs].sum(axis=1)
    chance = 1 / (1 + np.exp(strength[: wins.shape[1]] - strength[:, None]))
    n = n_common.sum(axis=1)
    return wins.sum(axis=1) / n, (chance * n_common).sum(axis=1) / n


def _resample(n_played, n_decks, n_refits, rng):
    """Yield how often each deck is drawn, (n_decks,) floats.

    Decks that the same pairs have played are drawn from each other, as many as there are.
    """
    ends = np.unique(n_played)
    for _ in range(n_refits):
        times = np.zeros(n_decks, np.float32)
        for start, end in pairwise([0, *ends.tolist()]):
            drawn = rng.integers(start, end, end - start)
            times += np.bincount(drawn, minlength=n_decks).astype(np.float32)
        yield times


def _matrix(pairs, values):
    """(n, n) floats, the same both ways round, of values of the pairs."""
    i, j = pairs.T
    matrix = np.empty((i.max() + 1, i.max() + 1))
    matrix[i, j] = matrix[j, i] = values
    return matrix
