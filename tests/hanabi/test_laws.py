"""What each belief obeys: order, scale, batches, and the same without compiled code."""

import numpy as np
import pytest

from gameai_book.hanabi.cases import P2, P3, S3, S7
from gameai_lib.hanabi.belief import bethe, deals, exact, state, v0, v1
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_result
from tests.hanabi.brute import random_state

BELIEFS = {
    "V0": v0_belief,
    "V1": lambda *known: v1_result(*known).belief,
    "BB": bad_belief,
    "V2": v2_belief,
    "BP": bp_belief,
    "exact": exact_belief,
}


@pytest.mark.parametrize("belief", BELIEFS.values(), ids=BELIEFS)
def test_order_of_slots_and_cards_and_scale_of_a_row_do_not_matter(belief):
    rng = np.random.default_rng(23)
    candidates, mask, likelihood = random_state(rng, n_slots=5, n_cards=6)
    slots, cards = rng.permutation(5), rng.permutation(6)
    found = belief(candidates, mask, likelihood)
    moved = belief(candidates[cards], mask[slots][:, cards], likelihood[slots][:, cards])
    assert np.allclose(moved, found[slots][:, cards], rtol=0, atol=1e-12)
    scale = 10.0 ** np.array([-80, 0, 80, 3, 0])[:, None]
    assert np.allclose(belief(candidates, mask, likelihood * scale), found)


@pytest.mark.parametrize("belief", BELIEFS.values(), ids=BELIEFS)
def test_a_batch_is_its_states_one_at_a_time(belief):
    rng = np.random.default_rng(24)
    states = [random_state(rng, n_slots=4, n_cards=6) for _ in range(20)]
    batch = belief(*map(np.array, zip(*states, strict=True)))
    for row, known in zip(batch, states, strict=True):
        assert np.array_equal(row, belief(*known))


def test_each_state_of_a_batch_rests_by_itself():
    rng = np.random.default_rng(24)
    states = [random_state(rng, n_slots=4, n_cards=6) for _ in range(20)]
    settings = V1Settings(damping=0.9, n_iterations=200, tolerance=1e-6)
    batch = v1_result(*map(np.array, zip(*states, strict=True)), settings=settings)
    assert batch.converged.any()
    assert len(set(batch.n_iterations.tolist())) > 1
    for i, known in enumerate(states):
        single = v1_result(*known, settings=settings)
        assert all(np.array_equal(a[i], b) for a, b in zip(batch, single, strict=True))


def test_a_state_without_a_deal_is_named_in_a_batch():
    two_cards = np.array([1, 1, 1]), np.array([[1, 1, 0]] * 3, dtype=bool)
    batch = np.array([S3.candidates, two_cards[0]]), np.array([S3.hint_mask, two_cards[1]])
    for belief in (exact_belief, bp_belief):
        with pytest.raises(InconsistentState, match="no deal agrees"):
            belief(*two_cards)
        with pytest.raises(InconsistentState, match="state 1"):
            belief(*batch)
    with pytest.raises(InconsistentState, match="no deal agrees"):
        deals.sample_deals(*two_cards, 1, 0)


def test_plain_python_gives_the_same_as_compiled_code(monkeypatch):
    def everything():
        known = [(case.candidates, case.hint_mask, case.likelihood) for case in (P2, P3, S7)]
        found = [belief(*of) for of in known for belief in BELIEFS.values()]
        return found, deals.sample_deals(P3.candidates, P3.hint_mask, 50, 16)

    compiled, drawn = everything()
    for module in (state, v0, v1, exact, bethe, deals):
        for name, function in list(vars(module).items()):
            monkeypatch.setattr(module, name, getattr(function, "py_func", function))
    assert not hasattr(exact.multiply, "py_func")
    plain, again = everything()
    assert np.array_equal(again, drawn)
    for one, other in zip(plain, compiled, strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-12)
