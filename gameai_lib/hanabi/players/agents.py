"""Hanabi agents: published rule lists over any belief, and one with a hint convention.

The rule lists are those of Walton-Rivers et al. 2017, "Evaluating and Modelling Hanabi-Playing
Agents", and of the Java code published with it; Van den Bergh's list goes back to van den
Bergh et al. 2015, Outer to Osawa 2015. Convention is the partner of the chapter, Tuned
the best list found among those with the same convention (`gameai_lib.together`), and Listener
one who knows no convention, to be given a belief that does.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from gameai_lib.base import arrays, checks, jit
from gameai_lib.base.checks import short
from gameai_lib.base.types import Bools, Floats, Ints, Seed
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import move_of
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.playout import ASKED, NOTHING, decide, row_of, seat_rows

# A rule gives the moves that it would make, best first, and may give none. It knows the state as
# the player to move sees it, and the (hand_size, 26) belief about the own hand.
Rule = Callable[[State, Floats, np.random.Generator], Iterable[Move]]
# ``belief(candidates, hint_mask)`` about one's own hand.
Belief = Callable[[Ints, Bools], Floats]

_LISTS = {
    "random": "random_move",
    "IGGI": "play_certain hint_useful discard_useless discard_oldest hint_randomly",
    "Piers": "gamble_at_the_end play_certain play_likely hint_useful hint_dispensable "
    "discard_useless discard_oldest hint_randomly",
    "Van den Bergh": "play_likely play_certain discard_useless hint_useful hint_most "
    "discard_likeliest_useless hint_randomly",
    "Outer": "play_certain discard_useless hint_useful_to_next hint_unknown_to_next "
    "discard_randomly hint_randomly",
    "Convention": "play_asked hint_asking play_certain discard_useless discard_unmarked "
    "discard_oldest hint_nothing play_newest",
    "Tuned": "play_asked gamble_if_possible hint_asking_with_two hint_critical_or_two "
    "hint_any_critical play_certain hint_asking discard_useless discard_unmarked "
    "discard_likeliest_useless hint_nothing play_newest",
    "Listener": "play_nearly_certain hint_asking discard_useless discard_unmarked discard_oldest "
    "hint_nothing play_newest",
}
RULES = {name: rules.find_rules(names) for name, names in _LISTS.items()}


@dataclass(frozen=True)
class RuleAgent:
    """An agent that makes the first move that its list of rules proposes.

    Its `name` is a key of `RULES`: random, IGGI, Piers, Van den Bergh, Outer, Convention, Tuned
    or Listener. Or it is rules of one's own, the most important first: ``rule(state, belief, rng)``
    gives moves that it proposes, none or more. It is shown ``state.hide_hand(state.player)`` and
    what the agent believes of that hand, so that ``belief @ state.playable()`` are the chances that
    its cards fit. Rules of the module `rules` can be among them. One must always propose, as
    `play_newest` does. ``belief(candidates, hint_mask)`` about the agent's own hand is `v0_belief`,
    or such as `v1_belief` and `exact_belief`.

    Examples
    --------
    >>> from gameai_lib.hanabi.players import rules
    >>> own = rules.play_certain, rules.hint_useful, rules.play_newest
    >>> agent = RuleAgent(own, exact_belief)
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
        checks.function("belief", self.belief)

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules of this agent, the most important first."""
        return RULES[self.name] if isinstance(self.name, str) else self.name

    @cached_property
    def row(self) -> tuple[int, ...] | None:
        """Its rules as a kernel knows them, see `row_of`."""
        return row_of(self.rules, self.belief)

    def __call__(self, state: State, rng: Seed | None) -> Move:
        """The move of the player to move in `state`; some rules choose at random.

        `rng` is a generator or a seed; without it they choose as with the seed 0.
        """
        return self.decide(state, rng)[0]

    def decide(self, state: State, rng: Seed | None) -> tuple[Move, Rule]:
        """The move of the player to move in `state`, and the rule that proposed it.

        The rule's docstring says what it does. If no rule proposes a move, it is a ValueError.
        """
        rng = checks.generator(0 if rng is None else rng)
        if self.row is None:
            return self._ask_each(state.hide_hand(state.player), rng)
        n_players, hand_size = state.hint_mask.shape[:2]
        chances = np.empty((2, hand_size))
        with jit.plain_at_first():
            rows = seat_rows(*[self.row] * n_players)
            number, k = decide(rows, state.table, chances, rng)
        if number == rules.NONE:
            raise no_proposal(self.rules)
        return move_of(int(number), state.player, n_players), self.rules[k]

    def _ask_each(self, state, rng):
        """As `decide`, rule by rule."""
        belief = None
        for rule in self.rules:
            if belief is None and ASKED.get(rule) != NOTHING:
                belief = self._believe(state)
            propose = partial(_propose, rule) if rule in ASKED else rule
            for move in propose(state, belief, rng):
                return move, rule
        raise no_proposal(self.rules)

    def _believe(self, state):
        candidates, hint_mask = state.view(state.player)
        belief = arrays.array("what a belief returns", self.belief(candidates, hint_mask), "f")
        if belief.shape != hint_mask.shape or not np.isfinite(belief).all():
            raise ValueError(
                f"a belief about this hand must have shape {hint_mask.shape} and be finite, "
                f"got {short(belief)}"
            )
        return belief


def _propose(rule, state, belief, rng):
    """Yield the move that a rule of the library proposes, if it does."""
    chances = np.full((2, state.hand_size), -1.0)
    if belief is not None:
        for row, cards in zip(chances, (state.playable(), state.useless()), strict=True):
            held = belief[: len(state.hands[state.player])]
            # Rounded, so that ties and thresholds such as 3/5 do not hang on the last bit.
            row[: len(held)] = (held @ cards).round(9)
    with jit.plain_at_first():
        number = int(rule(state.table, *chances, rng))
    if number != rules.NONE:
        yield move_of(number, state.player, state.n_players)


def asked_slot(state: State) -> int | None:
    """Slot that the last move asks the player to move to play, by the Convention; or None.

    A hint says "play the newest card that this touches", unless all can see that it cannot be
    playable.
    """
    checks.kind("state", state, State)
    with jit.plain_at_first():
        slot = int(rules.find_asked(state.table))
    return None if slot == rules.NONE else slot


def no_proposal(proposing: Sequence[Rule]) -> ValueError:
    """The error that says that no rule of these proposes a move."""
    names = ", ".join(getattr(rule, "__name__", short(rule)) for rule in proposing)
    return ValueError(f"none of the rules proposes a move here, got {names}; end with play_newest")
