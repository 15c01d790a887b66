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

from typing import NamedTuple

import numpy as np

from gameai_lib._jit import njit

# A row mass below this is rounding, not probability: 0/0 in exact arithmetic.
STARVED_MASS = 1e-12


class StarvedRow(ValueError):
    """The other slots have claimed every card of a slot: its V1 update is 0/0.

    Attributes
    ----------
    slot : int
        The first slot whose row has no mass left.
    """

    def __init__(self, slot, where):
        super().__init__(f"no mass left in the row of {where}: its V1 update is 0/0")
        self.slot = slot


class V1Frame(NamedTuple):
    """What one V1 iteration did; pictures need nothing else."""

    iteration: int  # 0 is the starting point, V0 (or BB0)
    belief: np.ndarray  # (n_slots, n_cards) float, owned
    residual: float  # largest change of a cell in this iteration; inf at iteration 0
    n_starved: int  # rows that kept their old values because their update was 0/0
    n_negative: int  # cells whose expected number of copies was below zero, before any clip


class V1Result(NamedTuple):
    """Where the V1 iteration stopped, and whether it had converged there."""

    belief: np.ndarray  # (..., n_slots, n_cards) float
    n_iterations: np.ndarray  # (...) int, iterations done
    residual: np.ndarray  # (...) float, largest change of a cell in the last iteration
    converged: np.ndarray  # (...) bool, residual within the tolerance


def v0_belief(candidates, hint_mask, likelihood=None):
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
    """
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    return _unbatched(_first_belief(counts, factor), n_axes)


def v1_belief(
    candidates,
    hint_mask,
    *,
    damping=0.2,
    clip=True,
    keep_old_row=True,
    n_iterations=50,
    tolerance=1e-6,
):
    """Self-consistent belief: what the other slots probably hold is subtracted (eq. 13).

    Each iteration replaces every row at once by
    ``(1 - damping) B_i + damping * normalise(max(0, C - sum of B_j over j != i) * HM_i)``.
    Foerster et al. write the plain step, ``damping=1, clip=False``, which need not
    converge and can leave negative "probabilities"; the defaults here cure both.

    Parameters
    ----------
    candidates, hint_mask
        As in `v0_belief`.
    damping : float
        Weight of the new row, in (0, 1]; 1 is the plain step.
    clip : bool
        Whether an expected number of copies below zero counts as zero.
    keep_old_row : bool
        Whether a row without mass keeps its old values; otherwise it is an error.
    n_iterations : int
        Iterations at most; 0 gives V0.
    tolerance : float
        Stop when no cell has changed by more than this.

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1

    Raises
    ------
    StarvedRow
        If a row has no mass left and `keep_old_row` is False.
    ValueError
        As in `v0_belief`, and if an option is out of its range.
    """
    return v1_result(
        candidates,
        hint_mask,
        damping=damping,
        clip=clip,
        keep_old_row=keep_old_row,
        n_iterations=n_iterations,
        tolerance=tolerance,
    ).belief


def bad_belief(
    candidates,
    hint_mask,
    likelihood,
    *,
    damping=0.2,
    clip=True,
    keep_old_row=True,
    n_iterations=50,
    tolerance=1e-6,
):
    """Bayesian belief BB: V1 with the likelihood of the observed actions (eqs. 14 and 15).

    Parameters, result and errors are those of `v1_belief`, with ``HM_i(f) L_i(f)`` in the
    place of ``HM_i(f)``; `likelihood` is as in `v0_belief`.
    """
    return v1_result(
        candidates,
        hint_mask,
        likelihood,
        damping=damping,
        clip=clip,
        keep_old_row=keep_old_row,
        n_iterations=n_iterations,
        tolerance=tolerance,
    ).belief


def v2_belief(
    candidates,
    hint_mask,
    likelihood,
    *,
    alpha=0.01,
    damping=0.2,
    clip=True,
    keep_old_row=True,
    n_iterations=50,
    tolerance=1e-6,
):
    """Mixture ``(1 - alpha) BB + alpha V1``, which never rules out a card that V1 allows.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        As in `v0_belief`.
    alpha : float
        Share of V1, in [0, 1].
    damping, clip, keep_old_row, n_iterations, tolerance
        As in `v1_belief`, for both parts.

    Returns
    -------
    (..., n_slots, n_cards) float array, rows summing to 1

    Raises
    ------
    ValueError
        As in `v1_belief`, and if `alpha` is outside [0, 1].
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be in [0, 1], got {alpha}")
    bad, v1 = (
        v1_result(
            candidates,
            hint_mask,
            part,
            damping=damping,
            clip=clip,
            keep_old_row=keep_old_row,
            n_iterations=n_iterations,
            tolerance=tolerance,
        ).belief
        for part in (likelihood, None)
    )
    return (1 - alpha) * bad + alpha * v1


