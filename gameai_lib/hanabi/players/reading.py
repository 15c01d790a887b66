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
from gameai_lib.hanabi.game.cards import DECK_SIZE, N_CARDS
from gameai_lib.hanabi.game.table import ANY, DISCARD, HINT, MOST, SIZE, act, deal, number_of
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
    numbers, deck = _retrace(state, table)
    before = np.empty((len(numbers), SIZE), np.int64)
    slots = np.empty((len(numbers), MOST), np.int64)
    places = np.full(MOST, NONE, np.int64)
    promised = np.full(DECK_SIZE + 1, ANY, np.int64)  # the last for slots without a card
    places[: state.hand_size] = np.arange(state.hand_size) + me * state.hand_size
    start = deal(state.n_players, deck)
    n_turns = _replay(start, numbers, me, before, places, slots, promised)
    moves = numbers[np.arange(len(numbers)) % state.n_players != me]
    held = np.flatnonzero((slots[:n_turns] != NONE).any(axis=1))
    return Memory(before[held], moves[held], slots[held], promised[places])


def _retrace(state, table):
    """The moves so far as numbers, and the deck as far as the player to move knows it."""
    n_players, past, n_drawn = state.n_players, state.past or (), state.n_players * state.hand_size
    deck, numbers = np.zeros(DECK_SIZE, np.int64), np.empty(len(past), np.int64)
    held = np.arange(n_drawn).reshape(n_players, -1).tolist()  # places in the deck
    for turn, (move, card) in enumerate(past):
        player = turn % n_players
        numbers[turn] = number_of(move, player, n_players)
        if card is not None:
            deck[held[player].pop(move.slot)] = card
            held[player] += range(n_drawn, min(n_drawn + 1, DECK_SIZE))
            n_drawn += 1
    for player, places in enumerate(held):
        deck[places] = table[at.HANDS + MOST * player :][: len(places)]
    return numbers, deck


@njit(cache=True)
def _replay(table, moves, me, before, places, slots, promised):
    # Fill in `Memory`; `places`, (5,) in the deck, and `promised`, (51,), are of the own cards.
    n_turns = 0
    for move in moves:
        player, n_drawn, last = table[at.PLAYER], table[at.DRAWN], table[at.HELD + me] - 1
        if player != me:
            assign(before[n_turns], table)
            assign(slots[n_turns], places)
            n_turns += 1
        act(table, move)
        if player == me and move < HINT:
            for k in range(move % DISCARD, last):
                places[k] = places[k + 1]
            places[last] = n_drawn if n_drawn < DECK_SIZE else NONE
        elif table[at.PLAYER] == me and find_asked(table) != NONE:
            promised[places[find_asked(table)]] &= table[at.PLAYABLE]
    for turn in range(n_turns):
        for k in range(MOST):
            place, slots[turn, k] = slots[turn, k], NONE
            for slot in range(table[at.HELD + me]):
                if places[slot] == place:
                    slots[turn, k] = slot
    return n_turns


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


@njit(cache=True)
def draw_hands(rows, memory, me, weights, copies, is_joint, hands, chances, rng):
    """Fill in hands from which none of the others' moves deviates; returns how many were found."""
    n_found = 0
    for _ in range(MOST_TRIES * len(hands)):
        hand = hands[n_found]
        if draw_hand(weights, copies, is_joint, hand, rng):
            n_found += count_deviations(rows, memory, me, hand, 0, chances, rng) == 0
            if n_found == len(hands):
                break
    return n_found


@njit(cache=True)
def weigh_hands(rows, memory, me, weights, copies, hands, n_off, chances, rng):
    """Fill in hands, and from how many of the others' moves each deviates.

    Returns how many hands were found. Of a hand far worse than the best, `n_off` is too small.
    """
    n_found, fewest = 0, len(memory.moves)
    for _ in range(MOST_TRIES * len(hands)):
        hand = hands[n_found]
        if draw_hand(weights, copies, True, hand, rng):
            most = fewest + FAR_WORSE
            n_off[n_found] = count_deviations(rows, memory, me, hand, most, chances, rng)
            fewest = min(fewest, n_off[n_found])
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
