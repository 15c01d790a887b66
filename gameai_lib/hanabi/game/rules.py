"""The game for people: a state in which nothing changes, and moves that are checked.

Card numbering, slot order (a new card goes to the end of the hand, the rest shift
left), what a hint tells and when a game ends all follow the Hanabi Learning Environment
(Bard et al. 2020, "The Hanabi Challenge"); ``benchmarks/hanabi_reference.py`` compares
the two state by state. What a move changes stands in `gameai_lib.hanabi.game.table`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np

from gameai_lib.base import checks, jit
from gameai_lib.base.checks import is_whole, short
from gameai_lib.base.types import Bools, Ints, Seed
from gameai_lib.hanabi.game import box
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.checked import checked_deck, checked_fields, checked_n_players
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Move, Play, touched_slots
from gameai_lib.hanabi.game.table import MOST, act, deal, lay_out, number_of, read_off
from gameai_lib.hanabi.game.text import state_text


class IllegalMove(ValueError):
    """A move that the rules forbid in this state; the message says which and why."""


@dataclass(frozen=True, eq=False)
class State:
    """One moment of a game: everything, or what one player sees. Nothing in it changes.

    ``print(state)`` shows it as text, which `parse_state` reads. Fields that belong to no moment
    of a game are refused: together the cards are the 50 of the box, and hints allow what is held.

    Examples
    --------
    >>> state = State.new(2, 7)
    >>> [card_name(card) for card in state.hands[1]]
    ['Y1', 'W4', 'R1', 'G4', 'R3']
    >>> after = state.apply(HintColour(1, 0))
    >>> after.player, after.n_hints, len(after.legal_moves())
    (1, 7, 16)
    >>> [card_name(card) for card in np.flatnonzero(after.hint_mask[1, 2])]
    ['R1', 'R2', 'R3', 'R4', 'R5']
    """

    n_players: int
    deck: tuple[int, ...]  #: undrawn cards, the next one first; face down if a hand is
    #: Cards of each player, the oldest first; short in the last round, or `FaceDown`.
    hands: tuple[tuple[int, ...], ...]
    #: (n_players, hand_size, 26), what all hints so far allow; an absent slot only `NO_CARD`.
    hint_mask: Bools
    fireworks: Ints  #: (5,), height of each colour's firework
    discards: Ints  #: (25,), copies of each card discarded or misplayed
    n_hints: int = box.MAX_HINTS  #: information tokens left
    n_lives: int = box.MAX_LIVES
    player: int = 0  #: whose turn it is
    turns_left: int | None = None  #: until the game ends; None as long as there is a deck
    last_move: Move | None = None  #: that led here, known to all
    #: All moves so far, each with the card that it showed (None for a hint); None if not known.
    past: tuple[tuple[Move, int | None], ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name, value in checked_fields(self).items():
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        return state_text(self)

    @classmethod
    def _of(cls, table, past):
        """The state that a table stands for; it needs no check."""
        state = object.__new__(cls)
        vars(state).update(read_off(table), past=past, table=table)
        return state

    @cached_property
    def table(self) -> Ints:
        """The state as kernels know it, see `gameai_lib.hanabi.game.table`; not to be changed."""
        return lay_out(self)

    @classmethod
    def new(cls, n_players: int, rng: Seed) -> Self:
        """Deal a shuffled deck."""
        return cls.from_deck(n_players, checks.generator(rng).permutation(box.ALL_CARDS))

    @classmethod
    def from_deck(cls, n_players: int, deck: Sequence[int] | Ints) -> Self:
        """Deal a given deck of all 50 cards: the first are player 0's hand, then player 1's, ..."""
        n_players = checked_n_players(n_players)
        return cls._of(deal(n_players, checked_deck(deck)), past=())

    @property
    def hand_size(self) -> int:
        """Slots of a full hand."""
        return self.hint_mask.shape[1]

    @property
    def n_deck(self) -> int:
        """Cards left to draw."""
        return len(self.deck)

    @property
    def score(self) -> int:
        """Sum of the fireworks, or 0 once all lives are lost (as in the reference)."""
        return int(self.fireworks.sum()) if self.n_lives > 0 else 0

    @property
    def is_over(self) -> bool:
        """Whether the lives are lost, all fireworks are complete or time is up."""
        return self.n_lives == 0 or self.turns_left == 0 or self.score == box.N_CARDS

    def candidates(self) -> Ints:
        """(26,) int array: copies of each card in the deck or in any hand, then absent slots."""
        n_absent = self.n_players * self.hand_size - sum(map(len, self.hands))
        # Of the machine's own size, by which `np.repeat` takes counts in a page's Python, too.
        return np.append(self.table[at.LEFT : at.HELD], n_absent).astype(np.intp)

    def public(self) -> tuple[Ints, Bools]:
        """What everybody knows: candidates (26,) and hint mask (n_players * hand_size, 26)."""
        return self.candidates(), self.hint_mask.reshape(-1, box.N_CARDS + 1)

    def view(self, player: int) -> tuple[Ints, Bools]:
        """What `player` knows of their own hand: candidates (26,) and hint mask (hand_size, 26).

        The cards in the other hands are in sight, and the last entry counts the own absent slots.
        """
        player = checks.whole("player", player, 0, self.n_players - 1)
        counts = self.candidates()
        for other, hand in enumerate(self.hands):
            if other != player:
                for card in hand:
                    counts[card] -= 1
        counts[box.NO_CARD] = self.hand_size - len(self.hands[player])
        return counts, self.hint_mask[player]

    def hide_hand(self, player: int) -> "State":
        """This state as `player` sees it: the own hand and the deck are `FaceDown`."""
        player = checks.whole("player", player, 0, self.n_players - 1)
        if isinstance(self.hands[player], box.FaceDown):
            return self
        table = self.table.copy()
        table[at.HANDS + MOST * player :][: len(self.hands[player])] = box.NO_CARD
        table[at.DECK :] = box.NO_CARD
        return self._of(table, self.past)

    def playable(self) -> Bools:
        """(26,) bool array: the cards that could be played right now."""
        return _row(self.table[at.PLAYABLE])

    def useless(self) -> Bools:
        """(26,) bool array: cards already played, or above one whose copies are all gone."""
        return _row(self.table[at.USELESS])

    def legal_moves(self) -> tuple[Move, ...]:
        """Tuple of all legal moves of the player to move; empty when the game is over."""
        if self.is_over:
            return ()
        slots = range(len(self.hands[self.player]))
        moves: list[Move] = [Play(slot) for slot in slots]
        if self.n_hints < box.MAX_HINTS:
            moves += [Discard(slot) for slot in slots]
        if self.n_hints > 0:
            for player, hand in enumerate(self.hands):
                if player != self.player:
                    colours = sorted({card // box.N_RANKS for card in hand})
                    ranks = sorted({card % box.N_RANKS + 1 for card in hand})
                    moves += [HintColour(player, colour) for colour in colours]
                    moves += [HintRank(player, rank) for rank in ranks]
        return tuple(moves)

    def apply(self, move: Move) -> "State":
        """The state after `move` of the player to move; an `IllegalMove` if the rules forbid it."""
        self._check(move)
        shown = None
        if isinstance(move, Play | Discard):
            shown = self.hands[self.player][move.slot]
            _drawn = self.deck[:1]  # an error where it lies face down
        table = self.table.copy()
        with jit.plain_at_first():
            act(table, number_of(move, self.player, self.n_players))
        return self._of(table, None if self.past is None else (*self.past, (move, shown)))

    def _check(self, move):
        if reason := self.why_illegal(move):
            raise IllegalMove(f"player {self.player}, {short(move)}: {reason}")

    def why_illegal(self, move: Move) -> str:
        """The rule that `move` breaks here, in words; empty if it is legal."""
        if not isinstance(move, Move):
            return "not a move"
        if self.is_over:
            return "the game is over"
        if isinstance(move, HintColour | HintRank):
            return self._why_illegal_hint(move)
        n_cards = len(self.hands[self.player])
        if not is_whole(move.slot) or not 0 <= move.slot < n_cards:
            return f"the hand has slots 0 to {n_cards - 1}"
        if isinstance(move, Discard) and self.n_hints == box.MAX_HINTS:
            return f"no discard with all {box.MAX_HINTS} information tokens"
        return ""

    def _why_illegal_hint(self, hint):
        if self.n_hints == 0:
            return "no information token left"
        if not is_whole(hint.player) or not 0 <= hint.player < self.n_players:
            return f"there are players 0 to {self.n_players - 1}"
        if hint.player == self.player:
            return "a hint goes to another player"
        return "" if touched_slots(hint, self.hands[hint.player]) else "the hint touches no card"


def _row(cards):
    """(26,) bool array of a set of cards."""
    return (int(cards) >> np.arange(box.N_CARDS + 1) & 1).astype(bool)


def describe(state: State, move: Move) -> str:
    """Caption of `move` made in `state`, such as "player 1: hint rank 4 to player 0".

    A card played or discarded is shown to all, so the caption names it. A move that the rules
    forbid is an `IllegalMove`.

    Examples
    --------
    >>> describe(State.new(2, 7), HintColour(1, 0))
    'player 0: hint colour R to player 1'
    """
    checks.kind("state", state, State)._check(move)
    who = f"player {state.player}"
    if isinstance(move, HintColour):
        return f"{who}: hint colour {box.COLOURS[move.colour]} to player {move.player}"
    if isinstance(move, HintRank):
        return f"{who}: hint rank {move.rank} to player {move.player}"
    card = state.hands[state.player][move.slot]
    if isinstance(move, Discard):
        return f"{who}: discard {box.card_name(card)} from slot {move.slot}"
    lost = "" if state.playable()[card] else ", a life lost"
    return f"{who}: play {box.card_name(card)} from slot {move.slot}{lost}"
