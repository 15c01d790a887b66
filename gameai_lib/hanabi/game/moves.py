"""The moves of Hanabi, how each is written, and what a hint touches."""

from collections.abc import Sequence
from dataclasses import dataclass

from gameai_lib.base.checks import is_whole, short
from gameai_lib.base.types import Bools
from gameai_lib.hanabi.game.box import COLOUR_NAMES, IS_COLOUR, IS_RANK, N_COLOURS, N_RANKS


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card in `slot` (0 = oldest) of one's own hand; as text ``plays 2``."""

    slot: int

    def __str__(self) -> str:
        return f"plays {self.slot}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the card in `slot` (0 = oldest) of one's own hand; as text ``discards 2``."""

    slot: int

    def __str__(self) -> str:
        return f"discards {self.slot}"


@dataclass(frozen=True, slots=True)
class HintColour:
    """Show `player` (absolute index) all cards of `colour` (0..4); as text ``hints 1 red``."""

    player: int
    colour: int

    def __str__(self) -> str:
        return f"hints {self.player} {COLOUR_NAMES[self.colour]}"


@dataclass(frozen=True, slots=True)
class HintRank:
    """Show `player` (absolute index) all cards of `rank` (1..5); as text ``hints 1 3s``."""

    player: int
    rank: int

    def __str__(self) -> str:
        return f"hints {self.player} {self.rank}s"


# Dataclasses and not NamedTuples: as tuples, Play(0) == Discard(0) would be true.
Move = Play | Discard | HintColour | HintRank


def hint_cards(hint: HintColour | HintRank) -> Bools:
    """(26,) bool mask of the cards that a `HintColour` or `HintRank` touches."""
    if isinstance(hint, HintColour) and is_whole(hint.colour) and 0 <= hint.colour < N_COLOURS:
        return IS_COLOUR[hint.colour]
    if isinstance(hint, HintRank) and is_whole(hint.rank) and 1 <= hint.rank <= N_RANKS:
        return IS_RANK[hint.rank - 1]
    raise ValueError(f"not a hint: {short(hint)}")


def touched_slots(hint: HintColour | HintRank, hand: Sequence[int]) -> list[int]:
    """Slots of `hand` (a tuple of cards) that `hint` touches, oldest first."""
    touches = hint_cards(hint)
    return [slot for slot, card in enumerate(hand) if touches[card]]
