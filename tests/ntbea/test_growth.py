"""What `tune` takes as its budget grows: the stored runs, one of them played again."""

import csv

import pytest

pytest.importorskip("resource", reason="memory cannot be read here")

from gameai_book.ntbea.measure import growth
from gameai_book.ntbea.results.tables import DATA, GROWTH, growth_table


@pytest.fixture(scope="module")
def stored():
    with open(DATA / "growth.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = GROWTH[:3]
    return {tuple(int(row[name]) for name in names): float(row["loss"]) for row in rows}


def test_a_run_finds_again_what_it_found(stored):
    *_, loss = growth.measured(250, 1)
    assert loss == pytest.approx(stored[250, 1, 1], abs=2e-3)


def test_the_number_of_threads_changes_no_choice(stored):
    one, two = ({(b, r): x for (b, t, r), x in stored.items() if t == n} for n in (1, 2))
    assert one == two
    assert len(one) == len(growth.BUDGETS) * len(growth.RUNS)


def test_two_thousand_evaluations_stay_below_ten_seconds_and_sixty_megabytes():
    last = {title: column[-1] for title, column in growth_table().items()}
    assert last.pop("evaluations") == "2,000"
    assert last.pop("runs") == str(len(growth.RUNS))
    assert float(last.pop("MB at most")) <= 60
    assert len(last) == 2
    assert all(float(cell.split()[0]) <= 10 for cell in last.values())


def test_each_row_says_its_own_number_of_runs(tmp_path, monkeypatch):
    rows = [",".join(GROWTH), "250,1,1,2,3,4", "250,1,2,2,3,4", "250,2,1,2,3,4", "250,2,2,2,3,4"]
    rows += ["500,1,1,2,3,4", "500,1,2,2,3,4", "500,2,1,2,3,4", "500,2,2,2,3,4", "500,2,3,2,3,4"]
    (tmp_path / "growth.csv").write_text("\n".join(rows) + "\n")
    monkeypatch.setattr("gameai_book.ntbea.results.tables.DATA", tmp_path)
    assert growth_table()["runs"] == ["2", "2 or 3"]
