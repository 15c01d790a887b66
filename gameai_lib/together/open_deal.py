"""Hanabi with open cards as a problem for nested search: how many points does a deal allow?

Everybody sees all hands and the deck, so that a game is a puzzle for one. The rules are those of
`gameai_lib.hanabi.game.table`; here stand the moves that such a puzzle needs, and their codes.

Legal here are fewer moves than at the table. One is left out only where another is as good:

- All hints are one move, to pass: what they say is known, and only their token counts.
- A card is spare if it is useless, or in its hand twice. Whoever discards has to discard no other
  while there is one: what follows the loss of another card can be played with that one in the
  place of the spare.
- A life is spent only on what a discard cannot do, to draw a card with all tokens there. With
  fewer a discard does the same, keeps the life and brings a token; should that token forbid a
  discard later, the life is there to do it. Nor is it spent with a playable card in the hand, which
  can be played for the same. The last life is not spent: without lives a game scores nothing.
- In the last round nobody draws: who can play does, and who cannot may do anything.
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.box import DECK_SIZE, MAX_HINTS, N_CARDS, N_RANKS
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import DISCARD, HINT, MOST, act, is_over, points, seat_after
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.nrpa.problem.walk import replay

MOST_LEGAL = 2 * MOST + 1  # each card can be played or discarded, and one can pass
MOST_PLIES = 2 * DECK_SIZE + MAX_HINTS  # each card is spent once, and brings a token at most

# `ints` are the table, the numbers of the moves that `legal` has just listed, and the first table.
LISTED = at.SIZE
START = LISTED + MOST_LEGAL

# A code is what is done by whom. What is done to a card is the card's; to pass, or to get rid of a
# spare card, is another thing at each length of the deck.
PLAYING, DISCARDING, MISPLAYING = range(3)
PASSING, DISCARDING_SPARE, MISPLAYING_SPARE = range(3)
SPARE_CODES = 3 * N_CARDS * MOST
N_CODES = SPARE_CODES + 3 * (DECK_SIZE + 1) * MOST


@njit(cache=True)
def reset(ints, floats):
    """Put the first position into the arrays."""
    for k in range(at.SIZE):
        ints[k] = ints[START + k]


@njit(cache=True)
def legal(ints, floats, codes, start):
    """Write the codes of the legal moves from ``codes[start]`` on; return how many there are."""
    if is_over(ints):
        return 0
    n, spare = list_plays(ints, codes, start)
    if ints[at.TURNS_LEFT] >= 0:
        return n if n > 0 else list_pass(ints, codes, start, 0)
    if ints[at.HINTS] < MAX_HINTS:
        n += list_spent(ints, spare, DISCARD, DISCARDING, codes, start, n)
    elif n == 0 and ints[at.LIVES] > 1:
        n += list_spent(ints, spare, 0, MISPLAYING, codes, start, n)
    if ints[at.HINTS] > 0:
        n += list_pass(ints, codes, start, n)
    return n


@njit(cache=True)
def list_plays(ints, codes, start):
    """List the plays of playable cards; return how many there are, and a spare slot or -1."""
    player, seen = ints[at.PLAYER], ints[at.USELESS]
    n, spare = 0, -1
    for slot in range(ints[at.HELD + player]):
        card = ints[at.HANDS + MOST * player + slot]
        if seen >> card & 1:
            spare = slot
        elif ints[at.PLAYABLE] >> card & 1:
            ints[LISTED + n] = slot
            codes[start + n] = card_code(ints, PLAYING, card)
            n += 1
        seen |= 1 << card
    return n, spare


@njit(cache=True)
def list_spent(ints, spare, first, kind, codes, start, n):
    """List the ways to lose a card, by moves numbered from `first`; return how many there are."""
    if spare >= 0:
        ints[LISTED + n] = first + spare
        codes[start + n] = spare_code(ints, kind)
        return 1
    n_held = ints[at.HELD + ints[at.PLAYER]]
    for slot in range(n_held):
        ints[LISTED + n + slot] = first + slot
        card = ints[at.HANDS + MOST * ints[at.PLAYER] + slot]
        codes[start + n + slot] = card_code(ints, kind, card)
    return n_held


@njit(cache=True)
def list_pass(ints, codes, start, n):
    """List a move that changes no hand, or in the last round one that cannot matter; return 1."""
    # Of the next player's first card the rank, which surely touches one.
    hint = HINT + ints[at.HANDS + MOST * seat_after(ints, 1)] % N_RANKS
    ints[LISTED + n] = hint if ints[at.HINTS] > 0 else DISCARD
    codes[start + n] = spare_code(ints, PASSING)
    return 1


@njit(cache=True)
def card_code(ints, kind, card):
    """The code of what is done to a card."""
    return (kind * N_CARDS + card) * MOST + ints[at.PLAYER]


@njit(cache=True)
def spare_code(ints, kind):
    """The code of a move to which no card matters."""
    return SPARE_CODES + (kind * (DECK_SIZE + 1) + ints[at.DRAWN]) * MOST + ints[at.PLAYER]


@njit(cache=True)
def play(ints, floats, k, code):
    """Play the legal move with index `k` and this code."""
    act(ints, ints[LISTED + k])


@njit(cache=True)
def score(ints, floats):
    """The score of the finished game."""
    return float(points(ints))


RULES = Rules(reset, legal, play, score)


def open_deal(state: State) -> Problem:
    """The rest of a game, from `state` on, with open cards; its score are the points at the end.

    If the game is over, or cards lie face down, it is a ValueError.

    Examples
    --------
    >>> NRPA(open_deal(State.new(2, 7)), 1, level=2, n_iterations=50).run(target=25).score
    25.0
    """
    if checks.kind("state", state, State).is_over:
        raise ValueError(f"the game is over, with {state.score} points")
    if not all(isinstance(cards, tuple) for cards in (state.deck, *state.hands)):
        raise ValueError("cards lie face down, and an open deal shows them all")
    ints = np.concatenate([state.table, np.zeros(MOST_LEGAL, np.int64), state.table])
    return seal("open deal", RULES, ints, [], N_CODES, MOST_PLIES, MOST_LEGAL)


def moves_of(problem: Problem, choices: ArrayLike) -> tuple[Move, ...]:
    """The moves of a game of `open_deal`, as `State.apply` takes them."""
    moves = []
    for ply in replay(problem, choices):
        if ply.choice >= 0:
            known = [LISTED + ply.choice, at.PLAYER, at.N_PLAYERS]
            moves.append(at.move_of(*ply.ints[known].tolist()))
    return tuple(moves)
