"""Nested Monte-Carlo Search: try each move with a search of the level below.

Cazenave, "Nested Monte-Carlo Search", IJCAI 2009: at each step of a level the moves are tried,
the best game found so far is remembered, and its next move is played.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.jit import assign
from gameai_lib.base.types import Seed
from gameai_lib.nrpa.problem.compiled import Template, legal, play, reset
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import CODE
from gameai_lib.nrpa.search.anytime import MOST_LEVELS, Search
from gameai_lib.nrpa.search.arrays import Bests, Game, new_bests, new_game
from gameai_lib.nrpa.search.kernels import NOTHING, copy_codes, keep, playout


class Nodes(NamedTuple):
    """Where each level of an NMCS search is; level 0 is where a playout starts."""

    ints: np.ndarray  #: (L, n_ints) int, the position
    floats: np.ndarray  #: (L, n_floats) float
    plies: np.ndarray  #: (L,) int, plies before it
    moves: np.ndarray  #: (L, max_legal) CODE, the legal moves there
    n_legal: np.ndarray  #: (L,) int
    candidate: np.ndarray  #: (L,) int, index of the next move to try
    written: np.ndarray  #: (max_legal,) int, what `legal` writes


class NMCSArrays(NamedTuple):
    """An NMCS search."""

    nodes: Nodes
    bests: Bests  #: of each level, and at the end of all
    E: np.ndarray  #: (n_codes,) float, all 1, for playouts are uniform
    game: Game  #: the moves from the root to where the search is, and the playout from there
    cursor: np.ndarray  #: (2,) int, the level; 1 if finished
    done: np.ndarray  #: (1,) int, playouts


@Template
def list_moves(level, nodes, game, n_codes):
    """List the moves of a level's position; rules that break their contract raise an error."""
    written = nodes.written
    for i in range(written.size):
        written[i] = NOTHING
    n = legal(nodes.ints[level], nodes.floats[level], written, np.int64(0))
    if n > 0 and nodes.plies[level] == game.choices.size:
        raise IndexError("a game is longer than max_plies")
    copy_codes(written, n, n_codes, nodes.moves[level], 0)
    nodes.n_legal[level] = n
    nodes.candidate[level] = 0


@Template
def descend(level, nodes, game, n_codes):
    """Try the next move: the level below starts from it."""
    ints, floats, plies = nodes.ints, nodes.floats, nodes.plies
    k = nodes.candidate[level]
    nodes.candidate[level] += 1
    game.choices[plies[level]] = k
    assign(ints[level - 1], ints[level])
    assign(floats[level - 1], floats[level])
    play(ints[level - 1], floats[level - 1], k, np.int64(nodes.moves[level, k]))
    plies[level - 1] = plies[level] + 1
    if level > 1:
        list_moves(level - 1, nodes, game, n_codes)


@Template
def follow(level, nodes, choices, game, n_codes):
    """Play the move that the best game of the level has here."""
    ply = nodes.plies[level]
    k = choices[level, ply]
    game.choices[ply] = k
    play(nodes.ints[level], nodes.floats[level], k, np.int64(nodes.moves[level, k]))
    nodes.plies[level] = ply + 1
    list_moves(level, nodes, game, n_codes)


@Template
def try_and_follow(arrays, rng, scores, target):
    """NMCS for as many playouts as there are `scores`, its recursion unrolled like that of NRPA."""
    nodes, bests, E, game, cursor, done = arrays
    ints, floats, plies, _, n_legal, candidate, _ = nodes
    choices, lengths, best = bests
    top = best.size - 2
    n_played, level = 0, cursor[0]
    if done[0] == 0 and plies[top] == 0 and n_legal[top] == 0:
        reset(ints[top], floats[top])
        list_moves(top, nodes, game, E.size)
    while n_played < scores.size and cursor[1] == 0:
        if candidate[level] < n_legal[level]:
            descend(level, nodes, game, E.size)
            level -= 1
            best[level] = -np.inf
            if level > 0 and n_legal[level] > 0:
                continue
            # A playout, or a finished game, which needs no search.
            game.offsets[plies[level]] = 0
            n_plies, value = playout(ints[level], floats[level], plies[level], E, game, rng)
            scores[n_played] = value
            n_played += 1
            done[0] += 1
            keep(value, game.choices, n_plies, top + 1, bests)
            keep(value, game.choices, n_plies, level, bests)
            if value >= target:
                n_played = scores.size
        elif n_legal[level] > 0:
            # Every move was tried: follow the best game by one move.
            follow(level, nodes, choices, game, E.size)
            continue
        elif level == top:
            cursor[1] = 1
            break
        # The level is finished: its best game goes up.
        level += 1
        below = level - 1
        keep(best[below], choices[below], lengths[below], level, bests)
    cursor[0] = level


@Template
def nmcs(arrays, rng, scores, target):
    """The same for Python: its arrays' owners are counted here, and not in the loop."""
    try_and_follow(arrays, rng, scores, target)


class NMCS(Search):
    """One NMCS search, stopped after any number of playouts and continued.

    Level 1 tries each move with one uniform playout.

    Examples
    --------
    >>> search = NMCS(leftmove(30), 1, level=2)
    >>> search.run(target=25).score
    25.0
    >>> search
    NMCS(LeftMove 30: 951 playouts, best score 25)
    """

    _kernel = nmcs

    def __init__(self, problem: Problem, rng: Seed, *, level: int = 2):
        super().__init__(problem, rng)
        self.level = level = checks.whole("level", level, 1, MOST_LEVELS)
        rows = level + 1
        self._arrays = NMCSArrays(
            nodes=Nodes(
                ints=np.tile(problem.ints.copy(), (rows, 1)),
                floats=np.tile(problem.floats.copy(), (rows, 1)),
                plies=np.zeros(rows, np.int64),
                moves=np.zeros((rows, problem.max_legal), CODE),
                n_legal=np.zeros(rows, np.int64),
                candidate=np.zeros(rows, np.int64),
                written=np.zeros(problem.max_legal, np.int64),
            ),
            bests=new_bests(problem, rows + 1),
            E=np.ones(problem.n_codes),
            game=new_game(problem),
            cursor=np.array([level, 0], np.int64),
            done=np.zeros(1, np.int64),
        )

    def _parameters(self):
        return {"level": self.level}

    def _last_game(self):
        nodes = self._arrays.nodes
        return self._arrays.game.choices, (nodes.ints[0], nodes.floats[0])

    @property
    def finished(self) -> bool:
        """Whether the last move has been played."""
        return bool(self._arrays.cursor[1] == 1)
