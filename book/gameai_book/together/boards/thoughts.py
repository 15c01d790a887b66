"""What a searcher at the table thinks of its moves, found when it is asked for, and kept."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_book.hanabi.boards.knowledge import AGENT
from gameai_lib.hanabi import Searcher, State
from gameai_lib.hanabi.players.searcher import EXACT, FORGIVING, PROMISED, READING, Thought

MOST_DEALS = 800  # of a search that is watched
N_STEPS = 8  # looks at 10, 20, 40, ... of these
MARGIN = Searcher.margin


class Belief(NamedTuple):
    """A belief that a search may stand on, as a reader meets it."""

    touch: str
    words: str  #: what a search does that has it
    past: str  #: what it did

    def of(self, whose):
        """What a search does, and did, that reads the choices of somebody."""
        choices = f"{whose} choices"
        return self.words.replace("choices", choices), self.past.replace("choices", choices)


BELIEFS = {
    FORGIVING: Belief("soft", "reads choices and forgives", "read choices and forgave"),
    READING: Belief("strict", "reads choices strictly", "read choices strictly"),
    EXACT: Belief("hints", "knows only what hints allow", "knew only what hints allow"),
    PROMISED: Belief("promises", "knows what hints promise", "knew what hints promise"),
}


class Search(NamedTuple):
    """A search at one turn of a game, and what came of it."""

    state: State  #: before the move that is searched for
    turn: int
    belief: str
    thought: Thought

    @property
    def choice(self):
        """Place among the moves of the one that is chosen; 0 is the Convention's."""
        return self.thought.moves.index(self.thought.choose(MARGIN))

    @property
    def n_deals(self):
        """Deals of the moves that were not given up."""
        return int(self.thought.n_deals.max())


def think(state, turn, belief, n_deals, seed):
    """Yield the thoughts of the player to move, who cannot look at the own hand."""
    rng = np.random.default_rng([seed, turn, 2])
    return Searcher(AGENT, belief, n_deals).think(state.hide_hand(state.player), rng)


@lru_cache(maxsize=256)
def search(state, turn, belief, n_deals, seed):
    """The `Search` of the player to move, after all deals."""
    *_, thought = think(state, turn, belief, n_deals, seed)
    return Search(state, turn, belief, thought)


def rank_moves(thought):
    """Places of the moves, the most promising first: those tried longest, then by gain."""
    return np.lexsort((-thought.gains.round(9), -thought.n_deals))


def choose_rows(search, most):
    """Places of up to `most` moves to look at: the choice, the Convention's, the promising ones.

    The most promising come first.
    """
    ranked, wanted = rank_moves(search.thought).tolist(), {0, search.choice}
    best = sorted(ranked, key=lambda k: k not in wanted)[:most]
    return sorted(best, key=ranked.index)


def play_on(state, belief, n_deals, seed):
    """Yield each state of a game that two searchers play on from here, to its end."""
    rng, searcher = np.random.default_rng([seed, 3]), Searcher(AGENT, belief, n_deals)
    while not state.is_over:
        state = state.apply(searcher(state.hide_hand(state.player), rng))
        yield state
