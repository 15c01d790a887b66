"""What a searcher looks at, deal by deal: points of each of its moves, and hands it throws away."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from gameai_lib.base.types import Floats
from gameai_lib.hanabi.game.box import ALL_CARDS, DECK_SIZE, N_CARDS, card_name
from gameai_lib.hanabi.game.moves import Discard, Move, Play
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import MOST, SIZE, number_of
from gameai_lib.hanabi.players.playout import MOST_MOVES, seat_rows
from gameai_lib.hanabi.players.reading import draw_hands, remember
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
    start, now = frames[0].state, frames[-1].state
    state = State.from_deck(start.n_players, _deal_again(start, frames[:-1], now.player, hand))
    for turn, frame in enumerate(frames[:-1]):
        if state.player != now.player:
            move = agent(state.hide_hand(state.player), None)
            if move != frame.move:
                yield turn, frame.move, move
        state = state.apply(frame.move)


def _deal_again(start, frames, player, hand):
    """The deck of the game, changed so that a player comes to hold a hand."""
    deck = [card for cards in start.hands for card in cards] + list(start.deck)
    n_drawn = DECK_SIZE - len(start.deck)
    places = np.arange(n_drawn).reshape(start.n_players, -1).tolist()
    for frame in frames:
        if isinstance(frame.move, Play | Discard):
            del places[frame.state.player][frame.move.slot]
            places[frame.state.player] += range(n_drawn, min(n_drawn + 1, DECK_SIZE))
            n_drawn += 1
    own = places[player]
    hidden = Counter(deck[place] for place in [*own, *range(n_drawn, DECK_SIZE)])
    if len(hand) != len(own) or Counter(hand) - hidden:
        raise ValueError(f"{[card_name(card) for card in hand]} cannot be the hand")
    rest = iter((hidden - Counter(hand)).elements())
    for place, card in zip(own, hand, strict=True):
        deck[place] = card
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
    return draw_hands(rows, memory, me, weights, copies, n_hands, most, rng)[1]
