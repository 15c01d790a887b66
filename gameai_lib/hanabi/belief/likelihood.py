"""What an observed action says about the cards that the acting player saw: L of BAD.

Source: Foerster et al. 2019. When a player acts, everybody asks for which hands in that
player's sight the known policy would have done the same. Slot by slot the answer is
``L_t(f_i) = L_{t-1}(f_i) P(action | f_i)``, found by enumeration of all hands in sight or by
sampling. One row a slot forgets that slots go together.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints, Seed
from gameai_lib.hanabi.belief.deals import sample_deals
from gameai_lib.hanabi.belief.exact import InconsistentState
from gameai_lib.hanabi.belief.hands import MAX_HANDS, Hands, draw_hands, enumerate_hands, slots_of
from gameai_lib.hanabi.game.cards import NO_CARD, Discard, Move, Play
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.rules import State

LEAST_COUNT = 0.5  # samples that a sampled card counts as at least, in games
# ``would_act(state, move, hands)``: for which hands of the others the player to move makes `move`,
# or with which probability.
WouldAct = Callable[[State, Move, Ints], Bools | Floats]


def exact_likelihood(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    would_act: Callable[[Ints], Bools | Floats],
    likelihood: ArrayLike | None = None,
    *,
    seen: Sequence[int] | Ints | None = None,
) -> Floats:
    """Multiply ``P(action | f_i)`` into the likelihood, exactly, for one state as in `v0_belief`.

    Given (n_hands, n_seen) int cards of the slots `seen`, those that the acting player saw (all, if
    not given), ``would_act(hands)`` says (n_hands,) bool for which of them that player's policy
    chooses the action that was observed, or float with which probability. L is a (n_slots, n_cards)
    float array before the action (all ones, if not given) and after it. A card that its slot cannot
    hold keeps its old value, and so do slots that were not seen. If the policy never takes this
    action, it is an `InconsistentState`.

    Examples
    --------
    Two copies of a and one each of b and c in two slots; the policy acts if slot 0 is an a:

    >>> C, HM = [2, 1, 1], np.ones((2, 3), dtype=bool)
    >>> print(exact_likelihood(C, HM, lambda hands: hands[:, 0] == 0).round(3))
    [[1.    0.    0.   ]
     [0.333 0.667 0.667]]
    """
    hands = enumerate_hands(candidates, hint_mask, likelihood, seen=seen)
    old = _before(likelihood, hint_mask)
    new = learn(old, hands, would_act, seen)
    if new is old:
        raise InconsistentState(
            "there is no hand for which the policy takes this action; `allow_errors` lets it err"
        )
    return new


def sampled_likelihood(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    would_act: Callable[[Ints], Bools | Floats],
    rng: Seed,
    likelihood: ArrayLike | None = None,
    *,
    seen: Sequence[int] | Ints | None = None,
    n_samples: int = 3000,
    least_count: float = 0.0,
) -> Floats:
    """Estimate `exact_likelihood` from `n_samples` deals, as BAD does.

    A card that no sample has in a slot keeps its old value there, and so does everything if no
    sample leads to the action. A card that was sampled, but never with the action, gets 0,
    rightly or by bad luck, unless each counts as at least `least_count` samples, from 0 to 1.
    Other arguments and errors are those of `exact_likelihood` and `sample_deals`.
    """
    checks.number("least_count", least_count, 0, 1)
    deals = sample_deals(candidates, hint_mask, n_samples, rng, likelihood)
    hands = Hands(deals[:, slots_of(seen, deals.shape[1])], np.ones(len(deals)))
    return learn(_before(likelihood, hint_mask), hands, would_act, seen, least_count)


def _before(likelihood, hint_mask):
    return np.ones(np.shape(hint_mask)) if likelihood is None else np.array(likelihood, float)


def learn(old, hands, would_act, seen, least=0.0):
    """Multiply each row of `seen` by ``P(action | card)``, for the cards of these `Hands`.

    A card has the action at least so often. If no hand leads to it, this is `old` itself.
    """
    acted = ask_policy(would_act, hands.cards) if len(hands.cards) else np.zeros(0)
    if not acted.any():
        return old
    new, n_cards, weight = old.copy(), old.shape[1], hands.probability
    for column, slot in zip(hands.cards.T, slots_of(seen, len(old)), strict=True):
        drawn = np.bincount(column, weights=weight, minlength=n_cards)
        with_action = np.bincount(column, weights=weight * acted, minlength=n_cards)
        known = drawn > 0
        new[slot, known] *= np.maximum(with_action[known], least) / drawn[known]
    return new


def ask_policy(would_act, cards):
    """What a policy answers to hands: True or False, or a probability, for each; checked."""
    # A copy: whatever the policy does to it, these hands stay as they are.
    acted = checks.function("would_act", would_act)(cards.copy())
    acted = arrays.array("what would_act returns", acted, "bf")
    if acted.shape != (len(cards),) or not ((acted >= 0) & (acted <= 1)).all():
        raise ValueError(
            f"would_act must say True or False, or a probability, for each of {len(cards)} hands, "
            f"got {short(acted)}"
        )
    return acted


def public_likelihood(
    frames: Iterable[Frame],
    would_act: WouldAct,
    rng: Seed,
    *,
    max_hands: int = 2000,
    n_samples: int = 1000,
) -> Iterator[Floats]:
    """Follow a game and yield the likelihood that belongs to each state, the last one included.

    After each move the rows first follow the cards. Then the action is weighed over the hands
    that the *new* public state allows: what the move showed openly, such as the cards that a hint
    touched, is in the counts and hints, and only the choice of the move is in L.

    The frames are the turns of one game from its start, or a part of it, as `play_game` yields
    them. ``would_act(state, move, hands)`` says for which of the (n_hands, n_others * hand_size)
    hands of the other players, the next player's first, the player to move in `state` would choose
    `move`; such as `convention_would_act`. Hands are counted by the product of the numbers of cards
    that each slot can be. Beyond `max_hands` the answer is `sampled_likelihood` with
    ``least_count=0.5``, so that no noise rules out the truth; else it is `exact_likelihood`.

    Each likelihood is an (n_players * hand_size, 26) float array, owned, for the rows of
    ``public()`` of each ``frame.state``, then of ``frames[-1].next_state``. A move that the
    player's policy never makes is an `InconsistentState`.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> game = list(play_game([RuleAgent("Convention")] * 2, rng))[:3]
    >>> *_, L = public_likelihood(game, convention_would_act, rng)
    >>> belief = exact_belief(*game[-1].next_state.public(), L)
    >>> print(f"{belief[9].max():.2f}")
    0.99
    """
    return follow(frames, None, would_act, rng, max_hands=max_hands, n_samples=n_samples)


def follow(frames, player, would_act, rng, **options):
    """Yield what `public_likelihood` does, of one player's slots if there is a player."""
    checks.function("would_act", would_act)
    rng, likelihood = checks.generator(rng), None
    for frame in turns(frames):
        if likelihood is None:
            likelihood = np.ones(_known(frame.state, player)[1].shape)
        yield likelihood.copy()
        likelihood = _turn(likelihood, frame, player, would_act, rng, **options)
    if likelihood is not None:
        yield likelihood


