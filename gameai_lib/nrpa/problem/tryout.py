"""Rules tried out in plain Python, and what a search says when they break their contract."""

import time
import warnings
from contextlib import suppress
from weakref import WeakSet

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import RulesError, first_line
from gameai_lib.nrpa.problem.walk import RaisedError, Walk


def try_out(problem: Problem, rng: Seed, n_games: int = 3) -> float:
    """Play random games in plain Python, with everything checked; return the mean score.

    A search checks rules of your own, too, but only here an endless loop in a rule can be
    interrupted, a code of 1.7 or a half in `ints` is seen before it is cut to a whole number, and
    numpy warns of a number beyond 64 bits. (A search plays one such game for half a second at most
    before it begins.) The games share their arrays, as in a search, and each is compared with its
    replay on fresh ones. Whether the rules can be compiled is found by a search.

    Raises
    ------
    RulesError
        If a rule raises an error or writes what is not whole; if a code, the number of legal
        moves or the length of a game leaves its bounds, a score is not finite, or `reset` leaves
        something of the game before.
    """
    checks.kind("problem", problem, Problem)
    rng = checks.generator(rng)
    n_games = checks.whole("n_games", n_games)
    shared = problem.ints.copy(), problem.floats.copy()
    mean = 0.0
    for _ in range(n_games):
        choices, score = _try_game(problem, shared, rng)
        if _try_game(problem, None, iter(choices)) != (choices, score):
            raise forgetful(problem, score)
        mean += score / n_games
    return mean


def look_at(problem: Problem) -> None:
    """Play in plain Python for half a second, or one random game, to find what compiling hides.

    What a rule raises is left to the search: compiled, it may not raise it.

    Raises
    ------
    RulesError
    """
    if problem in _LOOKED_AT:
        return
    until, rng = time.perf_counter() + LOOK, np.random.default_rng(0)
    with suppress(RaisedError), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        walk = Walk(problem, plain=True)
        while (n_legal := walk.legal().size) and time.perf_counter() < until:
            walk.play(int(rng.integers(n_legal)))
        if not n_legal:
            walk.score()
    _LOOKED_AT.add(problem)


LOOK = 0.5
_LOOKED_AT: WeakSet[Problem] = WeakSet()


def forgetful(problem, score) -> RulesError:
    """The error for a game that does not come back."""
    fault = (
        f"leaves something of the game before, or a rule is random: a game that scores {score}"
        " goes differently on fresh arrays"
    )
    return RulesError(problem.name, "reset", fault)


def _try_game(problem, arrays, source):
    """Choices and score of a game that a generator, or an iterator of choices, decides."""
    walk, choices = Walk(problem, plain=True, arrays=arrays), []
    while n_legal := walk.legal().size:
        random = isinstance(source, np.random.Generator)
        # A replay may have other moves than its game had: then any will do to tell them apart.
        k = int(source.integers(n_legal)) if random else min(next(source, 0), n_legal - 1)
        choices.append(k)
        walk.play(k)
    return choices, walk.score()


def explained(problem: Problem, choices, arrays, error=None) -> RulesError:
    """Say what went wrong in a game of compiled rules, by playing it again.

    Parameters
    ----------
    problem : Problem
    choices : iterable of int
        Those of the game; there may be more.
    arrays : (ints, floats)
        As the game has left them.
    error : Exception, optional
        What the compiled code raised.
    """
    choices = [int(choice) for choice in choices]
    for plain in (True, False):  # plain Python says it best
        for start in (arrays, (problem.ints, problem.floats)):
            try:
                _play_along(problem, choices, plain, [part.copy() for part in start])
            except RulesError as found:
                return found
    fault = f"raise {type(error).__name__}: {first_line(error)}" if error else "leave their bounds"
    return RulesError(
        problem.name, "rules", f"{fault} when compiled; played again, the game does no such thing"
    )


def _play_along(problem, choices, plain, arrays):
    walk = Walk(problem, plain=plain, arrays=arrays)
    for choice in [*choices, 0]:
        n_legal = walk.legal().size
        if not n_legal:
            walk.score()
        if choice >= n_legal:
            return
        walk.play(choice)
