"""The game as arrays, for kernels: what lies on the table, and what a move changes.

`State` is the same game for people: nothing in it changes, and each move is checked. Here a move is
a number that is taken to be legal, and the table is changed in place. A set of cards is the bits
of an int.

    0 .. 4      play this slot
    5 .. 9      discard slot - 5
    10 k + r    show the player k seats on all cards of rank r + 1 (r = 0 .. 4)
    10 k + c    show that player all cards of colour c - 5 (c = 5 .. 9)
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.hanabi.game.cards import (
    DECK_SIZE,
    FULL_COUNTS,
    IS_COLOUR,
    IS_RANK,
    MAX_HINTS,
    MAX_LIVES,
    N_CARDS,
    N_COLOURS,
    N_RANKS,
    NO_CARD,
    Discard,
    HintColour,
    HintRank,
    Play,
    read_only,
)

DISCARD, HINT = 5, 10  # where the numbers of these moves begin
ANY = 2**N_CARDS - 1  # the set of all cards
# (10,) the cards that each hint touches: ranks, then colours.
TOUCHES = read_only(np.concatenate([IS_RANK, IS_COLOUR])[:, :N_CARDS] @ (1 << np.arange(N_CARDS)))
COPIES = read_only(FULL_COUNTS[:N_CARDS].copy())

# What `Table.numbers` holds.
HINTS, LIVES, PLAYER, TURNS_LEFT, DRAWN, LAST = range(6)


class Table(NamedTuple):
    """One moment of a game; all arrays are of int."""

    deck: np.ndarray  # (50,) cards in the order in which they are drawn
    hands: np.ndarray  # (n_players, hand_size) cards, oldest first, `NO_CARD` behind the last
    n_held: np.ndarray  # (n_players,) cards in each hand
    knows: np.ndarray  # (n_players, hand_size) sets of the cards that the hints allow
    left: np.ndarray  # (25,) copies of each card in the deck or in a hand
    fireworks: np.ndarray  # (5,) heights
    # (6,) tokens, lives, whose turn it is, turns left or -1, cards drawn, and the last move or -1.
    numbers: np.ndarray


def deal(n_players, hand_size, deck):
    """Return the `Table` of a new game with this deck, (50,) cards."""
    n_dealt = n_players * hand_size
    return _table(
        deck,
        np.reshape(deck[:n_dealt], (n_players, hand_size)),
        np.full(n_players, hand_size),
        np.full((n_players, hand_size), ANY),
        COPIES,
        np.zeros(N_COLOURS),
        [MAX_HINTS, MAX_LIVES, 0, -1, n_dealt, -1],
    )


def _table(*parts):
    # A page's numpy has 32 bits where none are asked for, and kernels have 64.
    return Table(*(np.array(part, dtype=np.int64) for part in parts))


def lay_out(state):
    """Return a `State` as a `Table`; cards that lie face down are `NO_CARD` there."""
    n_players, hand_size = state.hint_mask.shape[:2]
    hands = np.full((n_players, hand_size), NO_CARD)
    for player, hand in enumerate(state.hands):
        if isinstance(hand, tuple):
            hands[player, : len(hand)] = hand
    deck = np.full(DECK_SIZE, NO_CARD)
    n_drawn = DECK_SIZE - len(state.deck)
    if isinstance(state.deck, tuple):
        deck[n_drawn:] = state.deck
    last = (
        -1 if state.last_move is None else number_of(state.last_move, state.player - 1, n_players)
    )
    turns_left = -1 if state.turns_left is None else state.turns_left
    return _table(
        deck,
        hands,
        [len(hand) for hand in state.hands],
        state.hint_mask[:, :, :N_CARDS] @ (1 << np.arange(N_CARDS)),
        state.candidates()[:N_CARDS],
        state.fireworks,
        [state.n_hints, state.n_lives, state.player, turns_left, n_drawn, last],
    )


def number_of(move, player, n_players):
    """The number of a `Move` of `player`."""
    if isinstance(move, Play):
        return move.slot
    if isinstance(move, Discard):
        return DISCARD + move.slot
    which = move.rank - 1 if isinstance(move, HintRank) else N_RANKS + move.colour
    return 10 * ((move.player - player) % n_players) + which


def move_of(number, player, n_players):
    """The `Move` of `player` that has this number."""
    if number < HINT:
        return Play(number) if number < DISCARD else Discard(number - DISCARD)
    other, which = (player + number // 10) % n_players, number % 10
    return HintRank(other, which + 1) if which < N_RANKS else HintColour(other, which - N_RANKS)


@njit(cache=True)
def act(table, move):
    """Change the table by a legal move of the player to move."""
    numbers, player = table.numbers, table.numbers[PLAYER]
    n_players = len(table.hands)
    if numbers[TURNS_LEFT] >= 0:
        numbers[TURNS_LEFT] -= 1
    if move >= HINT:
        _show(table, (player + move // 10) % n_players, TOUCHES[move % 10])
        numbers[HINTS] -= 1
    else:
        card = _take(table, player, move % DISCARD)
        table.left[card] -= 1
        colour, gains = card // N_RANKS, move >= DISCARD
        if move < DISCARD and card % N_RANKS == table.fireworks[colour]:
            table.fireworks[colour] += 1
            gains = table.fireworks[colour] == N_RANKS  # a finished firework gives a token
        elif move < DISCARD:
            numbers[LIVES] -= 1
        if gains and numbers[HINTS] < MAX_HINTS:
            numbers[HINTS] += 1
    numbers[PLAYER] = (player + 1) % n_players
    numbers[LAST] = move


@njit(cache=True)
def _show(table, player, touched):
    # The cards that a hint touches are of this set, and the others are not.
    for slot in range(table.n_held[player]):
        held = touched >> table.hands[player, slot] & 1
        table.knows[player, slot] &= touched if held else ~touched


@njit(cache=True)
def _take(table, player, slot):
    # Take the card out of a slot and draw one, if any is left. Returns the card.
    hand, knows, last = table.hands[player], table.knows[player], table.n_held[player] - 1
    card = hand[slot]
    for k in range(slot, last):
        hand[k], knows[k] = hand[k + 1], knows[k + 1]
    n_drawn = table.numbers[DRAWN]
    if n_drawn == DECK_SIZE:
        hand[last], knows[last] = NO_CARD, 0
        table.n_held[player] = last
        return card
    hand[last], knows[last] = table.deck[n_drawn], ANY
    table.numbers[DRAWN] = n_drawn + 1
    if n_drawn + 1 == DECK_SIZE:
        table.numbers[TURNS_LEFT] = len(table.hands)  # everybody has one more turn
    return card


@njit(cache=True)
def points(table):
    """Sum of the fireworks."""
    total = 0
    for height in table.fireworks:
        total += height
    return total


@njit(cache=True)
def is_over(table):
    """Whether the lives are lost, all fireworks are complete or time is up."""
    numbers = table.numbers
    return numbers[LIVES] == 0 or numbers[TURNS_LEFT] == 0 or points(table) == N_CARDS


@njit(cache=True)
def playable_set(table):
    """The set of cards that can be played now."""
    found = 0
    for colour in range(N_COLOURS):
        if table.fireworks[colour] < N_RANKS:
            found |= 1 << (N_RANKS * colour + table.fireworks[colour])
    return found


@njit(cache=True)
def useless_set(table):
    """The set of cards already played, or above one whose copies are all gone."""
    found = 0
    for colour in range(N_COLOURS):
        is_reachable = True
        for rank in range(N_RANKS):
            card = N_RANKS * colour + rank
            # Copies that lie in a firework are not gone.
            is_built = rank < table.fireworks[colour]
            is_reachable = is_reachable and table.left[card] + is_built > 0
            if is_built or not is_reachable:
                found |= 1 << card
    return found


@njit(cache=True)
def possible_set(left):
    """The set of cards with copies left, of (25,) numbers."""
    found = 0
    for card in range(N_CARDS):
        if left[card] > 0:
            found |= 1 << card
    return found
