"""Whole games of rule agents as one kernel: whose rules are those of the library, and who count.

An agent is a row of rules, the most important first, as places in `ASKED`.
"""

from functools import lru_cache

import numpy as np

from gameai_lib.base.jit import assign, njit
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.box import N_CARDS, NO_CARD
from gameai_lib.hanabi.game.table import MOST, act, is_over, points, seat_after
from gameai_lib.hanabi.players import rules

# What a rule asks of a belief: nothing, what is certain, or probabilities.
NOTHING, CERTAINTY, CHANCES = range(3)
_LISTED = rules.find_rules(  # in the order of `_propose`
    "play_asked hint_asking play_certain play_likely play_nearly_certain gamble_at_the_end "
    "discard_useless discard_likeliest_useless discard_unmarked discard_oldest discard_randomly "
    "hint_useful hint_useful_to_next hint_dispensable hint_unknown_to_next hint_most hint_nothing "
    "hint_randomly play_newest random_move gamble_if_possible hint_asking_with_two hint_critical "
    "hint_critical_or_two hint_any_critical"
)
_OF_CHANCES = rules.find_rules(
    "play_likely play_nearly_certain gamble_at_the_end gamble_if_possible discard_likeliest_useless"
)
ASKED = dict.fromkeys(_LISTED, NOTHING) | dict.fromkeys(_OF_CHANCES, CHANCES)
ASKED |= {rules.play_certain: CERTAINTY, rules.discard_useless: CERTAINTY}
ASKS = np.array([*ASKED.values()])
PLACE = {rule: k for k, rule in enumerate(ASKED)}
MOST_MOVES = 128  # of a game: 50 cards to spend, and fewer than 70 tokens for hints


@njit(cache=True)
def _propose(rule, table, p_playable, p_useless, rng):
    # A kernel cannot call one out of a tuple by its number.
    if rule == 0:
        return rules.play_asked(table, p_playable, p_useless, rng)
    if rule == 1:
        return rules.hint_asking(table, p_playable, p_useless, rng)
    if rule == 2:
        return rules.play_certain(table, p_playable, p_useless, rng)
    if rule == 3:
        return rules.play_likely(table, p_playable, p_useless, rng)
    if rule == 4:
        return rules.play_nearly_certain(table, p_playable, p_useless, rng)
    if rule == 5:
        return rules.gamble_at_the_end(table, p_playable, p_useless, rng)
    if rule == 6:
        return rules.discard_useless(table, p_playable, p_useless, rng)
    if rule == 7:
        return rules.discard_likeliest_useless(table, p_playable, p_useless, rng)
    if rule == 8:
        return rules.discard_unmarked(table, p_playable, p_useless, rng)
    if rule == 9:
        return rules.discard_oldest(table, p_playable, p_useless, rng)
    if rule == 10:
        return rules.discard_randomly(table, p_playable, p_useless, rng)
    if rule == 11:
        return rules.hint_useful(table, p_playable, p_useless, rng)
    if rule == 12:
        return rules.hint_useful_to_next(table, p_playable, p_useless, rng)
    if rule == 13:
        return rules.hint_dispensable(table, p_playable, p_useless, rng)
    if rule == 14:
        return rules.hint_unknown_to_next(table, p_playable, p_useless, rng)
    if rule == 15:
        return rules.hint_most(table, p_playable, p_useless, rng)
    if rule == 16:
        return rules.hint_nothing(table, p_playable, p_useless, rng)
    if rule == 17:
        return rules.hint_randomly(table, p_playable, p_useless, rng)
    if rule == 18:
        return rules.play_newest(table, p_playable, p_useless, rng)
    if rule == 19:
        return rules.random_move(table, p_playable, p_useless, rng)
    if rule == 20:
        return rules.gamble_if_possible(table, p_playable, p_useless, rng)
    if rule == 21:
        return rules.hint_asking_with_two(table, p_playable, p_useless, rng)
    if rule == 22:
        return rules.hint_critical(table, p_playable, p_useless, rng)
    if rule == 23:
        return rules.hint_critical_or_two(table, p_playable, p_useless, rng)
    return rules.hint_any_critical(table, p_playable, p_useless, rng)


