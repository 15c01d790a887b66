"""The hands that some slots can hold, all of them or drawn, each with its probability."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Floats, Ints, Seed
from gameai_lib.hanabi.belief.exact import MAX_TABLE, InconsistentState
from gameai_lib.hanabi.belief.state import one_state

MAX_HANDS = 1_000_000
# Removing copies subtracts; below this share of the total, a weight is rounding.
_ROUNDING = 1e-13


class Hands(NamedTuple):
    """Hands that some slots can hold, each with its probability."""

    cards: Ints  #: (n_hands, n_seen)
    probability: Floats  #: (n_hands,), sums to 1


def enumerate_hands(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike | None = None,
    *,
    seen: Sequence[int] | Ints | None = None,
    max_hands: int = MAX_HANDS,
) -> Hands:
    """List every hand of the slots `seen`, the other slots being summed over exactly.

    The state is one, and its arguments and errors are those of `exact_belief`; all slots are
    listed if none are given. The hands come in lexicographic order; the probability of each is
    proportional to the number of deals that contain it, each weighted by the likelihood of all
    slots. More than `max_hands` hands are a ValueError.
    """
    counts, factor = one_state(candidates, hint_mask, likelihood)
    max_hands = checks.whole("max_hands", max_hands, 1, MAX_TABLE)
    slots = slots_of(seen, len(factor))
    with np.errstate(over="ignore", invalid="ignore"):  # the sum is checked
        listed = _list(counts, factor[slots], np.delete(factor, slots, axis=0))
        if listed is None or len(listed.cards) > max_hands:
            raise ValueError(
                f"slots {short(slots.tolist())} can hold more than {max_hands} hands, or listing "
                f"them takes more than {MAX_TABLE} numbers; `draw_hands` draws some of them"
            )
        cards, weight = listed
        total = weight.sum()
    if not len(cards):
        raise InconsistentState("no hand agrees with candidates, hint_mask and likelihood")
    if not 0 < total < np.inf:
        raise ValueError(f"the weights of the hands add up to {total}, which no float can hold")
    return Hands(cards, weight / total)


def draw_hands(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    n_samples: int,
    rng: Seed,
    likelihood: ArrayLike | None = None,
    *,
    seen: Sequence[int] | Ints | None = None,
) -> Hands:
    """Draw hands of the slots `seen`, each with the probability that it stands for.

    A deal is drawn slot by slot from the copies that are left, first where fewest fit; its weight
    is by how much less was left than before any card was drawn, slot by slot. Deals that cannot be
    completed are left out. There are at most `MAX_TABLE` numbers. Other arguments and errors are
    those of `enumerate_hands`.
    """
    counts, factor = one_state(candidates, hint_mask, likelihood)
    slots, rng = slots_of(seen, len(factor)), checks.generator(rng)
    n_samples = checks.whole("n_samples", n_samples, 1, MAX_TABLE // max(factor.shape))
    cards, weight = np.empty((len(factor), n_samples), dtype=np.int64), np.ones(n_samples)
    left, each = np.tile(counts[:, None], n_samples), np.arange(n_samples)
    for i in np.argsort(factor.astype(bool) @ counts, kind="stable"):
        fit = np.flatnonzero(factor[i])
        below = np.cumsum(left[fit] * factor[i, fit, None], axis=0)
        weight *= below[-1] / (counts @ factor[i])
        # From above 0 to the sum, so that no card without weight is drawn.
        drawn = (1 - rng.random(n_samples)) * below[-1]
        cards[i] = fit[(below < drawn).sum(axis=0)]
        left[cards[i], each] -= drawn > 0
    is_deal = weight > 0
    return Hands(cards[slots][:, is_deal].T, weight[is_deal] / weight.sum())


def slots_of(seen, n_slots):
    """Return `seen` as an array of different slots; all, if it is None."""
    if seen is None:
        return np.arange(n_slots)
    slots = arrays.whole("seen", seen, 0, n_slots - 1)
    if len(set(slots.tolist())) < slots.size or not slots.size:
        raise ValueError(f"seen must be one or more different slots, got {short(seen)}")
    return slots


def _list(counts, factor, others):
    # Slot by slot, each adds its cards to the hands so far. `rest` is the polynomial of the other
    # slots, a row per subset of them, once the cards of each hand have been taken away. None if
    # that would be more numbers than there may be.
    if len(others) and 2.0 ** len(others) * (len(factor) + 1) * counts.sum() > MAX_TABLE:
        return None
    cards, weight = np.empty((1, 0), dtype=np.int64), np.ones(1)
    rest = _rest_of_others(counts, others)[:, None]
    least = _ROUNDING * rest[-1, 0]
    for row in factor:
        possible = np.flatnonzero(row)
        if cards.size * possible.size > MAX_TABLE:
            return None
        left = counts[possible] - (cards[:, :, None] == possible).sum(axis=1)
        before, card = np.nonzero(left > 0)
        if len(before) * (len(rest) + len(factor)) > MAX_TABLE:
            return None
        weight = (weight[:, None] * left * row[possible])[before, card]
        cards = np.column_stack([cards[before], possible[card]])
        if len(others):
            rest = _without(rest[:, before], others[:, possible[card]])
            remains = rest[-1] > least
            cards, weight, rest = cards[remains], weight[remains], rest[:, remains]
    return Hands(cards, weight * rest[-1])


def _rest_of_others(counts, others):
    # The weight of all ways to fill each subset of the other slots.
    subsets = np.arange(1 << len(others))
    filled = [subsets[subsets >> i & 1 == 1] for i in range(len(others))]
    cells = (subsets == 0).astype(float)
    for f in np.flatnonzero(others.any(axis=0)):
        for _ in range(int(counts[f])):
            fewer = cells.copy()
            for i, slot in enumerate(filled):
                cells[slot] += others[i, f] * fewer[slot ^ (1 << i)]
    return cells


def _without(rest, factor):
    # Takes one copy away from each column, which undoes one step of `_rest_of_others`.
    for subset in range(1, len(rest)):
        for i in range(len(factor)):
            if subset >> i & 1:
                rest[subset] -= factor[i] * rest[subset ^ (1 << i)]
    return rest
