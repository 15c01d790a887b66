"""Nested Monte-Carlo Search: try each move with a search of the level below.

Cazenave, "Nested Monte-Carlo Search", IJCAI 2009: at each step of a level the moves are tried,
the best game found so far is remembered, and its next move is played.
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import CODE, RulesError
from gameai_lib.nrpa.problem.tryout import explained
from gameai_lib.nrpa.problem.walk import Playout, Walk
from gameai_lib.nrpa.search.anytime import MOST_LEVELS, NO_GAME, Search, fits_memory
from gameai_lib.nrpa.search.arrays import Bests, NMCSArrays, Nodes, new_game


class NMCS(Search):
    """One NMCS search, stopped after any number of playouts and continued.

    Parameters
    ----------
    problem : Problem
    rng : numpy.random.Generator or int
    level : int
        Level 1 tries each move with one uniform playout.

    Raises
    ------
    ValueError
        If `level` is less than 1.

    Examples
    --------
    >>> search = NMCS(leftmove(30), 1, level=2)
    >>> search.run(target=25).score
    25.0
    >>> search
    NMCS(LeftMove 30: 951 playouts, best score 25)
    """

    def __init__(self, problem: Problem, rng: Seed, *, level: int = 2):
        super().__init__(problem, rng)
        self.level = level = checks.whole("level", level, 1, MOST_LEVELS)
        rows, max_plies, max_legal = level + 1, problem.max_plies, problem.max_legal
        fits_memory(
            problem, rows, 8 * (problem.ints.size + problem.floats.size + max_plies + max_legal)
        )
        try:
            walk = Walk(problem)
            legal = walk.legal()
        except RulesError as error:
            raise explained(problem, [], (problem.ints, problem.floats), error) from error
        moves, n_legal = np.zeros((rows, max_legal), CODE), np.zeros(rows, np.int64)
        moves[level, : legal.size] = legal
        n_legal[level] = legal.size
        self._arrays = NMCSArrays(
            nodes=Nodes(
                ints=np.tile(walk.ints, (rows, 1)),
                floats=np.tile(walk.floats, (rows, 1)),
                plies=np.zeros(rows, np.int64),
                moves=moves,
                n_legal=n_legal,
                candidate=np.zeros(rows, np.int64),
            ),
            bests=Bests(
                choices=np.zeros((rows + 1, max_plies), np.int64),
                n_plies=np.zeros(rows + 1, np.int64),
                scores=np.full(rows + 1, -np.inf),
            ),
            E=np.ones(problem.n_codes),
            game=new_game(problem),
            cursor=np.array([level, 0], np.int64),
            done=np.zeros(1, np.int64),
        )

    def _play(self, n_playouts, target):
        self._call("nmcs", self.n_playouts + n_playouts, target)

    def _parameters(self):
        return {"level": self.level}

    def _is_broken(self):
        return self._arrays.cursor[1] < 0

    def _last_game(self):
        nodes = self._arrays.nodes
        return self._arrays.game.choices, (nodes.ints[0], nodes.floats[0])

    def _kept(self):
        choices, n_plies, scores = self._arrays.bests
        return float(scores[-1]), choices[-1, : n_plies[-1]]

    @property
    def finished(self) -> bool:
        """Whether the last move has been played."""
        return bool(self._arrays.cursor[1] == 1)


def repeat_nmcs(
    problem: Problem, rng: Seed, n_playouts: int, *, level: int = 2
) -> tuple[Playout, list[float]]:
    """NMCS again and again until `n_playouts` are used up, the last search cut short.

    Returns
    -------
    best : Playout
        Best game of all playouts.
    scores : list of float
        Results of the searches that were completed; none of the one that was cut short. The list
        is empty if that was the first: each level takes many times the playouts of the
        one below.

    Raises
    ------
    ValueError
        If `n_playouts` is less than 1, or the problem has no first move.
    """
    best, scores = NO_GAME, []
    rng, n_playouts = checks.generator(rng), checks.whole("n_playouts", n_playouts)
    used = 0
    with Bar("repeat_nmcs", n_playouts, "playouts") as bar:
        while used < n_playouts:
            search = NMCS(problem, rng, level=level)
            found = search.run(n_playouts - used)
            if search.finished:
                scores.append(found.score)
            if not search.n_playouts:
                raise ValueError(f"{problem.name} has no legal move at its start")
            used += search.n_playouts
            if found.score > best.score:
                best = found
            bar(used, f"best {best.score:g}")
    return best, scores
