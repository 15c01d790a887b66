"""The referees accept what is found and refuse what is not legal."""

from dataclasses import replace

import numpy as np
import pytest

from gameai_lib.nrpa.game.instances import bundled_board
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.referee import judge
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.problem.walk import Playout
from gameai_lib.nrpa.search.nrpa import NRPA


def test_referee_accepts_what_is_found_on_samegame():
    problem = samegame(bundled_board())
    best = NRPA(problem, np.random.default_rng(0), level=2, n_iterations=10).run()
    assert judge(problem, best).score == best.score


def test_referee_reads_the_rules_not_the_name():
    problem = replace(morpion("5D"), name="a game")
    best = NRPA(problem, np.random.default_rng(0), level=1, n_iterations=3).run()
    assert judge(problem, best).score == best.score


@pytest.mark.parametrize(
    ("codes", "message"),
    [([0, 2, 4, 6, 8] * 20, "ply 5"), ([0] * 5, "ply 1"), ([0, 2], "ply 2")],
)
def test_referee_of_leftmove(codes, message):
    playout = Playout(float(len(codes)), np.zeros(len(codes), np.int64), np.array(codes))
    with pytest.raises(ValueError, match=message):
        judge(leftmove(5), playout)
