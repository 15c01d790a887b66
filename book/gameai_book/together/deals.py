"""What a searcher looks at, deal by deal: points of each of its moves, and hands it throws away."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from gameai_lib.base.types import Floats
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.box import ALL_CARDS, DECK_SIZE, N_CARDS, card_name, rest_of_box
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import MOST, SIZE, number_of
from gameai_lib.hanabi.players.playout import MOST_MOVES, seat_rows
from gameai_lib.hanabi.players.reading import draw_own_hands, remember, retrace
from gameai_lib.hanabi.players.searcher import play_deals


class Deals(NamedTuple):
    """Points of moves on the same deals."""

    moves: tuple[Move, ...]  #: that of the rules first
    points: Floats  #: (n_deals, n_moves) at the end of the game

    @property
    def gains(self):
        """(n_deals, n_moves) floats: points more than by the first move, on each deal."""
        return self.points - self.points[:, :1]


def play_all(searcher, state, rng):
    """The `Deals` of a search of the player to move that gives no move up."""
    moves, *_, hands = next(searcher.think(state.hide_hand(state.player), rng))
    numbers = [number_of(move, state.player, state.n_players) for move in moves]
    points, is_open = np.zeros((len(hands), len(moves))), np.ones(len(moves), bool)
    rows = seat_rows(*[searcher.blueprint.row] * state.n_players)
    copies = state.view(state.player)[0][:N_CARDS].astype(np.int64)
    work = np.empty(SIZE, np.int64), np.empty(MOST_MOVES, np.int64), np.empty((2, MOST)), rng
    deals = hands, copies, np.array(numbers, np.int64), is_open
    play_deals(rows, state.hide_hand(state.player).table.copy(), *deals, points, *work)
    return Deals(moves, points)


def finish(agent, state):
    """Points at the end of a game that copies of an agent play on from a state."""
    while not state.is_over:
        state = state.apply(agent(state.hide_hand(state.player), None))
    return state.score


def begin_with(hand):
    """A new game of two in which player 1 holds these cards; the others come in order."""
    rest = list((Counter(ALL_CARDS.tolist()) - Counter(hand)).elements())
    first = len(hand)
    return State.from_deck(2, [*rest[:first], *hand, *rest[first:]])


def odd_moves(agent, frames, hand):
    """Yield the moves of the others that an agent would not have made, had this been the hand.

    The `frames` are of a game from its start to the turn of the player whose hand it is, and the
    `agent` acts without chance. Cards that the hand takes the place of are dealt elsewhere. Yields
    the number of the turn, the move that was made, and what the agent would have done.
    """
    now = frames[-1].state
    state = State.from_deck(now.n_players, _deal_again(now, hand))
    for turn, frame in enumerate(frames[:-1]):
        if state.player != now.player:
            move = agent(state.hide_hand(state.player), None)
            if move != frame.move:
                yield turn, frame.move, move
        state = state.apply(frame.move)


def _deal_again(state, hand):
    """The deck of the game so far, had the player to move come to hold this hand."""
    table, first = state.table.copy(), at.HANDS + MOST * state.player
    is_hand = len(hand) == len(state.hands[state.player])
    if is_hand:
        table[first : first + len(hand)] = hand
    _, _, deck = retrace(state, table)
    n_drawn = DECK_SIZE - state.n_deck
    rest = rest_of_box(np.bincount(deck[:n_drawn], minlength=N_CARDS))
    if not is_hand or len(rest) != state.n_deck:
        raise ValueError(f"{[card_name(card) for card in hand]} cannot be the hand")
    deck[n_drawn:] = rest
    return deck


def count_surprises(blueprint, state, rng, n_hands=2000):
    """(n_hands,) ints: of hands that the hints allow, how many moves of the others each makes odd.

    A move is odd if the rules would not have made it, had this been the hand. Of hands that are far
    worse than the best so far, the number is too small.
    """
    me, rows = state.player, seat_rows(*[blueprint.row] * state.n_players)
    copies, mask = state.view(me)
    copies, n_slots = copies[:N_CARDS].astype(np.int64), len(state.hands[me])
    weights = copies * mask[:n_slots, :N_CARDS].astype(float)
    memory = remember(state.hide_hand(me))
    most = len(memory.moves)
    return draw_own_hands(rows, memory, me, weights, copies, n_hands, most, rng)[1]