def v1_result(
    candidates,
    hint_mask,
    likelihood=None,
    *,
    damping=0.2,
    clip=True,
    keep_old_row=True,
    n_iterations=50,
    tolerance=1e-6,
):
    """V1 (or BB, given a likelihood) together with whether the iteration converged.

    Parameters and errors are those of `v1_belief` and `bad_belief`. A batch stops state
    by state, so that it gives what its states give one at a time.

    Returns
    -------
    V1Result
    """
    _check_damping(damping)
    if n_iterations < 0 or int(n_iterations) != n_iterations:
        raise ValueError(f"n_iterations must be a whole number >= 0, got {n_iterations}")
    if not tolerance >= 0:
        raise ValueError(f"tolerance must be >= 0, got {tolerance}")
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    belief = _first_belief(counts, factor)
    done = np.zeros(len(belief), dtype=np.int64)
    residual = np.full(len(belief), np.inf)
    state, slot = _v1_batch(
        belief, counts, factor, damping, clip, keep_old_row, n_iterations, tolerance, done, residual
    )
    if slot >= 0:
        raise StarvedRow(slot, _place(slot, state, n_axes))
    parts = (belief, done, residual, residual <= tolerance)
    return V1Result(*(_unbatched(part, n_axes) for part in parts))


def v1_iterations(
    candidates, hint_mask, *, likelihood=None, damping=0.2, clip=True, keep_old_row=True
):
    """Yield one `V1Frame` per iteration of V1 (or BB, given a likelihood), without end.

    The first frame, iteration 0, is the starting point V0 (or BB0). Takes one state, not a
    batch; parameters and errors are otherwise those of `v1_belief`.
    """
    _check_damping(damping)
    counts, factor, n_axes = check_state(candidates, hint_mask, likelihood)
    if n_axes != 1:
        raise ValueError(f"v1_iterations takes one state, got a batch of {len(counts)}")
    belief = _first_belief(counts, factor)[0]
    yield V1Frame(0, belief.copy(), np.inf, 0, 0)
    iteration = 0
    while True:
        updated = np.empty_like(belief)
        residual, n_starved, slot, n_negative = _v1_step(
            belief, counts[0], factor[0], damping, clip, updated
        )
        if slot >= 0 and not keep_old_row:
            raise StarvedRow(slot, _place(slot, 0, n_axes))
        iteration += 1
        yield V1Frame(iteration, updated.copy(), residual, n_starved, n_negative)
        belief = updated


