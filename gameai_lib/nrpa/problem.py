"""One problem interface: four small functions over two flat arrays.

A position lives in an integer array and a float array because compiled code touches flat
arrays fast and copies them whole. The interface follows the way Rosin (2011) and Cazenave
write NRPA: a legal move is a `code`, and moves that share a code share one policy weight.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_lib._jit import njit

# Unsigned, so that compiled code need not ask of each code whether it counts from the end.
CODE = np.uint32


class Rules(NamedTuple):
    """The four functions of a problem; plain Python or already compiled.

    All of them get the integer and the float array of the position.
    """

    reset: Callable  # reset(ints, floats): put the first position into the arrays
    legal: Callable  # legal(ints, floats, codes, start) -> n: write codes[start:start + n] (uint32)
    play: Callable  # play(ints, floats, k, code): play the k-th code that `legal` has just written
    score: Callable  # score(ints, floats) -> float: value of a finished game, larger is better

    def __reduce__(self):
        # Another process must get the very functions of its own modules: a compiled copy
        # would be compiled again there, and its game would be taken for a reader's own.
        return _rules_from, tuple(_reference(function) for function in self)


def _reference(function):
    """Module and name of a function that can be imported, else the function itself."""
    module = sys.modules.get(getattr(function, "__module__", None))
    name = getattr(function, "__name__", None)
    if module is None or name is None or module.__name__ == "__main__":
        return function
    return (module.__name__, name) if getattr(module, name, None) is function else function


def _rules_from(*references):
    return Rules(
        *(
            getattr(importlib.import_module(r[0]), r[1]) if isinstance(r, tuple) else r
            for r in references
        )
    )


@dataclass(frozen=True, eq=False)
class Problem:
    """A problem to search: rules, arrays and the sizes of what the rules may write.

    Parameters
    ----------
    name : str
        What saved games and figures call it.
    rules : Rules
    ints, floats : 1-D int64 and float64 arrays
        Constants and room for the position; `reset` makes the first position from them.
    n_codes : int
        Codes run from 0 to ``n_codes - 1``; one policy weight each.
    max_plies, max_legal : int
        No game is longer, no position has more legal moves.
    bias : (n_codes,) float array, optional
        Prior weight of each code (GNRPA, Cazenave 2020, for a bias that depends on the code
        alone): the policy starts from it instead of 0.

    Raises
    ------
    ValueError
        If a size is not positive, or `bias` has the wrong shape or is not finite.
    """

    name: str
    rules: Rules
    ints: np.ndarray
    floats: np.ndarray
    n_codes: int
    max_plies: int
    max_legal: int
    bias: np.ndarray | None = None

    def __post_init__(self):
        for size in ("n_codes", "max_plies", "max_legal"):
            if getattr(self, size) < 1:
                raise ValueError(f"{size} must be at least 1, got {getattr(self, size)}")
        object.__setattr__(self, "ints", np.array(self.ints, np.int64).reshape(-1))
        object.__setattr__(self, "floats", np.array(self.floats, np.float64).reshape(-1))
        object.__setattr__(self, "rules", Rules(*map(_compiled, self.rules)))
        if self.bias is not None:
            bias = np.array(self.bias, np.float64)
            if bias.shape != (self.n_codes,) or not np.isfinite(bias).all():
                raise ValueError(f"bias must be {self.n_codes} finite numbers, got {bias!r}")
            object.__setattr__(self, "bias", bias)


class Playout(NamedTuple):
    """A finished game; replaying its choices gives back every position."""

    score: float
    choices: np.ndarray  # (n_plies,) int, index of the move among the legal ones
    codes: np.ndarray  # (n_plies,) int, code of the move


class Ply(NamedTuple):
    """A position of a game in progress, and what was played there."""

    ints: np.ndarray  # position arrays before the move, owned by this value
    floats: np.ndarray
    legal: np.ndarray  # (n_legal,) int codes
    choice: int


@lru_cache(maxsize=256)
def _compiled(function):
    # The same function must give the same compiled one, or its searches compile again.
    return function if hasattr(function, "py_func") else njit(function)


def replay(problem: Problem, choices: np.ndarray) -> Iterator[Ply]:
    """Yield every `Ply` of a game, and at its end one with no move chosen (choice -1).

    Parameters
    ----------
    problem : Problem
    choices : (n_plies,) int array

    Raises
    ------
    ValueError
        If a choice is not one of the legal moves.
    """
    ints, floats = problem.ints.copy(), problem.floats.copy()
    codes = np.empty(2 * problem.max_legal, CODE)
    problem.rules.reset(ints, floats)
    for ply, choice in enumerate([*choices, -1]):
        n_legal = problem.rules.legal(ints, floats, codes, 0)
        if not -1 <= choice < n_legal or (choice == -1 and ply < len(choices)):
            raise ValueError(f"ply {ply}: choice {choice} of {n_legal} legal moves")
        yield Ply(ints.copy(), floats.copy(), codes[:n_legal].astype(np.int64), int(choice))
        if choice >= 0:
            problem.rules.play(ints, floats, choice, int(codes[choice]))


def game(problem: Problem, choices: np.ndarray) -> Playout:
    """Play out `choices` and return the game with its codes and score.

    Raises
    ------
    ValueError
        If a choice is not legal, or moves are left at the end.
    """
    plies = list(replay(problem, choices))
    end = plies.pop()
    if end.legal.size:
        raise ValueError(f"{end.legal.size} legal moves are left after {len(plies)} plies")
    codes = np.array([ply.legal[ply.choice] for ply in plies], np.int64)
    score = float(problem.rules.score(end.ints, end.floats))
    return Playout(score, np.array(choices, np.int64), codes)


def choices_of(problem: Problem, moves) -> np.ndarray:
    """Translate move codes into choices, as `replay` wants them.

    Raises
    ------
    ValueError
        If a code is not legal where it is played.
    """
    ints, floats = problem.ints.copy(), problem.floats.copy()
    codes = np.empty(2 * problem.max_legal, CODE)
    problem.rules.reset(ints, floats)
    choices = np.empty(len(moves), np.int64)
    for ply, code in enumerate(moves):
        n_legal = problem.rules.legal(ints, floats, codes, 0)
        found = np.flatnonzero(codes[:n_legal] == code)
        if not found.size:
            raise ValueError(f"ply {ply}: move {code} is not legal")
        choices[ply] = found[0]
        problem.rules.play(ints, floats, choices[ply], code)
    return choices


def try_out(problem: Problem, rng: np.random.Generator, n_games: int = 3) -> float:
    """Play random games in plain Python, with every bound checked; return the mean score.

    Compiled code does not check array bounds; a new problem should pass here first. The games
    share their arrays, as in a search, and each is compared with its replay on fresh ones.

    Raises
    ------
    ValueError
        If a code, the number of legal moves or the length of a game leaves its bounds, a score
        is not finite, or `reset` leaves something of the game before.
    """
    shared = problem.ints.copy(), problem.floats.copy()
    total = 0.0
    for _ in range(n_games):
        choices, score = _try_game(problem, *shared, rng)
        if not np.isfinite(score):
            raise ValueError(f"{problem.name}: a game scores {score}")
        fresh = problem.ints.copy(), problem.floats.copy()
        if _try_game(problem, *fresh, iter(choices)) != (choices, score):
            raise ValueError(
                f"{problem.name}: a game that scores {score} goes differently on fresh arrays:"
                " reset leaves something of the game before"
            )
        total += score
    return total / n_games


def _try_game(problem, ints, floats, source):
    """Choices and score of a game that a generator, or an iterator of choices, decides."""
    reset, legal, play, score = (getattr(f, "py_func", f) for f in problem.rules)
    codes, choices = np.empty(problem.max_legal, np.int64), []
    reset(ints, floats)
    while n_legal := _checked_legal(problem, legal, ints, floats, codes):
        if len(choices) == problem.max_plies:
            raise ValueError(
                f"{problem.name}: a game is longer than max_plies = {problem.max_plies}"
            )
        random = isinstance(source, np.random.Generator)
        # A replay may have other moves than its game had: then any will do to tell them apart.
        k = int(source.integers(n_legal)) if random else min(next(source, 0), n_legal - 1)
        choices.append(k)
        play(ints, floats, k, int(codes[k]))
    return choices, float(score(ints, floats))


def _checked_legal(problem, legal, ints, floats, codes):
    try:
        n_legal = legal(ints, floats, codes, 0)
    except IndexError as error:
        raise ValueError(
            f"{problem.name}: more legal moves than max_legal = {problem.max_legal}"
        ) from error
    bad = codes[:n_legal][(codes[:n_legal] < 0) | (codes[:n_legal] >= problem.n_codes)]
    if bad.size:
        raise ValueError(f"{problem.name}: code {bad[0]} is outside 0 .. {problem.n_codes - 1}")
    return n_legal
