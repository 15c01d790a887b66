"""What is in the box of Hanabi: the cards, their numbers and names, and the tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from gameai_lib.base.checks import is_whole, short

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
ALL_CARDS = read_only(np.repeat(np.arange(N_CARDS), FULL_COUNTS[:N_CARDS]))  # (50,) by number
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


def rest_of_box(out):
    """All cards but those of which (25,) `out` are out, in the order of their numbers."""
    left = np.maximum(FULL_COUNTS[:N_CARDS] - out, 0)  # `State` finds what is there too often
    return tuple(np.repeat(np.arange(N_CARDS), left.astype(np.intp)).tolist())
