"""What `tune` takes as its budget grows: the stored runs, one of them played again."""

import numpy as np
import pytest

pytest.importorskip("resource", reason="memory cannot be read here")

from gameai_book.ntbea.measure import growth
from gameai_book.ntbea.results.tables import DATA, read_csv


@pytest.fixture(scope="module")
def cells():
    return np.array(read_csv(DATA / "growth.csv", growth.HEADER), float)


@pytest.fixture
def stored(cells):
    return {tuple(row[:3].astype(int).tolist()): row[-1] for row in cells}


@pytest.mark.slow
def test_a_run_finds_again_what_it_found(stored):
    *_, loss = growth.measure_run(250, 1)
    assert loss == pytest.approx(stored[250, 1, 1], abs=2e-3)


def test_the_number_of_threads_changes_no_choice(stored):
    one, two = ({(b, r): x for (b, t, r), x in stored.items() if t == n} for n in (1, 2))
    assert one == two
    assert len(one) == len(growth.BUDGETS) * len(growth.RUNS)


def test_two_thousand_evaluations_stay_below_ten_seconds_and_sixty_megabytes(cells):
    last = cells[cells[:, 0] == 2000]
    assert all(last[last[:, 1] == n, 3].mean() <= 10 for n in growth.THREADS)
    assert last[:, 4].max() <= 60
