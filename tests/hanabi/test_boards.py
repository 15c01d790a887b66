"""What each board of the chapter owes its page: a record, a game to keep, a clear refusal."""

import pytest

from gameai_book.hanabi.boards.promises import PromisesBoard
from gameai_book.hanabi.boards.silence import SilenceBoard
from gameai_book.hanabi.boards.slots import SlotsBoard
from gameai_book.hanabi.boards.table import HanabiBoard
from tests.support.board_checks import check_kept, check_record, check_refused
from touchbook.boards import WrongTouch


def asks(hand):
    """The partner of the chapter's example by hand."""
    if hand[1] == "R2":
        return "asks for slot 1"
    return "asks for slot 0" if hand[0] == "R2" else "discards"


BY_HAND = {"would_act": asks, "cards": "R2 W4 W4", "n_slots": 2}
# Boards, and of some touches that their pages have recorded what is then shown or said.
RECORDED = [
    (PromisesBoard(), {"step slot-0": "V1 after 1 step. The other slots had promised"}),
    (
        SlotsBoard(choices=False),
        {
            "cell-0-2 cell-2-0 step": "distance from the exact belief is 0.0000",
            "cell-2-0 cell-0-2 step": "distance from the exact belief is 0.0000",
        },
    ),
    (SlotsBoard(case="S6"), {"ten": "BB after 10 steps.", "ten step": "BB after 11 steps."}),
    (SlotsBoard(case="S2"), {"w-0.2 ten": "V1 after 10 steps."}),
    (SilenceBoard(), {"again again": "done 3 times", "rule-without": "24 of 24", "did-2": "hints"}),
    (SilenceBoard(**BY_HAND), {"did-1 again": "asks for slot 1", "rule-convention": "no hint"}),
    (HanabiBoard(seed=8), {}),
]
# Touches that leave something to keep.
PLAYED = [
    (PromisesBoard, "step step"),  # the slot that is chosen is not kept
    (SlotsBoard, "cell-1-2 w-0.2 step"),
    (SilenceBoard, "did-1 again rule-tells did-0"),
]
REFUSED = [
    (PromisesBoard, "slot-5 slot- step-1"),
    (SlotsBoard, "cell-3-0 cell-0-5 cell-x w-2"),
    (SilenceBoard, "did-11 did- did-x rule-yours again-2"),
    (HanabiBoard, "discard-2 hint-purple slot-9 turn-1 partner-0"),
]
WRONG = [
    (SlotsBoard, {"case": "P1"}, "case must be .*'P1'"),
    (SlotsBoard, {"choices": "no"}, "choices must be .*'no'"),
    (SilenceBoard, {"would_act": lambda hand: 1 / 0}, r"\('R2', 'R4', 'W2'\): ZeroDivision"),
    (SilenceBoard, {"would_act": lambda hand: "x" * 29}, "28 characters"),
    (SilenceBoard, {"would_act": "hints"}, "'str' object is not callable"),
    (SilenceBoard, {"rule": "yours"}, "'yours'"),
    (SilenceBoard, {"cards": "R2 W2"}, "no hand"),
    (SilenceBoard, {"cards": "R2 Q2 W2"}, "'Q2'"),
    (SilenceBoard, {"cards": "R2 R2 R2 W2 W2 W2 B2 B2 B2 G2"}, "more than 36 hands"),
    (SilenceBoard, {"fits": 2}, "fits must be"),
    (HanabiBoard, {"seed": "x"}, "seed must be a whole number"),
    # A seat is taken at player 0's turn.
    *((HanabiBoard, {"seed": 11, "moves": n}, f"moves must .* got {n}") for n in (-2, 45, 62)),
]


@pytest.mark.parametrize(("board", "shown"), RECORDED)
def test_a_page_carries_a_small_record(board, shown):
    check_record(board, shown)


@pytest.mark.parametrize(("board", "touches"), PLAYED)
def test_what_was_played_is_kept_and_taken_back(board, touches):
    check_kept(board, touches)


@pytest.mark.parametrize(("board", "touches"), REFUSED)
def test_a_touch_that_means_nothing_is_refused(board, touches):
    check_refused(board, touches)


@pytest.mark.parametrize(("board", "options", "words"), WRONG)
def test_boards_that_cannot_be_made(board, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        board(**options)


@pytest.mark.parametrize(
    ("board", "touch", "n_times"),
    [(PromisesBoard(), "step", 9), (SlotsBoard(), "ten", 20), (SilenceBoard(), "again", 9)],
)
def test_there_are_enough_steps_some_time(board, touch, n_times):
    for _ in range(n_times):
        board.touch(touch)
    with pytest.raises(WrongTouch, match=r"\d (steps |times )?are enough"):
        board.touch(touch)
