"""V1, BB and V2 against slow readings of the equations, and their own laws."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import islice, pairwise

import numpy as np
import pytest

from gameai_book.hanabi.cases import P2, S1, S2, S6, star
from gameai_lib.hanabi.belief import v1
from gameai_lib.hanabi.belief.bad import FIFTY_STEPS, bad_belief, v2_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import (
    NotConverged,
    V1Settings,
    v1_belief,
    v1_iterations,
    v1_result,
)
from tests.hanabi.brute import random_state, slow_v1

SETTLED = V1Settings(n_iterations=20_000, tolerance=1e-13)


def test_s6_bb_is_certain_where_the_truth_is_not_and_v2_limits_the_damage():
    known = S6.candidates, S6.hint_mask, S6.likelihood
    assert np.allclose(bad_belief(*known, settings=SETTLED), np.eye(2), rtol=0, atol=1e-9)
    truth = exact_belief(*known)[0]
    for alpha, expected in ((0.01, 0.209), (0.1, 0.021)):
        v2 = v2_belief(*known, alpha=alpha, settings=SETTLED)[0]
        divergence = (truth * np.log(truth / v2)).sum()
        assert divergence == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("damping", [1, F(1, 5)])
def test_against_a_slow_reading_in_fractions(damping, clip):
    rng = np.random.default_rng(21)
    for _ in range(15):
        candidates, mask, likelihood = random_state(rng)
        exactly = [[F(float(x)) for x in row] for row in likelihood]
        integers = candidates.tolist(), mask.astype(int).tolist()
        expected = slow_v1(*integers, exactly, damping, clip, 4)
        settings = V1Settings(damping=float(damping), clip=clip, n_iterations=4, tolerance=0)
        belief = bad_belief(candidates, mask, likelihood, settings=settings)
        assert np.allclose(belief, np.array(expected, dtype=float), rtol=1e-9, atol=1e-9)


def test_frames_report_what_they_did_and_agree_with_the_result():
    public = P2.candidates, P2.hint_mask
    steps = v1_iterations(*public, settings=FIFTY_STEPS)
    frames = list(islice(steps, 51))
    *_, last = frames
    result = v1_result(*public, settings=FIFTY_STEPS)
    assert np.array_equal(last.belief, result.belief)
    assert last[1:] == result[1:]
    for before, after in pairwise(frames):
        moved = np.abs(after.belief - before.belief).max()
        assert moved == pytest.approx(0.2 * after.residual, rel=1e-9)
    last.belief[:] = -1  # a reader's frame is not the run
    assert next(steps).belief.min() >= 0
    steps = islice(v1_iterations(*public), 10_000)
    at_rest = next(frame for frame in steps if frame.converged)
    assert at_rest[1:] == v1_result(*public)[1:]


def energy_of(candidates, belief):
    """E of `V1Settings`, or inf where a card is promised more often than it exists."""
    left = candidates - belief.sum(axis=0)
    if left.min() < 0:
        return np.inf
    x = np.concatenate([left.clip(1e-300), belief[belief > 1e-300]])
    return (x * np.log(x)).sum()


@pytest.mark.parametrize("n_slots", [4, 8, 20])
def test_a_star_rests_where_a_fixed_damping_swings(n_slots):
    case = star(n_slots)
    public = case.candidates, case.hint_mask
    # Where p = (1 - (n - 1) p) / (2 - (n - 1) p), and how steep a plain step is there.
    n = n_slots - 1
    p = min(np.roots([n, -(2 + n), 1]))
    slope = -n / (2 - n * p) ** 2
    rest = v1_result(*public)
    assert rest.converged
    assert rest.belief[:, 0] == pytest.approx(p, abs=1e-8)
    for damping in (0.2, 1 / n_slots):
        fixed = v1_result(*public, settings=V1Settings(damping=damping, n_iterations=5000))
        assert fixed.converged == (damping < 2 / (1 - slope))
    assert v1_result(*public, settings=V1Settings(damping=1 / n_slots)).converged


def random_late_states(rng, n_states, n_slots, n_cards, n_deck):
    """Candidates and masks that allow a deal of `n_slots` cards with `n_deck` left over."""
    for _ in range(n_states):
        cards = rng.permutation(np.repeat(np.arange(n_cards), 3))[: n_slots + n_deck]
        mask = rng.random((n_slots, n_cards)) < rng.choice([0.2, 0.4, 0.7])
        mask[range(n_slots), cards[:n_slots]] = True
        yield np.bincount(cards, minlength=n_cards), mask


@pytest.mark.parametrize("n_deck", [0, 1, 3])
def test_the_default_comes_to_rest(n_deck):
    rng = np.random.default_rng([25, n_deck])
    states = random_late_states(rng, 100, 16, 14, n_deck)
    result = v1_result(*map(np.array, zip(*states, strict=True)))
    assert result.converged.all()


def test_a_step_by_one_over_the_rivals_never_raises_the_energy():
    rng = np.random.default_rng(26)
    n_checked = 0
    for candidates, mask in random_late_states(rng, 40, 6, 6, 4):
        rivals = v1._most_rivals((mask & (candidates > 0)).astype(float))
        settings = V1Settings(damping=1 / rivals)
        frames = v1_iterations(candidates, mask, settings=settings)
        energy = [energy_of(candidates, f.belief) for f in islice(frames, 80)]
        for before, after in pairwise(energy):
            assert after <= before + 1e-12 or before == np.inf
            n_checked += np.isfinite(before)
    assert n_checked > 2000


def test_without_rest_it_is_an_error_that_has_the_result():
    flips, hasty = V1Settings(damping=1, n_iterations=100), V1Settings(n_iterations=1)
    with pytest.raises(NotConverged, match="in 1 of 1 states: after 100") as caught:
        v1_belief(S2.candidates, S2.hint_mask, settings=flips)
    assert not caught.value.result.converged
    batch = np.array([S1.candidates, [2, 2]]), np.array([S1.hint_mask] * 2)
    with pytest.raises(NotConverged, match="in 2 of 2 states"):
        v1_belief(*batch, settings=hasty)
    for belief in (bad_belief, v2_belief):
        with pytest.raises(NotConverged):
            belief(S6.candidates, S6.hint_mask, S6.likelihood, settings=hasty)
    # A tolerance of 0 asks for so many iterations, and for nothing else.
    v1_belief(S2.candidates, S2.hint_mask, settings=replace(flips, tolerance=0))


# Slots 1 and 2 take the only copy of card 0 half each; slot 0 can hold nothing else.
STARVED = np.array([1, 1, 1]), np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=bool)


def test_a_starved_row_keeps_its_values():
    first = next(islice(v1_iterations(*STARVED), 1, None))
    assert np.array_equal(first.belief[0], [1, 0, 0])
    assert np.allclose(v1_belief(*STARVED, settings=SETTLED), np.eye(3), atol=1e-9)
