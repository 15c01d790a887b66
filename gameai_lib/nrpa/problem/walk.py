"""Games of a problem: in progress, finished, and played again."""

import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import is_whole, short
from gameai_lib.base.types import ArrayLike, Floats, Ints
from gameai_lib.nrpa.problem.content import plain_of
from gameai_lib.nrpa.problem.kept import kept_rules
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
    """What a rule puts into `ints` would be cut off."""


class _Whole(np.ndarray):
    """Whole numbers that refuse any other, where an array would cut it to a whole one."""

    name = "ints"

    def __setitem__(self, place, value):
        if type(value) is not int:
            found = np.asarray(value)
            if self.dtype.kind == "i" and found.dtype.kind == "f" and (found % 1).any():
                shown = short(found.tolist())
                raise _NotWholeError(
                    f"puts {shown} into `{self.name}`, which is not a whole number"
                )
        super().__setitem__(place, value)


class _Codes(_Whole):
    """The codes of the legal moves, which a compiled helper of a rule can take, too."""

    name = "codes"


class Walk:
    """A game in progress, every call of a rule checked; the error names the rule and the ply.

    Parameters
    ----------
    problem : Problem
    plain : bool
        Play the rules in plain Python, which checks what is written more strictly.
    arrays : (ints, floats), optional
        Where to play; copies of the problem's if left out.
    """

    def __init__(self, problem, *, plain=False, arrays=None):
        rules = problem.rules
        if plain:
            rules = Rules(*map(plain_of, rules))
        elif problem.checked:
            rules = kept_rules(rules)
        self._rules, self._problem, self._plain = rules, problem, plain
        self.ints, self.floats = arrays or (problem.ints.copy(), problem.floats.copy())
        # One entry more shows one too many.
        self._codes = np.empty(
            problem.max_legal + 1, np.int64 if plain or problem.checked else CODE
        )
        self._nothing = NOTHING_PLAIN if plain else NOTHING
        if plain:
            self.ints, self._codes = self.ints.view(_Whole), self._codes.view(_Codes)
        self.ply = 0
        self._call("reset")

    def _error(self, rule, fault):
        return RulesError(self._problem.name, rule, f"{fault} (ply {self.ply})")

    def _call(self, rule, *arguments):
        try:
            # As compiled code does; in plain Python numpy warns where 64 bits are full.
            over = "warn" if self._plain else "ignore"
            with np.errstate(divide="raise", over=over, invalid="ignore"):
                return getattr(self._rules, rule)(self.ints, self.floats, *arguments)
        except Exception as error:
            if rule == "legal":
                self._refuse_one_too_many()
            if isinstance(error, _NotWholeError):
                raise self._error(rule, str(error)) from error
            fault = f"raises {type(error).__name__}: {first_line(error)} (ply {self.ply})"
            raise RaisedError(self._problem.name, rule, fault) from error

    def _refuse_one_too_many(self):
        if self._problem.checked and self._codes[-1] != self._nothing:
            most = self._problem.max_legal
            raise self._error("legal", f"writes more legal moves than max_legal = {most}")

    def ask_in_vain(self):
        """Ask for the legal moves, and forget them."""
        self._call("legal", self._codes, 0)

    def legal(self) -> Ints:
        """Codes of the legal moves, (n_legal,) int."""
        codes, most = self._codes, self._problem.max_legal
        if self._problem.checked or self._plain:
            codes[:] = self._nothing
        returned = self._call("legal", codes, 0)
        self._refuse_one_too_many()
        if not is_whole(returned):
            hint = ": is `return n` missing?" if returned is None else ""
            fault = f"returns {short(returned)}, which is not a number of moves{hint}"
            raise self._error("legal", fault)
        n_legal = int(returned)
        if not 0 <= n_legal <= most:
            fault = f"returns {n_legal}, outside 0 .. max_legal = {most}"
            raise self._error("legal", fault)
        if n_legal and self.ply == self._problem.max_plies:
            moves = "a move" if n_legal == 1 else f"{n_legal} moves"
            fault = f"still has {moves}: the game is longer than max_plies = {self.ply}"
            raise self._error("legal", fault)
        n_codes = self._problem.n_codes
        for place, code in enumerate(codes[:n_legal].tolist()):
            if code == self._nothing:
                fault = f"returns {n_legal}, but writes no code (or -1) at place {place}"
                raise self._error("legal", fault)
            if not 0 <= code < n_codes:
                raise self._error("legal", f"writes code {code}, outside 0 .. {n_codes - 1}")
        return np.array(codes[:n_legal], np.int64)

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
            fault = f"returns {short(value)}, which is {what}"
            raise self._error("score", fault) from error


