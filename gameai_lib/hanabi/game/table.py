"""The rules of Hanabi, on an array: what lies on the table, and what a move changes.

A `State` shows a table to people, and has each move checked. Here a move is a number that is taken
to be legal, and the table is changed in place. A set of cards is the bits of an int.

    0 .. 4      play this slot
    5 .. 9      discard slot - 5
    10 k + r    show the player k seats on all cards of rank r + 1 (r = 0 .. 4)
    10 k + c    show that player all cards of colour c - 5 (c = 5 .. 9)

A table is one array of int64, so that it costs little to pass and to copy. Other files know this
one as ``at`` where they say what stands where: ``table[at.HINTS]``.
"""

import numpy as np

from gameai_lib.base import jit
from gameai_lib.base.jit import njit
from gameai_lib.hanabi.game import box
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play

DISCARD, HINT = 5, 10  # where the numbers of these moves begin
ANY = 2**box.N_CARDS - 1  # the set of all cards
_BITS = 1 << np.arange(box.N_CARDS)  # the set of each card alone
# (10,) the cards that each hint touches: ranks, then colours.
TOUCHES = box.read_only(box.IS_TOUCHED[:, : box.N_CARDS] @ _BITS)
ONE_COLOUR = 2**box.N_RANKS - 1  # a colour's cards, as bits from its lowest
COPIES = box.read_only(box.FULL_COUNTS[: box.N_CARDS].copy())

# Single numbers: tokens, lives, whose turn it is, turns left or -1, cards drawn, last move or -1;
# and how many play.
HINTS, LIVES, PLAYER, TURNS_LEFT, DRAWN, LAST, N_PLAYERS = range(7)
# Sets of cards: those that can be played now; those already played, or above one whose copies are
# all gone; and those with one, two and three copies left, or more.
PLAYABLE, USELESS, POSSIBLE = 7, 8, 9
FIREWORKS = 12  # (5,) heights
LEFT = 17  # (25,) copies of each card in the deck or in a hand
HELD = 42  # (5,) cards in each hand
HANDS = 47  # (5, 5) cards of each player, oldest first, `NO_CARD` behind the last
KNOWS = 72  # (5, 5) sets of the cards that the hints allow, nothing behind the last
DECK = 97  # (50,) all cards, in the order in which they are drawn
SIZE = DECK + box.DECK_SIZE
MOST = 5  # slots of a hand, and players


def deal(n_players, deck):
    """Return the table of a new game with this deck, (50,) cards."""
    hand_size, table = box.HAND_SIZE[n_players], np.zeros(SIZE, dtype=np.int64)
    table[:USELESS] = (
        box.MAX_HINTS, box.MAX_LIVES, 0, -1, n_players * hand_size, -1, n_players, TOUCHES[0],
    )  # fmt: skip
    table[LEFT:HELD], table[DECK:] = COPIES, deck
    table[POSSIBLE:FIREWORKS] = _with_copies(COPIES)
    table[HELD : HELD + n_players] = hand_size
    table[HANDS:KNOWS] = box.NO_CARD
    for player in range(n_players):
        first = MOST * player
        table[HANDS + first :][:hand_size] = deck[player * hand_size :][:hand_size]
        table[KNOWS + first :][:hand_size] = ANY
    return table


def lay_out(state):
    """Return the fields of a `State` as a table; cards that lie face down are `NO_CARD` there."""
    n_players, hand_size = state.hint_mask.shape[:2]
    table = np.full(SIZE, box.NO_CARD, dtype=np.int64)
    n_drawn, last = box.DECK_SIZE - len(state.deck), state.last_move
    table[:PLAYABLE] = (
        state.n_hints, state.n_lives, state.player,
        -1 if state.turns_left is None else state.turns_left, n_drawn,
        -1 if last is None else number_of(last, state.player - 1, n_players), n_players,
    )  # fmt: skip
    table[PLAYABLE:FIREWORKS], table[FIREWORKS:LEFT] = 0, state.fireworks
    table[LEFT:HELD] = COPIES - state.discards - box.BUILT[state.fireworks].ravel()
    table[HELD:HANDS], table[KNOWS:DECK] = 0, 0
    knows = state.hint_mask[:, :, : box.N_CARDS] @ _BITS
    for player, hand in enumerate(state.hands):
        first = MOST * player
        table[HELD + player] = len(hand)
        table[KNOWS + first :][:hand_size] = knows[player]
        if isinstance(hand, tuple):
            table[HANDS + first :][: len(hand)] = hand
    if isinstance(state.deck, tuple):
        table[DECK + n_drawn :] = state.deck
    table[POSSIBLE:FIREWORKS] = _with_copies(table[LEFT:HELD])
    with jit.plain_at_first():
        for colour in range(box.N_COLOURS):
            update_sets(table, colour)
    return table