@njit(cache=True)
def count(table, asks, p_playable, p_useless):
    """Fill in what V0 says of each own card of the player to move; -1 where there is none.

    If a rule `asks` for `CERTAINTY` alone, what is not certain is 0.
    """
    playable, useless, possible = table[at.PLAYABLE], table[at.USELESS], table[at.POSSIBLE]
    first, once, twice, thrice = MOST * table[at.PLAYER], 0, 0, 0  # how often a card is in sight
    for k in range(MOST * table[at.N_PLAYERS]):
        if not first <= k < first + MOST and table[at.HANDS + k] != NO_CARD:
            card = 1 << table[at.HANDS + k]
            thrice |= twice & card
            twice |= once & card
            once |= card
    possible &= ~(once & ~table[at.POSSIBLE + 1] | twice & ~table[at.POSSIBLE + 2] | thrice)
    for slot in range(p_playable.size):
        cards = table[at.KNOWS + first + slot] & possible
        if not cards:
            p_playable[slot] = p_useless[slot] = -1.0
        elif asks == CERTAINTY:
            p_playable[slot] = not cards & ~playable
            p_useless[slot] = not cards & ~useless
        else:
            n, n_playable, n_useless = 0, 0, 0
            for card in range(N_CARDS):
                if cards >> card & 1:
                    copies = _count_unseen(table, card)
                    n += copies
                    n_playable += copies * (playable >> card & 1)
                    n_useless += copies * (useless >> card & 1)
            p_playable[slot], p_useless[slot] = n_playable / n, n_useless / n


@njit(cache=True)
def _count_unseen(table, card):
    # Copies of a card in the deck or in the hand of the player to move.
    copies, first = table[at.LEFT + card], MOST * table[at.PLAYER]
    for k in range(MOST * table[at.N_PLAYERS]):
        if not first <= k < first + MOST:
            copies -= table[at.HANDS + k] == card
    return copies


@njit(cache=True)
def decide(rows, table, chances, rng):
    """The move of the player to move, and the place in its row of the rule that proposes it.

    `NONE` and the length of the row, if none does. `chances`, (2, hand_size) floats, are written
    over.
    """
    has = NOTHING
    row = rows[table[at.PLAYER]]
    for k in range(row.size):
        rule = row[k]
        if ASKS[rule] > has:
            has = ASKS[rule]
            count(table, has, chances[0], chances[1])
        move = _propose(rule, table, chances[0], chances[1], rng)
        if move != rules.NONE:
            return move, k
    return rules.NONE, row.size


@njit(cache=True)
def would_act(rows, table, move, hands, acted, chances, rng):
    """Fill in whether the player to move makes this move, if the next players hold each hand.

    `hands`, (n_hands, n_others * hand_size), are the next player's, then the one's after that.
    """
    hand_size = chances.shape[1]
    for i in range(len(hands)):
        for k in range(hands.shape[1]):
            seat = seat_after(table, 1 + k // hand_size)
            table[at.HANDS + MOST * seat + k % hand_size] = hands[i, k]
        acted[i] = decide(rows, table, chances, rng)[0] == move


@njit(cache=True)
def play_out(rows, table, moves, chances, rng):
    """Play the table to its end, and write down the moves.

    Returns how many there are, at most `MOST_MOVES`, or -1 if no rule proposes one.
    """
    n_moves = 0
    while not is_over(table):
        move, _ = decide(rows, table, chances, rng)
        if move == rules.NONE:
            return -1
        act(table, move)
        moves[n_moves] = move
        n_moves += 1
    return n_moves


@njit(cache=True)
def play_decks(rows, start, decks, table, moves, chances, scores, rng):
    """Play a new game with each deck, (n_games, 50) cards, to its end, and write down scores.

    `start` is the table of any new game. Returns how many games were played: fewer than all if
    no rule proposes a move.
    """
    hand_size = chances.shape[1]
    for game in range(len(decks)):
        assign(table, start)
        assign(table[at.DECK :], decks[game])
        for k in range(start[at.DRAWN]):
            table[at.HANDS + MOST * (k // hand_size) + k % hand_size] = decks[game, k]
        if play_out(rows, table, moves, chances, rng) < 0:
            return game
        scores[game] = points(table) if table[at.LIVES] > 0 else 0
    return len(decks)


def row_of(agent_rules, belief):
    """The rules as places in `ASKED`; None if there are others, or another belief than V0."""
    if belief is not v0_belief or not PLACE.keys() >= {*agent_rules}:
        return None
    return tuple(PLACE[rule] for rule in agent_rules)


@lru_cache
def seat_rows(*rows):
    """(n_players, n_rules) int array: rows of one length."""
    # A rule that has proposed nothing proposes nothing when it is asked again.
    longest = max(map(len, rows))
    return np.array([row + row[-1:] * (longest - len(row)) for row in rows], dtype=np.int64)
