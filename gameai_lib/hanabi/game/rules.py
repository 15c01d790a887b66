"""The full rules of Hanabi for two to five players, as immutable states and moves.

Card numbering, slot order (a new card goes to the end of the hand, the rest shift
left), what a hint tells and when a game ends all follow the Hanabi Learning Environment
(Bard et al. 2020, "The Hanabi Challenge"); ``benchmarks/hanabi_reference.py`` compares
the two state by state.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import is_whole, short

COLOURS = "RYGWB"
N_COLOURS = 5
N_RANKS = 5
N_CARDS = N_COLOURS * N_RANKS  # different cards; a card is 5 * colour + (rank - 1)
NO_CARD = N_CARDS  # column of "no card": slots left empty in the last round
COPIES = (3, 2, 2, 2, 1)  # of each rank, in each colour
DECK_SIZE = N_COLOURS * sum(COPIES)
MAX_HINTS = 8  # information tokens
MAX_LIVES = 3
HAND_SIZE = {2: 5, 3: 5, 4: 4, 5: 4}  # by number of players


def _read_only(array):
    array.setflags(write=False)
    return array


_COLUMN = np.arange(N_CARDS + 1)
IS_CARD = _read_only(_COLUMN < NO_CARD)  # (26,) bool: mask of a slot nobody hinted at
IS_COLOUR = _read_only(  # (5, 26) bool: the cards that a hint of this colour touches
    (np.arange(N_COLOURS)[:, None] == _COLUMN // N_RANKS) & IS_CARD
)
IS_RANK = _read_only(  # (5, 26) bool, row rank - 1: the cards that this hint touches
    (np.arange(N_RANKS)[:, None] == _COLUMN % N_RANKS) & IS_CARD
)
FULL_COUNTS = _read_only(np.array(COPIES * N_COLOURS + (0,)))  # (26,) copies in the box
_BUILT = _read_only(  # (6, 5): which ranks lie in a firework of this height
    (np.arange(N_RANKS) < np.arange(N_RANKS + 1)[:, None]).astype(np.int64)
)


class IllegalMove(ValueError):
    """A move that the rules forbid in this state; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card in `slot` (0 = oldest) of one's own hand."""

    slot: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the card in `slot` (0 = oldest) of one's own hand for a token."""

    slot: int


@dataclass(frozen=True, slots=True)
class HintColour:
    """Show `player` (absolute index) all cards of `colour` (0..4) in their hand."""

    player: int
    colour: int


@dataclass(frozen=True, slots=True)
class HintRank:
    """Show `player` (absolute index) all cards of `rank` (1..5) in their hand."""

    player: int
    rank: int


# Dataclasses and not NamedTuples: as tuples, Play(0) == Discard(0) would be true.
Move = Play | Discard | HintColour | HintRank


def card_name(card):
    """Name such as ``"G2"`` of a card 0..24, or ``"none"`` for `NO_CARD`.

    Raises
    ------
    ValueError
        If `card` is not in 0..25.
    """
    if not is_whole(card) or not 0 <= card <= NO_CARD:
        raise ValueError(f"a card is an integer from 0 to {NO_CARD}, got {short(card)}")
    return "none" if card == NO_CARD else f"{COLOURS[card // N_RANKS]}{card % N_RANKS + 1}"


def parse_card(name):
    """Card 0..24 of a name such as ``"G2"``; the inverse of `card_name`.

    Raises
    ------
    ValueError
        If `name` is not a letter of ``RYGWB`` followed by a digit 1..5.
    """
    is_name = isinstance(name, str) and len(name) == 2
    if not is_name or name[0] not in COLOURS or name[1] not in "12345":
        raise ValueError(
            f"a card is one letter of {COLOURS} and one digit of 12345, got {short(name)}"
        )
    return N_RANKS * COLOURS.index(name[0]) + int(name[1]) - 1


def hint_cards(hint):
    """(26,) bool mask of the cards that a `HintColour` or `HintRank` touches.

    Raises
    ------
    ValueError
        If it is neither, or names no colour or rank.
    """
    if isinstance(hint, HintColour) and is_whole(hint.colour) and 0 <= hint.colour < N_COLOURS:
        return IS_COLOUR[hint.colour]
    if isinstance(hint, HintRank) and is_whole(hint.rank) and 1 <= hint.rank <= N_RANKS:
        return IS_RANK[hint.rank - 1]
    raise ValueError(f"not a hint: {short(hint)}")


