"""What an observed action says about the cards that the acting player saw: L of BAD.

Source: Foerster et al. 2019. When a player acts, everybody asks for which hands in that
player's sight the known policy would have done the same. Slot by slot the answer is
``L_t(f_i) = L_{t-1}(f_i) P(action | f_i)``, found here by enumeration of all hands in sight or,
as in the source, by sampling.

Keeping one row per slot forgets that the slots go together, and rows from consistent deals
also repeat what counting says already: with two copies of a and one each of b and c in two
slots, an action that shows the first slot to be a gives the second row (1/3, 2/3, 2/3), and BB
counts the missing copy of a twice.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints, Seed
from gameai_lib.hanabi.belief.bad import bad_belief
from gameai_lib.hanabi.belief.exact import MAX_TABLE, InconsistentState, sample_deals
from gameai_lib.hanabi.belief.state import one_state
from gameai_lib.hanabi.game.cards import NO_CARD, Discard, Move, Play
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.rules import State

# ``would_act(state, move, hands)``: for which hands of the others the player to move makes `move`,
# or with which probability.
WouldAct = Callable[[State, Move, Ints], Bools | Floats]

MAX_HANDS = 1_000_000
MAX_STEPS = 2 * 10**9  # of the enumeration, a few seconds
MAX_GRID = 2**18  # hands of all slots that are listed by arrays, without the kernel
_IS_FOUND_FOR = "a likelihood is found for"
# Removing copies subtracts; below this share of the total, a weight is rounding.
_ROUNDING = 1e-13


class Hands(NamedTuple):
    """All hands that some slots can hold, each with its probability."""

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

    Parameters
    ----------
    candidates, hint_mask, likelihood
        One state, as in `v0_belief`.
    seen : sequence of int, optional
        The slots to enumerate; all, if not given.
    max_hands : int
        The most hands to list, up to 67,108,864.

    Returns
    -------
    Hands
        In lexicographic order; the probability of a hand is proportional to the number of
        deals that contain it, each weighted by the likelihood of all slots.

    Raises
    ------
    InconsistentState
        If no deal is possible.
    ValueError
        As in `v0_belief`; if the state is a batch, if there are more than `max_hands` hands,
        or if finding them takes a larger table than `MAX_TABLE` or more than `MAX_STEPS` steps.
    """
    counts, factor = one_state(_IS_FOUND_FOR, candidates, hint_mask, likelihood)
    max_hands = checks.whole("max_hands", max_hands, 1, MAX_TABLE)
    seen = _slots(seen, len(factor))
    others = np.setdiff1d(np.arange(len(factor)), seen)
    n_numbers = 2.0 ** len(others) * (len(seen) + 1)
    if n_numbers > MAX_TABLE or n_numbers * len(others) * counts.sum() > MAX_STEPS:
        raise ValueError(
            f"summing over the {len(others)} slots that are not listed needs a table of "
            f"{n_numbers:.3g} numbers for {counts.sum():.0f} copies, which is too large"
        )
    if not len(others) and (factor > 0).sum(axis=1, dtype=float).prod() <= MAX_GRID:
        cards, weight = _list_all(counts, factor[seen])
        n_hands = len(cards) if len(cards) <= max_hands else _TOO_MANY
    else:
        _check_number(counts, factor, seen, others, max_hands)
        # The pages of this array that the kernel does not reach are never allocated.
        cards = np.empty((max_hands, len(seen)), dtype=np.int64)
        weight = np.empty(max_hands)
        n_hands = _enumerate(counts, factor[seen], factor[others], cards, weight, MAX_STEPS)
    if n_hands == _TOO_MANY:
        raise ValueError(_too_many(seen, max_hands))
    if n_hands == _TOO_LONG:
        raise ValueError(_too_long(seen))
    if n_hands == 0:
        raise InconsistentState("no hand agrees with candidates, hint_mask and likelihood")
    weight = weight[:n_hands]
    total = weight.sum()
    if not 0 < total < np.inf:
        raise ValueError(f"the weights of the hands add up to {total}, which no float can hold")
    return Hands(cards[:n_hands].copy(), weight / total)


