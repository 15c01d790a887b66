"""The source's formulas: the right version passes each test, the printed one does not."""

import numpy as np
import pytest

from gameai_book.hanabi import printed as formulas
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_belief
from gameai_lib.hanabi.game import cases


@pytest.mark.parametrize("error", formulas.ERRORS, ids=formulas.BY_NAME)
def test_the_test_tells_the_versions_apart(error):
    assert error.passes(error.right, error.case)
    assert not error.passes(error.printed, error.case)


@pytest.mark.parametrize("error", formulas.ERRORS, ids=formulas.BY_NAME)
def test_the_printed_version_is_farther_off(error):
    assert formulas.distance(error.printed, error.case) > formulas.distance(error.right, error.case)


def test_they_stand_in_the_order_of_the_text():
    numbers = [error.number for error in formulas.ERRORS]
    assert numbers == sorted(numbers)


def test_the_deck_alone_on_paper():
    # S4 without the a, the b and the c that are in hands: two a and one b are left.
    assert np.allclose(formulas.deck_only(formulas.DEALT)[2], [0, 1, 0])
    assert np.allclose(formulas.deck_only(formulas.DEALT)[1], [2 / 3, 1 / 3, 0])


def test_the_wrong_normaliser_cancels_what_was_told():
    told = cases.S7
    row = [1 / 2, 1 / 4, 1 / 4]
    assert np.allclose(formulas.wrong_normaliser(told), [row] * 3)
    assert np.allclose(formulas.wrong_normaliser(cases.S4)[0], [1 / 2, 1 / 3, 0])


def test_the_wrong_bracket_on_paper():
    # Slot 1 of S4: half of the cards are a, and V0 expects 0.6 of them in slot 0.
    assert np.allclose(
        formulas.wrong_bracket(cases.S4)[1], [0.5 - 0.6, 1 / 3 - 0.4 - 2 / 3, -1 / 6]
    )


def test_two_slots_hide_the_whole_hand_product():
    two = cases.S1
    assert np.allclose(formulas.whole_hand_product(two), formulas.one_step(two))


def test_scaled_hand_by_hand_solves_its_equation_in_s2():
    p = formulas.scaled_hand_by_hand(cases.S2)[0, 0]
    assert p == pytest.approx((1 - p) ** 3 / 2)
    assert p == pytest.approx(0.229, abs=0.0005)


def test_a_wrong_formula_may_be_lucky():
    # In S6 BB becomes certain; a row made from V1 hears no echo, and slot 1 hears nothing.
    S6 = cases.S6
    exact = exact_belief(S6.candidates, S6.hint_mask, S6.likelihood)
    assert np.allclose(formulas.from_v1(S6), [exact[0], [0.5, 0.5]])
    assert formulas.at_rest(S6)[0, 0] > 0.999


def test_without_clip_the_first_step_says_minus_one():
    plain = V1Settings(damping=1, clip=False, n_iterations=1, tolerance=0)
    step = v1_belief(cases.S2.candidates, cases.S2.hint_mask, settings=plain)
    assert np.allclose(formulas.no_clip(cases.S2), step)
    assert step[0, 0] == -1
