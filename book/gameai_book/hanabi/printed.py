"""The formulas of the chapter's source as they are printed, beside what they must be.

The source is section 7.4.4, "Beliefs in Hanabi", of Korean study notes on Foerster et al. 2019.
Each `WrongFormula` has a case small enough for paper and both versions of the formula; the chapter
calls them slips. Only what shows them uses any of this.
"""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from gameai_book.hanabi import cases
from gameai_lib.hanabi import V1Settings, exact_belief, v0_belief, v1_belief, v1_result

ONE_STEP = V1Settings(damping=1, n_iterations=1, tolerance=0)
DEALT = (0, 1, 2)  # what the hands of S4 hold: one a, one b and one c


class WrongFormula(NamedTuple):
    """A formula of the source that gives a wrong result."""

    number: int  #: in the order of the text
    name: str
    case: cases.Case
    printed: Callable  #: of a case, gives an (n_slots, n_cards) float array
    right: Callable
    after: str  #: when both versions are compared, "V0", "one step" or "rest"


def _known_rows(case):
    return case.candidates, case.hint_mask, case.likelihood


def _copies_left(belief, case):
    """(n_slots, n_cards): C less what the other slots are expected to hold."""
    return case.candidates - (belief.sum(axis=0) - belief)


def _scale(rows):
    return rows / rows.sum(axis=1, keepdims=True)


def _weigh(case):
    """HM L, the source's M."""
    return case.hint_mask * (1.0 if case.likelihood is None else case.likelihood)


def deck_only(case):
    """Error 1, V0 with "the cards left in the deck": those in hands are taken away, too."""
    return v0_belief(case.candidates - np.bincount(DEALT), case.hint_mask)


def first_belief(case):
    """What errors 1 and 4 are about, as it must be: V0, or with L the first row of BB."""
    return v0_belief(*_known_rows(case))


def wrong_normaliser(case):
    """Error 4, the denominator with HM(f) L(f): both cancel, and C(f) over all copies is left."""
    return np.where(_weigh(case) > 0, case.candidates / case.candidates.sum(), 0.0)


def wrong_bracket(case):
    """Error 5, a bracket too early: only C is scaled, whole cards are subtracted from it."""
    start = first_belief(case)
    share = case.candidates / (case.candidates * _weigh(case)).sum(axis=1, keepdims=True)
    return (share - (start.sum(axis=0) - start)) * _weigh(case)


def one_step(case):
    """A plain step of V1, or of BB if the case has a likelihood."""
    return v1_result(*_known_rows(case), settings=ONE_STEP).belief


def whole_hand_product(case):
    """Error 6, each hand weighed by B of the *whole* hand once per other slot."""
    start = first_belief(case)
    # Such a product of n - 1 equal factors is a power, slot by slot.
    sharper = _scale(start ** (len(start) - 1))
    return _scale(_copies_left(sharper, case).clip(0) * _weigh(case))


def constant_scale(case):
    """V1. Error 7, one number for all hands of the others: average first, then scale.

    Error 9 as well, M becomes HM in the last line: it is V1, whatever L says.
    """
    return v1_belief(case.candidates, case.hint_mask)


def scaled_hand_by_hand(case):
    """The same with a number for each hand: scale first, then average; slots independent."""
    belief = first_belief(case)
    for _ in range(60):
        belief = (belief + _average_of_scaled(belief, case)) / 2
    return belief


def _average_of_scaled(belief, case):
    n_slots, n_cards = belief.shape
    average = np.zeros_like(belief)
    for slot in range(n_slots):
        rest = np.delete(np.arange(n_slots), slot)
        for cards in product(*map(np.flatnonzero, belief[rest])):
            chance = belief[rest, cards].prod()
            used = np.bincount(cards, minlength=n_cards)
            left = (case.candidates - used).clip(0) * _weigh(case)[slot]
            if left.sum():
                average[slot] += chance * left / left.sum()
    return _scale(average)


def at_rest(case):
    """V1 at rest, or BB if the case has a likelihood."""
    return v1_result(*_known_rows(case)).belief


def from_v1(case):
    """Error 10, the first row of BB from B, which is V1: what L says of others is not heard."""
    return _scale(_copies_left(constant_scale(case), case).clip(0) * _weigh(case))


def no_clip(case):
    """Error 11, a negative number of copies is left as it is."""
    return _scale(_copies_left(first_belief(case), case) * _weigh(case))


ERRORS = (
    WrongFormula(1, "deck only", cases.S4, deck_only, first_belief, "V0"),
    WrongFormula(4, "normaliser", cases.S4, wrong_normaliser, first_belief, "V0"),
    WrongFormula(5, "bracket", cases.S4, wrong_bracket, one_step, "one step"),
    WrongFormula(6, "whole hands", cases.S4, whole_hand_product, one_step, "one step"),
    WrongFormula(7, "one β for all", cases.S2, constant_scale, scaled_hand_by_hand, "rest"),
    WrongFormula(9, "L is lost", cases.S7, constant_scale, at_rest, "rest"),
    WrongFormula(10, "B for BB", cases.S7, from_v1, one_step, "one step"),
    WrongFormula(11, "no clip", cases.S2, no_clip, one_step, "one step"),
)


def distance(version, case):
    """Mean distance of a version's belief in a case to the exact one, over its slots."""
    return float(np.abs(version(case) - exact_belief(*_known_rows(case))).sum(axis=1).mean() / 2)