def _list_all(counts, factor):
    # The hands of all slots, in order: each slot adds its cards to the hands so far.
    cards, weight = np.empty((1, 0), dtype=np.int64), np.ones(1)
    for row in factor:
        held = np.flatnonzero(row)
        left = counts[held] - (cards[:, :, None] == held).sum(axis=1)
        with np.errstate(over="ignore", invalid="ignore"):  # the sum is checked
            longer = weight[:, None] * left * row[held]
        before, card = np.nonzero(longer > 0)
        cards = np.column_stack([cards[before], held[card]])
        weight = longer[before, card]
    return cards, weight


def _check_number(counts, factor, seen, others, max_hands):
    """Refuse at once what would be refused after the work: hands of different cards alone."""
    known = factor[others][(factor[others] > 0).sum(axis=1) == 1] > 0  # each takes a copy
    possible = np.sort(((factor[seen] > 0) & (counts > known.sum(axis=0))).sum(axis=1))
    n_hands = np.maximum(possible - np.arange(len(seen)), 0).prod(dtype=float)
    if n_hands > max_hands:
        raise ValueError(_too_many(seen, max_hands))
    if n_hands * _steps_a_card(len(counts), len(others)) > MAX_STEPS:
        raise ValueError(_too_long(seen))


def _too_many(seen, max_hands):
    return (
        f"slots {short(seen.tolist())} can hold more than {max_hands} hands; "
        "`sampled_likelihood` draws some of them"
    )


def _too_long(seen):
    return (
        f"listing the hands of slots {short(seen.tolist())} takes more than "
        f"{MAX_STEPS:.0e} steps; `sampled_likelihood` draws some of them"
    )


_TOO_MANY, _TOO_LONG = -1, -2


def exact_likelihood(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    would_act: Callable[[Ints], Bools | Floats],
    likelihood: ArrayLike | None = None,
    *,
    seen: Sequence[int] | Ints | None = None,
    max_hands: int = MAX_HANDS,
) -> Floats:
    """Multiply ``P(action | f_i)`` into the likelihood, exactly.

    Parameters
    ----------
    candidates, hint_mask
        One state, as in `v0_belief`.
    would_act : callable
        Given (n_hands, n_seen) int cards of the slots `seen`, says (n_hands,) bool for which
        of them the acting player's policy chooses the action that was observed, or float with
        which probability.
    likelihood : (n_slots, n_cards) float array, optional
        L before the action; all ones, if not given.
    seen : sequence of int, optional
        The slots that the acting player saw; all, if not given. Other rows stay as they are,
        because a policy cannot depend on what its player did not see.
    max_hands : int
        As in `enumerate_hands`.

    Returns
    -------
    (n_slots, n_cards) float array
        A card that its slot cannot hold keeps its old value.

    Raises
    ------
    InconsistentState
        If the policy never takes this action.
    ValueError, TypeError
        As in `enumerate_hands`, or if `would_act` does not answer so for each hand.

    Examples
    --------
    Two copies of a and one each of b and c in two slots; the policy acts if slot 0 is an a:

    >>> C, HM = [2, 1, 1], np.ones((2, 3), dtype=bool)
    >>> print(exact_likelihood(C, HM, lambda hands: hands[:, 0] == 0).round(3))
    [[1.    0.    0.   ]
     [0.333 0.667 0.667]]
    """
    hands = enumerate_hands(candidates, hint_mask, likelihood, seen=seen, max_hands=max_hands)
    acted = ask_policy(would_act, hands.cards)
    if not acted.any():
        raise InconsistentState(
            "there is no hand for which the policy takes this action; `allow_errors` lets it err"
        )
    old = np.ones(np.shape(hint_mask)) if likelihood is None else likelihood
    return _times_probability(old, hands.cards, hands.probability, acted, seen)


