"""One problem interface: four small functions over two flat arrays.

It follows the way Rosin (2011) and Cazenave write NRPA: a legal move is a `code`, and moves that
share a code share one policy weight.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.types import ArrayLike, Floats, Ints
from gameai_lib.nrpa.problem.rules import Rules, checked_rules

MOST_CODES = 2**24  # more would fill a small machine's memory with weights
MOST_LISTED = 2**26


@dataclass(frozen=True, eq=False)
class Problem:
    """A problem to search: rules, arrays and the sizes of what the rules may write.

    Rules of your own are checked as they run: `RulesError` names the function that leaves the
    bounds given here, or does not take its arguments. They are compiled anew, with the compiled
    functions that they use.

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
        What `seal` gives to the problems of this package; leave it out.
    """

    name: str
    rules: Rules
    ints: Ints
    floats: Floats
    n_codes: int
    max_plies: int
    max_legal: int
    bias: Floats | None = None
    seal: tuple[Any, ...] | None = field(default=None, repr=False)

    if TYPE_CHECKING:  # what becomes an array may come as a list

        def __init__(
            self,
            name: str,
            rules: Rules,
            ints: ArrayLike,
            floats: ArrayLike,
            n_codes: int,
            max_plies: int,
            max_legal: int,
            bias: ArrayLike | None = None,
            seal: tuple[Any, ...] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        checks.kind("name", self.name, str)
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
            store("ints", _fixed(arrays.whole("ints", self.ints)))
            store("floats", _fixed(arrays.floats("floats", self.floats, 1)))
            store("rules", checked_rules(self.name, self.rules))
        if self.bias is not None:
            bias = arrays.finite("bias", self.bias)
            if bias.shape != (self.n_codes,):
                raise ValueError(f"bias must be {self.n_codes} numbers, got {bias.size}")
            store("bias", _fixed(bias))

    @property
    def checked(self) -> bool:
        """Whether the rules are checked as they run, as all are but those of this package."""
        parts = self.rules, self.ints, self.floats, self.n_codes, self.max_plies, self.max_legal
        return self.seal is None or any(a is not b for a, b in zip(self.seal, parts, strict=True))

    def __reduce__(self):
        arrays = np.array(self.ints), np.array(self.floats)
        sizes = self.n_codes, self.max_plies, self.max_legal
        make = Problem if self.checked else seal
        return make, (self.name, self.rules, *arrays, *sizes, self.bias)


def seal(name, rules, ints, floats, n_codes, max_plies, max_legal, bias=None) -> Problem:
    """A problem of this package: its rules stay in the bounds of its arrays, and run unchecked.

    The seal are the very parts that fit each other: `dataclasses.replace` of the name or the bias
    keeps it, of anything else breaks it.
    """
    arrays = _fixed(np.array(ints, np.int64)), _fixed(np.array(floats, np.float64))
    parts = rules, *arrays, n_codes, max_plies, max_legal
    return Problem(name, *parts, bias, parts)


def _fixed(array):
    # Over bytes: such an array can never be made writeable.
    return np.frombuffer(array.tobytes(), array.dtype)
