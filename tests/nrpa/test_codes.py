"""Other codes play the same games."""

import numpy as np
import pytest

from gameai_book.nrpa.printed.codes import place_keyed, state_keyed
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.problem.walk import playout_of
from gameai_lib.nrpa.search.flat import flat_monte_carlo


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
