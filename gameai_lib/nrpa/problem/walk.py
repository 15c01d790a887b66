"""Games of a problem: in progress, finished, and played again."""

import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import is_whole, short
from gameai_lib.base.jit import COMPILED
from gameai_lib.base.types import ArrayLike, Floats, Ints
from gameai_lib.nrpa.problem.compiled import ask, kernel_of
from gameai_lib.nrpa.problem.content import plain_of
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import CODE, Rules, RulesError, first_line

FINITE = sys.float_info.max
NOTHING = -1  # stands where `legal` has not written yet; in plain Python a number that none writes
NOTHING_PLAIN = np.iinfo(np.int64).min


class Playout(NamedTuple):
    """A finished game; replaying its choices gives back every position."""

    score: float
    choices: Ints  #: (n_plies,) int, index of the move among the legal ones
    codes: Ints  #: (n_plies,) int, code of the move


class Ply(NamedTuple):
    """A position of a game in progress, and what was played there."""

    ints: Ints  #: position arrays before the move, owned by this value
    floats: Floats
    legal: Ints  #: (n_legal,) int codes
    choice: int


class RaisedError(RulesError):
    """A rule raised an error."""


class _NotWholeError(TypeError):
    """A rule puts into whole numbers what would be cut off."""


class _Whole(np.ndarray):
    """Whole numbers that refuse any other, where an array would cut it to a whole one."""

    def __setitem__(self, place, value):
        if type(value) is not int:
            found = np.asarray(value)
            if self.dtype.kind == "i" and found.dtype.kind == "f" and (found % 1).any():
                raise _NotWholeError(f"puts {short(found.tolist())} where a whole number must be")
        super().__setitem__(place, value)


class Walk:
    """A game in progress, every call of a rule checked; the error names the rule and the ply.

    It is played in `arrays` (ints, floats), or in copies of the problem's; if `plain`, by the rules
    in plain Python, which checks what is written more strictly.
    """

    def __init__(self, problem, *, plain=False, arrays=None):
        self._problem, self._plain, self.ply = problem, plain, 0
        self.ints, self.floats = arrays or (problem.ints.copy(), problem.floats.copy())
        self._is_checked = plain or problem.checked
        self._nothing = NOTHING_PLAIN if plain else NOTHING
        # One entry more shows one too many.
        n = problem.max_legal + 1
        self._codes = np.full(n, self._nothing) if self._is_checked else np.zeros(n, CODE)
        if plain:
            self._rules = Rules(*map(plain_of, problem.rules))
            self.ints, self._codes = self.ints.view(_Whole), self._codes.view(_Whole)
        else:
            self._rules = _ask(problem, self._codes)
        self._call("reset")

    def _error(self, rule, fault, kind=RulesError):
        return kind(self._problem.name, rule, f"{fault} (ply {self.ply})")

    def _call(self, rule, *arguments):
        try:
            # As compiled code does; in plain Python numpy warns where 64 bits are full.
            over = "warn" if self._plain else "ignore"
            with np.errstate(divide="raise", over=over, invalid="ignore"):
                return getattr(self._rules, rule)(self.ints, self.floats, *arguments)
        except _NotWholeError as error:
            raise self._error(rule, str(error)) from error
        except Exception as error:
            if rule == "legal":
                self._refuse_one_too_many()
            fault = f"raises {type(error).__name__}: {first_line(error)}"
            raise self._error(rule, fault, RaisedError) from error

    def _refuse_one_too_many(self):
        if self._problem.checked and self._codes[-1] != self._nothing:
            most = self._problem.max_legal
            raise self._error("legal", f"writes more legal moves than max_legal = {most}")

    def legal(self) -> Ints:
        """Codes of the legal moves, (n_legal,) int."""
        if self._is_checked:
            self._codes[:] = self._nothing
        returned = self._call("legal", self._codes, 0)
        self._refuse_one_too_many()
        if not is_whole(returned):
            hint = ": is `return n` missing?" if returned is None else ""
            fault = f"returns {short(returned)}, which is not a number of moves{hint}"
            raise self._error("legal", fault)
        self._check_number(int(returned))
        codes = np.array(self._codes[:returned], np.int64)
        if self._is_checked and ((codes < 0) | (codes >= self._problem.n_codes)).any():
            self._refuse_code(codes.tolist())
        return codes

    def _check_number(self, n_legal):
        most, max_plies = self._problem.max_legal, self._problem.max_plies
        if not 0 <= n_legal <= most:
            raise self._error("legal", f"returns {n_legal}, outside 0 .. max_legal = {most}")
        if n_legal and self.ply == max_plies:
            moves = "a move" if n_legal == 1 else f"{n_legal} moves"
            fault = f"still has {moves}: the game is longer than max_plies = {max_plies}"
            raise self._error("legal", fault)

    def _refuse_code(self, codes):
        n = self._problem.n_codes
        place = next(k for k, code in enumerate(codes) if not 0 <= code < n)
        if codes[place] == self._nothing:
            fault = f"returns {len(codes)}, but writes no code (or -1) at place {place}"
            raise self._error("legal", fault)
        raise self._error("legal", f"writes code {codes[place]}, outside 0 .. {n - 1}")

    def play(self, k):
        """Play the k-th of the codes that `legal` has just returned."""
        self._call("play", k, int(self._codes[k]))
        self.ply += 1

    def score(self) -> float:
        """Value of the finished game."""
        value = self._call("score")
        try:
            return checks.number("score", value, -FINITE, FINITE)
        except (TypeError, ValueError) as error:
            what = "not a number" if isinstance(error, TypeError) else "not finite"
            raise self._error("score", f"returns {short(value)}, which is {what}") from error


