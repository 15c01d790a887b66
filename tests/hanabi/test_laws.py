"""What each belief obeys: order, scale, batches, and the same without compiled code."""

import numpy as np
import pytest

from gameai_book.hanabi.cases import P2, P3, S3, S7
from gameai_lib.base import jit
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_result
from tests.hanabi.brute import random_state

HASTY = V1Settings(damping=0.9, n_iterations=200, tolerance=1e-6)
BELIEFS = {
    "V0": v0_belief,
    "V1": lambda *known: v1_result(*known).belief,
    "BB": bad_belief,
    "V2": v2_belief,
    "BP": bp_belief,
    "exact": exact_belief,
}
for_each_belief = pytest.mark.parametrize("belief", BELIEFS.values(), ids=BELIEFS)


@for_each_belief
def test_order_of_slots_and_cards_and_scale_of_a_row_do_not_matter(belief):
    rng = np.random.default_rng(23)
    candidates, mask, likelihood = random_state(rng, n_slots=5, n_cards=6)
    slots, cards = rng.permutation(5), rng.permutation(6)
    found = belief(candidates, mask, likelihood)
    moved = belief(candidates[cards], mask[slots][:, cards], likelihood[slots][:, cards])
    assert np.allclose(moved, found[slots][:, cards], rtol=0, atol=1e-12)
    scale = 10.0 ** np.array([-80, 0, 80, 3, 0])[:, None]
    assert np.allclose(belief(candidates, mask, likelihood * scale), found)


@for_each_belief
def test_a_batch_is_its_states_one_at_a_time(belief):
    rng = np.random.default_rng(24)
    states = [random_state(rng, n_slots=4, n_cards=6) for _ in range(20)]
    batch = [np.array(part) for part in zip(*states, strict=True)]
    for row, known in zip(belief(*batch), states, strict=True):
        assert np.array_equal(row, belief(*known))


def test_a_state_without_a_deal_is_named_in_a_batch():
    two_cards = np.array([1, 1, 1]), np.array([[1, 1, 0]] * 3, dtype=bool)
    batch = np.array([S3.candidates, two_cards[0]]), np.array([S3.hint_mask, two_cards[1]])
    for belief in (exact_belief, bp_belief):
        with pytest.raises(InconsistentState, match="no deal agrees"):
            belief(*two_cards)
    for belief in (exact_belief, bp_belief):
        with pytest.raises(InconsistentState, match="state 1"):
            belief(*batch)


def test_plain_python_gives_the_same_as_compiled_code(monkeypatch):
    def everything():
        known = [(case.candidates, case.hint_mask, case.likelihood) for case in (P2, P3, S7)]
        return [belief(*of) for of in known for belief in BELIEFS.values()]

    monkeypatch.setattr(jit, "_plain_left", 60.0)
    with jit.plain_at_first():
        plain = everything()
    monkeypatch.setattr(jit, "_plain_left", 0.0)
    for one, other in zip(plain, everything(), strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-12)
