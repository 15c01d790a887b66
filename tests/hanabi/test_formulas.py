"""The source's formulas: the right version passes each test, the printed one does not."""

from itertools import product

import numpy as np
import pytest

from gameai_book.hanabi import cases
from gameai_book.hanabi import printed as formulas


def rows_sum_to_one(version, case):
    """Each row of a belief sums to 1."""
    return np.allclose(version(case).sum(axis=1), 1)


def within_bounds(version, case):
    """No cell is below 0 or above 1."""
    rows = version(case)
    return (rows > -1e-9).all() and (rows < 1 + 1e-9).all()


def truth_is_possible(version, case):
    """No slot rules out the card that lies in it."""
    return (version(case)[range(len(formulas.DEALT)), formulas.DEALT] > 0).all()


def _moved_by_news(version, case):
    """(n_slots,) bool: whether another L of slot 0 gives another belief about each slot."""
    other = case.likelihood.copy()
    other[0] = other[0, ::-1]
    changed = version(case._replace(likelihood=other))
    return ~np.isclose(changed, version(case)).all(axis=1)


def likelihood_matters(version, case):
    """Another L of a slot gives another belief about that slot."""
    return _moved_by_news(version, case)[0]


def news_travels(version, case):
    """Another L of a slot gives another belief about the other slots."""
    return _moved_by_news(version, case)[1:].any()


def averages_hands(version, case):
    """A step is what hands, drawn slot by slot from B, leave on average."""
    belief = formulas.first_belief(case)
    n_slots, n_cards = belief.shape
    left = np.zeros_like(belief)
    for cards in product(range(n_cards), repeat=n_slots):
        chance = belief[range(n_slots), cards].prod()
        for slot in range(n_slots):
            used = np.bincount(np.delete(cards, slot), minlength=n_cards)
            left[slot] += chance * (case.candidates - used)
    return np.allclose(version(case), formulas._scale(left.clip(0) * formulas._weigh(case)))


def scales_each_hand(version, case):
    """A belief at rest is what hands, each scaled by itself, say on average."""
    rows = version(case)
    return np.allclose(rows, formulas._average_of_scaled(rows, case), atol=1e-6)


# A property of each formula that the right version has and the printed one does not.
PROPERTIES = {
    1: truth_is_possible,
    4: rows_sum_to_one,
    5: within_bounds,
    6: averages_hands,
    7: scales_each_hand,
    9: likelihood_matters,
    10: news_travels,
    11: within_bounds,
}


@pytest.mark.parametrize("error", formulas.ERRORS, ids=lambda error: error.name)
def test_the_right_version_alone_has_the_property_and_is_nearer(error):
    holds, case = PROPERTIES[error.number], error.case
    assert holds(error.right, case)
    assert not holds(error.printed, case)
    assert formulas.distance(error.printed, case) > formulas.distance(error.right, case)


def test_the_wrong_bracket_on_paper():
    # Slot 1 of S4: half of the cards are a, and V0 expects 0.6 of them in slot 0.
    assert np.allclose(
        formulas.wrong_bracket(cases.S4)[1], [0.5 - 0.6, 1 / 3 - 0.4 - 2 / 3, -1 / 6]
    )


def test_scaled_hand_by_hand_solves_its_equation_in_s2():
    p = formulas.scaled_hand_by_hand(cases.S2)[0, 0]
    assert p == pytest.approx((1 - p) ** 3 / 2)
    assert p == pytest.approx(0.229, abs=0.0005)