def replay(problem: Problem, choices: ArrayLike) -> Iterator[Ply]:
    """Yield every `Ply` of a game, and at its end one with no move chosen (choice -1).

    Parameters
    ----------
    problem : Problem
    choices : (n_plies,) int array

    Raises
    ------
    ValueError
        If a choice is not one of the legal moves.

    Examples
    --------
    >>> [(ply.legal.tolist(), ply.choice) for ply in replay(leftmove(2), [0, 1])]
    [([0, 1], 0), ([2, 3], 1), ([], -1)]
    """
    played = _checked_choices(problem, choices)
    walk = Walk(problem)
    for ply, choice in enumerate([*played.tolist(), -1]):
        legal = walk.legal()
        if not -1 <= choice < legal.size or (choice == -1 and ply < len(played)):
            raise ValueError(f"ply {ply}: choice {choice} of {legal.size} legal moves")
        yield Ply(walk.ints.copy(), walk.floats.copy(), legal, choice)
        if choice >= 0:
            walk.play(choice)


def _checked_choices(problem, choices):
    checks.kind("problem", problem, Problem)
    choices = arrays.whole("choices", choices)
    if choices.size > problem.max_plies:
        most = problem.max_plies
        raise ValueError(f"{problem.name}: {choices.size} choices, but max_plies is {most}")
    return choices


def playout_of(problem: Problem, choices: ArrayLike) -> Playout:
    """Play out `choices` and return the game with its codes and score.

    Raises
    ------
    ValueError
        If a choice is not legal, or moves are left at the end.

    Examples
    --------
    >>> playout_of(leftmove(4), [0, 0, 1, 0])
    Playout(score=3.0, choices=array([0, 0, 1, 0]), codes=array([0, 2, 5, 6]))
    """
    played = _checked_choices(problem, choices)
    walk, codes = Walk(problem), np.empty(played.size, np.int64)
    for ply, choice in enumerate(played.tolist()):
        legal = walk.legal()
        if not 0 <= choice < legal.size:
            raise ValueError(f"ply {ply}: choice {choice} of {legal.size} legal moves")
        codes[ply] = legal[choice]
        walk.play(choice)
    if left := walk.legal().size:
        raise ValueError(f"{left} legal moves are left after {walk.ply} plies")
    return Playout(walk.score(), played.copy(), codes)  # the caller may change his own


def choices_of(problem: Problem, moves: ArrayLike) -> Ints:
    """Translate move codes into choices, as `replay` wants them.

    Raises
    ------
    ValueError
        If a code is not legal where it is played.

    Examples
    --------
    >>> choices_of(leftmove(4), [0, 2, 5, 6])
    array([0, 0, 1, 0])
    """
    checks.kind("problem", problem, Problem)
    codes = arrays.whole("moves", moves)
    walk, choices = Walk(problem), np.empty(len(codes), np.int64)
    for ply, code in enumerate(codes.tolist()):
        found = np.flatnonzero(walk.legal() == code)
        if not found.size:
            raise ValueError(f"ply {ply}: move {code} is not legal")
        choices[ply] = found[0]
        walk.play(int(found[0]))
    return choices
