"""The worked cases of the errors, against paper."""

import numpy as np
import pytest

from gameai_book.nrpa.printed.cases import FAULT_CASES, worked_fault


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