def read_off(table):
    """The fields of a `State`, by name, but for its past: the inverse of `lay_out`."""
    n_hints, n_lives, player, turns_left, n_drawn, last, n_players = table[:PLAYABLE].tolist()
    hands = table[HANDS:KNOWS].reshape(MOST, MOST).tolist()[:n_players]
    knows = table[KNOWS:DECK].reshape(MOST, MOST)[:n_players, : box.HAND_SIZE[n_players]]
    hint_mask = np.empty((*knows.shape, box.N_CARDS + 1), dtype=bool)
    hint_mask[:, :, : box.N_CARDS] = knows[:, :, None] & _BITS
    hint_mask[:, :, box.NO_CARD] = knows == 0
    fireworks = table[FIREWORKS:LEFT].copy()
    discards = COPIES - table[LEFT:HELD] - box.BUILT[fireworks].ravel()
    return {
        "n_players": n_players,
        "deck": _cards(table[DECK + n_drawn :].tolist()),
        "hands": tuple(_cards(hand[:n]) for hand, n in zip(hands, table[HELD:HANDS], strict=False)),
        "hint_mask": box.read_only(hint_mask),
        "fireworks": box.read_only(fireworks),
        "discards": box.read_only(discards),
        "n_hints": n_hints,
        "n_lives": n_lives,
        "player": player,
        "turns_left": None if turns_left < 0 else turns_left,
        "last_move": None if last < 0 else move_of(last, player - 1, n_players),
    }


def _cards(cards):
    return box.FaceDown(len(cards)) if cards and cards[0] == box.NO_CARD else tuple(cards)


def _with_copies(left):
    return (left > np.arange(3)[:, None]) @ _BITS


def number_of(move, player, n_players):
    """The number of a `Move` of `player`."""
    if isinstance(move, Play):
        return move.slot
    if isinstance(move, Discard):
        return DISCARD + move.slot
    which = move.rank - 1 if isinstance(move, HintRank) else box.N_RANKS + move.colour
    return 10 * ((move.player - player) % n_players) + which


def move_of(number, player, n_players):
    """The `Move` of `player` that has this number."""
    if number < HINT:
        return Play(number) if number < DISCARD else Discard(number - DISCARD)
    other, which = (player + number // 10) % n_players, number % 10
    if which < box.N_RANKS:
        return HintRank(other, which + 1)
    return HintColour(other, which - box.N_RANKS)


@njit(cache=True)
def act(table, move):
    """Change the table by a legal move of the player to move."""
    if table[TURNS_LEFT] >= 0:
        table[TURNS_LEFT] -= 1
    if move >= HINT:
        _show(table, seat_after(table, move // 10), TOUCHES[move % 10])
        table[HINTS] -= 1
    else:
        card = _take(table, table[PLAYER], move % DISCARD)
        table[LEFT + card] -= 1
        table[POSSIBLE + table[LEFT + card]] ^= 1 << card
        colour, gains = card // box.N_RANKS, move >= DISCARD
        if move < DISCARD and card % box.N_RANKS == table[FIREWORKS + colour]:
            table[FIREWORKS + colour] += 1
            gains = table[FIREWORKS + colour] == box.N_RANKS  # a finished firework gives a token
        elif move < DISCARD:
            table[LIVES] -= 1
        update_sets(table, colour)
        if gains and table[HINTS] < box.MAX_HINTS:
            table[HINTS] += 1
    table[PLAYER] = seat_after(table, 1)
    table[LAST] = move


@njit(cache=True)
def seat_after(table, k):
    """The player k seats after the one to move."""
    seat = table[PLAYER] + k
    return seat - table[N_PLAYERS] if seat >= table[N_PLAYERS] else seat


@njit(cache=True)
def look(table, player, slot):
    """The card in a slot of a player, and the set of those that the hints allow there."""
    place = MOST * player + slot
    return table[HANDS + place], table[KNOWS + place]


@njit(cache=True)
def _show(table, player, touched):
    # The cards that a hint touches are of this set, and the others are not.
    first = MOST * player
    for slot in range(first, first + table[HELD + player]):
        held = touched >> table[HANDS + slot] & 1
        table[KNOWS + slot] &= touched if held else ~touched


@njit(cache=True)
def _take(table, player, slot):
    # Take the card out of a slot and draw one, if any is left. Returns the card.
    first, last = MOST * player, MOST * player + table[HELD + player] - 1
    card = table[HANDS + first + slot]
    for k in range(first + slot, last):
        table[HANDS + k], table[KNOWS + k] = table[HANDS + k + 1], table[KNOWS + k + 1]
    n_drawn = table[DRAWN]
    if n_drawn == box.DECK_SIZE:
        table[HANDS + last], table[KNOWS + last] = box.NO_CARD, 0
        table[HELD + player] -= 1
        return card
    table[HANDS + last], table[KNOWS + last] = table[DECK + n_drawn], ANY
    table[DRAWN] = n_drawn + 1
    if n_drawn + 1 == box.DECK_SIZE:
        table[TURNS_LEFT] = table[N_PLAYERS]  # everybody has one more turn
    return card


@njit(cache=True)
def update_sets(table, colour):
    """Bring `PLAYABLE` and `USELESS` up to date after a card of this colour has gone."""
    height, first = table[FIREWORKS + colour], box.N_RANKS * colour
    playable, useless = 1 << height & ONE_COLOUR, (1 << height) - 1
    for rank in range(height, box.N_RANKS):
        if table[LEFT + first + rank] == 0:
            useless |= ONE_COLOUR ^ (1 << rank) - 1
            break
    others = ~(ONE_COLOUR << first)
    table[PLAYABLE] = table[PLAYABLE] & others | playable << first
    table[USELESS] = table[USELESS] & others | useless << first


@njit(cache=True)
def points(table):
    """Sum of the fireworks."""
    total = 0
    for k in range(FIREWORKS, LEFT):
        total += table[k]
    return total


@njit(cache=True)
def is_over(table):
    """Whether the lives are lost, all fireworks are complete or time is up."""
    return table[LIVES] == 0 or table[TURNS_LEFT] == 0 or table[PLAYABLE] == 0
