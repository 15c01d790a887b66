"""Rules to be put in order, and open deals with other codes: as listed, and as stored."""

from itertools import permutations

import numpy as np
import pytest

from gameai_book.together.measure import rule_orders
from gameai_book.together.measure.deal_codes import LEGAL, coded_deal
from gameai_lib.hanabi import RuleAgent, State
from gameai_lib.nrpa import NRPA
from gameai_lib.together.open_deal import moves_of

TABLE = np.arange(rule_orders.N_LISTS * rule_orders.N_DECKS).reshape(rule_orders.N_LISTS, -1)


def test_lists_are_numbered_as_python_orders_them():
    lists = list(permutations(range(rule_orders.N_RULES)))
    for number in (0, 1, 719, 720, 3333, 5039):
        assert rule_orders.number_of_list(lists[number]) == number


def test_a_playout_is_scored_on_the_next_decks():
    problem = rule_orders.order_problem(TABLE, 10, first=20)
    search = NRPA(problem, np.random.default_rng(1), level=1, n_iterations=1)
    best, left = search.run(), list(range(rule_orders.N_RULES))
    number = rule_orders.number_of_list([left.pop(k) for k in best.choices])
    assert best.score == TABLE[number, 30:40].mean()


def test_the_convention_is_one_of_the_lists():
    silent = {rule_orders.ORDERED.index(rule) for rule in rule_orders.ORDERED[4:6]}
    order = [k for k in range(rule_orders.N_RULES) if k not in silent]
    assert rule_orders.agent_in_order(order).rules == RuleAgent("Convention").rules


@pytest.mark.slow
@pytest.mark.parametrize("code", LEGAL)
def test_codes_change_nothing_in_the_game(code):
    state = State.new(2, np.random.default_rng([1, 0]))
    problem = coded_deal(state, code)
    best = NRPA(problem, 1, level=2, n_iterations=10).run()
    for move in moves_of(problem, best.choices):
        state = state.apply(move)
    assert state.is_over
    assert state.score == best.score
