"""Hanabi agents: published rule lists over any belief, and one with a hint convention.

The rule lists are those of Walton-Rivers et al. 2017, "Evaluating and Modelling Hanabi-Playing
Agents", and of the Java code published with it; Van den Bergh's list goes back to van den
Bergh et al. 2015, Outer to Osawa 2015. Convention is the partner of the chapter, and Listener
one who knows no convention, to be given a belief that does (`listening_game`). An agent is
called as ``agent(state, rng)`` and answers with a move. It decides from a `Sight` of the state,
in which its own cards do not occur.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import Bools, Floats, Ints
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.cards import (
    MAX_HINTS,
    N_CARDS,
    N_COLOURS,
    N_RANKS,
    Discard,
    HintColour,
    HintRank,
    Move,
    Play,
    hint_cards,
    touched_slots,
)
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.convention import asked_slot

# V1 stops near its limit, so "certain" needs a margin; V0 and exact beliefs are 1 or well below.
CERTAIN = 1 - 1e-6


class Sight:
    """What the player to move may know of a state; of the own hand, only its slots.

    Attributes
    ----------
    player : int
    n_hints : int
    n_lives : int
    n_deck : int
    slots : range
        The slots of the own hand that hold a card.
    hands : dict
        Hand (tuple of cards) of each other player, from the next one on.
    hint_mask : (n_players, hand_size, 26) bool array
    fireworks : list of int
    playable : (26,) bool array
        Cards that can be played now.
    useless : (26,) bool array
        Cards that never will be.
    live : (26,) bool array
        Playable cards of which not all copies are gone.
    asked : int or None
        See `asked_slot`.
    """

    def __init__(self, state: State, belief: "Belief") -> None:
        self.player, self.n_hints = state.player, state.n_hints
        self.n_lives, self.n_deck = state.n_lives, state.n_deck
        self.slots = range(len(state.hands[state.player]))
        order = [(state.player + i) % state.n_players for i in range(1, state.n_players)]
        self.hands = {player: state.hands[player] for player in order}
        self.hint_mask = state.hint_mask
        self.fireworks = state.fireworks.tolist()
        self.playable, self.useless = state.playable(), state.useless()
        self.live = self.playable & (state.candidates() > 0)
        self.asked = asked_slot(state)
        self._belief = belief
        self._view = state.view(state.player)

    @cached_property
    def belief(self) -> Floats:
        """(hand_size, 26) float array: the agent's belief about its own slots."""
        belief = arrays.array("what a belief returns", self._belief(*self._view), "f")
        if belief.shape != self._view[1].shape or not np.isfinite(belief).all():
            raise ValueError(
                f"a belief about this hand must have shape {self._view[1].shape} and be finite, "
                f"got {short(belief)}"
            )
        return belief

    @cached_property
    def p_playable(self) -> list[float]:
        """List: probability that each own card is playable."""
        return self._probability(self.playable)

    @cached_property
    def p_useless(self) -> list[float]:
        """List: probability that no one will ever need each own card."""
        return self._probability(self.useless)

    def _probability(self, cards):
        # Rounded, so that ties and thresholds such as 3/5 do not hang on the last bit.
        probability = (self.belief[: len(self.slots)] @ cards).round(9)
        return probability.tolist()

    def unknown(self, player: int) -> tuple[list[bool], list[bool]]:
        """Lists by slot: whether `player` is yet to learn the card's colour, its rank."""
        cards = self.hint_mask[player, :, :N_CARDS].reshape(-1, N_COLOURS, N_RANKS)
        colours, ranks = cards.any(axis=2).sum(axis=1), cards.any(axis=1).sum(axis=1)
        return (colours > 1).tolist(), (ranks > 1).tolist()


# A rule is a generator of the moves that it would make, best first. It may yield none.
Rule = Callable[[Sight, np.random.Generator], Iterator[Move]]
# ``belief(candidates, hint_mask)`` about one's own hand.
Belief = Callable[[Ints, Bools], Floats]


