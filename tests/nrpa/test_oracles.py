"""The errors of the source: worked on paper, and each found by the chapter's test of it."""

import numpy as np
import pytest

from gameai_book.nrpa.printed.cases import FAULT_CASES, worked_fault
from gameai_book.nrpa.printed.oracles import CANDIDATES, TESTS, printed_choice, verdicts
from gameai_lib.nrpa.search.kernels import choose
from gameai_lib.nrpa.search.policy import adapt, move_probabilities


def test_each_fault_is_found_by_its_test_and_the_right_program_passes_all():
    found = verdicts()
    failed = {name: {c for c, ok in row.items() if not ok} for name, row in found.items()}
    assert list(failed.values()) == [
        {"list too short"},
        {"codes by position"},
        {"codes by place"},
        {"greater or equal"},
        {"shared policy", "last normaliser"},
        {"one level off"},
        {"strict comparison"},
        {"last normaliser"},
        {"codes by position", "shared policy", "last normaliser"},
    ]
    assert set().union(*failed.values()) == set(CANDIDATES) - {"right"}
    assert all(row["right"] for row in found.values())
    assert all(test.__doc__ for test in TESTS.values())


def test_the_right_choice_is_that_of_the_kernels():
    weights = np.log([1.0, 2.0, 3.0])
    for u in np.arange(100) / 100:
        right = int(choose(np.exp(weights), np.arange(3), u))
        assert printed_choice(weights, u) == right


def test_the_two_faults_together_pick_minus_one():
    one = np.zeros(1)
    assert [printed_choice(one, u, short=True, lower=True) for u in (0, 0.5, 0.99)] == [-1] * 3
    assert [printed_choice(one, u, lower=True) for u in (0, 0.5, 0.99)] == [-1, 0, 0]


def test_weights_stay_finite_however_often_and_far_a_policy_adapts():
    policy = np.zeros(3)
    for _ in range(1000):
        policy = adapt(policy, [[0, 1, 2]] * 20, [1] * 20, alpha=100)  # no float holds e^1333
    assert np.isfinite(policy).all()
    np.testing.assert_allclose(move_probabilities(policy), [0, 1, 0], atol=1e-12)


def test_the_worked_cases_of_faults_are_those_of_paper():
    def case(fault, version="printed"):
        return list(worked_fault(fault, version).values())

    e = np.exp(1)
    right = np.array([e ** (-1 / 3), e ** (2 / 3), e ** (-1 / 3)])
    step = right / right.sum()
    for fault in FAULT_CASES.keys() - {"one level off", "no guard"}:
        for version in ("printed", "right"):
            assert sum(case(fault, version)) == pytest.approx(1)
    np.testing.assert_allclose(case("shared policy", "right"), step[[1, 0, 2]])
    assert case("shared policy")[0] == pytest.approx(0.774, abs=1e-3)
    assert case("last normaliser", "right")[1] == pytest.approx(0.719640180968)
    assert case("last normaliser")[1] == pytest.approx(0.398570, abs=1e-6)
    np.testing.assert_allclose(case("list too short"), [0.5, 0.5, 0])
    np.testing.assert_allclose(case("codes by position", "right"), step)
    np.testing.assert_allclose(case("codes by position"), 1 / 3)
    twice = np.array([e, e, 1.0])  # weights 1/3, 1/3 and -2/3
    np.testing.assert_allclose(case("codes by place"), twice / twice.sum())
    assert np.isnan(case("no guard")[0])
    np.testing.assert_allclose(case("no guard", "right"), [1, 0, 0], atol=1e-12)
    assert worked_fault("greater or equal", "printed")["no move"] == 1
    assert worked_fault("greater or equal", "right")["a"] == 1
    assert (case("one level off"), case("one level off", "right")) == ([9, 27], [3, 9])
