"""Hands that a player may hold, drawn from what the hints allow and what the others' moves tell.

A hand is possible if the hints allow it; whoever knows the others' rules asks of each of their
moves so far, "had I held this hand, would they have done the same?" A player whose partners follow
their rules keeps the hands that agree with every move, as L of Foerster et al. 2019 does card by
card. One whose partners search as well weighs a hand by `FORGIVENESS` to the number of the moves
that the rules would not have made: nothing is ruled out by a move that only a search can explain.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base.jit import assign, njit
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.box import DECK_SIZE, N_CARDS
from gameai_lib.hanabi.game.table import ANY, MOST, SIZE, act, deal, number_of
from gameai_lib.hanabi.players.playout import decide
from gameai_lib.hanabi.players.rules import NONE, find_asked

FORGIVENESS = 0.3
N_WEIGHED = 2000  # hands, at least, of which some are drawn by their weights
FAR_WORSE = 4  # deviations more than the best hand has: such a hand weighs nothing
MOST_TRIES = 400  # hands that are tried for each that is wanted


class Memory(NamedTuple):
    """What the player to move has seen of a game, for kernels."""

    # (n_turns, SIZE) before each turn of another, if a card that is held now was held then
    before: np.ndarray
    moves: np.ndarray  # (n_turns,) made then
    # (n_turns, 5) of each slot then, which slot it is now; -1 for cards that have gone
    slots: np.ndarray
    promised: np.ndarray  # (5,) sets: cards that could be played when a hint asked for this slot


def remember(state):
    """The `Memory` of the player to move in a `State`; without turns, if its past is not known."""
    table, me = state.table.copy(), state.player
    for k in range(MOST * me, MOST * me + table[at.HELD + me]):
        knows = int(table[at.KNOWS + k])
        table[at.HANDS + k] = (knows & -knows).bit_length() - 1  # any card that the hints allow
    moves, places, deck = retrace(state, table)
    before, promised = np.empty((len(moves), SIZE), np.int64), np.full(DECK_SIZE + 1, ANY, np.int64)
    _replay(deal(state.n_players, deck), moves, me, places, before, promised)
    slot_now = np.full(DECK_SIZE + 1, NONE, np.int64)
    slot_now[places[-1]] = np.arange(MOST)
    slot_now[-1] = NONE  # of slots without a card
    slots = slot_now[places[:-1]]
    counts = (slots != NONE).any(axis=1) & (np.arange(len(moves)) % state.n_players != me)
    return Memory(before[counts], moves[counts], slots[counts], promised[places[-1]])


def retrace(state, table):
    """What the player to move knows of the moves so far, as numbers, and of the deck.

    Between them, (n_moves + 1, 5), before each move and now, where in the deck the player's own
    cards were; -1 where there is none.
    """
    n_players, past, n_drawn = state.n_players, state.past or (), state.n_players * state.hand_size
    deck, moves = np.zeros(DECK_SIZE, np.int64), np.empty(len(past), np.int64)
    places = np.full((len(past) + 1, MOST), NONE, np.int64)
    held = np.arange(n_drawn).reshape(n_players, -1).tolist()
    own = held[state.player]
    for turn, (move, card) in enumerate(past):
        places[turn, : len(own)] = own
        player = turn % n_players
        moves[turn] = number_of(move, player, n_players)
        if card is not None:
            deck[held[player].pop(move.slot)] = card
            held[player] += range(n_drawn, min(n_drawn + 1, DECK_SIZE))
            n_drawn += 1
    places[-1, : len(own)] = own
    for player, hand in enumerate(held):
        deck[hand] = table[at.HANDS + MOST * player :][: len(hand)]
    return moves, places, deck


@njit(cache=True)
def _replay(table, moves, me, places, before, promised):
    # Fill in the table before each move, and what was promised of each card of the deck.
    for turn in range(moves.size):
        assign(before[turn], table)
        act(table, moves[turn])
        if table[at.PLAYER] == me and find_asked(table) != NONE:
            promised[places[turn, find_asked(table)]] &= table[at.PLAYABLE]


@njit(cache=True)
def draw_hand(weights, copies, is_joint, hand, rng):
    """Draw a card for each slot by its row of `weights`, (n_slots, 25); whether there are so many.

    A second copy is taken as often as there is one left, if the slots are drawn jointly; else
    whenever there is one.
    """
    for slot in range(hand.size):
        row, total = weights[slot], 0.0
        for card in range(N_CARDS):
            total += row[card]
        left, card = rng.random() * total, 0
        while left >= row[card] and card < N_CARDS - 1:
            left -= row[card]
            card += 1
        n_used = 0
        for other in range(slot):
            n_used += hand[other] == card
        if n_used and (
            n_used >= copies[card] or (is_joint and rng.random() * copies[card] < n_used)
        ):
            return False
        hand[slot] = card
    return True


@njit(cache=True)
def count_deviations(rows, memory, me, hand, most, chances, rng):
    """How many of the others' moves the rules would not make with this hand; stops above `most`."""
    n = 0
    for turn in range(len(memory.moves) - 1, -1, -1):
        table = memory.before[turn]
        for k in range(MOST):
            if memory.slots[turn, k] != NONE:
                table[at.HANDS + MOST * me + k] = hand[memory.slots[turn, k]]
        n += decide(rows, table, chances, rng)[0] != memory.moves[turn]
        if n > most:
            break
    return n


def draw_own_hands(rows, memory, me, weights, copies, n_hands, most, rng, *, is_joint=True):
    """Hands from which at most `most` of the others' moves deviate, and how many do, if any.

    Of a hand far worse than the best, the number is too small.
    """
    hands, n_off = np.empty((n_hands, len(weights)), np.int64), np.empty(n_hands, np.int64)
    known = rows, memory, me, weights, copies, is_joint, most
    n = _fill_hands(*known, hands, n_off, np.empty((2, MOST)), rng)
    return hands[:n], n_off[:n]


@njit(cache=True)
def _fill_hands(rows, memory, me, weights, copies, is_joint, most, hands, n_off, chances, rng):
    n_found, fewest = 0, most
    for _ in range(MOST_TRIES * len(hands)):
        hand = hands[n_found]
        if draw_hand(weights, copies, is_joint, hand, rng):
            enough = min(most, fewest + FAR_WORSE)
            n = count_deviations(rows, memory, me, hand, enough, chances, rng)
            if n <= most:
                n_off[n_found], fewest = n, min(fewest, n)
                n_found += 1
                if n_found == len(hands):
                    break
    return n_found


@njit(cache=True)
def fill_deck(copies, hand, deck, rng):
    """Shuffle into `deck` the copies that are not in the hand."""
    n = 0
    for card in range(N_CARDS):
        n_left = copies[card]
        for k in range(hand.size):
            n_left -= hand[k] == card
        for _ in range(n_left):
            k = int(rng.random() * (n + 1))
            deck[n], deck[k] = deck[k], card
            n += 1
