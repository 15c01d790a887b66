"""LeftMove, the toy of the nested searches: at every ply go left or right, left scores 1.

The game is the one of Cazenave's talks on nested search; its best score is known, and a bug
that never plays the last move solves it.
"""

from gameai_lib.base import checks
from gameai_lib.base.jit import njit
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.registry import Verdict, register
from gameai_lib.nrpa.problem.rules import Rules

N_PLIES, PLY, N_LEFT = range(3)


# `Rules` says what each of the four has to do, here and in the other games.
@njit(cache=True)
def reset(ints, floats):
    ints[PLY] = 0
    ints[N_LEFT] = 0


@njit(cache=True)
def legal(ints, floats, codes, start):
    if ints[PLY] == ints[N_PLIES]:
        return 0
    codes[start] = 2 * ints[PLY]
    codes[start + 1] = 2 * ints[PLY] + 1
    return 2


@njit(cache=True)
def play(ints, floats, k, code):
    ints[PLY] += 1
    if k == 0:
        ints[N_LEFT] += 1


@njit(cache=True)
def score(ints, floats):
    return float(ints[N_LEFT])


def leftmove(n_plies: int = 60) -> Problem:
    """LeftMove of `n_plies` plies; code 2 * ply is left, 2 * ply + 1 is right.

    Examples
    --------
    >>> NRPA(leftmove(30), 1, level=2, n_iterations=30).run().score
    30.0
    """
    n_plies = checks.whole("n_plies", n_plies, 1, 2**20)
    return seal(f"LeftMove {n_plies}", RULES, [n_plies, 0, 0], [], 2 * n_plies, n_plies, 2)


def _judge(problem, playout):
    """Replay a game of codes; a ValueError names the first ply that has not its own."""
    n_plies, codes = int(problem.ints[N_PLIES]), playout.codes.tolist()
    if len(codes) != n_plies:
        raise ValueError(f"{len(codes)} codes, but the game has {n_plies} plies")
    for ply, code in enumerate(codes):
        if code // 2 != ply:
            raise ValueError(f"ply {ply}: code {code} is neither {2 * ply} nor {2 * ply + 1}")
    return Verdict(float(sum(code % 2 == 0 for code in codes)), 0)


RULES = register(Rules(reset, legal, play, score), _judge)
