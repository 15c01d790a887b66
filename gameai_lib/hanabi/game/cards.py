"""The cards of Hanabi and the moves: their numbers, their names, and what a hint touches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from gameai_lib.base.checks import is_whole, short
from gameai_lib.base.types import Bools

COLOURS = "RYGWB"
COLOUR_NAMES = ("red", "yellow", "green", "white", "blue")
N_COLOURS = 5
N_RANKS = 5
N_CARDS = N_COLOURS * N_RANKS  # different cards; a card is 5 * colour + (rank - 1)
NO_CARD = N_CARDS  # column of "no card": slots left empty in the last round
COPIES = (3, 2, 2, 2, 1)  # of each rank, in each colour
DECK_SIZE = N_COLOURS * sum(COPIES)
MAX_HINTS = 8  # information tokens
MAX_LIVES = 3
HAND_SIZE = {2: 5, 3: 5, 4: 4, 5: 4}  # by number of players


def read_only(array):
    """The same array, which nobody can write to any more."""
    array.setflags(write=False)
    return array


IS_CARD = read_only(np.arange(N_CARDS + 1) < NO_CARD)  # (26,) bool: a slot nobody hinted at
_COLOUR, _RANK = np.divmod(np.arange(N_CARDS + 1), N_RANKS)
# (5, 26) bool: the cards that a hint of each colour touches, and of each rank, from 1.
IS_COLOUR = read_only((np.arange(N_COLOURS)[:, None] == _COLOUR) & IS_CARD)
IS_RANK = read_only((np.arange(N_RANKS)[:, None] == _RANK) & IS_CARD)
IS_TOUCHED = read_only(np.concatenate([IS_RANK, IS_COLOUR]))  # (10, 26) by each hint, ranks first
FULL_COUNTS = read_only(np.array(COPIES * N_COLOURS + (0,)))  # (26,) copies in the box
BOX = read_only(np.repeat(np.arange(N_CARDS), FULL_COUNTS[:N_CARDS]))  # (50,) cards in the box
BUILT = read_only(  # (6, 5): which ranks lie in a firework of this height
    (np.arange(N_RANKS) < np.arange(N_RANKS + 1)[:, None]).astype(np.int64)
)


@dataclass(frozen=True)
class FaceDown(Sequence[int]):
    """`n` unknown cards, one's own hand or the deck; whoever looks at one gets a ValueError."""

    n: int

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index: Any) -> NoReturn:
        raise ValueError(f"{self.n} cards lie face down, as one's own hand and the deck do")


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


def card_name(card: int) -> str:
    """Name such as ``"G2"`` of a card 0..24, or ``"none"`` for `NO_CARD`."""
    if not is_whole(card) or not 0 <= card <= NO_CARD:
        raise ValueError(f"a card is an integer from 0 to {NO_CARD}, got {short(card)}")
    return "none" if card == NO_CARD else f"{COLOURS[card // N_RANKS]}{card % N_RANKS + 1}"


def parse_card(name: str) -> int:
    """Card 0..24 of a name such as ``"G2"``; the inverse of `card_name`."""
    is_name = isinstance(name, str) and len(name) == 2
    if not is_name or name[0] not in COLOURS or name[1] not in "12345":
        raise ValueError(
            f"a card is one letter of {COLOURS} and one digit of 12345, got {short(name)}"
        )
    return N_RANKS * COLOURS.index(name[0]) + int(name[1]) - 1


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