def own_likelihood(
    likelihood: ArrayLike, frame: Frame, player: int, would_act: WouldAct, rng: Seed
) -> Floats:
    """What one more turn tells `player`, who sees the other hands, about the own slots.

    As in `public_likelihood`, but one turn at a time, with the counts of
    ``frame.next_state.view(player)``; 10,000 hands are drawn where there are more than 20,000. The
    likelihood before the turn and the result are (hand_size, 26) float arrays, all ones at the
    start of a game. A turn of the player's own only moves the rows.
    """
    checks.kind("frame", frame, Frame)
    old, shape = arrays.floats("likelihood", likelihood), frame.state.view(player)[1].shape
    if old.shape != shape:
        raise ValueError(f"likelihood must be {shape}, got {old.shape}")
    options = {"max_hands": 20_000, "n_samples": 10_000}
    return _turn(old, frame, player, would_act, checks.generator(rng), **options)


def _known(state, player):
    return state.public() if player is None else state.view(player)


def _turn(old, frame, player, would_act, rng, *, max_hands, n_samples):
    # Rows follow the cards; then the move is weighed, exactly if the slots can hold few hands.
    state, move, after = frame
    size, max_hands = state.hand_size, checks.whole("max_hands", max_hands, 0, MAX_HANDS)
    if player == state.player:
        return _follow_cards(old, move, 0, size)
    candidates, hint_mask = known = _known(after, player)
    if player is None:
        old = _follow_cards(old, move, state.player * size, size)
        # The cards in sight were those of the others, in the order of their turns.
        seen = (_others(state)[:, None] * size + np.arange(size)).ravel()
        acted = partial(would_act, state, move)
    else:
        seen = np.arange(size)

        def acted(hands):
            return would_act(state, move, _add_others(hands, player, state))

    possible = (hint_mask & (candidates > 0) & (old > 0))[seen]
    if possible.sum(axis=1, dtype=float).prod() <= max_hands:
        return exact_likelihood(*known, acted, old, seen=seen)
    if player is None:
        sampled = {"seen": seen, "n_samples": n_samples, "least_count": LEAST_COUNT}
        return sampled_likelihood(*known, acted, rng, old, **sampled)
    # Drawn without compiled code.
    return learn(old, draw_hands(*known, old, rng, n_samples), acted, seen, LEAST_COUNT)


def _others(state):
    return (state.player + np.arange(1, state.n_players)) % state.n_players


def _add_others(hands, player, state):
    # To hands that `player` may hold, what the others in the mover's sight do hold.
    size, others = state.hand_size, _others(state).tolist()
    in_sight = np.full((len(hands), len(others) * size), NO_CARD)
    for k, other in enumerate(others):
        # The player's own cards may lie face down.
        cards = hands if other == player else state.hands[other]
        in_sight[:, k * size : k * size + np.shape(cards)[-1]] = cards
    return in_sight


def _follow_cards(likelihood, move, first, size):
    # In the hand that begins at row `first`, newer cards move up; the last is new, or none.
    if not isinstance(move, Play | Discard):
        return likelihood
    slot, last = first + move.slot, first + size - 1
    moved = likelihood.copy()
    moved[slot:last] = likelihood[slot + 1 : last + 1]
    moved[last] = 1.0
    return moved
