"""V1: each slot takes from the deck what the other slots, by their own beliefs, leave over.

Source: Foerster et al. 2019, section on Hanabi beliefs, eq. 13. A plain step may swing for ever,
or promise less than nothing; here steps are damped, and what is below zero is clipped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks, jit
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints
from gameai_lib.hanabi.belief.state import FEW_STATES, as_given, check_state, one_state
from gameai_lib.hanabi.belief.v0 import fill_v0

# A row mass below this is rounding, not probability: 0/0 in exact arithmetic.
STARVED_MASS = 1e-12
MAX_ITERATIONS = 1_000_000
FEW_STEPS = 100  # take plain Python a moment


class V1Result(NamedTuple):
    """Where the V1 iteration is, and whether it has come to rest there."""

    belief: Floats  #: (..., n_slots, n_cards)
    n_iterations: Ints | int  #: (...), iterations done
    residual: Floats | float  #: (...), largest change by a whole step, in the last one
    converged: Bools | bool  #: (...), residual within the tolerance


class NotConverged(ArithmeticError):
    """V1 did not come to rest within the iterations of its settings; `result` is a `V1Result`."""

    def __init__(self, result: V1Result) -> None:
        unsettled = ~np.atleast_1d(result.converged)
        super().__init__(
            f"V1 has not come to rest in {unsettled.sum()} of {unsettled.size} states: after "
            f"{np.max(result.n_iterations)} iterations a whole step would still change a cell by "
            f"{np.max(result.residual):.2g}; v1_result gives what there is"
        )
        self.result = result


@dataclass(frozen=True, slots=True)
class V1Settings:
    """How V1 or BB is iterated, and when it stops; a setting out of its range is a ValueError.

    An adapted w starts at 1 / K, K being the most slots that compete for one card. It grows by a
    tenth after a step in the direction of the last, and is halved, but not below its start, after
    one that turns back. Without a likelihood w = 1 / K is small enough: with the copies that no
    slot claims, ``R(f) = C(f) - sum of B_i(f)``, steps by 1 / K never raise the convex
    ``E = sum of R log R + sum of B log B``. Growing w beyond that is measured, not proved.
    """

    damping: float | None = None  #: weight w of the new row, in (0, 1]; None adapts it
    clip: bool = True  #: whether an expected number of copies below zero counts as zero
    n_iterations: int = 100_000  #: at most; 0 gives the starting point
    #: At rest a whole step changes no cell by more; 0 asks for all iterations, and not for rest.
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        if self.damping is not None:
            checks.number("damping", self.damping, 0, 1, above=True)
        checks.flag("clip", self.clip)
        checks.whole("n_iterations", self.n_iterations, 0, MAX_ITERATIONS)
        checks.number("tolerance", self.tolerance, 0, 1)


CONVERGED = V1Settings()


def v1_belief(
    candidates: ArrayLike, hint_mask: ArrayLike, *, settings: V1Settings = CONVERGED
) -> Floats:
    """Self-consistent belief: what the other slots probably hold is subtracted (eq. 13).

    Each iteration replaces every row at once by
    ``(1 - w) B_i + w normalise(max(0, C - sum of B_j over j != i) * HM_i)``; a row without any
    mass keeps its old values. Foerster et al. write ``V1Settings(damping=1, clip=False)``.

    Arguments, result and errors are those of `v0_belief`. A state that has not come to rest is
    `NotConverged`, unless the settings ask for a tolerance of 0.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(v1_belief(C, HM).round(3))  # slot 0 takes an a or the b from slot 1
    [[0.667 0.333 0.   ]
     [0.444 0.222 0.333]]
    """
    return belief_of(v1_result(candidates, hint_mask, settings=settings), settings)


def v1_result(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike | None = None,
    *,
    settings: V1Settings = CONVERGED,
) -> V1Result:
    """V1, or BB given a likelihood, and whether it came to rest, which each state does by itself.

    Arguments and errors are those of `v0_belief`.
    """
    checks.kind("settings", settings, V1Settings)
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief, residual = np.empty_like(factor), np.empty(len(factor))
    n_done, most = np.empty(len(factor), dtype=np.int64), settings.n_iterations
    how = float(settings.damping or 0), bool(settings.clip), float(settings.tolerance)
    with jit.plain_at_first(len(counts) <= FEW_STATES) as is_plain:
        few = min(most, FEW_STEPS) if is_plain else most
        _iterate_batch(counts, factor, *how, few, belief, n_done, residual)
    if few < most and (residual > settings.tolerance).any():
        _iterate_batch(counts, factor, *how, most, belief, n_done, residual)
    parts = belief, n_done, residual, residual <= settings.tolerance
    return V1Result(*(as_given(part, n_axes) for part in parts))


def v1_iterations(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike | None = None,
    *,
    settings: V1Settings = CONVERGED,
) -> Iterator[V1Result]:
    """Yield a `V1Result` after each iteration of V1 (or BB, given a likelihood), without end.

    The first one, after no iteration, is the starting point. Arguments and errors are those of
    `v0_belief`, for one state; the settings' `n_iterations` is ignored.
    """
    checks.kind("settings", settings, V1Settings)
    counts, factor = one_state(candidates, hint_mask, likelihood)
    belief = np.empty_like(factor)
    fill_v0(counts[None], factor[None], belief[None])
    least = 0.0 if settings.damping else 1 / _most_rivals(factor)
    damping = float(settings.damping or least)
    changes, last = np.zeros_like(belief), np.zeros_like(belief)
    residual = np.inf
    for n_done in count():
        yield V1Result(belief.copy(), n_done, residual, residual <= settings.tolerance)
        known = belief, counts, factor, bool(settings.clip)
        residual, damping = _iterate(*known, damping, least, changes, last)
        changes, last = last, changes


def belief_of(result, settings):
    """The belief of a result, which must have come to rest if the settings ask for it."""
    if settings.tolerance > 0 and not np.all(result.converged):
        raise NotConverged(result)
    return result.belief


@njit(cache=True, allocates=True)
def _iterate_batch(counts, factor, damping, clip, tolerance, most, belief, n_done, residual):
    # Fills the last three, each belief until it rests; a damping of 0 adapts.
    fill_v0(counts, factor, belief)
    n_done[:], residual[:] = 0, np.inf
    changes, last = np.zeros(belief.shape[1:]), np.zeros(belief.shape[1:])
    for state in range(len(belief)):
        known = belief[state], counts[state], factor[state]
        least = 0.0 if damping > 0 else 1 / _most_rivals(factor[state])
        w = max(damping, least)
        last[:] = 0.0
        while n_done[state] < most and residual[state] > tolerance:
            residual[state], w = _iterate(*known, clip, w, least, changes, last)
            changes, last = last, changes
            n_done[state] += 1


@njit(cache=True)
def _iterate(belief, counts, factor, clip, damping, least, changes, last):
    # Moves the belief; w adapts where it has a least value. Returns the residual and w.
    residual = _whole_step(belief, counts, factor, clip, changes)
    if least > 0:
        damping = _adapt_damping(damping, least, changes, last)
    for i in range(belief.shape[0]):
        for f in range(belief.shape[1]):
            belief[i, f] += damping * changes[i, f]
    return residual, damping


@njit(cache=True, allocates=True)
def _whole_step(belief, counts, factor, clip, changes):
    # Fills `changes` with what the plain step, eq. 13, would change; returns the largest.
    n_slots, n_cards = belief.shape
    spare, residual = counts.copy(), 0.0
    for i in range(n_slots):
        for f in range(n_cards):
            spare[f] -= belief[i, f]
    for i in range(n_slots):
        mass = 0.0
        for f in range(n_cards):
            copies = spare[f] + belief[i, f]  # that the other slots leave over
            if clip and copies < 0:
                copies = 0.0
            changes[i, f] = copies * factor[i, f]
            mass += changes[i, f]
        if abs(mass) <= STARVED_MASS:
            changes[i] = 0.0
            continue
        for f in range(n_cards):
            changes[i, f] = changes[i, f] / mass - belief[i, f]
            residual = max(residual, abs(changes[i, f]))
    return residual


@njit(cache=True, allocates=True)
def _most_rivals(factor):
    # The most slots that may hold the same card; a slot with one candidate never moves.
    n_slots, n_cards = factor.shape
    n_rivals = np.zeros(n_cards)
    for i in range(n_slots):
        n_left = 0
        for f in range(n_cards):
            n_left += factor[i, f] > 0
        if n_left > 1:
            for f in range(n_cards):
                n_rivals[f] += factor[i, f] > 0
    return max(1.0, n_rivals.max())


@njit(cache=True)
def _adapt_damping(damping, least, changes, last):
    same_way = 0.0
    for i in range(changes.shape[0]):
        for f in range(changes.shape[1]):
            same_way += changes[i, f] * last[i, f]
    if same_way > 0:
        return min(1.0, damping * 1.1)
    return max(least, damping / 2) if same_way < 0 else damping
