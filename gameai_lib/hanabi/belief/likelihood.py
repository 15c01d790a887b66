"""What an observed action says about the cards that the acting player saw: L of BAD.

Source: Foerster et al. 2019. When a player acts, everybody asks for which hands in that
player's sight the known policy would have done the same. Slot by slot the answer is
``L_t(f_i) = L_{t-1}(f_i) P(action | f_i)``, found by enumeration of all hands in sight or by
sampling. One row a slot forgets that slots go together.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Bools, Floats, Ints, Seed
from gameai_lib.hanabi.belief.exact import InconsistentState
from gameai_lib.hanabi.belief.hands import MAX_HANDS, draw_hands, enumerate_hands, slots_of
from gameai_lib.hanabi.game.box import NO_CARD
from gameai_lib.hanabi.game.moves import Discard, Move, Play
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.rules import State

MOST_LISTED, N_DRAWN = 20_000, 10_000  # hands that a turn is weighed over
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
    new, has_acted = _learn(hint_mask, likelihood, hands, would_act, seen)
    if not has_acted:
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
    n_samples: int = N_DRAWN,
    least_count: float = 0.0,
) -> Floats:
    """Estimate `exact_likelihood` from `n_samples` hands, as BAD does.

    A card that no sample has in a slot keeps its old value there, and so does everything if no
    sample leads to the action. A card that was sampled, but never with the action, gets 0,
    rightly or by bad luck, unless each counts as at least `least_count` samples, from 0 to 1.
    Other arguments and errors are those of `exact_likelihood` and `draw_hands`.
    """
    checks.number("least_count", least_count, 0, 1)
    hands = draw_hands(candidates, hint_mask, n_samples, rng, likelihood, seen=seen)
    new, _ = _learn(hint_mask, likelihood, hands, would_act, seen, least_count)
    return new


def _learn(hint_mask, likelihood, hands, would_act, seen, least_count=0.0):
    # Multiplies each row of `seen` by P(action | card). Returns the rows, which are the old ones if
    # no hand leads to the action, and whether one does.
    new = np.ones(np.shape(hint_mask)) if likelihood is None else np.array(likelihood, float)
    acted = ask_policy(would_act, hands.cards) if len(hands.cards) else np.zeros(0)
    if not acted.any():
        return new, False
    weight, n_cards = hands.probability, new.shape[1]
    for column, slot in zip(hands.cards.T, slots_of(seen, len(new)), strict=True):
        n_drawn, drawn, with_action = (
            np.bincount(column, weights=of, minlength=n_cards)
            for of in (None, weight, weight * acted)
        )
        known = n_drawn > 0
        chance = with_action[known] / drawn[known]
        new[slot, known] *= np.maximum(chance, least_count / n_drawn[known])
    return new, True


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
    player: int | None = None,
    max_hands: int = MOST_LISTED,
    n_samples: int = N_DRAWN,
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
    ``public()`` of each ``frame.state``, then of ``frames[-1].next_state``; of a `player`, who sees
    the other hands, (hand_size, 26) for those of ``view(player)``. A move that the player's policy
    never makes is an `InconsistentState`.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> game = list(play_game([RuleAgent("Convention")] * 2, rng))[:3]
    >>> *_, L = public_likelihood(game, convention_would_act, rng)
    >>> belief = exact_belief(*game[-1].next_state.public(), L)
    >>> print(f"{belief[9].max():.3f}")
    0.999
    """
    likelihood, rng = None, checks.generator(rng)
    for frame in turns(frames):
        if likelihood is None:
            likelihood = np.ones(_known(frame.state, player)[1].shape)
        yield likelihood.copy()
        likelihood = likelihood_after(
            frame, would_act, rng, likelihood,
            player=player, max_hands=max_hands, n_samples=n_samples,
        )  # fmt: skip
    if likelihood is not None:
        yield likelihood


def likelihood_after(
    frame: Frame,
    would_act: WouldAct,
    rng: Seed,
    likelihood: ArrayLike | None = None,
    *,
    player: int | None = None,
    max_hands: int = MOST_LISTED,
    n_samples: int = N_DRAWN,
) -> Floats:
    """What one more turn tells, given the likelihood before it: a step of `public_likelihood`.

    Arguments, result and errors are those of `public_likelihood`; without a likelihood it is all
    ones before the turn. To a player a turn of their own tells nothing.
    """
    state, move, after = checks.kind("frame", frame, Frame)
    checks.function("would_act", would_act)
    max_hands, size = checks.whole("max_hands", max_hands, 0, MAX_HANDS), state.hand_size
    candidates, hint_mask = _known(after, player)
    old = np.ones(hint_mask.shape)
    if likelihood is not None:
        old = arrays.floats("likelihood", likelihood)
        if old.shape != hint_mask.shape:
            raise ValueError(f"likelihood must be {hint_mask.shape}, got {old.shape}")
    if player in (None, state.player):
        old = _follow_cards(old, move, size * state.player if player is None else 0, size)
    if player == state.player:
        return old
    seen = np.arange(size)
    if player is None:
        # The cards in sight were those of the others, in the order of their turns.
        seen = (size * _others(state)[:, None] + seen).ravel()

    def acts(hands):
        in_sight = hands if player is None else _add_others(hands, player, state)
        return would_act(state, move, in_sight)

    possible = (hint_mask & (candidates > 0) & (old > 0))[seen]
    if possible.sum(axis=1, dtype=float).prod() <= max_hands:
        return exact_likelihood(candidates, hint_mask, acts, old, seen=seen)
    return sampled_likelihood(
        candidates, hint_mask, acts, rng, old,
        seen=seen, n_samples=n_samples, least_count=LEAST_COUNT,
    )  # fmt: skip


def _known(state, player):
    return state.public() if player is None else state.view(player)


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
