"""SameGame: incremental groups against a flood of the whole board, and published games."""

import numpy as np
import pytest

from gameai_lib.nrpa import Playout, flat_monte_carlo, judge, playout_of, replay
from gameai_lib.nrpa.game import samegame as rules
from gameai_lib.nrpa.game.files import read_board, read_cells
from gameai_lib.nrpa.game.instances import bundled_board, random_board
from gameai_lib.nrpa.game.samegame import samegame_cells
from gameai_lib.nrpa.game.samegame_referee import _group, judge_samegame
from tests.nrpa.games import DATA, choices_at, needs_data

SOLUTION_SCORES = {1: 2803, 2: 3747, 3: 3187, 5: 4071, 6: 4335, 7: 1805, 9: 4655, 10: 2199}
SOLUTION_SCORES |= {11: 2685, 13: 2901, 14: 2893, 15: 3221, 17: 4679, 18: 5171, 19: 4891}


def striped():
    """Rows 0 0 … 0, 1 1 … 1: three rows of each colour, from the top down."""
    return np.repeat(np.arange(5), 3)[:, None] * np.ones(15, np.int64)[None]


def colour_in(board, group):
    """The colour of a group of cells (column, row)."""
    x, y = group[0]
    return int(board[-1 - y, x])


def test_a_striped_board_by_hand():
    problem = rules.samegame(striped())
    first = next(iter(replay(problem, [])))
    assert [len(group) for group in rules.groups_of(first.ints)] == [45] * 5
    playout = playout_of(problem, [0] * 5)
    assert playout.score == 5 * 43**2 + 1000
    assert judge(problem, playout).n_moves_left == 0
    begun = Playout(4.0 * 43**2, playout.choices[:4], playout.codes[:4])
    assert judge_samegame(striped(), samegame_cells(problem, begun.choices)).score == begun.score
    with pytest.raises(ValueError, match="SameGame: 1 moves are left"):
        judge(problem, begun)


@pytest.mark.parametrize("seed", range(4))
def test_groups_kept_incrementally_are_those_of_a_full_search(seed):
    rng = np.random.default_rng(seed)
    # Few colours make large groups, many columns that empty, and cleared boards.
    board = random_board(rng) % (2 + seed % 4)
    problem = rules.samegame(board)
    playout, _ = flat_monte_carlo(problem, rng, 3)
    for ply in replay(problem, playout.choices):
        columns = [
            [int(c) for c in column[::-1] if c >= 0] for column in rules.board_of(ply.ints).T
        ]
        full = {
            frozenset(_group(columns, x, y))
            for x, stack in enumerate(columns)
            for y in range(len(stack))
        }
        found = [frozenset(group) for group in rules.groups_of(ply.ints)]
        assert len({*found}) == len(found)
        assert {*found} == {group for group in full if len(group) > 1}
    assert judge(problem, playout).score == playout.score


@pytest.mark.parametrize("shape", [(8, 8), (1, 15), (15, 1), (15, 14), (3, 9), (1, 1)])
def test_smaller_boards(shape):
    rng = np.random.default_rng(0)
    for n_colours in (1, 2, 4, 7):
        board = rng.integers(0, n_colours, shape)
        problem = rules.samegame(board)
        (first,) = replay(problem, [])
        height, width = shape
        assert (rules.board_of(first.ints)[15 - height :, :width] == board).all()
        assert (rules.board_of(first.ints) >= 0).sum() == board.size
        for _ in range(5):
            game, _ = flat_monte_carlo(problem, rng, 1)
            judge(problem, game)
            assert judge_samegame(board, samegame_cells(problem, game.choices)) == (game.score, 0)
        assert (n_colours > 1) or board.size == 1 or game.score == (board.size - 2) ** 2 + 1000


def test_codes_depend_on_cells_and_colour_only():
    problem, rng, seen = rules.samegame(bundled_board()), np.random.default_rng(0), {}
    for _ in range(5):
        choices = flat_monte_carlo(problem, rng, 1)[0].choices
        for ply in replay(problem, choices):
            board = rules.board_of(ply.ints)
            for code, group in zip(ply.legal, rules.groups_of(ply.ints), strict=True):
                seen.setdefault((*group, colour_in(board, group)), set()).add(int(code))
    assert all(len(codes) == 1 for codes in seen.values())
    # Distinct groups rarely agree.
    assert len({next(iter(codes)) for codes in seen.values()}) > 0.97 * len(seen)
    (first,) = replay(problem, [])
    (other,) = replay(rules.samegame((bundled_board() + 1) % 5), [])
    assert not {*first.legal.tolist()} & {*other.legal.tolist()}


def test_tabu_colour_is_left_until_the_end():
    board = bundled_board()
    problem = rules.samegame(board, tabu=True)
    tabu = np.bincount(board.ravel()).argmax()
    playout, _ = flat_monte_carlo(problem, np.random.default_rng(0), 1)
    began = False
    for ply in list(replay(problem, playout.choices))[:-1]:
        groups, board = rules.groups_of(ply.ints), rules.board_of(ply.ints)
        assert len(groups) == ply.legal.size
        is_tabu = colour_in(board, groups[ply.choice]) == tabu
        began = began or is_tabu
        without_rule = ply.ints.copy()
        without_rule[rules.TABU] = 0
        left = {colour_in(board, group) for group in rules.groups_of(without_rule)}
        assert is_tabu == (left == {tabu})
    assert began
    assert judge(problem, playout).score == playout.score


@pytest.mark.parametrize("dtype", [float, np.uint64, np.int8])
def test_whole_numbers_of_any_type_make_the_same_problem(dtype):
    # In floats or uint64, a column of 60 bits would lose its lowest ones.
    board = bundled_board()
    problem = rules.samegame(board.astype(dtype))
    np.testing.assert_array_equal(problem.ints, rules.samegame(board).ints)
    np.testing.assert_array_equal(rules.board_of(problem.ints), board)


@needs_data
@pytest.mark.parametrize("number", SOLUTION_SCORES)
def test_published_games_replay(number):
    board = read_board(DATA / "samegame" / f"board_{number:02d}.txt")
    cells = read_cells(DATA / "samegame" / f"solution_nan0S_{number:02d}.txt")
    problem = rules.samegame(board)
    playout = playout_of(problem, choices_at(problem, cells))
    assert playout.score == SOLUTION_SCORES[number]
    assert judge_samegame(board, cells).score == SOLUTION_SCORES[number]