def sampled_likelihood(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    would_act: Callable[[Ints], Bools | Floats],
    rng: Seed,
    likelihood: ArrayLike | None = None,
    *,
    seen: Sequence[int] | Ints | None = None,
    n_samples: int = 3000,
    deal: Literal["consistent", "product", "weighted"] = "consistent",
    least_count: float = 0.0,
) -> Floats:
    """Estimate `exact_likelihood` from samples, as BAD does.

    A card that no sample has in a slot keeps its old value there, for nothing was learnt
    about it. So does everything if no sample leads to the action. A card that was sampled,
    but never with the action, gets 0, rightly or by bad luck, unless `least_count` is positive.

    Parameters
    ----------
    candidates, hint_mask, would_act, likelihood, seen
        As in `exact_likelihood`.
    rng : numpy.random.Generator
    n_samples : int
        Hands to draw.
    deal : {"consistent", "product", "weighted"}
        "consistent" deals all slots without replacement, with exact probabilities.
        "weighted" has the same limit and needs no compiled code: it draws each slot on its
        own and weighs a hand by how much likelier it is in a deal, 0 if it is impossible.
        "product" draws each slot on its own from BB, as in the source, and may draw a card
        more often than it has copies.

    Returns
    -------
    (n_slots, n_cards) float array

    Raises
    ------
    ValueError, TypeError
        As in `exact_belief` and `exact_likelihood`, if `n_samples` is not positive, `deal` is
        unknown or `least_count` is not from 0 to 1.
    """
    checks.number("least_count", least_count, 0, 1)
    rng = checks.generator(rng)
    counts, factor = one_state(_IS_FOUND_FOR, candidates, hint_mask, likelihood)
    n_samples = checks.whole("n_samples", n_samples, 1, MAX_TABLE // len(factor))
    slots = _slots(seen, len(factor))
    old = np.ones(factor.shape) if likelihood is None else np.array(likelihood, dtype=float)
    checks.one_of("deal", deal, ("consistent", "product", "weighted"))
    weight = np.ones(n_samples)
    if deal == "consistent":
        cards = sample_deals(candidates, hint_mask, n_samples, rng, likelihood)[:, slots]
    elif deal == "product":
        belief = bad_belief(candidates, hint_mask, old)[slots]
        cards = _draw_each(belief, rng.random((n_samples, len(slots))))
    else:
        cards = _draw_each(counts * factor, rng.random((n_samples, len(factor))))
        weight = _chance_of_copies(cards, counts)
        cards, weight = cards[weight > 0][:, slots], weight[weight > 0]
    if not len(cards) or not (acted := ask_policy(would_act, cards)).any():
        return old
    return _times_probability(old, cards, weight, acted, seen, least_count)


def move_likelihood(likelihood: ArrayLike, slot: int, last: int) -> Floats:
    """Follow the cards when the one in `slot` leaves a hand whose last slot is `last`.

    The rows after `slot` move down by one, and the row of slot `last`, which holds a new card
    or none, is all ones again.

    Parameters
    ----------
    likelihood : (n_slots, n_cards) float array
    slot, last : int
        Indices into the rows; ``slot <= last``.

    Returns
    -------
    (n_slots, n_cards) float array, a copy

    Raises
    ------
    ValueError, TypeError
        If the indices are not in order or out of range, or `likelihood` has another shape.
    """
    moved = arrays.floats("likelihood", likelihood, 2)
    last = checks.whole("last", last, 0, len(moved) - 1)
    slot = checks.whole("slot", slot, 0, last)
    moved[slot:last] = moved[slot + 1 : last + 1]
    moved[last] = 1.0
    return moved


def public_likelihood(
    frames: Iterable[Frame],
    would_act: WouldAct,
    rng: Seed,
    *,
    max_hands: int = 2000,
    n_samples: int = 1000,
) -> Iterator[Floats]:
    """Follow a game and yield the likelihood that belongs to each state, the last one included.

    After each move the rows first follow the cards; then the action is weighed over the hands
    that the *new* public state still allows, so that what the move showed openly (the cards
    that a hint touched, the card played) is in the counts and hints, and only the choice of
    the move is in L.

    Parameters
    ----------
    frames : iterable of Frame
        A game of two to five from its start, or a part of it, as `play_game` yields it.
    would_act : callable
        ``would_act(state, move, hands)`` says for which of the (n_hands, n_others * hand_size)
        hands of the other players the player to move in `state` would choose `move`. The hands
        are those of the next player, then of the one after, and so on; of two players there is
        one. `convention_would_act` is one.
    rng : numpy.random.Generator
    max_hands : int
        Up to so many conceivable hands the answer is `exact_likelihood`; beyond, it is
        `sampled_likelihood` with ``least_count=0.5``, so that no noise rules out the truth.
        What counts is the product of the numbers of cards that each slot can be.
    n_samples : int
        Hands to draw where they are sampled; those with too many copies of a card are dropped.

    Yields
    ------
    (n_players * hand_size, 26) float array, owned
        The rows of ``public()`` of that state, player 0's slots first. For n frames there are
        n + 1: the first n belong to each ``frame.state`` and know of the moves before
        ``frame.move``, the last one belongs to ``frames[-1].next_state``.

    Raises
    ------
    InconsistentState
        If a player's policy never makes the move that was made.
    TypeError, ValueError
        If `frames` are not frames of one game, one after another, or `would_act` is not a
        function.

    Examples
    --------
    What the cards are after all moves so far, by everything that was told:

    >>> rng = np.random.default_rng(7)
    >>> game = list(play_game([RuleAgent("Convention")] * 2, rng))[:3]
    >>> *_, L = public_likelihood(game, convention_would_act, rng)
    >>> belief = exact_belief(*game[-1].next_state.public(), L)
    >>> print(f"{belief[9].max():.2f}")
    0.99
    """
    if not hasattr(frames, "__iter__") or not callable(would_act):
        raise TypeError(f"need a game and a function, got {short(frames)} and {short(would_act)}")
    rng = checks.generator(rng)
    likelihood = None
    for frame in turns(frames):
        if likelihood is None:
            likelihood = np.ones(frame.state.public()[1].shape)
        yield likelihood.copy()
        likelihood = _after_move(
            likelihood, frame, would_act, rng, max_hands=max_hands, n_samples=n_samples
        )
    if likelihood is not None:
        yield likelihood


def _after_move(likelihood, frame, would_act, rng, *, max_hands, n_samples):
    """Return the likelihood of ``frame.next_state`` from that of ``frame.state``."""
    state, move, after = frame
    n_players, size = state.n_players, state.hand_size
    likelihood = _follow_cards(likelihood, state, move)
    # The cards in sight were those of the others, in the order of their turns.
    others = (state.player + np.arange(1, n_players)) % n_players
    seen = (others[:, None] * size + np.arange(size)).ravel()
    return _weigh(
        (*after.public(), likelihood), partial(would_act, state, move), rng, seen,
        max_hands=max_hands, n_samples=n_samples, deal="consistent",
    )  # fmt: skip


def own_likelihood(
    likelihood: ArrayLike,
    frame: Frame,
    player: int,
    would_act: WouldAct,
    rng: Seed,
    *,
    max_hands: int = 20_000,
    n_samples: int = 10_000,
) -> Floats:
    """What one more turn tells `player`, who sees the other hands, about the own slots.

    As in `public_likelihood`, but with the counts of ``frame.next_state.view(player)``, and one
    turn at a time.

    Parameters
    ----------
    likelihood : (hand_size, 26) float array
        That of the player's slots before the turn; all ones at the start of a game.
    frame : Frame
    player : int
        Whose knowledge it is.
    would_act, rng, max_hands, n_samples
        As in `public_likelihood`.

    Returns
    -------
    (hand_size, 26) float array
        Where the turn was the player's own, only the rows follow the cards.

    Raises
    ------
    ValueError
        If there is no such player, or `likelihood` has another shape.
    InconsistentState
        If the acting player's policy never makes this move.
    """
    state, move, after = checks.kind("frame", frame, Frame)
    rng = checks.generator(rng)
    candidates, hint_mask = after.view(player)
    old = arrays.floats("likelihood", likelihood)
    if old.shape != hint_mask.shape:
        raise ValueError(f"likelihood must be {hint_mask.shape}, got {old.shape}")
    if state.player == player:
        if isinstance(move, Play | Discard):
            return move_likelihood(old, move.slot, len(old) - 1)
        return old
    seen = np.arange(len(old))

    def acted(hands):
        return would_act(state, move, _among_others(hands, player, state))

    return _weigh(
        (candidates, hint_mask, old), acted, rng, seen,
        max_hands=max_hands, n_samples=n_samples, deal="weighted",
    )  # fmt: skip


def _among_others(hands, player, state):
    """Hands that `player` may hold, beside what the other players in the mover's sight do hold."""
    parts = []
    for other in (state.player + np.arange(1, state.n_players)) % state.n_players:
        if other == player:
            parts.append(hands)
            continue
        held = state.hands[other]
        held = np.array([*held, *[NO_CARD] * (state.hand_size - len(held))])
        parts.append(np.tile(held, (len(hands), 1)))
    return np.hstack(parts)


def _follow_cards(likelihood, state, move):
    if not isinstance(move, Play | Discard):
        return likelihood
    first = state.player * state.hand_size
    return move_likelihood(likelihood, first + move.slot, first + state.hand_size - 1)


def _weigh(known, acted, rng, seen, *, max_hands, n_samples, deal):
    # Exactly, if the slots can hold few hands, else by sampling.
    candidates, hint_mask, likelihood = known
    max_hands = checks.whole("max_hands", max_hands, 0)
    possible = (hint_mask & (candidates > 0) & (likelihood > 0))[seen]
    if possible.sum(axis=1, dtype=float).prod() <= max_hands:
        return exact_likelihood(
            candidates, hint_mask, acted, likelihood, seen=seen, max_hands=max_hands
        )
    return sampled_likelihood(
        candidates, hint_mask, acted, rng, likelihood,
        seen=seen, n_samples=n_samples, deal=deal, least_count=0.5,
    )  # fmt: skip


def _slots(seen, n_slots):
    if seen is None:
        return np.arange(n_slots)
    slots = arrays.whole("seen", seen, 0, n_slots - 1)
    if len(set(slots.tolist())) < slots.size or not slots.size:
        raise ValueError(f"seen must be one or more different slots, got {short(seen)}")
    return slots


def ask_policy(would_act, cards):
    """What a policy answers to hands: True or False, or a probability, for each; checked."""
    if not callable(would_act):
        raise TypeError(f"would_act must be a function of the hands, got {short(would_act)}")
    # A copy: whatever the policy does to it, these hands stay as they are.
    acted = would_act(cards.copy())
    if not (isinstance(acted, np.ndarray) and acted.dtype.kind == "f"):
        acted = arrays.array("what would_act returns", acted, "b")
    elif not ((acted >= 0) & (acted <= 1)).all():
        raise ValueError(
            "what would_act returns must be an array of True and False or of probabilities from "
            f"0 to 1, got {short(acted)}"
        )
    if acted.shape != (len(cards),):
        raise ValueError(
            f"would_act must say True or False for each of {len(cards)} hands, "
            f"got an answer of shape {acted.shape}"
        )
    return acted


def _times_probability(old, cards, weight, acted, seen, least=0.0):
    old = np.asarray(old, dtype=float)
    new = old.copy()
    n_cards = old.shape[1]
    for column, slot in zip(cards.T, _slots(seen, len(old)), strict=True):
        met = np.bincount(column, weights=weight, minlength=n_cards)
        met_and_acted = np.bincount(column, weights=weight * acted, minlength=n_cards)
        held = met > 0
        new[slot, held] *= np.maximum(met_and_acted[held], least) / met[held]
    return new


def _draw_each(belief, uniform):
    # Inverse of each slot's distribution function, at (n_samples, n_slots) uniforms.
    cards = np.empty(uniform.shape, dtype=np.int64)
    for i, row in enumerate(belief):
        cumulative = np.cumsum(row)
        cards[:, i] = np.searchsorted(cumulative / cumulative[-1], uniform[:, i], side="right")
    return cards


def _chance_of_copies(cards, counts):
    # How much likelier each row is in a deal than when every slot may draw from all copies.
    chance = np.ones(len(cards))
    for slot in range(1, cards.shape[1]):
        before = (cards[:, :slot] == cards[:, slot, None]).sum(axis=1)
        copies = counts[cards[:, slot]]
        chance *= np.maximum(copies - before, 0) / copies
    return chance


@njit(cache=True)
def _steps_a_card(n_cards, n_others):
    return n_cards + (1 << n_others) * (1 + n_others)


@njit(cache=True, allocates=True)
def _enumerate(counts, seen, others, cards, weight, max_steps):
    # Depth first over the slots seen. `rest[d]` is the polynomial of the other slots (a cell
    # per subset of them) after the cards of the first d slots have been taken away.
    n_seen, n_cards = seen.shape
    rest = np.empty((n_seen + 1, 1 << len(others)))
    _fill_rest(counts, others, rest[0])
    left = counts.copy()
    chosen = np.full(n_seen, -1)
    partial = np.ones(n_seen + 1)
    least = _ROUNDING * rest[0, -1]
    n_hands, depth = 0, 0
    steps, steps_a_card = 0, _steps_a_card(n_cards, len(others))
    while depth >= 0 and rest[0, -1] > 0:
        steps += steps_a_card
        if steps > max_steps:
            return _TOO_LONG
        if chosen[depth] >= 0:
            left[chosen[depth]] += 1
        f = chosen[depth] + 1
        while f < n_cards and (left[f] == 0 or seen[depth, f] == 0):
            f += 1
        if f == n_cards:
            chosen[depth] = -1
            depth -= 1
            continue
        chosen[depth] = f
        partial[depth + 1] = partial[depth] * left[f] * seen[depth, f]
        left[f] -= 1
        _take_copy(rest[depth], rest[depth + 1], others[:, f])
        if rest[depth + 1, -1] <= least:
            continue
        if depth < n_seen - 1:
            depth += 1
        elif n_hands == len(cards):
            return _TOO_MANY
        else:
            cards[n_hands] = chosen
            weight[n_hands] = partial[n_seen] * rest[n_seen, -1]
            n_hands += 1
    return n_hands


@njit(cache=True)
def _fill_rest(counts, others, cells):
    cells[:] = 0.0
    cells[0] = 1.0
    for f in range(counts.size):
        for _ in range(int(counts[f])):
            # From the largest subset down, so that a smaller one is still the old value.
            for subset in range(cells.size - 1, 0, -1):
                for i in range(len(others)):
                    if subset >> i & 1:
                        cells[subset] += others[i, f] * cells[subset ^ (1 << i)]


@njit(cache=True)
def _take_copy(cells, fewer, factor):
    # The inverse of one step of `_fill_rest`: from the smallest subset up.
    for subset in range(cells.size):
        fewer[subset] = cells[subset]
        for i in range(factor.size):
            if subset >> i & 1:
                fewer[subset] -= factor[i] * fewer[subset ^ (1 << i)]
