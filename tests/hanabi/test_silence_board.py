"""The bench of silence: hands listed by hand and by permutations, and a reader's own rule."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from gameai_book.hanabi.boards.silence import SilenceBoard
from tests.book.test_boards import BY_HAND, asks
from tests.support.board_checks import touch_all
from touchbook.boards import Session

BOXES = (("R2 R4 W2 W4", 3), ("R2 W4 W4", 2), ("R2 R4 W2 W4 W4", 3))  # cards, slots of the hand


def hands_left(board):
    """Hands that are left, as names."""
    return [board.hand_name(k) for k in np.flatnonzero(board.is_left)]


def asking(hand):
    """Hints that would ask for an R2, which is the newest red card or the newest 2: their slots."""
    hints = {
        "R": [i for i, card in enumerate(hand) if card[0] == "R"],
        "2s": [i for i, card in enumerate(hand) if card[1] == "2"],
    }
    return {mark: slots for mark, slots in hints.items() if slots and hand[slots[-1]] == "R2"}


@pytest.mark.parametrize(("cards", "n_slots"), BOXES)
def test_silence_of_the_convention_leaves_what_no_hint_would_ask_for(cards, n_slots):
    board = SilenceBoard(cards=cards, n_slots=n_slots)
    deals = list(permutations(cards.split(), n_slots))
    silent = [deal for deal in deals if not asking(deal)]
    assert set(hands_left(board)) == set(map(" ".join, silent))
    names = sorted(set(cards.split()))
    for slot in range(n_slots):
        held, among = (Counter(deal[slot] for deal in each) for each in (deals, silent))
        wished = [among[name] / held[name] for name in names]
        np.testing.assert_allclose(board.beliefs.likelihood[slot], wished)
        wished = [among[name] / len(silent) for name in names]
        np.testing.assert_allclose(board.beliefs.left[slot], wished)
    for k, act in enumerate(board.acts):
        if hints := asking(board.hand_name(k).split()):
            # The one that touches most cards, and of two the colour.
            _, _, mark = max((len(slots), mark == "R", mark) for mark, slots in hints.items())
            assert (act.mark, list(act.touched)) == (mark, hints[mark])
        else:
            assert act.words == "gives no hint"


def test_beliefs_of_the_bench_on_paper():
    once, twice = SilenceBoard(), touch_all(SilenceBoard(), "again")
    # Only the oldest can hide, and its row of L says nothing of it.
    np.testing.assert_allclose(once.beliefs.left[:, 0], [1 / 4, 0, 0])
    np.testing.assert_allclose(once.beliefs.likelihood[0], 1 / 3)
    np.testing.assert_allclose(once.beliefs.exact[:, 0], [1 / 2, 0, 0])  # by hand: 7/6 of 7/3
    np.testing.assert_allclose(once.beliefs.v1, 1 / 4)
    # The same again moves L, and not the hands.
    np.testing.assert_array_equal(once.is_left, twice.is_left)
    # Of hands weighted by the first L, those with R2 in slot 0: 1/2 of 7/6 goes with silence.
    assert twice.beliefs.likelihood[0, 0] == pytest.approx(1 / 3 * (1 / 2) / (7 / 6))
    assert "done 2 times" in twice.say()
    assert touch_all(SilenceBoard(), "again", "again").beliefs.bb[0, 3] > 0.6  # W4, where it is 1/4


def test_partners_that_hint_differently():
    # Silence without a token tells nothing; and L loses nothing where any card that fits is told.
    board = touch_all(SilenceBoard(), "rule-without")
    assert "24 of 24 hands are left" in board.say()
    np.testing.assert_allclose(board.beliefs.likelihood, 1)
    board = touch_all(SilenceBoard(), "rule-tells")
    assert len(hands_left(board)) == 6
    assert not any("R2" in hand for hand in hands_left(board))
    assert {act.mark for act in board.acts} == {"–", "2s"}
    # A partner who can do the same has done the same.
    same = [act.words for act in SilenceBoard().listed].index("hints 2s, slot 0")
    assert touch_all(SilenceBoard(), f"did-{same}", "rule-tells").did.words == "hints 2s, slot 0"
    np.testing.assert_allclose(board.beliefs.exact, board.beliefs.left, atol=1e-12)
    # What fits is an option: were it R2 and W2, no hint would ask only if both lay hidden.
    assert "gives no hint" not in [act.words for act in SilenceBoard(fits="R2 W2").listed]
    assert "24 of 24 hands are left" in SilenceBoard(fits="").say()
    assert "that fits" not in SilenceBoard(fits="").say()


def test_a_hint_that_is_seen_is_in_the_mask_and_the_choice_in_L():
    board = SilenceBoard()
    names = [board.hand_name(k) for k in range(24)]
    act = board.acts[names.index("R2 R4 W4")]
    assert act.words == "hints 2s, slot 0"  # red would ask for R4
    board.touch(f"did-{board.listed.index(act)}")
    assert hands_left(board) == ["R2 R4 W4", "R2 W4 R4"]
    np.testing.assert_allclose(board.beliefs.left[0], [1, 0, 0, 0])
    assert "hints 2s, slot 0: 2 of 24 hands are left. The hint itself leaves 4." in board.say()


def test_the_example_by_hand():
    board = SilenceBoard(**BY_HAND)
    assert [act.words for act in board.listed] == ["asks for slot 0", "asks for slot 1", "discards"]
    np.testing.assert_allclose(board.beliefs.likelihood, [[1, 0], [0, 1 / 2]])
    discards = touch_all(SilenceBoard(**BY_HAND), "did-2")
    np.testing.assert_allclose(discards.beliefs.likelihood, [[0, 1 / 2], [0, 1 / 2]])
    np.testing.assert_allclose(discards.beliefs.left, [[0, 1], [0, 1]])
    assert "discards: 1 of 3 hands is left" in discards.say()


def test_own_rules():
    board = SilenceBoard(would_act=lambda hand: hand[0] == "R2")
    assert [act.words for act in board.listed] == ["does not act", "acts"]
    assert len(hands_left(board)) == 18
    assert board.selects()[0][1][0] == ("rule-yours", "does what you wrote")
    board.touch("rule-convention")
    assert len(hands_left(board)) == 8
    text = Session(SilenceBoard(would_act=asks)).text
    again, without = Session(SilenceBoard(would_act=asks)), Session(SilenceBoard())
    assert again.answer({"do": "load", "text": text})["wrong"] == ""
    assert "rule must be one of" in without.answer({"do": "load", "text": text})["wrong"]
