"""The bench of two tuners, beside the library's own search with the same random numbers."""

import re
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.boards.parts import true_chances
from gameai_book.ntbea.boards.tuner import TunerBoard
from gameai_book.ntbea.results.tables import planet_wars_table
from gameai_lib.base import jit
from gameai_lib.ntbea import LandscapeModel, Settings, best_sampled, search_steps
from tests.support.board_checks import touch_all
from touchbook.boards import Session


def thought(board, n_steps=10_000):
    """A session after so many steps of thinking, or when there is nothing to think."""
    session, state = Session(board), None
    for _ in range(n_steps):
        state = session.answer({"do": "think"})
        if not state["thinking"]:
            break
    return session, state


def test_a_run_is_the_librarys_search():
    session, _ = thought(touch_all(TunerBoard(n_games=40, seed=3), "b-k-1", "b-neighbours-5"))
    run, problem = session.board.run, planet_wars_table()
    for at, settings in enumerate((Settings(50, k_scale=0.3), Settings(5, k_scale=1.0))):
        model, rng = LandscapeModel(problem.space), np.random.default_rng([3, 0, at])
        for _ in islice(search_steps(problem.evaluate, model, rng, settings), 40):
            pass
        assert run[-1].named[at] == true_chances()[tuple(best_sampled(model))]
        assert run[-1].tried[at] == true_chances()[tuple(model.points[-1])]
        assert run[-1].points[at] == problem.space.values_of(best_sampled(model))
    assert [frame.n_games for frame in run] == [*range(5, 41, 5)]


def test_looks_are_games_and_their_mean_is_learned():
    scores = []

    def evaluate(values, rng):
        scores.append(float(rng.integers(100)))
        return scores[-1]

    board = TunerBoard(n_games=20, evaluate=evaluate, space={"a": range(7)})
    model, steps = next(iter(touch_all(board, "a-looks-5").tuners()))
    board._play_to(20, board.settings[0], model, steps)
    np.testing.assert_allclose(model.fitness, np.mean(np.reshape(scores, (4, 5)), axis=1))


def test_again_and_again():
    session, state = thought(TunerBoard(n_games=10))
    assert state["thinks"] == "Again, 100 times"
    while len(session.board.finals) < 12:
        state = session.answer({"do": "think"})
    finals = np.array(session.board.finals)
    assert f"A {100 * finals[:, 0].mean():.4g} ± " in state["say"]
    assert f"A was ahead in {np.mean(finals[:, 0] > finals[:, 1]):.0%}." in state["say"]
    assert "the point recommended, in 12 runs" in state["svg"]
    model, steps = next(iter(session.board.tuners(4)))
    for _ in islice(steps, 10):
        pass
    assert finals[3, 0] == true_chances()[tuple(best_sampled(model))]
    session.answer({"do": "touch", "name": "a-looks-5"})
    assert session.board.finals == ()


@pytest.mark.slow
@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_what_the_lesson_says_of_a_hundred_runs():
    """57 % and 52 %; these are the first thirty of them."""
    board, found = TunerBoard(), []
    for k in range(1, 31):
        pairs = zip(board.settings, board.tuners(k), strict=True)
        found.append([board.value(board._play_to(board.n_games, s, *one)) for s, one in pairs])
    assert np.mean(found, axis=0) == pytest.approx([0.57, 0.52], abs=0.03)


def test_an_evaluator_of_ones_own_and_what_is_wrong_with_it():
    space = {"speed": (1, 2, 4), "shield": (False, True)}
    _, state = thought(
        TunerBoard(n_games=30, evaluate=lambda v, rng: v["speed"] - v["shield"], space=space)
    )
    assert state["say"].count("would recommend speed 4, shield no: 4.") == 2
    scores = []
    count = {"evaluate": lambda v, rng: scores.append(1) or 1.0, "space": space}
    session, _ = thought(TunerBoard(n_games=12, **count))
    n_before = len(scores)
    while not session.board.finals:
        session.answer({"do": "think"})
    assert len(scores) == n_before + 2 * (12 + 100)  # a hundred of each that is named
    unplayed = TunerBoard(n_games=30, evaluate=len, space=space)
    assert ">0.5<" not in unplayed.svg()  # no height is known yet
    for evaluate, words in ((lambda v, rng: v["sped"], "sped"), (lambda v, rng: "much", "much")):
        _, state = thought(TunerBoard(n_games=30, evaluate=evaluate, space=space))
        assert re.fullmatch(f"The run has ended: .*{words}.*", state["wrong"])


def test_it_is_recorded_and_refuses_options():
    assert TunerBoard(n_games=70).anew().selects()[0][2] == "games-70"
    for options in ({"n_games": 9}, {"evaluate": len}, {"evaluate": 3, "space": {"a": (1, 2)}}):
        with pytest.raises((ValueError, TypeError)):
            TunerBoard(**options)
