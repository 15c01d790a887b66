"""Open deals: against all lines of play, the rules for people, and deals that hold cards back."""

from dataclasses import replace

import numpy as np
import pytest

from gameai_lib.base import jit
from gameai_lib.hanabi import State
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.nrpa import NRPA, FlatMonteCarlo, Problem, try_out
from gameai_lib.together.best_line import best_line, lines, most_points
from gameai_lib.together.open_deal import moves_of, open_deal
from tests.nrpa.games import press_at
from tests.together.exhaustive import most_by_all_lines

compiled_only = pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")


def end_of(moves, state):
    """The last state of a line; it is illegal where the rules for people forbid a move."""
    for move in moves:
        state = state.apply(move)
    return state


def late(n_players, seed, n_deck):
    """A position of a random game with so many cards in the deck; None if the game ends before."""
    state = State.new(n_players, seed)
    search = FlatMonteCarlo(open_deal(state), seed)
    for move in moves_of(search.problem, search.run(1).choices):
        if len(state.deck) == n_deck:
            return state
        state = state.apply(move)
    return None


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_a_line_is_a_whole_game_of_its_points_by_the_rules_for_people(n_players):
    for seed in range(5):
        state = State.new(n_players, seed)
        problem = open_deal(state)
        for game in (FlatMonteCarlo(problem, seed).run(1), NRPA(problem, 1, level=1).run(20)):
            end = end_of(moves_of(problem, game.choices), state)
            assert end.is_over
            assert end.score == game.score


@pytest.mark.slow
@pytest.mark.parametrize(("n_players", "n_deck", "n"), [(2, 2, 6), (2, 3, 1), (3, 2, 1), (4, 1, 1)])
def test_the_best_of_all_lines_is_legal_here_and_found(n_players, n_deck, n):
    exact_bounds = 0
    for state in filter(None, (late(n_players, seed, n_deck) for seed in range(n))):
        for tokens, lives in ((0, 3), (8, 3), (8, 1)):
            position = replace(state, n_hints=tokens, n_lives=lives)
            line, most = best_line(position, 1, n_playouts=10_000), most_by_all_lines(position)
            assert line.points == most <= line.most
            assert end_of(line.moves, position).score == most
            exact_bounds += most == line.most
    assert exact_bounds >= n  # of 3 n positions


@pytest.mark.parametrize(
    ("n_players", "deck", "most"),
    [
        # All ones last: before the first of them nine of the twenty kinds of others can be held.
        (2, sorted(ALL_CARDS, key=lambda card: -(card % 5)), 25 - (20 - 9)),
        # With more hands they can, but from that one on 14 cards are left, and five last turns.
        (5, sorted(ALL_CARDS, key=lambda card: -(card % 5)), 14 + 5),
        # The red ones are the last three cards: two more draws, and four turns for five cards.
        (2, sorted(ALL_CARDS, key=lambda card: (card == 0, card % 5)), 24),
        (3, sorted(ALL_CARDS, key=lambda card: (card == 0, card % 5)), 25),
    ],
)
def test_cards_that_come_too_late_cost_what_a_count_by_hand_says(n_players, deck, most):
    state = State.from_deck(n_players, deck)
    assert most_points(state) == most
    assert best_line(state, 1, n_playouts=1).points <= most


@compiled_only
def test_what_the_bound_allows_is_mostly_found_and_never_exceeded():
    lines = [best_line(State.new(2, np.random.default_rng([1, i])), i, n_playouts=5000)
             for i in (0, 1, 2, 47, 50, 187)]  # fmt: skip
    assert [line.points for line in lines] == [line.most for line in lines] == 3 * [25] + 3 * [24]


@pytest.mark.slow
def test_the_rules_keep_their_contract_and_are_the_same_in_plain_python():
    sealed = open_deal(State.new(3, 1))
    parts = sealed.ints, sealed.floats, sealed.n_codes, sealed.max_plies, sealed.max_legal
    try_out(Problem("checked", sealed.rules, *parts), 1)


def test_a_line_depends_on_its_seed_alone():
    state = State.new(4, np.random.default_rng([1, 89]))
    one, two = (best_line(state, 3, n_playouts=1) for _ in range(2))
    assert one == two == next(lines(state, 3))
    assert one.n_playouts == 2500


def test_control_c_keeps_the_best_line(monkeypatch):
    state = State.new(2, np.random.default_rng([1, 84]))
    press_at(monkeypatch, NRPA, "run", 3)
    with pytest.raises(KeyboardInterrupt) as caught:
        best_line(state, 1, n_playouts=10_000)
    line = caught.value.result
    assert end_of(line.moves, state).score == line.points
    assert line.n_playouts == 5000


OVER = replace(State.new(2, 1), n_lives=0)


@pytest.mark.parametrize(
    ("state", "n_playouts", "fault"),
    [
        (OVER, 1, "the game is over, with 0 points"),
        (State.new(2, 1).hide_hand(0), 1, "cards lie face down"),
        (State.new(2, 1), 0, "n_playouts must be at least 1, got 0"),
    ],
)
def test_errors(state, n_playouts, fault):
    with pytest.raises(ValueError, match=fault):
        best_line(state, 1, n_playouts=n_playouts)
