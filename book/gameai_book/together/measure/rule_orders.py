"""Seven rules in any order as a problem for nested search: a playout is a list, its score is noisy.

The world is a table of what each of the 5,040 lists scores on each of some decks. A playout looks
at the next few decks, so that the same list scores something else the next time. The mean over all
decks is what a list is worth.
"""

from functools import cache
from itertools import permutations

import numpy as np

from gameai_lib.base.jit import njit
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.nrpa.problem.problem import seal
from gameai_lib.nrpa.problem.rules import Rules

ORDERED = (
    rules.play_asked,
    rules.hint_asking,
    rules.play_certain,
    rules.discard_useless,
    rules.hint_critical,
    rules.gamble_at_the_end,
    rules.discard_unmarked,
)
LAST = (rules.discard_oldest, rules.hint_nothing, rules.play_newest)  # of every list
N_RULES, N_LISTS, N_DECKS = 7, 5040, 400
# `ints`: decks a playout looks at, decks looked at so far, rules in the list, the number of the
# list among those that begin so, which rules are in it, and the table.
N_GAMES, NEXT, LENGTH, NUMBER, USED, TABLE = 0, 1, 2, 3, 4, 11


def agent_in_order(order):
    """The agent with these of the `ORDERED` rules, by number, and the `LAST`."""
    return RuleAgent([*(ORDERED[k] for k in order), *LAST])


@cache
def score_lists(seed):
    """(5040, 400) points of each list, in the order of `permutations`, on the same decks."""
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(ALL_CARDS, (N_DECKS, 1)), axis=1)
    lists = permutations(range(N_RULES))
    return np.array([score_decks(agent_in_order(order), 2, decks, rng) for order in lists])


@njit(cache=True)
def reset(ints, floats):
    """An empty list, and the next decks."""
    ints[NEXT] += ints[N_GAMES]
    ints[LENGTH] = ints[NUMBER] = 0
    for rule in range(N_RULES):
        ints[USED + rule] = 0


@njit(cache=True)
def legal(ints, floats, codes, start):
    """Each rule that is not in the list; a code is a rule at a place."""
    n = 0
    for rule in range(N_RULES):
        if not ints[USED + rule]:
            codes[start + n] = rule * N_RULES + ints[LENGTH]
            n += 1
    return n


@njit(cache=True)
def play(ints, floats, k, code):
    """Put a rule at the end of the list."""
    ints[NUMBER] = ints[NUMBER] * (N_RULES - ints[LENGTH]) + k
    ints[USED + code // N_RULES] = 1
    ints[LENGTH] += 1


@njit(cache=True)
def score(ints, floats):
    """Mean points of the list on the decks of this playout."""
    total = 0.0
    for game in range(ints[NEXT], ints[NEXT] + ints[N_GAMES]):
        total += ints[TABLE + ints[NUMBER] * N_DECKS + game % N_DECKS]
    return total / ints[N_GAMES]


def order_problem(table, n_games, first=0):
    """Lists of rules, scored by so many games each; the first playout looks at decks from `first`.

    `table` is as of `score_lists`.
    """
    head = np.zeros(TABLE, np.int64)
    head[N_GAMES], head[NEXT] = n_games, first
    ints = np.concatenate([head, table.ravel().astype(np.int64)])
    rules_of_problem = Rules(reset, legal, play, score)
    return seal("order of rules", rules_of_problem, ints, [], N_RULES**2, N_RULES, N_RULES)


def number_of_list(order):
    """The place of a list, as numbers of rules, among all `permutations`."""
    left, number = list(range(N_RULES)), 0
    for rule in order:
        number = number * len(left) + left.index(rule)
        left.remove(rule)
    return number
