"""Public beliefs about hidden cards: V0, V1, BB (with a likelihood) and their mixture V2.

Source: Foerster et al. 2019, "Bayesian Action Decoder for Deep Multi-Agent Reinforcement
Learning", section on Hanabi beliefs.

A state is a vector ``candidates`` C of the copies of each card that nobody has seen in public
(the deck and all hands) and a matrix ``hint_mask`` HM of the cards that the hints still allow
in each slot. A ``likelihood`` L says how probable the observed actions are for each card of
each slot. Every function takes one state or a batch: the same arrays with a leading axis.
With 26 columns the last one means "no card"; then ``candidates[25]`` is the number of absent
slots, and nothing else is special about it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints
from gameai_lib.hanabi.belief.state import check_state, one_state, place, unbatched

# A row mass below this is rounding, not probability: 0/0 in exact arithmetic.
STARVED_MASS = 1e-12
MAX_ITERATIONS = 1_000_000


class StarvedRow(ValueError):
    """The other slots have claimed every card of a slot: its V1 update is 0/0.

    Attributes
    ----------
    slot : int
        The first slot whose row has no mass left.
    """

    def __init__(self, slot: int, where: str) -> None:
        super().__init__(f"no mass left in the row of {where}: its V1 update is 0/0")
        self.slot = slot


class NotConverged(ArithmeticError):
    """V1 did not come to rest within the iterations that its settings allow.

    Attributes
    ----------
    result : V1Result
        Where it stopped.
    """

    def __init__(self, result: "V1Result") -> None:
        unsettled = ~np.atleast_1d(result.converged)
        super().__init__(
            f"V1 has not come to rest in {unsettled.sum()} of {unsettled.size} states: after "
            f"{np.max(result.n_iterations)} iterations a whole step would still change a cell by "
            f"{np.max(result.residual):.2g}; v1_result gives what there is"
        )
        self.result = result


@dataclass(frozen=True, slots=True)
class V1Settings:
    """How V1 or BB is iterated, and when it stops.

    Attributes
    ----------
    damping : float or None
        Weight w of the new row, in (0, 1]; 1 is the plain step. None adapts w in each state.
        Then it starts at 1 / K, K being the most slots that compete for one card; it grows by
        a tenth while steps go the same way as the last, and is halved when one turns back,
        but not below its start.
    clip : bool
        Whether an expected number of copies below zero counts as zero.
    keep_old_row : bool
        Whether a row without mass keeps its old values; otherwise it is an error.
    n_iterations : int
        Iterations at most; 0 gives the starting point, V0 or BB0.
    tolerance : float
        Rest: a whole step, undamped, would change no cell by more than this. 0 asks for all
        iterations, and not for rest.

    Raises
    ------
    ValueError, TypeError
        If a setting is out of its range, or of another type.

    Notes
    -----
    A step may overshoot by as much as K - 1, so that w = 0.2, enough for two players, can
    swing for ever with three. Without a likelihood w = 1 / K is small enough. For let
    ``R(f) = C(f) - sum of B_i(f)`` be the copies that no slot claims. Once no card is promised
    more often than it exists, the plain update of one slot alone is the minimum, over its row,
    of ``E = sum of R log R + sum of B log B``; E is convex, each R(f) moves with K slots at
    most, and so a step of all slots by 1 / K is no worse than the mean of such moves: E never
    grows. Growing above that start is a matter of speed, and is measured, not proved
    (``python -m benchmarks.hanabi_v1``).
    """

    damping: float | None = None
    clip: bool = True
    keep_old_row: bool = True
    n_iterations: int = 100_000
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        if self.damping is not None:
            checks.number("damping", self.damping, 0, 1, above=True)
        checks.flag("clip", self.clip)
        checks.flag("keep_old_row", self.keep_old_row)
        checks.whole("n_iterations", self.n_iterations, 0, MAX_ITERATIONS)
        checks.number("tolerance", self.tolerance, 0, 1)


CONVERGED = V1Settings()
# BB is stopped early on purpose: see `bad_belief`.
FIFTY_STEPS = V1Settings(damping=0.2, n_iterations=50, tolerance=0)


class V1Frame(NamedTuple):
    """What one V1 iteration did; pictures need nothing else."""

    iteration: int  #: 0 is the starting point, V0 (or BB0)
    belief: Floats  #: (n_slots, n_cards), owned
    residual: float  #: largest change of a cell by a whole step from there; inf at iteration 0
    damping: float  #: the part of that step that was made; at iteration 0 the first w
    n_starved: int  #: rows that kept their old values because their update was 0/0
    n_negative: int  #: cells whose expected number of copies was below zero, before any clip


class V1Result(NamedTuple):
    """Where the V1 iteration stopped, and whether it had come to rest there."""

    belief: Floats  #: (..., n_slots, n_cards)
    n_iterations: Ints  #: (...), iterations done
    residual: Floats  #: (...), largest change by a whole step, in the last one
    converged: Bools  #: (...), residual within the tolerance


def v0_belief(
    candidates: ArrayLike, hint_mask: ArrayLike, likelihood: ArrayLike | None = None
) -> Floats:
    """Belief about each slot from card counting and hints alone (Foerster et al. 2019, eq. 12).

    ``B_i(f)`` is proportional to ``C(f) HM_i(f)``; given a likelihood, it is the first
    row of the Bayesian belief, ``C(f) HM_i(f) L_i(f)`` (eq. 14).

    Parameters
    ----------
    candidates : (..., n_cards) int array
        Copies of each card not yet seen in public, deck and hands together.
    hint_mask : (..., n_slots, n_cards) bool array
        True where the hints still allow the card.
    likelihood : (..., n_slots, n_cards) float array, optional
        Relative probability of the observed actions given the card; any row scale.

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1

    Raises
    ------
    ValueError
        If shapes do not fit, a value is negative or not a number, or a slot has no
        candidate left.
    TypeError
        If an argument is not an array of numbers.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(v0_belief(C, HM).round(3))
    [[0.667 0.333 0.   ]
     [0.5   0.25  0.25 ]]
    """
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    return unbatched(_first_belief(counts, factor), n_axes)


def v1_belief(
    candidates: ArrayLike, hint_mask: ArrayLike, *, settings: V1Settings = CONVERGED
) -> Floats:
    """Self-consistent belief: what the other slots probably hold is subtracted (eq. 13).

    Each iteration replaces every row at once by
    ``(1 - w) B_i + w normalise(max(0, C - sum of B_j over j != i) * HM_i)``.
    Foerster et al. write the plain step, ``V1Settings(damping=1, clip=False)``, which need
    not converge and can leave negative "probabilities"; the default adapts w and clips.

    Parameters
    ----------
    candidates, hint_mask
        As in `v0_belief`.
    settings : V1Settings

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1

    Raises
    ------
    NotConverged
        If a state has not come to rest, unless the settings ask for a tolerance of 0.
    StarvedRow
        If a row has no mass left and the settings do not keep the old one.
    ValueError, TypeError
        As in `v0_belief`.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> print(v1_belief(C, HM).round(3))  # slot 0 takes an a or the b from slot 1
    [[0.667 0.333 0.   ]
     [0.444 0.222 0.333]]
    """
    return _settled(v1_result(candidates, hint_mask, settings=settings), settings)


def bad_belief(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike,
    *,
    settings: V1Settings = FIFTY_STEPS,
) -> Floats:
    """Bayesian belief BB: V1 with the likelihood of the observed actions (eqs. 14 and 15).

    With a likelihood the iteration echoes: one slot's news comes back to it from the others
    as if it were new, and the longer it runs, the surer BB becomes of what the likelihood
    only suggests. At rest it is far worse than after a few steps (the chapter measures it).
    So the default does not look for rest: it makes fifty steps with w = 0.2.

    Parameters
    ----------
    candidates, hint_mask
        As in `v0_belief`.
    likelihood : (..., n_slots, n_cards) float array
        Relative probability of the observed actions given the card; ``HM_i(f) L_i(f)`` takes
        the place of ``HM_i(f)`` in `v1_belief`.
    settings : V1Settings

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1

    Raises
    ------
    NotConverged, StarvedRow, ValueError, TypeError
        As in `v1_belief`.

    Examples
    --------
    An action has shown that slot 0 is an a, of which there are two:

    >>> L = [[1, 0, 0], [1, 1, 1]]
    >>> print(bad_belief([2, 1, 1], np.ones((2, 3), dtype=bool), L).round(3))
    [[1.    0.    0.   ]
     [0.333 0.333 0.333]]
    """
    return _settled(v1_result(candidates, hint_mask, likelihood, settings=settings), settings)


def v2_belief(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike,
    *,
    alpha: float = 0.01,
    settings: V1Settings = FIFTY_STEPS,
) -> Floats:
    """Mixture ``(1 - alpha) BB + alpha V1``, which never rules out a card that V1 allows.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        As in `v0_belief`.
    alpha : float
        Share of V1, in [0, 1].
    settings : V1Settings
        Of BB, as in `bad_belief`; V1 is that of `v1_belief`.

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1

    Raises
    ------
    ValueError, TypeError
        If `alpha` is outside [0, 1]; otherwise errors are those of `v1_belief`.
    """
    checks.number("alpha", alpha, 0, 1)
    bad = bad_belief(candidates, hint_mask, likelihood, settings=settings)
    return (1 - alpha) * bad + alpha * v1_belief(candidates, hint_mask)


def v1_result(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike | None = None,
    *,
    settings: V1Settings = CONVERGED,
) -> V1Result:
    """V1 (or BB, given a likelihood) together with whether the iteration came to rest.

    Not coming to rest is not an error here. A batch stops state by state, so that it gives what
    its states give one at a time.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        As in `v0_belief`.
    settings : V1Settings

    Returns
    -------
    V1Result

    Raises
    ------
    StarvedRow
        If a row has no mass left and the settings do not keep the old one.
    ValueError, TypeError
        As in `v0_belief`.
    """
    rules = _rules(settings)
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief, n_states = np.empty_like(factor), len(factor)
    n_done, residual = np.empty(n_states, dtype=np.int64), np.empty(n_states)
    state, slot = _v1_batch(counts, factor, rules, belief, n_done, residual)
    if slot >= 0:
        raise StarvedRow(slot, place(slot, state, n_axes))
    parts = (belief, n_done, residual, residual <= settings.tolerance)
    return V1Result(*(unbatched(part, n_axes) for part in parts))


def v1_iterations(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike | None = None,
    *,
    settings: V1Settings = CONVERGED,
) -> Iterator[V1Frame]:
    """Yield one `V1Frame` per iteration of V1 (or BB, given a likelihood), without end.

    The first frame, iteration 0, is the starting point V0 (or BB0).

    Parameters
    ----------
    candidates, hint_mask, likelihood
        One state, as in `v0_belief`.
    settings : V1Settings
        Its `n_iterations` and `tolerance` are ignored.

    Yields
    ------
    V1Frame

    Raises
    ------
    StarvedRow
        If a row has no mass left and the settings do not keep the old one.
    ValueError, TypeError
        As in `v0_belief`, or if the state is a batch.

    Examples
    --------
    >>> C = [2, 1, 1]  # two copies of a, one each of b and c
    >>> HM = [[True, True, False], [True, True, True]]  # slot 0 is no c

    >>> frames = v1_iterations(C, HM)
    >>> [f"{next(frames).residual:.3f}" for _ in range(4)]
    ['inf', '0.083', '0.042', '0.019']
    """
    rules = _rules(settings)
    counts, factor = one_state("v1_iterations takes", candidates, hint_mask, likelihood)
    belief = _first_belief(counts[None], factor[None])[0]
    damping = least = float(_first_damping(rules, factor))
    changes, last = np.zeros_like(belief), np.zeros_like(belief)
    yield V1Frame(0, belief.copy(), np.inf, damping, 0, 0)
    for iteration in count(1):
        step, damping = _iterate(belief, counts, factor, rules, damping, least, changes, last)
        if step.starved_slot >= 0:
            raise StarvedRow(step.starved_slot, place(step.starved_slot, 0, 1))
        changes, last = last, changes
        yield V1Frame(
            iteration, belief.copy(), step.residual, damping, step.n_starved, step.n_negative
        )


class _Rules(NamedTuple):
    """`V1Settings` as kernels take them."""

    damping: float  # 0 stands for adapted
    clip: bool
    keep_old_row: bool
    n_iterations: int
    tolerance: float


class _Step(NamedTuple):
    """What a whole, undamped step found; see `V1Frame`."""

    residual: float
    n_starved: int
    starved_slot: int  # the first, where that is an error; else -1
    n_negative: int


def _rules(settings):
    if not isinstance(settings, V1Settings):
        raise TypeError(f"settings must be V1Settings, got {short(settings)}")
    return _Rules(
        damping=float(settings.damping or 0),
        clip=bool(settings.clip),
        keep_old_row=bool(settings.keep_old_row),
        n_iterations=int(settings.n_iterations),
        tolerance=float(settings.tolerance),
    )


def _settled(result, settings):
    if settings.tolerance > 0 and not result.converged.all():
        raise NotConverged(result)
    return result.belief


def _first_belief(counts, factor):
    belief = np.empty_like(factor)
    _fill_first(counts, factor, belief)
    return belief


@njit(cache=True)
def _fill_first(counts, factor, belief):
    n_states, n_slots, n_cards = factor.shape
    for state in range(n_states):
        for i in range(n_slots):
            mass = 0.0
            for f in range(n_cards):
                belief[state, i, f] = counts[state, f] * factor[state, i, f]
                mass += belief[state, i, f]
            for f in range(n_cards):
                belief[state, i, f] /= mass


@njit(cache=True, allocates=True)
def _v1_batch(counts, factor, rules, belief, n_done, residual):
    # Fills the last three. Returns the state and slot of a starved row that is an error, or -1.
    _fill_first(counts, factor, belief)
    n_done[:] = 0
    residual[:] = np.inf
    changes, last = np.zeros(belief.shape[1:]), np.zeros(belief.shape[1:])
    for state in range(len(belief)):
        known = belief[state], counts[state], factor[state]
        damping = least = _first_damping(rules, factor[state])
        last[:] = 0.0
        while n_done[state] < rules.n_iterations and residual[state] > rules.tolerance:
            step, damping = _iterate(*known, rules, damping, least, changes, last)
            if step.starved_slot >= 0:
                return state, step.starved_slot
            changes, last = last, changes
            residual[state] = step.residual
            n_done[state] += 1
    return -1, -1


@njit(cache=True)
def _first_damping(rules, factor):
    return rules.damping if rules.damping > 0 else 1 / _most_rivals(factor)


@njit(cache=True)
def _iterate(belief, counts, factor, rules, damping, least, changes, last):
    # Moves the belief, unless a row starved where that is an error; returns the w it used, too.
    step = _whole_step(belief, counts, factor, rules, changes)
    if step.starved_slot < 0:
        if rules.damping == 0:
            damping = _adapted(damping, least, changes, last)
        _move(belief, changes, damping)
    return step, damping


@njit(cache=True, allocates=True)
def _whole_step(belief, counts, factor, rules, changes):
    # Fills `changes` with what the whole, undamped step would change.
    n_slots, n_cards = belief.shape
    residual, n_starved, n_negative = 0.0, 0, 0
    clip = rules.clip  # once, for Pyodide, where nothing is compiled
    spare = counts.copy()
    for i in range(n_slots):
        for f in range(n_cards):
            spare[f] -= belief[i, f]
    for i in range(n_slots):
        mass = 0.0
        for f in range(n_cards):
            copies = spare[f] + belief[i, f]
            if factor[i, f] > 0 and copies < -STARVED_MASS:
                n_negative += 1
            if clip and copies < 0:
                copies = 0.0
            changes[i, f] = copies * factor[i, f]
            mass += changes[i, f]
        if abs(mass) <= STARVED_MASS:
            if not rules.keep_old_row:
                return _Step(residual, n_starved, i, n_negative)
            changes[i] = 0.0
            n_starved += 1
            continue
        for f in range(n_cards):
            changes[i, f] = changes[i, f] / mass - belief[i, f]
            residual = max(residual, abs(changes[i, f]))
    return _Step(residual, n_starved, -1, n_negative)


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
def _adapted(damping, least, changes, last):
    same_way = 0.0
    for i in range(changes.shape[0]):
        for f in range(changes.shape[1]):
            same_way += changes[i, f] * last[i, f]
    if same_way > 0:
        return min(1.0, damping * 1.1)
    return max(least, damping / 2) if same_way < 0 else damping


@njit(cache=True)
def _move(belief, changes, damping):
    for i in range(changes.shape[0]):
        for f in range(changes.shape[1]):
            belief[i, f] += damping * changes[i, f]
