"""The bench of a small hand, beside the beliefs of the library and the chapter's paper case."""

import numpy as np
import pytest

from gameai_book.hanabi.boards.slots import CASES, SlotsBoard
from gameai_book.hanabi.cases import S2, S4
from gameai_lib.hanabi import V1Settings, exact_belief, v0_belief, v1_result
from tests.support.board_checks import targets, touch_all
from touchbook.boards import WrongTouch


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("w", ["1", "0.2", "adapted"])
def test_steps_are_those_of_the_library(case, w):
    board = touch_all(SlotsBoard(case=case), f"w-{w}", "step", "ten")
    position = CASES[case]
    settings = V1Settings(
        damping=None if w == "adapted" else float(w), n_iterations=11, tolerance=0
    )
    given = position.candidates, position.hint_mask, position.likelihood
    wished = v1_result(*given, settings=settings).belief
    np.testing.assert_allclose(board.frames()[-1].belief, wished, atol=1e-12)
    assert len(targets(board.svg())) == position.hint_mask.size


def test_overbooked_cards_are_named_and_red():
    board = SlotsBoard(case="S2")
    assert "the slots promise 2.00 copies of 0, but there is 1." in board.say()
    assert board.svg().count("bad bold") == 1
    assert "promise" not in touch_all(SlotsBoard(case="S2"), "step").say()


def test_a_hint_comes_and_goes_and_moves_the_others():
    board = touch_all(SlotsBoard(), "step", "cell-1-2")  # which begins anew
    mask = S4.hint_mask.copy()
    mask[1, 2] = False
    np.testing.assert_allclose(board.frames()[-1].belief, v0_belief(S4.candidates, mask))
    board.touch("cell-1-2")
    np.testing.assert_array_equal(board.mask, S4.hint_mask)
    for touch in ("cell-1-0", "cell-1-2"):
        board.touch(touch)
    mask[1] = [False, True, False]
    np.testing.assert_allclose(board.exact(), exact_belief(S4.candidates, mask))
    assert "slot 1, b: 1.000, exact 1.000" in board.svg()


def test_hints_that_no_hand_fits_are_refused():
    board = touch_all(SlotsBoard(case="S2"), "cell-0-1")  # slot 0 has card 0
    with pytest.raises(WrongTouch, match="No hand fits these hints"):
        board.touch("cell-1-2")
    with pytest.raises(WrongTouch, match="No hand fits"):
        touch_all(SlotsBoard(), "cell-2-1", "cell-2-2")
    np.testing.assert_array_equal(board.mask[1], S2.hint_mask[1])
