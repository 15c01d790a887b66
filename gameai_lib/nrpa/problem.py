"""One problem interface: four small functions over two flat arrays.

A position lives in an integer array and a float array because compiled code touches flat
arrays fast and copies them whole. The interface follows the way Rosin (2011) and Cazenave
write NRPA: a legal move is a `code`, and moves that share a code share one policy weight.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from gameai_lib.nrpa import checks
from gameai_lib.nrpa.rules import Rules, RulesError, checked_rules, first_line

# Unsigned, so that compiled code need not ask of each code whether it counts from the end.
CODE = np.uint32
MOST_CODES = 2**24  # more would fill a small machine's memory with weights
MOST_LISTED = 2**26


@dataclass(frozen=True, eq=False)
class Problem:
    """A problem to search: rules, arrays and the sizes of what the rules may write.

    Rules of your own are checked as they run: `RulesError` names the function that leaves the
    bounds given here. They are compiled anew, with the compiled functions that they use.

    Parameters
    ----------
    name : str
        What saved games and figures call it.
    rules : Rules
    ints, floats : 1-D int64 and float64 arrays
        Constants and room for the position; `reset` makes the first position from them.
        The problem keeps copies that cannot be changed.
    n_codes : int
        Codes run from 0 to ``n_codes - 1``; one policy weight each.
    max_plies, max_legal : int
        No game is longer, no position has more legal moves.
    bias : (n_codes,) float array, optional
        Prior weight of each code (GNRPA, Cazenave 2020, for a bias that depends on the code
        alone): the policy starts from it instead of 0.
    seal : optional
        What `sealed` gives to the problems of this package; leave it out.

    Raises
    ------
    ValueError
        If a size is not positive or too large, a number of `ints` not whole, or `bias` has the
        wrong shape or is not finite.
    TypeError
        If a rule is no function, or an argument of another type.
    RulesError
        If a rule does not take the arguments it is called with.
    """

    name: str
    rules: Rules
    ints: np.ndarray
    floats: np.ndarray
    n_codes: int
    max_plies: int
    max_legal: int
    bias: np.ndarray | None = None
    seal: tuple | None = field(default=None, repr=False)

    def __post_init__(self):
        checks.of_type("name", self.name, str)
        store = partial(object.__setattr__, self)
        for size in ("n_codes", "max_plies", "max_legal"):
            store(size, checks.whole(size, getattr(self, size), 1, MOST_CODES))
        # Room for the codes of one game, which every search needs.
        if (self.max_plies + 1) * self.max_legal > MOST_LISTED:
            raise ValueError(
                f"max_plies {self.max_plies} times max_legal {self.max_legal} is too large:"
                f" at most {MOST_LISTED:,} codes of a game can be listed"
            )
        if self.checked:
            store("seal", None)
            store("ints", _fixed(checks.numbers("ints", self.ints, np.int64)))
            store("floats", _fixed(checks.numbers("floats", self.floats, np.float64)))
            store("rules", checked_rules(self.name, self.rules))
        if self.bias is not None:
            bias = checks.finite("bias", self.bias)
            if bias.shape != (self.n_codes,):
                raise ValueError(f"bias must be {self.n_codes} numbers, got {bias.size}")
            store("bias", _fixed(bias))

    @property
    def checked(self) -> bool:
        """Whether the rules are checked as they run: all but those of this package."""
        return not (isinstance(self.seal, _Seal) and self.seal.holds(self))

    def __reduce__(self):
        arguments = (
            self.name, self.rules, np.array(self.ints), np.array(self.floats),
            self.n_codes, self.max_plies, self.max_legal, self.bias,
        )  # fmt: skip
        return (Problem if self.checked else sealed), arguments


class _Seal(NamedTuple):
    """Rules, arrays and sizes that fit each other; a problem that has just these is trusted."""

    rules: Rules
    ints: np.ndarray
    floats: np.ndarray
    n_codes: int
    max_plies: int
    max_legal: int

    def holds(self, problem):
        return all(getattr(problem, name) is value for name, value in self._asdict().items())


def sealed(name, rules, ints, floats, n_codes, max_plies, max_legal, bias=None) -> Problem:
    """A problem of this package: its rules stay in the bounds of its arrays, and run unchecked.

    `dataclasses.replace` of its name or bias keeps the seal, of anything else breaks it.
    """
    arrays = _fixed(np.array(ints, np.int64)), _fixed(np.array(floats, np.float64))
    seal = _Seal(rules, *arrays, n_codes, max_plies, max_legal)
    return Problem(name, *seal, bias, seal)


def _fixed(array):
    # Over bytes: such an array can never be made writeable.
    return np.frombuffer(array.tobytes(), array.dtype)


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
            rules = Rules(*(getattr(function, "py_func", function) for function in rules))
        self._rules, self._problem, self._plain = rules, problem, plain
        self.ints, self.floats = arrays or (problem.ints.copy(), problem.floats.copy())
        # Objects keep what was written, 1.7 or nothing; one entry more shows one too many.
        dtype = object if plain else np.int64 if problem.checked else CODE
        self._codes = np.empty(problem.max_legal + 1, dtype)
        self.ply = 0
        self._call("reset")

    def _error(self, rule, fault):
        return RulesError(self._problem.name, rule, f"{fault} (ply {self.ply})")

    def _call(self, rule, *arguments):
        try:
            # As compiled code does; numpy's numbers would warn.
            with np.errstate(divide="raise", over="ignore", invalid="ignore"):
                return getattr(self._rules, rule)(self.ints, self.floats, *arguments)
        except Exception as error:
            if rule == "legal":
                self._refuse_one_too_many()
            fault = f"raises {type(error).__name__}: {first_line(error)}"
            raise self._error(rule, fault) from error

    def _refuse_one_too_many(self):
        if self._problem.checked and not self._is_nothing(self._codes[-1]):
            most = self._problem.max_legal
            raise self._error("legal", f"writes more legal moves than max_legal = {most}")

    def _is_nothing(self, code):
        return code is None if self._plain else code == NOTHING

    def legal(self) -> np.ndarray:
        """Codes of the legal moves, (n_legal,) int."""
        codes, most = self._codes, self._problem.max_legal
        if self._problem.checked or self._plain:
            codes[:] = None if self._plain else NOTHING
        returned = self._call("legal", codes, 0)
        self._refuse_one_too_many()
        n_legal = checks.index(returned)
        if n_legal is None:
            hint = ": is `return n` missing?" if returned is None else ""
            fault = f"returns {checks.shown(returned)}, which is no number of moves{hint}"
            raise self._error("legal", fault)
        if not 0 <= n_legal <= most:
            fault = f"returns {n_legal}, outside 0 .. max_legal = {most}"
            raise self._error("legal", fault)
        if n_legal and self.ply == self._problem.max_plies:
            fault = f"still has {n_legal} moves: the game is longer than max_plies = {self.ply}"
            raise self._error("legal", fault)
        n_codes = self._problem.n_codes
        for place, code in enumerate(codes[:n_legal].tolist()):
            if self._is_nothing(code):
                fault = f"returns {n_legal}, but writes no code (or -1) at place {place}"
                raise self._error("legal", fault)
            if checks.index(code) is None:
                fault = f"writes {checks.shown(code)} as code {place}, which is no whole number"
                raise self._error("legal", fault)
            if not 0 <= code < n_codes:
                shown = checks.shown(code)
                raise self._error("legal", f"writes code {shown}, outside 0 .. {n_codes - 1}")
        return codes[:n_legal].astype(np.int64)

    def play(self, k):
        """Play the k-th of the codes that `legal` has just returned."""
        self._call("play", k, int(self._codes[k]))
        self.ply += 1

    def score(self) -> float:
        """Value of the finished game."""
        value = self._call("score")
        if not checks.is_number(value):
            raise self._error("score", f"returns {checks.shown(value)}, which is no number")
        if not np.isfinite(checks.as_float(value)):
            raise self._error("score", f"returns {checks.shown(value)}, which is not finite")
        return checks.as_float(value)


NOTHING = -1  # stands where `legal` has not written yet


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
    choices = _checked_choices(problem, choices)
    walk = Walk(problem)
    for ply, choice in enumerate([*choices.tolist(), -1]):
        legal = walk.legal()
        if not -1 <= choice < legal.size or (choice == -1 and ply < len(choices)):
            raise ValueError(f"ply {ply}: choice {choice} of {legal.size} legal moves")
        yield Ply(walk.ints.copy(), walk.floats.copy(), legal, choice)
        if choice >= 0:
            walk.play(choice)


def _checked_choices(problem, choices):
    checks.of_type("problem", problem, Problem)
    choices = checks.numbers("choices", choices, np.int64)
    if choices.size > problem.max_plies:
        most = problem.max_plies
        raise ValueError(f"{problem.name}: {choices.size} choices, but max_plies is {most}")
    return choices


def game(problem: Problem, choices: np.ndarray) -> Playout:
    """Play out `choices` and return the game with its codes and score.

    Raises
    ------
    ValueError
        If a choice is not legal, or moves are left at the end.
    """
    choices = _checked_choices(problem, choices)
    walk, codes = Walk(problem), np.empty(choices.size, np.int64)
    for ply, choice in enumerate(choices.tolist()):
        legal = walk.legal()
        if not 0 <= choice < legal.size:
            raise ValueError(f"ply {ply}: choice {choice} of {legal.size} legal moves")
        codes[ply] = legal[choice]
        walk.play(choice)
    if left := walk.legal().size:
        raise ValueError(f"{left} legal moves are left after {walk.ply} plies")
    return Playout(walk.score(), choices, codes)


def choices_of(problem: Problem, moves) -> np.ndarray:
    """Translate move codes into choices, as `replay` wants them.

    Raises
    ------
    ValueError
        If a code is not legal where it is played.
    """
    checks.of_type("problem", problem, Problem)
    moves = checks.numbers("moves", moves, np.int64)
    walk, choices = Walk(problem), np.empty(len(moves), np.int64)
    for ply, code in enumerate(moves.tolist()):
        found = np.flatnonzero(walk.legal() == code)
        if not found.size:
            raise ValueError(f"ply {ply}: move {code} is not legal")
        choices[ply] = found[0]
        walk.play(int(found[0]))
    return choices


def try_out(problem: Problem, rng: np.random.Generator, n_games: int = 3) -> float:
    """Play random games in plain Python, with everything checked; return the mean score.

    A search checks rules of your own, too, but only here an endless loop in a rule can be
    interrupted, and a code of 1.7 is seen before it becomes 1. The games share their arrays, as
    in a search, and each is compared with its replay on fresh ones.

    Raises
    ------
    RulesError
        If a rule raises an error, a code, the number of legal moves or the length of a game
        leaves its bounds, a score is not finite, or `reset` leaves something of the game before.
    """
    checks.of_type("problem", problem, Problem)
    checks.generator(rng)
    n_games = checks.whole("n_games", n_games)
    shared = problem.ints.copy(), problem.floats.copy()
    mean = 0.0
    for _ in range(n_games):
        choices, score = _try_game(problem, shared, rng)
        if _try_game(problem, None, iter(choices)) != (choices, score):
            raise forgetful(problem, score)
        mean += score / n_games
    return mean


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
