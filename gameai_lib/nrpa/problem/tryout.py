"""Rules tried out in plain Python, and what a search says when they break their contract."""

import time
import warnings
from contextlib import suppress
from typing import NamedTuple
from weakref import WeakSet

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Ints, Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import RulesError, first_line
from gameai_lib.nrpa.problem.walk import RaisedError, Walk


def try_out(problem: Problem, rng: Seed, n_games: int = 3) -> float:
    """Play random games in plain Python, with everything checked; return the mean score.

    A search checks rules of your own, too, but only here an endless loop in a rule can be
    interrupted, every code of 1.7 is seen before it is cut to a whole number, and numpy warns of a
    number beyond 64 bits. The games share their arrays, as in a search; each is played again on
    fresh ones, where `legal` and `score` are asked twice. A `RulesError` says if a rule raises an
    error or leaves the bounds of the problem, a score is not finite, there is no first move,
    `legal` or `score` changes the position, or `reset` leaves something.
    """
    checks.kind("problem", problem, Problem)
    rng = checks.generator(rng)
    n_games = checks.whole("n_games", n_games)
    shared = problem.ints.copy(), problem.floats.copy()
    mean = 0.0
    with Bar("try_out", n_games, "games") as bar:
        for n_done in range(n_games):
            game = _play(Walk(problem, plain=True, arrays=shared), rng)
            _compare(problem, None, game)
            mean += game.score / n_games
            bar(n_done + 1)
    return mean


LOOK = 0.5  # seconds
_LOOKED_AT: WeakSet[Problem] = WeakSet()  # restarts search one problem again and again


def look_at(problem: Problem) -> None:
    """Play one random game in plain Python, and once more, to find what compiling hides.

    The second time it is played on the arrays that the first has left, and `legal` and `score`
    are asked twice. A long game is left after half a second. Where a rule raises an error in plain
    Python, compiled it may not: that is left to the search.
    """
    if problem in _LOOKED_AT:
        return
    shared, until = (problem.ints.copy(), problem.floats.copy()), time.perf_counter() + LOOK
    with warnings.catch_warnings(), suppress(RaisedError):
        warnings.simplefilter("ignore", RuntimeWarning)
        game = _play(Walk(problem, plain=True, arrays=shared), np.random.default_rng(0), until)
        # What a game leaves that is not at its end need not suit `reset`.
        _compare(problem, None if game.score is None else shared, game)
    _LOOKED_AT.add(problem)


class _Game(NamedTuple):
    """A game, and what the rules said in it."""

    choices: list[int]
    codes: list[list[int]]  # of the legal moves, after each number of choices
    score: float | None  # None if the game is left before its end


def _play(walk, source, until=np.inf, twice=()):
    """The game that a generator, or a list of choices, decides; a list may end before it.

    The rules that `twice` names are asked so; a second answer that differs is None in the game.
    """
    choices, codes, is_random = [], [], isinstance(source, np.random.Generator)
    while True:
        codes.append(walk.legal().tolist())
        n_legal = len(codes[-1])
        if "legal" in twice and walk.legal().tolist() != codes[-1]:
            codes[-1] = None
        if not n_legal:
            return _Game(choices, codes, _score(walk, twice))
        if time.perf_counter() >= until or (not is_random and walk.ply == len(source)):
            return _Game(choices, codes, None)
        # A replay may have other moves than its game had: then any will do to tell them apart.
        k = source.integers(n_legal) if is_random else min(source[walk.ply], n_legal - 1)
        choices.append(int(k))
        walk.play(choices[-1])


def _score(walk, twice):
    """The score of a finished game; None if it is another one, or none, when asked again."""
    score = walk.score()
    if "score" in twice and (walk.score() != score or walk.legal().size):
        return None
    return score


def _goes_again(problem, arrays, game, *twice):
    """Whether a game goes the same where it is played again, some rules asked twice."""
    with suppress(RulesError):
        walk = Walk(problem, plain=True, arrays=arrays)
        return _play(walk, game.choices, twice=twice) == game
    return False


def _compare(problem, arrays, game):
    """Play a game again where `legal` and `score` are asked twice: it must go the same."""
    if not _goes_again(problem, arrays, game, "legal", "score"):
        raise _blame(problem, game)
    if game.codes == [[]]:
        fault = "returns 0 for the first position: the game is over before it begins"
        raise RulesError(problem.name, "legal", fault)


def _blame(problem, game):
    """The error for a game that goes differently where it is played again."""
    if _goes_again(problem, None, game):
        fault = "changes the position: where it is asked twice, the game goes differently"
        for rule in ("legal", "score"):
            if not _goes_again(problem, None, game, rule):
                return RulesError(problem.name, rule, fault)
    return _forgetful(problem, game.score)


def _forgetful(problem, score):
    """The error for `reset`, or a rule that is random."""
    game = "a game" if score is None else f"a game that scores {score}"
    fault = f"leaves something of the game before, or a rule is random: {game} goes differently"
    return RulesError(problem.name, "reset", f"{fault} on fresh arrays")


def check_replay(problem: Problem, choices: Ints, score: float) -> None:
    """Play a game again on fresh arrays, `legal` asked twice; raise if it scores something else."""
    played, error = choices.tolist(), _forgetful(problem, score)
    with suppress(RulesError):
        again = _play(Walk(problem), played, twice=("legal",))
        if (again.choices, again.score) == (played, score):
            return
    with suppress(RulesError):
        error = _blame(problem, _play(Walk(problem, plain=True), played))
    raise error


def explain(problem: Problem, choices, arrays, error) -> RulesError:
    """Say what went wrong in a game of compiled rules, by playing it again.

    There may be more `choices` than the game has; `arrays` are as it has left them, and `error`
    is what the compiled code raised.
    """
    for plain in (True, False):  # plain Python says it best
        for start in (arrays, (problem.ints, problem.floats)):
            fresh = [part.copy() for part in start]
            try:
                _play(Walk(problem, plain=plain, arrays=fresh), choices.tolist())
            except RulesError as found:
                return found
    said = f"raise {type(error).__name__}: {first_line(error)}"
    fault = f"{said} when compiled; played again, the game does no such thing"
    return RulesError(problem.name, "rules", fault)
