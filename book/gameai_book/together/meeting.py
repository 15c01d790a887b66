"""Two agents who meet: each plays with a copy of itself, and both play together, on the same decks.

Of one number for each partner, the strength of a pair is the product of two (see
`gameai_lib.together.league`). Then the mixed pair stands between the two others, as far from the
one as from the other: the shares of decks on which it beats them add up to one.
"""

from typing import NamedTuple

import numpy as np

from gameai_book.together.agents import AGENTS
from gameai_book.together.results.league import stored_strengths
from gameai_lib.base.types import Ints
from gameai_lib.btmm.model.elo import win_probability
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.searcher import Searcher
from gameai_lib.hanabi.players.self_play import play_out_game

A_FEW = 2  # moves of searchers, which take a tenth of a second or less
PLAIN, FRAMES, SEARCH = range(3)  # how a game is played, from the fastest


def pace_of(team):
    """How long a game takes: `PLAIN` in a kernel, `FRAMES` move by move, `SEARCH` much longer."""
    if any(isinstance(agent, Searcher) for agent in team):
        return SEARCH
    in_kernel = all(type(agent) is RuleAgent and agent.row is not None for agent in team)
    return PLAIN if in_kernel else FRAMES


def play_in_steps(team, rng, now):
    """Play a game and return its score; a game of searchers yields `now` after every few moves."""
    pace = pace_of(team)
    if pace == PLAIN:
        _, points, lives = play_out_game(team, rng)
        return points if lives else 0
    for n_moves, frame in enumerate(play_game(team, rng), 1):
        score = frame.next_state.score
        if pace == SEARCH and n_moves % A_FEW == 0:
            yield now
    return score


def meet(first, second, seed, number, now):
    """Play a deck with three pairs and return their scores, in the order of `Meeting.scores`.

    Seats and chance are those of the stored league: of a mixed pair, the agent that comes first in
    `AGENTS` begins on even decks. Games of searchers yield `now`.
    """
    both = sorted((first, second), key=list(AGENTS).index)
    scores = []
    for names in ([first] * 2, [second] * 2, both):
        team = [AGENTS[name] for name in names]
        seated, rng = team[::-1] if number % 2 else team, np.random.default_rng([seed, number])
        scores.append((yield from play_in_steps(seated, rng, now)))
    return tuple(scores)


class Meeting(NamedTuple):
    """What two agents have scored."""

    names: tuple[str, str]
    scores: Ints  #: (n_decks, 3): the first with itself, the second with itself, both

    @property
    def outcomes(self):
        """(n_decks, 2): whether the mixed pair beats each of the others on a deck; ½ for a tie."""
        return (1 + np.sign(self.scores[:, 2:] - self.scores[:, :2])) / 2

    @property
    def expected(self):
        """(2,) mean outcomes as the strengths of the stored league say: they add up to 1."""
        first, second = np.exp([stored_strengths()[name].strength for name in self.names])
        return np.array([win_probability(second, [first]), win_probability(first, [second])])
