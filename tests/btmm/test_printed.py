"""The source's errors: the right version of a case is what theory says."""

import numpy as np

from gameai_book.btmm import printed


def test_each_error_changes_what_its_case_shows():
    np.testing.assert_allclose(list(printed.strengths(printed.PRINTED).values()), 1 / 3)
    right = list(printed.strengths(printed.RIGHT).values())
    np.testing.assert_allclose(right, np.array([4, 2, 1]) / 7, atol=1e-6)
    assert (np.diff(printed.climb(printed.RIGHT)) > -1e-12).all()
    assert (np.diff(printed.climb(printed.PRINTED)) < 0).sum() == 7
    said = [round(1000 * n) for n in printed.counts(printed.PRINTED).values()]
    assert said == [5_832, 17_496, 34_992, 52_488]  # the source's own figures
    reached = [round(1000 * n) for n in printed.counts(printed.RIGHT).values()]
    assert reached == [4 * 2 * 3**5, 4 * 2 * 3**6, 4 * (3**7 + 3**6), 4 * 2 * 3**7]