def touched_slots(hint, hand):
    """Slots of `hand` (a tuple of cards) that `hint` touches, oldest first."""
    touches = hint_cards(hint)
    return [slot for slot, card in enumerate(hand) if touches[card]]


@dataclass(frozen=True, eq=False)
class State:
    """One moment of a game: everything, hidden cards included. Nothing in it changes.

    Attributes
    ----------
    n_players : int
    deck : tuple of int
        Undrawn cards, the next one first.
    hands : tuple of tuples of int
        Card of each slot by player, oldest first; short in the last round.
    hint_mask : (n_players, hand_size, 26) bool array
        Cards that the hints, positive and negative, still allow; an absent slot allows
        only `NO_CARD`, a present one never does.
    fireworks : (5,) int array
        Height of each colour's firework.
    discards : (25,) int array
        Copies of each card discarded or misplayed.
    n_hints, n_lives : int
        Information tokens and lives left.
    player : int
        Whose turn it is.
    turns_left : int or None
        Turns until the game ends; None as long as there is a deck.
    last_move : Move or None
        The move that led here, known to all.

    Raises
    ------
    ValueError, TypeError
        If a number is out of range, the deck, the hands, the fireworks and the discards are
        not the 50 cards of the game together, or the hints forbid a card that is held.
    """

    n_players: int
    deck: tuple
    hands: tuple
    hint_mask: np.ndarray
    fireworks: np.ndarray
    discards: np.ndarray
    n_hints: int = MAX_HINTS
    n_lives: int = MAX_LIVES
    player: int = 0
    turns_left: int | None = None
    last_move: Move | None = None

    def __post_init__(self):
        for name, value in checked_fields(self).items():
            object.__setattr__(self, name, value)

    def _changed(self, **fields):
        """This state with other fields that the rules have made, and that need no check."""
        state = object.__new__(State)
        for array in ("hint_mask", "fireworks", "discards"):
            if array in fields:
                _read_only(fields[array])
        state.__dict__.update(self.__dict__, **fields)
        return state

    @classmethod
    def new(cls, n_players, rng):
        """Deal a shuffled deck; see `from_deck` for the errors."""
        box = np.repeat(np.arange(N_CARDS), FULL_COUNTS[:N_CARDS])
        return cls.from_deck(n_players, checks.generator(rng).permutation(box).tolist())

    @classmethod
    def from_deck(cls, n_players, deck):
        """Deal a given deck: the first cards are player 0's hand, then player 1's, ...

        Parameters
        ----------
        n_players : int
            Two to five.
        deck : sequence of 50 ints
            All cards, in the order in which they are drawn.

        Raises
        ------
        ValueError
            If `n_players` is not 2..5, or `deck` is not the 50 cards of the game.
        """
        if not is_whole(n_players) or n_players not in HAND_SIZE:
            raise ValueError(f"Hanabi has 2 to 5 players, got {short(n_players)}")
        deck = _checked_deck(deck)
        size = HAND_SIZE[n_players]
        starts = range(0, n_players * size, size)
        return cls(
            n_players=n_players,
            deck=deck[n_players * size :],
            hands=tuple(deck[start : start + size] for start in starts),
            hint_mask=np.tile(IS_CARD, (n_players, size, 1)),
            fireworks=np.zeros(N_COLOURS, dtype=np.int64),
            discards=np.zeros(N_CARDS, dtype=np.int64),
        )

    @property
    def hand_size(self):
        """Slots of a full hand."""
        return self.hint_mask.shape[1]

    @property
    def n_deck(self):
        """Cards left to draw."""
        return len(self.deck)

    @property
    def score(self):
        """Sum of the fireworks, or 0 once all lives are lost (as in the reference)."""
        return int(self.fireworks.sum()) if self.n_lives > 0 else 0

    @property
    def is_over(self):
        """Whether the lives are lost, all fireworks are complete or time is up."""
        return self.n_lives == 0 or self.turns_left == 0 or self.score == N_CARDS

    def candidates(self):
        """(26,) int array: copies of each card in the deck or in any hand.

        The last entry is the number of absent slots, so that the counts of the slots'
        cards always fit into it.
        """
        counts = FULL_COUNTS.copy()
        counts[:N_CARDS] -= self.discards + _BUILT[self.fireworks].ravel()
        counts[NO_CARD] = self.n_players * self.hand_size - sum(map(len, self.hands))
        return counts

    def public(self):
        """What everybody knows: candidates (26,) and hint mask (n_players * hand_size, 26)."""
        return self.candidates(), self.hint_mask.reshape(-1, N_CARDS + 1)

    def view(self, player):
        """What `player` knows of their own hand.

        Returns
        -------
        candidates : (26,) int array
            Copies of each card in the deck or in one's own hand, the cards in the other
            hands being in sight; the last entry counts one's own absent slots.
        hint_mask : (hand_size, 26) bool array

        Raises
        ------
        ValueError
            If there is no such player.
        """
        if not is_whole(player) or not 0 <= player < self.n_players:
            raise ValueError(f"there are players 0 to {self.n_players - 1}, got {short(player)}")
        counts = self.candidates()
        for other, hand in enumerate(self.hands):
            if other != player:
                for card in hand:
                    counts[card] -= 1
        counts[NO_CARD] = self.hand_size - len(self.hands[player])
        return counts, self.hint_mask[player]

    def playable(self):
        """(26,) bool array: the cards that could be played right now."""
        mask = np.zeros(N_CARDS + 1, dtype=bool)
        next_cards = np.arange(0, N_CARDS, N_RANKS) + self.fireworks
        mask[next_cards[self.fireworks < N_RANKS]] = True
        return mask

    def useless(self):
        """(26,) bool array: cards already played, or above one whose copies are all gone."""
        # A firework can still reach the ranks up to the first one with no copy left.
        left = (FULL_COUNTS[:N_CARDS] - self.discards).reshape(N_COLOURS, N_RANKS)
        reachable = np.logical_and.accumulate(left > 0, axis=1)
        useless = np.zeros(N_CARDS + 1, dtype=bool)
        useless[:N_CARDS] = (~reachable | (_BUILT[self.fireworks] > 0)).ravel()
        return useless

    def legal_moves(self):
        """Tuple of all legal moves of the player to move; empty when the game is over."""
        if self.is_over:
            return ()
        slots = range(len(self.hands[self.player]))
        moves = [Play(slot) for slot in slots]
        if self.n_hints < MAX_HINTS:
            moves += [Discard(slot) for slot in slots]
        if self.n_hints > 0:
            for player, hand in enumerate(self.hands):
                if player != self.player:
                    colours = sorted({card // N_RANKS for card in hand})
                    ranks = sorted({card % N_RANKS + 1 for card in hand})
                    moves += [HintColour(player, colour) for colour in colours]
                    moves += [HintRank(player, rank) for rank in ranks]
        return tuple(moves)

    def apply(self, move):
        """The state after `move` of the player to move.

        Raises
        ------
        IllegalMove
            If the rules forbid the move here, or the game is over.
        """
        reason = self._why_illegal(move)
        if reason:
            raise IllegalMove(f"player {self.player}, {short(move)}: {reason}")
        last_round = self.turns_left is not None
        is_hint = isinstance(move, HintColour | HintRank)
        changed = self._hint(move) if is_hint else self._spend(move)
        if last_round:
            changed["turns_left"] = self.turns_left - 1
        player = (self.player + 1) % self.n_players
        return self._changed(player=player, last_move=move, **changed)

    def _why_illegal(self, move):
        """The rule that `move` breaks, or "" if it is legal."""
        if not isinstance(move, Move):
            return "not a move"
        if self.is_over:
            return "the game is over"
        if isinstance(move, HintColour | HintRank):
            return self._why_illegal_hint(move)
        n_cards = len(self.hands[self.player])
        if not is_whole(move.slot) or not 0 <= move.slot < n_cards:
            return f"the hand has slots 0 to {n_cards - 1}"
        if isinstance(move, Discard) and self.n_hints == MAX_HINTS:
            return f"no discard with all {MAX_HINTS} information tokens"
        return ""

    def _why_illegal_hint(self, hint):
        if self.n_hints == 0:
            return "no information token left"
        if not is_whole(hint.player) or not 0 <= hint.player < self.n_players:
            return f"there are players 0 to {self.n_players - 1}"
        if hint.player == self.player:
            return "a hint goes to another player"
        if isinstance(hint, HintColour):
            if not is_whole(hint.colour) or not 0 <= hint.colour < N_COLOURS:
                return f"colours are 0 to {N_COLOURS - 1}"
        elif not is_whole(hint.rank) or not 1 <= hint.rank <= N_RANKS:
            return f"ranks are 1 to {N_RANKS}"
        if not touched_slots(hint, self.hands[hint.player]):
            return "the hint touches no card"
        return ""

    def _hint(self, hint):
        """Fields changed by a legal hint."""
        touched = np.zeros(self.hand_size, dtype=bool)
        touched[touched_slots(hint, self.hands[hint.player])] = True
        mask = self.hint_mask.copy()
        # Touched slots keep the hinted cards, the others lose them (negative information).
        # An absent slot counts as untouched and keeps its NO_CARD.
        mask[hint.player] &= hint_cards(hint) == touched[:, None]
        return {"hint_mask": mask, "n_hints": self.n_hints - 1}

    def _spend(self, move):
        """Fields changed by a legal `Play` or `Discard`."""
        card = self.hands[self.player][move.slot]
        changed = self._draw(move.slot)
        gained = isinstance(move, Discard)
        if isinstance(move, Play) and self.playable()[card]:
            fireworks = self.fireworks.copy()
            fireworks[card // N_RANKS] += 1
            changed["fireworks"] = fireworks
            gained = card % N_RANKS + 1 == N_RANKS  # a finished firework gives a token
        else:
            discards = self.discards.copy()
            discards[card] += 1
            changed["discards"] = discards
            changed["n_lives"] = self.n_lives - isinstance(move, Play)
        changed["n_hints"] = min(MAX_HINTS, self.n_hints + gained)
        return changed

    def _draw(self, slot):
        """Fields changed by taking the card out of `slot` and drawing one, if any is left."""
        hand = self.hands[self.player]
        hand = hand[:slot] + hand[slot + 1 :] + self.deck[:1]
        mask = self.hint_mask.copy()
        own = mask[self.player]
        own[slot:-1] = self.hint_mask[self.player, slot + 1 :]
        own[-1] = IS_CARD if self.deck else ~IS_CARD
        changed = {
            "hands": (*self.hands[: self.player], hand, *self.hands[self.player + 1 :]),
            "deck": self.deck[1:],
            "hint_mask": mask,
        }
        if len(self.deck) == 1:
            changed["turns_left"] = self.n_players  # everybody has one more turn
        return changed


def _checked_deck(deck):
    cards = deck.tolist() if isinstance(deck, np.ndarray) else deck
    if not isinstance(cards, Sequence) or isinstance(cards, str):
        raise TypeError(f"a deck is a sequence of {DECK_SIZE} cards, got {short(deck)}")
    checked = tuple(cards[: DECK_SIZE + 1])
    for card in checked:
        if not is_whole(card):
            raise ValueError(f"the cards of a deck are whole numbers, got {short(card)}")
    checked = tuple(map(int, checked))
    wrong = _wrong_copies(Counter(checked))
    if wrong or len(checked) != DECK_SIZE:
        try:
            n_cards = len(cards)
        except OverflowError:  # of a range longer than any list
            n_cards = f"more than {DECK_SIZE}"
        raise ValueError(
            f"a deck holds the game's {DECK_SIZE} cards; this one has {n_cards}, "
            f"with a wrong number of {', '.join(wrong) or 'nothing else'}"
        )
    return checked


def _wrong_copies(counts):
    """Names of the cards of which there are more or fewer than in the box."""
    return [card_name(f) for f in range(N_CARDS) if counts[f] != FULL_COUNTS[f]]


def checked_fields(state):
    """Return the fields of a `State`, arrays read only, hands and deck as tuples of ints.

    Raises
    ------
    ValueError, TypeError
        As `State`.
    """
    if not is_whole(state.n_players) or state.n_players not in HAND_SIZE:
        raise ValueError(f"Hanabi has 2 to 5 players, got {short(state.n_players)}")
    n_players, size = int(state.n_players), HAND_SIZE[state.n_players]
    shapes = {"hint_mask": (n_players, size, N_CARDS + 1), "fireworks": (5,), "discards": (25,)}
    fields = {"n_players": n_players}
    for name, shape in shapes.items():
        array = getattr(state, name)
        if not isinstance(array, np.ndarray) or array.shape != shape:
            what = f"shape {array.shape}" if isinstance(array, np.ndarray) else short(array)
            raise ValueError(f"{name} must be an array of shape {shape}, got {what}")
        fields[name] = array if not array.flags.writeable else _read_only(array.copy())
    if fields["hint_mask"].dtype != bool:
        raise TypeError(f"hint_mask must be boolean, got {fields['hint_mask'].dtype}")
    arrays.whole("fireworks", state.fireworks, 0, N_RANKS)
    arrays.whole("discards", state.discards, 0, DECK_SIZE)
    fields["n_hints"] = checks.whole("n_hints", state.n_hints, 0, MAX_HINTS)
    fields["n_lives"] = checks.whole("n_lives", state.n_lives, 0, MAX_LIVES)
    fields["player"] = checks.whole("player", state.player, 0, n_players - 1)
    fields["deck"] = _checked_cards("the deck", state.deck)
    hands = checks.kind("hands", state.hands, tuple, list)
    if len(hands) != n_players:
        raise ValueError(f"{n_players} players have {n_players} hands, got {len(hands)}")
    fields["hands"] = tuple(_checked_cards(f"hand {p}", hand) for p, hand in enumerate(hands))
    if state.turns_left is not None:
        fields["turns_left"] = checks.whole("turns_left", state.turns_left, 0, n_players)
    if (state.turns_left is None) != bool(fields["deck"]):
        raise ValueError(
            f"turns_left is None as long as there is a deck, and a number after, got "
            f"{short(state.turns_left)} with {len(fields['deck'])} cards"
        )
    if not isinstance(state.last_move, Move | None):
        raise TypeError(f"last_move must be a move or None, got {short(state.last_move)}")
    _check_cards(fields, size)
    return fields


def _checked_cards(name, cards):
    if not isinstance(cards, tuple | list):
        raise TypeError(f"{name} must be a tuple of cards, got {short(cards)}")
    return tuple(arrays.whole(name, cards, 0, N_CARDS - 1).tolist()) if cards else ()


def _check_cards(fields, size):
    """Refuse cards that are not those of the game, and hints that forbid what is held."""
    counts = Counter(fields["deck"])
    for player, hand in enumerate(fields["hands"]):
        counts.update(hand)
        if len(hand) > size or (len(hand) < size and fields["deck"]):
            raise ValueError(f"player {player} must hold {size} cards, got {len(hand)}")
        held = np.array([*hand, *[NO_CARD] * (size - len(hand))])
        mask = fields["hint_mask"][player]
        wrong = np.flatnonzero(~mask[np.arange(size), held] | (mask[:, NO_CARD] & (held < NO_CARD)))
        if wrong.size:
            slot = int(wrong[0])
            raise ValueError(
                f"hint_mask of player {player} forbids {card_name(int(held[slot]))} in slot {slot},"
                f" or allows no card there"
            )
    for card in range(N_CARDS):
        is_built = card % N_RANKS < fields["fireworks"][card // N_RANKS]
        counts[card] += int(fields["discards"][card]) + int(is_built)
    if wrong := _wrong_copies(counts):
        raise ValueError(
            f"deck, hands, fireworks and discards must be the game's {DECK_SIZE} cards; they are "
            f"{counts.total()}, with a wrong number of {', '.join(wrong)}"
        )


def describe(state, move):
    """Caption of `move` made in `state`, such as "player 1: hint rank 4 to player 0".

    A card played or discarded is shown to all, so the caption names it.

    Raises
    ------
    IllegalMove
        If the rules forbid the move.
    """
    reason = checks.kind("state", state, State)._why_illegal(move)
    if reason:
        raise IllegalMove(f"player {state.player}, {short(move)}: {reason}")
    who = f"player {state.player}"
    if isinstance(move, HintColour):
        return f"{who}: hint colour {COLOURS[move.colour]} to player {move.player}"
    if isinstance(move, HintRank):
        return f"{who}: hint rank {move.rank} to player {move.player}"
    card = state.hands[state.player][move.slot]
    if isinstance(move, Discard):
        return f"{who}: discard {card_name(card)} from slot {move.slot}"
    lost = "" if state.playable()[card] else ", a life lost"
    return f"{who}: play {card_name(card)} from slot {move.slot}{lost}"
