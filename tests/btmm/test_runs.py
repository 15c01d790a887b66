"""Runs in flat arrays, by hand."""

import numpy as np
import pytest

from gameai_lib.btmm._runs import gather_runs, repeat_runs, row_numbers

OFFSETS = np.array([0, 2, 2, 5])  # three runs: 0 and 1, nothing, 2 to 4


def test_runs_by_hand():
    assert repeat_runs(np.array([7, 8, 9]), OFFSETS).tolist() == [7, 7, 9, 9, 9]
    offsets, entries = gather_runs(OFFSETS, np.array([2, 0, 1, 2]))
    assert offsets.tolist() == [0, 3, 5, 5, 8]
    assert entries.tolist() == [2, 3, 4, 0, 1, 2, 3, 4]


def test_rows_are_picked_by_number_slice_or_mask():
    for rows in ([2, 0], np.array([-1, 0]), slice(None, None, -2)):
        assert row_numbers(rows, 3).tolist() == [2, 0]
    assert row_numbers([True, False, True], 3).tolist() == [0, 2]
    assert row_numbers(1, 3).tolist() == [1]
    assert row_numbers(range(2), 3).tolist() == row_numbers((0, 1), 3).tolist() == [0, 1]
    for rows in (3, [0.5], [[0, 1]], [True, False]):
        with pytest.raises(ValueError, match="rows must pick some of 3, got"):
            row_numbers(rows, 3)
    for rows in (True, None, (True, False, True)):
        with pytest.raises(TypeError, match="rows must be an array of numbers, got"):
            row_numbers(rows, 3)