def _ask(problem, no_codes):
    """Compiled rules as Python calls them: all four by one kernel, which is kept on disk."""
    if problem.checked and not COMPILED:
        return problem.rules  # in plain Python, they return what they will
    arguments = 0, problem.ints.copy(), problem.floats.copy(), no_codes, 0, 0
    kernel = kernel_of(problem, ask, arguments)

    def legal(ints, floats, codes, _start):
        n_legal = kernel(1, ints, floats, codes, 0, 0)
        return int(n_legal) if n_legal.is_integer() else n_legal

    return Rules(
        lambda ints, floats: kernel(0, ints, floats, no_codes, 0, 0),
        legal,
        lambda ints, floats, k, code: kernel(2, ints, floats, no_codes, k, code),
        lambda ints, floats: kernel(3, ints, floats, no_codes, 0, 0),
    )


def _follow(problem, choices):
    """Yield the walk, the legal codes and the choice at every ply, and at the end choice -1."""
    walk = Walk(checks.kind("problem", problem, Problem))
    for ply, choice in enumerate(arrays.whole("choices", choices).tolist()):
        legal = walk.legal()
        if not 0 <= choice < legal.size:
            raise ValueError(f"ply {ply}: choice {choice} of {legal.size} legal moves")
        yield walk, legal, choice
        walk.play(choice)
    yield walk, walk.legal(), -1


def replay(problem: Problem, choices: ArrayLike) -> Iterator[Ply]:
    """Yield every `Ply` of a game of (n_plies,) choices, and at its end one with choice -1.

    A ValueError says if a choice is not one of the legal moves.

    Examples
    --------
    >>> [(ply.legal.tolist(), ply.choice) for ply in replay(leftmove(2), [0, 1])]
    [([0, 1], 0), ([2, 3], 1), ([], -1)]
    """
    for walk, legal, choice in _follow(problem, choices):
        yield Ply(walk.ints.copy(), walk.floats.copy(), legal, choice)


def playout_of(problem: Problem, choices: ArrayLike) -> Playout:
    """Play out `choices` and return the game with its codes and score.

    A ValueError says if a choice is not legal, or moves are left at the end.

    Examples
    --------
    >>> playout_of(leftmove(4), [0, 0, 1, 0])
    Playout(score=3.0, choices=array([0, 0, 1, 0]), codes=array([0, 2, 5, 6]))
    """
    *plies, (walk, left, _) = _follow(problem, choices)
    if left.size:
        raise ValueError(f"{left.size} legal moves are left after {walk.ply} plies")
    played = np.array([choice for *_, choice in plies], np.int64)
    codes = np.array([legal[choice] for _, legal, choice in plies], np.int64)
    return Playout(walk.score(), played, codes)


def choices_of(problem: Problem, moves: ArrayLike) -> Ints:
    """Translate move codes into choices, as `replay` wants them.

    A ValueError says if a code is not legal where it is played.

    Examples
    --------
    >>> choices_of(leftmove(4), [0, 2, 5, 6])
    array([0, 0, 1, 0])
    """
    walk, choices = Walk(checks.kind("problem", problem, Problem)), []
    for ply, code in enumerate(arrays.whole("moves", moves).tolist()):
        legal = walk.legal().tolist()
        if code not in legal:
            raise ValueError(f"ply {ply}: move {code} is not legal")
        choices.append(legal.index(code))
        walk.play(choices[-1])
    return np.array(choices, np.int64)