def random_move(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Any legal move, all equally likely."""
    moves: list[Move] = [Play(slot) for slot in sight.slots]
    if sight.n_hints < MAX_HINTS:
        moves += [Discard(slot) for slot in sight.slots]
    if sight.n_hints > 0:
        moves += _all_hints(sight)
    yield moves[rng.integers(len(moves))]


def play_certain(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Play the oldest card that is certainly playable."""
    yield from (Play(slot) for slot in sight.slots if sight.p_playable[slot] >= CERTAIN)


def play_likely(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """With a life to spare, play the likeliest card if it is playable at 0.6 or more."""
    if sight.n_lives > 1 and max(sight.p_playable) >= 0.6:
        yield Play(int(np.argmax(sight.p_playable)))


def play_nearly_certain(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Play the likeliest card if it is playable at 0.9 or more."""
    if max(sight.p_playable) >= 0.9:
        yield Play(int(np.argmax(sight.p_playable)))


def gamble_at_the_end(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """With a life to spare and no deck left, play the likeliest card whatever it is."""
    if sight.n_lives > 1 and sight.n_deck == 0:
        yield Play(int(np.argmax(sight.p_playable)))


def discard_useless(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Discard the oldest card that is certainly useless (Osawa's discard)."""
    if sight.n_hints < MAX_HINTS:
        yield from (Discard(slot) for slot in sight.slots if sight.p_useless[slot] >= CERTAIN)


def discard_likeliest_useless(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Discard the card most probably useless."""
    if sight.n_hints < MAX_HINTS:
        yield Discard(int(np.argmax(sight.p_useless)))


def discard_oldest(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Discard the card held longest."""
    if sight.n_hints < MAX_HINTS:
        yield Discard(0)


def discard_randomly(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Discard any card."""
    if sight.n_hints < MAX_HINTS:
        yield Discard(int(rng.integers(len(sight.slots))))


def hint_useful(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Tell anyone what they do not know of a playable card, its rank first."""
    if sight.n_hints > 0:
        for player in sight.hands:
            yield from _hint_playable(sight, player)


def hint_useful_to_next(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Tell the next player what they do not know of a playable card, its rank first."""
    if sight.n_hints > 0:
        yield from _hint_playable(sight, next(iter(sight.hands)))


def hint_dispensable(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Short of tokens, tell anyone the fact that shows that a card has been played."""
    if not 0 < sight.n_hints < 4:
        return
    for player, hand in sight.hands.items():
        for card, no_colour, no_rank in zip(hand, *sight.unknown(player), strict=False):
            colour, rank = divmod(card, N_RANKS)
            height = sight.fireworks[colour]
            if no_colour and (height == N_RANKS or (height > rank and not no_rank)):
                yield HintColour(player, colour)
            if no_rank and (min(sight.fireworks) > rank or (height > rank and not no_colour)):
                yield HintRank(player, rank + 1)


def hint_unknown_to_next(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Tell the next player something new about the oldest card, its colour first."""
    if sight.n_hints > 0:
        player, hand = next(iter(sight.hands.items()))
        for card, no_colour, no_rank in zip(hand, *sight.unknown(player), strict=False):
            if no_colour:
                yield HintColour(player, card // N_RANKS)
            if no_rank:
                yield HintRank(player, card % N_RANKS + 1)


def hint_most(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Give the hint that tells its colour or rank to most cards that lack it."""
    if sight.n_hints > 0:
        n_new = {hint: _n_new(sight, hint) for hint in _all_hints(sight)}
        best = max(n_new, key=n_new.__getitem__)
        if n_new[best]:
            yield best


def hint_randomly(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Tell the next player the colour or the rank of any card."""
    if sight.n_hints > 0:
        player, hand = next(iter(sight.hands.items()))
        colour, rank = divmod(hand[rng.integers(len(hand))], N_RANKS)
        yield HintRank(player, rank + 1) if rng.integers(2) else HintColour(player, colour)


def play_asked(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Play the card that a hint has just asked for."""
    if sight.asked is not None:
        yield Play(sight.asked)


def hint_asking(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Ask the next player for a playable card.

    Of all hints whose newest touched card is playable: one that names the lowest rank; then
    one that touches most cards; then a colour before a rank; then the lowest card.
    """
    if sight.n_hints > 0:
        asking = {}
        for hint, touched, card in _hints_to_next(sight):
            if sight.playable[card]:
                by_rank = isinstance(hint, HintRank)
                asking[card % N_RANKS, -len(touched), by_rank, card] = hint
        if asking:
            yield asking[min(asking)]


def discard_unmarked(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Discard the oldest card of which neither the colour nor the rank is known."""
    if sight.n_hints < MAX_HINTS:
        no_colour, no_rank = sight.unknown(sight.player)
        yield from (Discard(slot) for slot in sight.slots if no_colour[slot] and no_rank[slot])


def hint_nothing(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Give the next player a hint that asks for nothing, as all can see."""
    if sight.n_hints > 0:
        for hint, touched, _ in _hints_to_next(sight):
            left = sight.hint_mask[hint.player, touched[-1]] & hint_cards(hint)
            if not (left & sight.live).any():
                yield hint


def play_newest(sight: Sight, rng: np.random.Generator) -> Iterator[Move]:
    """Play the newest card, unseen."""
    yield Play(sight.slots[-1])


def _hint_playable(sight, player):
    hand = sight.hands[player]
    for card, no_colour, no_rank in zip(hand, *sight.unknown(player), strict=False):
        if sight.playable[card] and no_rank:
            yield HintRank(player, card % N_RANKS + 1)
        elif sight.playable[card] and no_colour:
            yield HintColour(player, card // N_RANKS)


def _hints(player, hand):
    """List of the hints that touch `hand`, ranks before colours."""
    hints = [HintRank(player, rank) for rank in sorted({c % N_RANKS + 1 for c in hand})]
    return hints + [HintColour(player, colour) for colour in sorted({c // N_RANKS for c in hand})]


def _all_hints(sight):
    """List of the legal hints, by player from the next one."""
    return [hint for player, hand in sight.hands.items() for hint in _hints(player, hand)]


def _hints_to_next(sight):
    """Yield each hint to the next player, the slots it touches and the newest card there."""
    player, hand = next(iter(sight.hands.items()))
    for hint in _hints(player, hand):
        touched = touched_slots(hint, hand)
        yield hint, touched, hand[touched[-1]]


def _n_new(sight, hint):
    no_colour, no_rank = sight.unknown(hint.player)
    news = no_colour if isinstance(hint, HintColour) else no_rank
    return sum(news[slot] for slot in touched_slots(hint, sight.hands[hint.player]))


RULES = {
    "random": (random_move,),
    "IGGI": (play_certain, hint_useful, discard_useless, discard_oldest, hint_randomly),
    "Piers": (
        gamble_at_the_end,
        play_certain,
        play_likely,
        hint_useful,
        hint_dispensable,
        discard_useless,
        discard_oldest,
        hint_randomly,
    ),
    "Van den Bergh": (
        play_likely,
        play_certain,
        discard_useless,
        hint_useful,
        hint_most,
        discard_likeliest_useless,
        hint_randomly,
    ),
    "Outer": (
        play_certain,
        discard_useless,
        hint_useful_to_next,
        hint_unknown_to_next,
        discard_randomly,
        hint_randomly,
    ),
    "Convention": (
        play_asked,
        hint_asking,
        play_certain,
        discard_useless,
        discard_unmarked,
        discard_oldest,
        hint_nothing,
        play_newest,
    ),
    "Listener": (
        play_nearly_certain,
        hint_asking,
        discard_useless,
        discard_unmarked,
        discard_oldest,
        hint_nothing,
        play_newest,
    ),
}


@dataclass(frozen=True)
class RuleAgent:
    """An agent that makes the first move that its list of rules proposes.

    Attributes
    ----------
    name : str or sequence of callables
        A key of `RULES`: random, IGGI, Piers, Van den Bergh, Outer, Convention or Listener. Or
        rules of one's own, the most important first: ``rule(sight, rng)`` gives moves that it
        proposes, none or more, and sees a `Sight`; those of this module can be among them. One
        must always propose, as `play_newest` does.
    belief : callable
        ``belief(candidates, hint_mask)`` gives an (n_slots, n_cards) float array, as
        `v0_belief`, which is the default, `v1_belief` and `exact_belief` do; the agent asks for
        its own hand.

    Raises
    ------
    ValueError
        If there is no rule list of this name.
    TypeError
        If `belief` or a rule cannot be called.

    Examples
    --------
    Rules of one's own, the last of which always proposes a move:

    >>> from gameai_lib.hanabi.players.agents import hint_useful, play_certain, play_newest
    >>> agent = RuleAgent((play_certain, hint_useful, play_newest), exact_belief)
    >>> state = State.new(2, 7)
    >>> print(agent(state, np.random.default_rng(1)))
    hints 1 1s
    """

    name: str | Sequence[Rule]
    # Not `v0_belief` itself: a function in a class would be one of its methods.
    belief: Belief = field(default_factory=lambda: v0_belief)

    def __post_init__(self) -> None:
        if isinstance(self.name, tuple | list) and self.name:
            object.__setattr__(self, "name", tuple(self.name))
            for rule in self.name:
                checks.function("each rule", rule)
        elif not isinstance(self.name, str) or self.name not in RULES:
            raise ValueError(f"rule lists are {', '.join(RULES)}; there is no {short(self.name)}")
        if not callable(self.belief):
            raise TypeError(
                f"belief is called as belief(candidates, hint_mask), got {short(self.belief)}"
            )

    def __call__(self, state: State, rng: np.random.Generator) -> Move:
        """The move of the player to move in `state`; some rules choose at random."""
        return self.decide(state, rng)[0]

    def decide(self, state: State, rng: np.random.Generator) -> tuple[Move, Rule]:
        """The move of the player to move in `state`, and the rule that proposed it.

        The rule is one of ``RULES[name]``, and its docstring says what it does. If no rule
        proposes a move, it is a ValueError.
        """
        sight = Sight(state, self.belief)
        rules = RULES[self.name] if isinstance(self.name, str) else self.name
        for rule in rules:
            for move in rule(sight, rng):
                return move, rule
        names = ", ".join(getattr(rule, "__name__", short(rule)) for rule in rules)
        raise ValueError(
            f"none of the rules proposes a move here, got {names}; end with play_newest"
        )
