"""The bench of promises, beside a count of all deals and steps line by line."""

import pytest

from gameai_book.hanabi.boards.promises import PromisesBoard
from gameai_lib.hanabi.game.box import card_name
from tests.hanabi.brute import slow_v1
from tests.support.board_checks import targets, touch_all

# The cards that the reader of the first screen has not seen, and what the hints leave to each slot.
NAMES = "R2 Y1 Y1 Y2 Y2 Y3 Y4 Y5 G1 G3 G4 W1 W1 W5 B1 B1 B2 B4"
UNSEEN = NAMES.split()
NO_4 = {card for card in UNSEEN if card[1] != "4" and card[0] != "G"}
ALLOWED = [{"Y4", "B4"}, NO_4 - {"R2"}, NO_4, {"Y4", "B4"}, {"Y4", "G4", "B4"}]


@pytest.mark.parametrize("n", range(4))
def test_steps_are_those_of_the_text(n):
    board, cards = touch_all(PromisesBoard(), *["step"] * n), list(dict.fromkeys(UNSEEN))
    assert list(map(card_name, board.kinds)) == cards
    copies, mask = map(UNSEEN.count, cards), [[card in a for card in cards] for a in ALLOWED]
    right = slow_v1(list(copies), mask, [[1] * len(cards)] * 5, 1, True, n)
    for row, expected in zip(board.beliefs()[-1], right, strict=True):
        assert row == pytest.approx(expected)


def test_promises_of_cards_that_do_not_exist_stand_out():
    board, after = PromisesBoard(), touch_all(PromisesBoard(), "step")
    said = "V0. Slot 4 promises 0.33 Y4, 0.33 G4 and 0.33 B4.\n"
    assert board.say() == f"{said}More is promised than is left: 1.33 Y4 of 1 and 1.33 B4 of 1."
    assert board.svg().count(">1.33<") == 2
    assert board.svg().count('class="bad"') == 3  # and in the key
    assert after.svg().count('class="bad"') == 1
    assert "▲" in after.svg()
    assert after.say().endswith("No card is promised more often than there are copies left.")


def test_the_step_of_a_slot_is_told():
    assert (
        "The other slots had promised 1 Y4, 0 G4 and 1 B4. They left 0 Y4, 1 G4 and 0 B4 for "
        "slot 4. Scaled to a sum of 1, slot 4 now promises 0 Y4, 1 G4 and 0 B4."
    ) in touch_all(PromisesBoard(), "step").say()
    first = touch_all(PromisesBoard(), "step", "slot-0")
    assert "They left 0.17 Y4 and 0.17 B4 for slot 0." in first.say()
    assert "and so on" in touch_all(PromisesBoard(), "step", "slot-1").say()
    assert "V1 is at rest" not in touch_all(PromisesBoard(), "step").say()
    assert "V1 is at rest" in touch_all(PromisesBoard(), "step", "step").say()
    assert targets(PromisesBoard().svg()) == [f"slot-{i}" for i in range(5)]