def check_state(candidates, hint_mask, likelihood=None):
    """Check one state or a batch; return counts C, the product M = HM L, and C's axes.

    Parameters
    ----------
    candidates, hint_mask, likelihood
        As in `v0_belief`.

    Returns
    -------
    counts : (n_states, n_cards) float array
    factor : (n_states, n_slots, n_cards) float array
        ``HM_i(f) L_i(f)``, zero where the card is out of copies; rows scaled to maximum 1
        where there is a likelihood, which changes no belief.
    n_axes : int
        1 for one state, 2 for a batch.

    Raises
    ------
    ValueError
        As in `v0_belief`.
    """
    counts, mask = np.asarray(candidates), np.asarray(hint_mask)
    n_axes = counts.ndim
    fits = n_axes in (1, 2) and mask.ndim == n_axes + 1
    if not fits or mask.shape[:-2] + mask.shape[-1:] != counts.shape:
        raise ValueError(
            "candidates must have shape (n_cards,) and hint_mask (n_slots, n_cards), both with "
            f"the same leading axis for a batch; got {counts.shape} and {mask.shape}"
        )
    if not np.all(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))):
        raise ValueError(f"candidates must be whole numbers >= 0, got {candidates}")
    if mask.dtype != bool and not np.isin(mask, (0, 1)).all():
        raise ValueError(f"hint_mask must be boolean, got {hint_mask}")
    counts = np.atleast_2d(counts).astype(float, order="C")
    factor = (
        mask.astype(float, order="C").reshape(len(counts), *mask.shape[-2:]) * (counts > 0)[:, None]
    )
    _check_rows(factor, "no candidate left for {}", n_axes)
    if likelihood is not None:
        factor *= _checked_likelihood(likelihood, mask.shape).reshape(factor.shape)
        _check_rows(factor, "the likelihood rules out every candidate of {}", n_axes)
        factor /= factor.max(axis=2, keepdims=True)
    return counts, factor, n_axes


def _checked_likelihood(likelihood, shape):
    likelihood = np.asarray(likelihood, dtype=float)
    if likelihood.shape != shape:
        raise ValueError(f"likelihood must have hint_mask's shape {shape}, got {likelihood.shape}")
    if not np.all(np.isfinite(likelihood) & (likelihood >= 0)):
        worst = np.nanmin(likelihood) if (likelihood < 0).any() else "inf or nan"
        raise ValueError(f"likelihood must be finite and >= 0, got {worst}")
    return likelihood


def _check_rows(factor, message, n_axes):
    empty = np.argwhere(~factor.any(axis=2))
    if len(empty):
        state, slot = empty[0]
        raise ValueError(message.format(_place(slot, state, n_axes)))


def _check_damping(damping):
    if not 0 < damping <= 1:
        raise ValueError(f"damping must be in (0, 1], got {damping}")


def _place(slot, state, n_axes):
    return f"slot {slot}" + (f" of state {state}" if n_axes == 2 else "")


def _unbatched(batch, n_axes):
    return batch if n_axes == 2 else batch[0]


def _first_belief(counts, factor):
    weight = counts[:, None] * factor
    return weight / weight.sum(axis=2, keepdims=True)


@njit(cache=True)
def _v1_batch(
    belief, counts, factor, damping, clip, keep_old_row, n_iterations, tolerance, done, residual
):
    # Returns the state and slot of a row that starved where that is an error, else (-1, -1).
    updated = np.empty(belief.shape[1:])
    for state in range(belief.shape[0]):
        while done[state] < n_iterations and residual[state] > tolerance:
            residual[state], _, slot, _ = _v1_step(
                belief[state], counts[state], factor[state], damping, clip, updated
            )
            if slot >= 0 and not keep_old_row:
                return state, slot
            belief[state] = updated
            done[state] += 1
    return -1, -1


@njit(cache=True)
def _v1_step(belief, counts, factor, damping, clip, updated):
    n_slots, n_cards = belief.shape
    residual, n_starved, first_starved, n_negative = 0.0, 0, -1, 0
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
            updated[i, f] = copies * factor[i, f]
            mass += updated[i, f]
        if abs(mass) <= STARVED_MASS:
            updated[i] = belief[i]
            n_starved += 1
            first_starved = i if first_starved < 0 else first_starved
            continue
        for f in range(n_cards):
            new = (1 - damping) * belief[i, f] + damping * updated[i, f] / mass
            residual = max(residual, abs(new - belief[i, f]))
            updated[i, f] = new
    return residual, n_starved, first_starved, n_negative
