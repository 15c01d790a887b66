"""The bench on which NTBEA mends the game: counted again with the library alone."""

import re
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.boards import mend
from gameai_book.ntbea.boards.mend import ALL_RULES, MendBoard
from gameai_lib.ntbea import LandscapeModel, best_sampled, search_steps
from gameai_lib.ntbea.game import space_battle
from tests.support.board_checks import check_session
from touchbook.boards import Session

MOMENTS = 10, 25


def battle(point, rng):
    """A game as it is played: the share of the far-sighted pilot."""
    rules = space_battle.Rules(thrust=1, **ALL_RULES.values_of(point))
    return {1.0: 1.0, 0.0: 0.5, -1.0: 0.0}[space_battle.result(rules, rng)]


@pytest.fixture(scope="module", autouse=True)
def short():
    """25 games in place of 200: a game takes milliseconds."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(mend, "MOMENTS", MOMENTS)
        patched.setattr(mend, "N_GAMES", MOMENTS[-1])
        yield


@pytest.fixture(scope="module")
def run(short):
    """A session of a short run, and what it answered."""
    session, answers = Session(MendBoard(seed=4)), []
    while not answers or answers[-1]["thinking"]:
        answers.append(session.answer({"do": "think"}))
    return session, answers


def test_the_run_is_the_librarys_search(run):
    board = run[0].board
    model = LandscapeModel(ALL_RULES)
    steps = search_steps(battle, model, np.random.default_rng(4))
    for n, look in zip(MOMENTS, board.looks, strict=True):
        for _ in islice(steps, n - model.n_evaluations):
            pass
        best = best_sampled(model)
        assert (look.n_games, look.point) == (n, tuple(best.tolist()))
        assert look.estimate == pytest.approx(float(model.mean(best)))
        fresh = tuple(battle(best, np.random.default_rng([9, g])) for g in range(40))
        assert look.fresh == fresh
        assert look.worth == pytest.approx(np.mean(fresh))
    assert [point for point, _ in board.played] == [tuple(p) for p in model.points.tolist()]
    for d, (games, sums) in enumerate(board.tally()):
        arms = model.arms((d,))
        assert games.tolist() == arms.n.tolist()
        np.testing.assert_allclose(sums[games > 0], (arms.n * arms.mean)[games > 0])


def test_the_picture_shows_the_run(run):
    session, answers = run
    assert "14,400 sets of rules" in Session(MendBoard()).answer({"do": "look"})["say"]
    assert "5 games have been played" in answers[0]["say"]
    end, look = answers[-1], session.board.looks[-1]
    assert end["svg"].count('stroke-width="3"') == 5  # a frame for each dial
    shares = [sums[n > 0] / n[n > 0] for n, sums in session.board.tally()]
    shares = [share for share in np.concatenate(shares) if share]
    heights = re.findall(r'width="24" height="([^"]*)" class="c0"', end["svg"])
    np.testing.assert_allclose(np.array(heights, float), 24 * np.array(shares), atol=0.01)
    for words, value in (("won", 1), ("lost", 0)):
        assert int(re.search(rf"{words} (\d+)", end["say"])[1]) == look.fresh.count(value)
    assert f"the mean is {look.worth:.2f}." in end["say"]
    assert f"Its estimate is {look.estimate:.2f}." in end["say"]
    named = re.search("recommends (.*?)[.] ", end["say"])[1]
    values = map(int, re.findall(r"\d+", named))
    assert [*values] == [*ALL_RULES.values_of(look.point).values()]


def test_it_is_recorded_as_it_is_played(run):
    recorded, at = Session(MendBoard(seed=4)).record(), -1
    assert [*recorded] == ["", "think", "think think"]
    for n_games, n_steps, state in zip(MOMENTS, (6, 8), [*recorded.values()][1:], strict=True):
        at += n_steps
        assert state == run[1][at] | {"recorded": True, "views": []}
        assert f"After {n_games} games" in state["say"]
    assert not state["thinking"]


def test_it_is_begun_anew_and_refuses_nonsense():
    check_session(Session(MendBoard()))
