"""Where the lost points of a deal go: what partners could have read, what only open cards tell, or
the deck itself.

Three play each deal: Convention agents, agents who search and read each other's choices, and NRPA
with open cards. Each wins some points more than the one before, and what is then lacking to 25 is
in no line that was found.
"""

from typing import NamedTuple

import numpy as np

from gameai_book.together.agents import CONVENTION
from gameai_book.together.meeting import play_in_steps
from gameai_lib.hanabi.game.box import N_CARDS
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.searcher import FORGIVING, Searcher
from gameai_lib.hanabi.players.self_play import play_out_game
from gameai_lib.together.best_line import Line, lines, most_points

READERS = Searcher(CONVENTION, FORGIVING)
MOST_PLAYOUTS = 20_000  # with open cards; four deals in five need less than 500


class Deal(NamedTuple):
    """What was made of a deal, as far as it has been played."""

    number: int
    convention: int  #: points of Convention agents
    readers: int | None = None  #: points of those who search and read choices
    line: Line | None = None  #: the best with open cards, so far
    is_whole: bool = False  #: whether the search with open cards is over

    @property
    def parts(self):
        """Of the 25 points: the Convention's, those not read, those nobody could know, the deck's.

        As many as are known: all four once there is a line. One can be negative.
        """
        ends = [self.convention]
        if self.readers is not None:
            ends.append(self.readers)
        if self.line is not None:
            ends += [self.line.points, N_CARDS]
        return tuple(int(part) for part in np.diff(ends, prepend=0))

    @property
    def is_proven(self):
        """Whether no line makes more points."""
        return self.line is not None and self.line.points == self.line.most


def rng_of(seed, number):
    """The generator that deals a deal, as in the stored tables, whose seed is 1."""
    return np.random.default_rng([seed, number])


def split_deal(n_players, seed, number):
    """Yield a `Deal` after every few hundredths of a second, the last one whole."""
    deal = Deal(number, _convention(n_players, seed, number))
    yield deal
    readers = yield from play_in_steps([READERS] * n_players, rng_of(seed, number), deal)
    rng = rng_of(seed, number)
    for line in lines(State.new(n_players, rng), rng):
        is_whole = line.points == line.most or line.n_playouts >= MOST_PLAYOUTS
        yield deal._replace(readers=readers, line=line, is_whole=is_whole)
        if is_whole:
            return


def split_before(n_players, seed, number, readers, points, n_playouts):
    """The whole `Deal` of which this was found before; its line has no moves."""
    most = most_points(State.new(n_players, rng_of(seed, number)))
    line = Line(points, most, (), n_playouts)
    return Deal(number, _convention(n_players, seed, number), readers, line, is_whole=True)


def _convention(n_players, seed, number):
    _, points, lives = play_out_game([CONVENTION] * n_players, rng_of(seed, number))
    return points if lives else 0
