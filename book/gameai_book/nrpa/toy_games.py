"""Toys to see through: a few plies of a few moves, with points for each move after another.

The game fits on paper and its best score is known, so that it shows what the search does, what
the choice of codes is worth, and what noise does to a search that keeps the best score.
"""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.registry import judge_by_rules, register
from gameai_lib.nrpa.problem.rules import Rules

N_PLIES, N_MOVES, CODES, PLY, LAST, PATH, CHANCE = range(7)
NOISE, SCORE, POINTS = range(3)
# How the code of a move is made: from the move alone, and its ply, or the last move, or all.
KINDS = ("move", "ply", "last", "path")


@njit(cache=True)
def reset(ints, floats):
    """Put the first position into the arrays; chance goes on."""
    ints[PLY] = 0
    ints[LAST] = 0
    ints[PATH] = 0
    floats[SCORE] = 0.0


@njit(cache=True)
def legal(ints, floats, codes, start):
    """Write the codes of the legal moves from ``codes[start]`` on; return how many there are."""
    if ints[PLY] == ints[N_PLIES]:
        return 0
    n_moves, kind = ints[N_MOVES], ints[CODES]
    first = 0
    if kind == 1:
        first = ints[PLY] * n_moves
    elif kind == 2:
        first = ints[LAST] * n_moves
    elif kind == 3:
        first = ints[PATH] * n_moves
    for i in range(n_moves):
        codes[start + i] = first + i
    return n_moves


@njit(cache=True)
def play(ints, floats, k, code):
    """Play the legal move with index `k` and this code."""
    n_moves = ints[N_MOVES]
    floats[SCORE] += floats[POINTS + (ints[PLY] * n_moves + ints[LAST]) * n_moves + k]
    ints[PLY] += 1
    ints[LAST] = k
    if ints[CODES] == 3:
        ints[PATH] = ints[PATH] * n_moves + k + 1


@njit(cache=True)
def score(ints, floats):
    """The score of the finished game, with fresh noise each time."""
    if floats[NOISE] == 0.0:
        return floats[SCORE]
    total, chance = -6.0, ints[CHANCE]
    for _ in range(12):  # the sum of twelve numbers from 0 to 1: nearly normal, deviation 1
        chance = (1103515245 * chance + 12345) % 2147483648
        total += chance / 2147483648
    ints[CHANCE] = chance
    return floats[SCORE] + floats[NOISE] * total


# Noise belongs to the score: no other referee could count it again.
RULES = register(Rules(reset, legal, play, score), judge_by_rules)


def points_game(points, codes: str = "ply", noise: float = 0.0, seed: int = 0) -> Problem:
    """A game of as many plies as `points` has rows, every move legal at each.

    Parameters
    ----------
    points : (n_plies, n_moves, n_moves) float array
        What a move brings: by ply, the move before (0 at the first ply) and the move.
    codes : str
        What the code of a move says: ``"move"``, the move alone; ``"ply"``, the ply, too;
        ``"last"``, the move before, too; ``"path"``, all moves before.
    noise, seed : float, int
        Standard deviation of what chance adds to each score, and the seed of this chance.
    """
    points = arrays.finite("points", points, ndim=3)
    if not points.size or points.shape[1] != points.shape[2]:
        raise ValueError(f"points must be (n_plies, n_moves, n_moves), got {points.shape}")
    checks.one_of("codes", codes, KINDS)
    n_plies, n_moves, _ = points.shape
    n_paths = sum(n_moves**ply for ply in range(1, n_plies + 1))
    n_codes = {"move": n_moves, "ply": n_plies * n_moves, "last": n_moves**2, "path": n_paths}
    ints = np.array([n_plies, n_moves, KINDS.index(codes), 0, 0, 0, seed])
    floats = np.concatenate([[noise, 0.0], points.ravel()])
    name = f"points, codes by {codes}"
    return seal(name, RULES, ints, floats, n_codes[codes], n_plies, n_moves)


def points_of(problem: Problem, choices) -> float:
    """What a game of `points_game` brings without the noise."""
    n_plies, n_moves = problem.ints[[N_PLIES, N_MOVES]]
    points = problem.floats[POINTS:].reshape(n_plies, n_moves, n_moves)
    before = [0, *choices[:-1]]
    return float(points[np.arange(n_plies), before, list(choices)].sum())


def nine_games(codes: str = "ply") -> Problem:
    """Two plies of three moves: nine games, which fit on paper."""
    return points_game([np.zeros((3, 3)), NINE], codes)


MOVES = "abc"  # of the nine games
# Points of (first move, second move): each step along the diagonal needs both moves changed.
NINE = np.array([[4.0, 1.0, 0.0], [1.0, 5.0, 2.0], [0.0, 2.0, 9.0]])


def zigzag(n_plies: int = 16, codes: str = "ply") -> Problem:
    """Left or right at each ply, a point for each move that is not the one before."""
    points = np.tile(1.0 - np.eye(2), (n_plies, 1, 1))
    points[0] = 0.0
    return points_game(points, codes)


def exception(n_plies: int = 20, ply: int = 10, prize: float = 5.0) -> Problem:
    """LeftMove, but for one ply at which right brings a `prize`."""
    points = np.tile([1.0, 0.0], (n_plies, 2, 1))
    points[ply] = 0.0, prize
    return points_game(points)


def noisy_leftmove(n_plies: int = 30, noise: float = 0.0, seed: int = 0) -> Problem:
    """LeftMove whose score is seen through noise: `points_of` says what a game is worth."""
    return points_game(np.tile([1.0, 0.0], (n_plies, 2, 1)), noise=noise, seed=seed)
