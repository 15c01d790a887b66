"""Problems made of others: begun in the middle of a game, or with other codes."""

import numpy as np
import pytest

from gameai_book.nrpa.measure.codes import place_keyed, state_keyed
from gameai_lib.nrpa import (
    NRPA,
    bundled_board,
    flat_monte_carlo,
    judge,
    leftmove,
    morpion,
    playout_of,
    samegame,
)
from gameai_lib.nrpa.game.continued import continued
from gameai_lib.nrpa.problem.compiled import kernel_of
from gameai_lib.nrpa.search.kernels import nrpa

PROBLEMS = {
    "5D": morpion("5D"),
    "4T": morpion("4T"),
    "SameGame": samegame(bundled_board(), "board"),
    "tabu": samegame(bundled_board(), "board", tabu=True),
}


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_games_from_there_are_games_of_the_whole(problem):
    game, _ = flat_monte_carlo(problem, np.random.default_rng(1), 1)
    for n in (0, 1, 9, len(game.choices) - 1, len(game.choices)):
        before = game.choices[:n]
        here = continued(problem, before)
        assert not here.checked
        assert kernel_of(here, nrpa) is kernel_of(problem, nrpa)
        for seed in range(5):
            found = NRPA(here, np.random.default_rng(seed), level=1, n_iterations=3).run()
            whole = playout_of(problem, np.concatenate([before, found.choices]))
            assert whole.score == found.score
            assert np.array_equal(whole.codes, [*game.codes[:n], *found.codes])
            judge(problem, whole)


@pytest.mark.slow
@pytest.mark.parametrize("recoded", [state_keyed, place_keyed])
def test_other_codes_play_the_same_games(recoded):
    problem = recoded(morpion("5D"))
    _, scores = flat_monte_carlo(problem, np.random.default_rng(0), 200)
    _, plain = flat_monte_carlo(morpion("5D"), np.random.default_rng(0), 200)
    np.testing.assert_array_equal(scores, plain)


def test_state_keyed_codes_do_not_share():
    def codes_of_all_games(problem):
        games = ["LLL", "LLR", "LRL", "LRR", "RLL", "RLR", "RRL", "RRR"]
        played = [playout_of(problem, ["LR".index(move) for move in moves]) for moves in games]
        return {int(code) for playout in played for code in playout.codes}

    assert len(codes_of_all_games(leftmove(3))) == 6
    # 2 + 4 + 8 moves of the game tree.
    assert len(codes_of_all_games(state_keyed(leftmove(3)))) == 14
    assert codes_of_all_games(place_keyed(leftmove(3))) == {0, 1}


def test_a_playout_owns_its_choices():
    choices = np.array([0, 1, 0], np.int64)
    playout = playout_of(leftmove(3), choices)
    choices[:] = 7
    assert playout.choices.tolist() == [0, 1, 0]
