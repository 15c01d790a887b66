"""Ten states small or strange enough to look at: seven by hand and three from real games.

S1 to S7 are worked on paper; P1 to P3 were met in self-play in the Hanabi Learning
Environment (Bard et al. 2020). Counts are written in groups of a colour, R Y G W B, and a
hint mask as in that environment: possible colours, a bar, possible ranks.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.hanabi.game.box import COLOURS, N_CARDS, card_name


class Case(NamedTuple):
    """A public state with a name."""

    name: str
    about: str  #: what it shows, in one sentence
    card_names: tuple[str, ...]  #: of the columns
    candidates: np.ndarray  #: (n_cards,) int
    hint_mask: np.ndarray  #: (n_slots, n_cards) bool
    likelihood: np.ndarray | None = None  #: (n_slots, n_cards) float, or None


def _small(name, about, candidates, rows, likelihood=None, letters="abcdefgh"):
    return Case(
        name=name,
        about=about,
        card_names=tuple(letters[: len(candidates)]),
        candidates=np.array(candidates),
        hint_mask=np.array([[digit == "1" for digit in row] for row in rows.split()]),
        likelihood=None if likelihood is None else np.array(likelihood),
    )


def _real(name, about, candidates, slots):
    rows = [
        [colour in colours and rank in ranks for colour in COLOURS for rank in "12345"]
        for colours, ranks in (slot.split("|") for slot in slots.split())
    ]
    return Case(
        name=name,
        about=about,
        card_names=tuple(map(card_name, range(N_CARDS))),
        candidates=np.array([int(digit) for digit in candidates.replace(" ", "")]),
        hint_mask=np.array(rows),
    )


def star(n_slots):
    """A card that every slot may hold; each has but one other, of its own.

    The larger the star, the smaller a fixed damping must be for V1 to come to rest.
    """
    rows = np.eye(n_slots + 1, dtype=bool)[1:]
    rows[:, 0] = True
    return Case(
        name=f"star of {n_slots}",
        about="All slots share one card.",
        card_names=("shared", *(f"own {slot}" for slot in range(n_slots))),
        candidates=np.ones(n_slots + 1, dtype=int),
        hint_mask=rows,
    )


S1 = _small("S1", "One slot is known, so the other is known too.", (1, 1), "10 11")
S2 = _small(
    "S2",
    "Four slots share one card: the plain step overshoots and flips for ever.",
    (1, 1, 1, 1, 1),
    "11000 10100 10010 10001",
    letters="01234",
)
S3 = _small(
    "S3",
    "The deck is empty: V1 has infinitely many fixed points.",
    (1, 1, 1),
    "110 011 111",
    letters="012",
)
S4 = _small("S4", "Three slots whose hints overlap.", (3, 2, 1), "110 111 011")
S5 = _small("S5", "One slot that competes with two others.", (2, 2, 1, 1), "1100 1010 0111")
S6 = _small(
    "S6",
    "Two cards, two slots and a strong likelihood: BB becomes certain, wrongly.",
    (1, 1),
    "11 11",
    [[9.0, 1.0], [1.0, 1.0]],
)
S7 = _small(
    "S7",
    "Three slots without hints, told apart by likelihood alone.",
    (2, 1, 1),
    "111 111 111",
    [[1.0, 0.5, 0.25], [1.0, 1.0, 1.0], [0.2, 1.0, 0.6]],
)
P1 = _real(
    "P1",
    "Slot 2 is certainly G2, although no hint says so.",
    "20111 21111 01011 30011 20010",
    "R|5 G|1345 G|12345 RYWB|12345 RYWB|12345 YWB|5 RYWB|1 RYWB|1 G|4 RYGWB|12345",
)
P2 = _real(
    "P2",
    "The plain step gives the true card of slot 1 probability 0.",
    "21010 02121 31220 22011 02010",
    "G|2 Y|1345 G|1345 Y|1345 RYGWB|12345 Y|4 Y|3 RYGWB|234 RYGWB|234 RYGWB|1",
)
P3 = _real(
    "P3",
    "The deck is empty, one slot too, and V1 is visibly off.",
    "01010 11000 00010 10000 00111",
    "RY|2 RY|145 RYWB|1345 RYWB|1345 RYGWB|12345 B|5 YGW|234 R|2345 YGWB|12345",
)
CASES = (S1, S2, S3, S4, S5, S6, S7, P1, P2, P3)
