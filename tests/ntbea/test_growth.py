"""What `tune` takes as its budget grows: the stored runs, one of them played again."""

import pytest

pytest.importorskip("resource", reason="memory cannot be read here")

from gameai_book.ntbea.measure import growth
from gameai_book.ntbea.results.tables import DATA, read_csv


@pytest.fixture(scope="module")
def stored():
    rows = read_csv(DATA / "growth.csv", growth.HEADER)
    return {tuple(map(int, row[:3])): float(row[-1]) for row in rows}


@pytest.mark.slow
def test_a_run_finds_again_what_it_found(stored):
    *_, loss = growth.measure_run(250, 1)
    assert loss == pytest.approx(stored[250, 1, 1], abs=2e-3)


def test_the_number_of_threads_changes_no_choice(stored):
    one, two = ({(b, r): x for (b, t, r), x in stored.items() if t == n} for n in (1, 2))
    assert one == two
    assert len(one) == len(growth.BUDGETS) * len(growth.RUNS)
